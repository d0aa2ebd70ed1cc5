import { z } from 'zod';
import { EXTENSION_ID } from '../../shared/bridge/wire.ts';
import type { BrowserPlaces, BrowserKind } from '../bridge/install/browsers.ts';
import type { Files } from '../bridge/install/files.ts';
import { pathsOf, type Machine, type RunCommand } from '../bridge/install/machine.ts';
import type { Bridge } from '../core/services.ts';
import type { DetectedBrowser } from '../bridge/install/detect.ts';
import type { PeerInfo } from '../bridge/connection.ts';
import type { ChromiumSearch } from '../bridge/chromium.ts';
import type { LiveHost } from '../bridge/discovery.ts';
import type { LaunchedBrowser } from '../bridge/launch.ts';
import type { SpillwayError } from '../../shared/errors.ts';

/** Our extension in one browser profile, as the profile's preferences last said on disk. */
export interface ProfileExtension {
  readonly browser: string;
  readonly profile: string;
  /** Folder of an unpacked extension; null for one from a store. */
  readonly folder: string | null;
  readonly isEnabled: boolean;
}

/** How to have the browser start a new host: a disabled extension has no reload button. */
export function reloadAdvice(profiles: readonly ProfileExtension[], browser: string): string {
  const known = profiles.filter((each) => each.browser === browser);
  const off = known.find(({ isEnabled }) => !isEnabled);
  if (off === undefined || known.some(({ isEnabled }) => isEnabled))
    return `Press the reload button of Spillway in chrome://extensions of ${browser}`;
  return `Switch Spillway on in chrome://extensions of ${browser}, profile "${off.profile}"`;
}

const Preferences = z.object({
  extensions: z.object({
    settings: z.record(
      z.string(),
      z.object({
        path: z.string().optional(),
        // Chromium writes a number, or since 133 a list of reasons.
        // Older ones say 0 for off here.
        state: z.number().optional(),
        disable_reasons: z.union([z.number(), z.array(z.number())]).optional(),
      }),
    ),
  }),
});

const PREFERENCE_FILES = ['Secure Preferences', 'Preferences'] as const;

/** Looks our extension up in every profile of a browser. Browsers write these files with delay. */
export async function readProfiles(
  machine: Machine,
  files: Files,
  places: BrowserPlaces,
): Promise<ProfileExtension[]> {
  const path = pathsOf(machine);
  const found: ProfileExtension[] = [];
  const names = (await files.list(places.userDataDirectory)) ?? [];
  for (const profile of names.filter((name) => name === 'Default' || name.startsWith('Profile '))) {
    for (const file of PREFERENCE_FILES) {
      const bytes = await files.read(path.join(places.userDataDirectory, profile, file));
      const setting = bytes === null ? null : settingOf(Buffer.from(bytes).toString('utf8'));
      if (setting === null) continue;
      const { path: folder, disable_reasons: reasons, state } = setting;
      found.push({
        browser: places.name,
        profile,
        folder: folder !== undefined && path.isAbsolute(folder) ? folder : null,
        isEnabled: state !== 0 && (Array.isArray(reasons) ? reasons.length === 0 : (reasons ?? 0) === 0),
      });
      break;
    }
  }
  return found;
}

function settingOf(text: string) {
  try {
    return Preferences.parse(JSON.parse(text)).extensions.settings[EXTENSION_ID] ?? null;
  } catch {
    return null;
  }
}

/** A browser that a hop found and later ones look at. */
export interface CheckedBrowser {
  readonly places: BrowserPlaces;
  readonly detected: DetectedBrowser;
}

interface Findings {
  browsers: CheckedBrowser[];
  profiles: ProfileExtension[];
  /** Launchers that manifests lead to. */
  launchers: string[];
  /** Registered hosts whose process lives. */
  hosts: LiveHost[];
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
