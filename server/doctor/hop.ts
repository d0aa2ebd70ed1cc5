import { withOwnCommands } from '../machine/command-line.ts';
import { toSpillwayError, type ErrorCode, type SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { abortable, deadlineSignal } from '../../shared/async.ts';
import type { BrowserFacts } from '../../shared/bridge/hello.ts';
import type {
  ProfileExtension,
  BrowserPlaces,
  BrowserKind,
  DetectedBrowser,
} from '../bridge/install/browsers.ts';
import type { Machine, RunCommand, Files } from '../bridge/install/machine.ts';
import type { Bridge } from '../core/services.ts';
import type { PeerInfo } from '../bridge/frames.ts';
import type { ChromiumSearch } from '../bridge/chromium.ts';
import type { LiveHost } from '../bridge/discovery.ts';
import type { LaunchedBrowser } from '../bridge/launch.ts';

/** Sentences are for people; each names its subject. */
export type HopOutcome =
  | { readonly ok: true; readonly evidence: readonly string[]; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      readonly evidence: readonly string[];
      /** The next step for a person. */
      readonly fix: string;
      readonly code: ErrorCode | null;
    };

/** One link of the chain from server to page. The hops share `C`. */
export interface Hop<C> {
  readonly id: string;
  readonly title: string;
  /** A hop that has not ended by then has failed; nothing hangs. */
  readonly timeoutMs: number | ((context: C) => number);
  /** A throw is a failure too: its code and message become the outcome. */
  run(context: C, signal: AbortSignal): Promise<HopOutcome>;
}

/** One hop of a {@link DoctorReport}. */
export type HopReport = {
  readonly id: string;
  readonly title: string;
  readonly status: 'ok' | 'failed' | 'not_reached';
  readonly evidence: readonly string[];
  readonly warnings: readonly string[];
  /** Null unless failed. */
  readonly fix: string | null;
  /** A code of `shared/errors.ts`, if one fits. */
  readonly code: ErrorCode | null;
  readonly duration_ms: number;
};

/** Later versions only add fields. */
export type DoctorReport = {
  readonly ok: boolean;
  /** Id of the first hop that failed. */
  readonly failed: string | null;
  readonly version: string;
  readonly hops: readonly HopReport[];
};

/** The hop works. */
export function pass(evidence: string | readonly string[], warnings: readonly string[] = []): HopOutcome {
  return { ok: true, evidence: typeof evidence === 'string' ? [evidence] : evidence, warnings };
}

/** The hop is broken: the evidence, and the fix. */
export function fail(
  evidence: string | readonly string[],
  fix: string,
  code: ErrorCode | null = null,
): HopOutcome {
  return { ok: false, evidence: typeof evidence === 'string' ? [evidence] : evidence, fix, code };
}

/**
 * Runs hops in order up to the first that fails; later ones are `not_reached`. Calls `onHop` when each ends,
 * and `onWait` for a slow one.
 */
export async function runHops<C>(
  hops: readonly Hop<C>[],
  context: C,
  onHop: (report: HopReport) => void = () => {},
  onWait: (hop: Pick<Hop<C>, 'title'>) => void = () => {},
): Promise<HopReport[]> {
  const reports: HopReport[] = [];
  let isBroken = false;
  for (const hop of hops) {
    const slow = setTimeout(() => onWait(hop), LIMITS.helloNoticeMs);
    const report: HopReport = isBroken ? notReached(hop) : await runHop(hop, context);
    clearTimeout(slow);
    isBroken ||= report.status === 'failed';
    onHop(report);
    reports.push(report);
  }
  return reports;
}

async function runHop<C>(hop: Hop<C>, context: C): Promise<HopReport> {
  const startedAt = performance.now();
  const outcome = withCommands(await withDeadline(hop, context));
  const common = {
    id: hop.id,
    title: hop.title,
    evidence: outcome.evidence,
    duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  return outcome.ok
    ? { ...common, status: 'ok', warnings: outcome.warnings, fix: null, code: null }
    : { ...common, status: 'failed', warnings: [], fix: outcome.fix, code: outcome.code };
}

function withCommands(outcome: HopOutcome): HopOutcome {
  const evidence = outcome.evidence.map(withOwnCommands);
  if (outcome.ok) return { ...outcome, evidence, warnings: outcome.warnings.map(withOwnCommands) };
  return { ...outcome, evidence, fix: withOwnCommands(outcome.fix) };
}

/** A hop that ignores its signal is abandoned at its deadline. */
async function withDeadline<C>(hop: Hop<C>, context: C): Promise<HopOutcome> {
  const over = new AbortController();
  const timeoutMs = typeof hop.timeoutMs === 'number' ? hop.timeoutMs : hop.timeoutMs(context);
  const late = (): Error => new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError');
  const { signal, release } = deadlineSignal(timeoutMs, late, over.signal);
  try {
    return await abortable(hop.run(context, signal), signal);
  } catch (thrown) {
    const { code, message, hint } = toSpillwayError(thrown);
    return fail(message, hint, code);
  } finally {
    over.abort();
    release();
  }
}

function notReached<C>({ id, title }: Hop<C>): HopReport {
  return {
    id,
    title,
    status: 'not_reached',
    evidence: [],
    warnings: [],
    fix: null,
    code: null,
    duration_ms: 0,
  };
}

/** How to make the browser start a new host: a disabled extension has no reload button. */
export function reloadAdvice(profiles: readonly ProfileExtension[], browser: string): string {
  const known = profiles.filter((each) => each.browser === browser);
  const off = known.find(({ isEnabled }) => !isEnabled);
  if (off === undefined || known.some(({ isEnabled }) => isEnabled))
    return `Press the reload button of Spillway in chrome://extensions of ${browser}`;
  const place = `in chrome://extensions of ${browser}, profile "${off.profile}"`;
  if (off.lacksDeveloperMode)
    return `Switch "Developer mode" on ${place}, and then Spillway if it is still off`;
  return `Switch Spillway on ${place}`;
}

/** As agents know it: a label tells it from others of its kind. */
export const nameOf = ({ name, label }: BrowserFacts): string =>
  label === null ? name : `${name} "${label}"`;

/** A browser that a hop found, for later hops. */
export interface CheckedBrowser {
  readonly places: BrowserPlaces;
  readonly detected: DetectedBrowser;
}

interface Findings {
  browsers: CheckedBrowser[];
  profiles: ProfileExtension[];
  /** Launchers that manifests lead to. */
  launchers: string[];
  /** Registered hosts with a live process. */
  hosts: LiveHost[];
  peers: { readonly host: LiveHost; readonly peer: PeerInfo }[];
  /** A host that refused the handshake only for its version. */
  versionRefusal: SpillwayError | null;
  /** The private browser, once it has been started. */
  launched: LaunchedBrowser | null;
}

/** Finds and starts a private browser, for `--launch`. */
export interface PrivateLaunch {
  readonly search: () => Promise<ChromiumSearch>;
  /** Rejects with `browser_launch_failed`. */
  readonly start: (signal: AbortSignal) => Promise<LaunchedBrowser>;
}

/** Everything that the hops work with; injected, so that a test can break each. */
export interface DoctorContext {
  readonly machine: Machine;
  readonly files: Files;
  readonly run: RunCommand;
  readonly home: string;
  readonly distDirectory: string;
  readonly node: { readonly version: string; readonly path: string };
  /** `found`: any browser on the machine; otherwise each named one has to work. */
  readonly browsers: 'found' | readonly BrowserKind[];
  /** `--output-max-bytes`. */
  readonly outputMaxBytes: number;
  readonly connectTimeoutMs: number;
  /** Folders in which hosts register. */
  readonly bridgeDirectories: readonly string[];
  /** The server's own end of the bridge; the first hop that needs it opens it. */
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
