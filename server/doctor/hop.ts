import { withOwnCommands } from '../machine/command-line.ts';
import { toSpillwayError, type ErrorCode } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { abortable, deadlineSignal } from '../../shared/async/wait.ts';

/** Sentences are for people; each names the thing it speaks of. */
export type HopOutcome =
  | { readonly ok: true; readonly evidence: readonly string[]; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      readonly evidence: readonly string[];
      /** The next step for a person. */
      readonly fix: string;
      readonly code: ErrorCode | null;
    };

/** One link of the chain from server to page. `C` is what the hops share. */
export interface Hop<C> {
  readonly id: string;
  readonly title: string;
  /** A hop that is not done by then has failed; nothing hangs. */
  readonly timeoutMs: number | ((context: C) => number);
  /** A throw is a failure, too: its code and message become the outcome. */
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
  /** A code of `shared/errors.ts` where one fits. */
  readonly code: ErrorCode | null;
  readonly duration_ms: number;
};

/** Fields are only ever added. */
export type DoctorReport = {
  readonly ok: boolean;
  /** Id of the first hop that failed. */
  readonly failed: string | null;
  readonly version: string;
  readonly hops: readonly HopReport[];
};

/** The hop holds. */
export function pass(evidence: string | readonly string[], warnings: readonly string[] = []): HopOutcome {
  return { ok: true, evidence: typeof evidence === 'string' ? [evidence] : evidence, warnings };
}

/** The hop is broken: what was seen, and what to do. */
export function fail(
  evidence: string | readonly string[],
  fix: string,
  code: ErrorCode | null = null,
): HopOutcome {
  return { ok: false, evidence: typeof evidence === 'string' ? [evidence] : evidence, fix, code };
}

/**
 * Runs hops in order up to the first that fails; later ones are `not_reached`. `onHop` is called with
 * each as it ends, `onWait` with one that takes long.
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
