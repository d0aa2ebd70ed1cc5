import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { CallContext, CallTool, NestedContext } from '../core/context.ts';
import { defined, type JsonValue } from '../../shared/base/json.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import type { Clock } from '../core/services.ts';
import type { ExecutionOptions } from './program.ts';
import { PARK_AFTER_MS } from './waiting.ts';
import type { RunDecision, RunScope } from '../core/runs.ts';

/** The calls that started programs, by run. A program that another server resumes has none. */
const contexts = new WeakMap<object, NestedContext>();

/**
 * Records the call that is about to start a program: the program's calls may ask its client for the same
 * things.
 */
export function rememberCall({ call, callId, session, signal, step, ...asks }: CallContext): void {
  const { askPerson, rank, selector } = asks;
  // Not the context, which has the call's arguments: a run may wait for its turn for hours.
  contexts.set(call, { callId, session, signal, step, ...defined({ askPerson, rank, selector }) });
}

/** @throws SpillwayError `invalid_argument` for a result that nothing would take */
export function decisionFrom(outcome: RunDecision['do'] | undefined, result: JsonValue): RunDecision | null {
  if (outcome === 'skip') return { do: outcome, result };
  if (result !== null) throw invalidArgument('result: takes outcome "skip" with it.');
  return outcome === undefined ? null : { do: outcome };
}

/** How a run's program is executed: its calls belong to the session, and are recorded as steps of `recipe`. */
export function executionOf(
  scope: RunScope,
  recipe: string,
  {
    registry,
    clock,
    callTool,
  }: { readonly registry: ToolRegistry; readonly clock: Clock; readonly callTool: CallTool },
): ExecutionOptions {
  const caller = callerOfRun(scope);
  return {
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
export function callerOfRun(scope: Pick<RunScope, 'call' | 'session' | 'signal' | 'runId'>): NestedContext {
  const { call, session, signal, runId } = scope;
  const context = call === null ? undefined : contexts.get(call);
  if (context !== undefined) return { ...context, signal };
  if (session === null)
    throw new SpillwayError('session_closed', 'The program has no session whose tools it could call.', {
      hint: 'Resume the run with run_resume.',
    });
  return { callId: runId, session, signal, step: null };
}
