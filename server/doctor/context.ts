import type { Bridge } from '../core/services.ts';
import type { BrowserKind, BrowserPlaces } from '../bridge/install/browsers.ts';
import type { DetectedBrowser } from '../bridge/install/detect.ts';
import type { Files } from '../bridge/install/files.ts';
import type { Machine } from '../bridge/install/machine.ts';
import type { RunCommand } from '../bridge/install/registry.ts';
import type { PeerInfo } from '../bridge/connection.ts';
import type { ChromiumSearch } from '../bridge/chromium.ts';
import type { LiveHost } from '../bridge/discovery.ts';
import type { LaunchedBrowser } from '../bridge/launch.ts';
import type { SpillwayError } from '../../shared/errors.ts';
import type { ProfileExtension } from './profiles.ts';

/** A browser that a hop found and later ones look at. */
export interface CheckedBrowser {
  readonly places: BrowserPlaces;
  readonly detected: DetectedBrowser;
}

/** What hops have found so far, for those after them. */
export interface Findings {
  browsers: CheckedBrowser[];
  profiles: ProfileExtension[];
  /** Launchers that manifests lead to. */
  launchers: string[];
  /** Registered hosts whose process lives. */
  hosts: LiveHost[];
  /** What each host said after the handshake. */
  peers: { readonly host: LiveHost; readonly peer: PeerInfo }[];
  /** A host that refused the handshake for its version alone. */
  versionRefusal: SpillwayError | null;
  /** The private browser, once it has been started. */
  launched: LaunchedBrowser | null;
}

/** How to find and start a browser of one's own, for `--launch`. */
export interface PrivateLaunch {
  readonly search: () => Promise<ChromiumSearch>;
  /** Rejects with `browser_launch_failed`. */
  readonly start: (signal: AbortSignal) => Promise<LaunchedBrowser>;
}

/** Everything the hops work with; injected, so that each can be broken in a test. */
export interface DoctorContext {
  readonly machine: Machine;
  readonly files: Files;
  readonly run: RunCommand;
  readonly home: string;
  readonly distDirectory: string;
  readonly node: { readonly version: string; readonly path: string };
  /** `found`: any that are on the machine; otherwise each named one has to work. */
  readonly browsers: 'found' | readonly BrowserKind[];
  /** `--output-max-bytes`. */
  readonly outputMaxBytes: number;
  /** How long a program that lives may take to answer. */
  readonly connectTimeoutMs: number;
  /** Folders in which hosts register. */
  readonly bridgeDirectories: readonly string[];
  /** The server's own end of the bridge; opened by the first hop that needs it. */
  readonly bridge: () => Bridge;
  readonly findings: Findings;
}

/** Nothing found yet. */
export function emptyFindings(): Findings {
  return {
    browsers: [],
    profiles: [],
    launchers: [],
    hosts: [],
    peers: [],
    versionRefusal: null,
    launched: null,
  };
}
