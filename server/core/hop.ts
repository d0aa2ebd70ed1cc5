import type { ErrorCode } from '../../shared/base/errors.ts';

/** Sentences are for people; each names its subject. */
export type HopOutcome = Omit<HopReport, 'id' | 'title' | 'duration_ms'>;

/** One link of the chain from server to page. The hops share `C`. */
export interface Hop<C> {
  readonly id: string;
  readonly title: string;
  /** A hop that has not ended by then has failed; nothing hangs. */
  readonly timeoutMs: number | ((context: C) => number);
  /** A throw is a failure too: its code and message become the outcome. */
  run(context: C, signal: AbortSignal): Promise<HopOutcome>;
}

/** A hop in the report of `spillway doctor`. */
export type HopReport = {
  readonly id: string;
  readonly title: string;
  readonly status: 'ok' | 'failed' | 'not_reached';
  readonly evidence: readonly string[];
  readonly warnings: readonly string[];
  /** The next step for a person; null unless failed. */
  readonly fix: string | null;
  /** A code of `shared/base/errors.ts`, if one fits. */
  readonly code: ErrorCode | null;
  readonly duration_ms: number;
};

/** A hop by its members. */
export const hop = <C = unknown>(
  id: string,
  title: string,
  timeoutMs: Hop<C>['timeoutMs'],
  run: Hop<C>['run'],
): Hop<C> => ({ id, title, timeoutMs, run });

/** The hop works. */
export function pass(evidence: string | readonly string[], warnings: readonly string[] = []): HopOutcome {
  return { status: 'ok', evidence: [evidence].flat(), warnings, fix: null, code: null };
}

/** The hop is broken: the evidence, and the fix. */
export function fail(
  evidence: string | readonly string[],
  fix: string,
  code: ErrorCode | null = null,
): HopOutcome {
  return { status: 'failed', evidence: [evidence].flat(), warnings: [], fix, code };
}
