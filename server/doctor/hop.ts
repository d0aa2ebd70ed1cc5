import { withOwnCommands } from '../core/machine/command-line.ts';
import { fail, hop as createHop, pass, type Hop, type HopOutcome, type HopReport } from '../core/hop.ts';
import { toSpillwayError, type SpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { abortable, deadlineSignal } from '../../shared/base/async.ts';
import type { BrowserFacts } from '../../shared/core/bridge/hello.ts';
import type { BrowserKind, BrowserPlaces, ProfileExtension } from '../core/bridge/browsers.ts';
import type { MachineFiles, RunCommand } from '../core/bridge/machine.ts';
import type { Bridge } from '../core/services.ts';
import type { PeerInfo } from '../core/bridge/frames.ts';
import type { LocatedHost } from '../core/bridge/discovery.ts';
import type { LaunchedBrowser } from '../core/bridge/launch.ts';

/** Later versions only add fields. */
export type DoctorReport = {
  readonly ok: boolean;
  /** Id of the first hop that failed. */
  readonly failed: string | null;
  readonly version: string;
  readonly hops: readonly HopReport[];
};

/** A hop of doctor's own. */
export const hop = createHop<DoctorContext>;

const NOT_REACHED: HopOutcome = { ...pass([]), status: 'not_reached' };

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
  for (const hop of hops) {
    const slow = setTimeout(() => onWait(hop), LIMITS.helloNoticeMs);
    const isBroken = reports.some(({ status }) => status === 'failed');
    const startedAt = performance.now();
    const { fix, ...outcome } = isBroken ? NOT_REACHED : await withDeadline(hop, context);
    clearTimeout(slow);
    const report: HopReport = {
      id: hop.id,
      title: hop.title,
      ...outcome,
      evidence: outcome.evidence.map(withOwnCommands),
      warnings: outcome.warnings.map(withOwnCommands),
      fix: fix === null ? null : withOwnCommands(fix),
      duration_ms: isBroken ? 0 : Math.round((performance.now() - startedAt) * 10) / 10,
    };
    onHop(report);
    reports.push(report);
  }
  return reports;
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
export const formatBrowserName = ({ name, label }: BrowserFacts): string =>
  label === null ? name : `${name} "${label}"`;

/** Everything that the hops have found so far. */
export class Findings {
  /** Found on the machine. */
  browsers: readonly BrowserPlaces[] = [];
  profiles: ProfileExtension[] = [];
  /** Launchers that manifests lead to. */
  launchers: readonly string[] = [];
  /** Registered hosts with a live process. */
  hosts: readonly LocatedHost[] = [];
  peers: readonly { readonly host: LocatedHost; readonly peer: PeerInfo }[] = [];
  /** A host that refused the handshake only for its version. */
  versionRefusal: SpillwayError | null = null;
  /** The private browser, once it has been started. */
  launched: LaunchedBrowser | null = null;
}

/** Everything that the hops work with; injected, so that a test can break each. */
export interface DoctorContext extends MachineFiles {
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
