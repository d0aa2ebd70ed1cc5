import { SpillwayError } from '../../../shared/errors.ts';
import type { CallContext, CallTool, NestedContext } from '../../core/context.ts';
import type { Clock } from '../../core/services.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Decision, ProgramServices } from './calls.ts';
import type { ExecutionOptions } from './program.ts';
import { PARK_AFTER_MS } from './waiting.ts';
import type { RunScope } from '../../core/runs.ts';

/** The calls that started programs, by run. A program that another server resumes has none. */
const contexts = new WeakMap<object, CallContext>();

/**
 * Records the call that is about to start a program: the program's calls may ask its client for the same
 * things.
 */
export function rememberCall(context: CallContext): void {
  contexts.set(context.call, context);
}

const decisions = new Map<string, Decision>();

export const decisionFrom = (outcome: Decision['do'] | undefined, result: JsonValue): Decision | null =>
  outcome === undefined ? null : outcome === 'retry' ? { do: outcome } : { do: outcome, result };

/** Resumes the run of a program, which takes the decision. */
export async function resumeWith<T>(
  runId: string,
  decision: Decision | null,
  resume: () => Promise<T>,
): Promise<T> {
  if (decision !== null) decisions.set(runId, decision);
  try {
    return await resume();
  } catch (thrown) {
    decisions.delete(runId);
    throw thrown;
  }
}

/** Once. */
export function takeDecision(runId: string): Decision | null {
  const decision = decisions.get(runId) ?? null;
  decisions.delete(runId);
  return decision;
}

/** How a run's program is executed: its calls belong to the session, and are recorded as steps of `recipe`. */
export function executionOf(
  scope: RunScope,
  recipe: string,
  {
    registry,
    clock,
    callTool,
  }: Pick<ProgramServices, 'registry'> & {
    readonly clock: Clock;
    readonly callTool: CallTool;
  },
): ExecutionOptions {
  const caller = callerOfRun(scope);
  return {
    decision: takeDecision(scope.runId),
    parkAfterMs: PARK_AFTER_MS,
    services: {
      registry,
      now: () => clock.now(),
      call: ({ signal, ...call }) => callTool({ ...call, recipe, context: { ...caller, signal } }),
    },
  };
}

/**
 * The session for which a program calls tools. @throws SpillwayError `session_closed` for a run that no
 * session has
 */
export function callerOfRun({
  call,
  session,
  signal,
  runId,
}: Pick<RunScope, 'call' | 'session' | 'signal' | 'runId'>): NestedContext {
  const context = call === null ? undefined : contexts.get(call);
  if (context !== undefined) return { ...context, signal };
  if (session === null)
    throw new SpillwayError('session_closed', 'The program has no session whose tools it could call.', {
      hint: 'Resume the run with run_resume.',
    });
  return { callId: runId, session, signal, step: null };
}
