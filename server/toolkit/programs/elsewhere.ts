import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Recipe } from '../../../shared/recipes/recipe.ts';
import type { ToolRegistry } from '../../core/registry/registry.ts';
import type { Outcome } from '../../core/result.ts';
import type { AdmittedBy, RunChange, RunDecision, RunKey, RunScope, RunState } from '../../core/runs.ts';
import type { CallTool } from '../../core/context.ts';
import type { Bridge, Clock } from '../../core/services.ts';
import { expectNotStopped, untilStopped } from '../redirects.ts';
import { onlyReads } from './calls.ts';
import { forgetPage } from './record.ts';

/** A program as a worker gets it. */
export interface RemoteProgram {
  readonly tool: 'recipe_run' | 'script';
  /** Of its run. */
  readonly args: JsonObject;
  readonly recipe: Recipe | null;
}

/** Runs programs on workers: `server/scale`. */
export interface RunQueue {
  /**
   * Commits what a worker reports to the run's own scope. @param known the decision about the call that ended the run, which goes to
   * the first worker that does something, and a change of the record for each worker that begins
   * @throws SpillwayError `queue_secret_refused`, `queue_unavailable`, `no_worker`, `worker_lost`, or the program's own
   */
  run(
    program: RemoteProgram,
    scope: RunScope,
    known: {
      readonly decision: RunDecision | null;
      readonly forgetPage: (change: RunChange, decision: RunDecision | null) => void;
      /** Asked before a call. @throws SpillwayError `agent_stopped`, `agent_paused` */
      readonly mayGoOn: () => Promise<void>;
    },
  ): Promise<Outcome>;
}

/** In the record of a run that a queue has had. */
export const ON_WORKERS: RunKey = ['queue'];

/**
 * The queue for a run, or null if its calls are made in place. One that began on a worker, away from the person's
 * sign-ins, stays there.
 * @throws SpillwayError `queue_unavailable`
 */
function queueOf(
  queue: ProgramWorkServices['queue'],
  isPrivate: boolean,
  state: RunState | null,
): ProgramWorkServices['queue'] {
  const hasBegun = state?.get(ON_WORKERS) !== undefined;
  if (queue !== null) return isPrivate || hasBegun ? queue : null;
  if (!hasBegun) return null;
  throw new SpillwayError('queue_unavailable', 'The run began on a worker, and this server has no --queue.', {
    hint: 'Start the server with --queue, then call run_resume; or call the tool again, for a new run in place.',
  });
}

/** Whether a run may begin or go on, in place or on workers. @throws SpillwayError as {@link queueOf}, and `agent_stopped` */
export async function admitProgram(
  { queue, bridge }: ProgramWorkServices,
  isPrivate: boolean,
  by: AdmittedBy,
): Promise<void> {
  const isElsewhere = queueOf(queue, isPrivate, by.state) !== null;
  if (isElsewhere && bridge !== null) await expectNotStopped(bridge, by);
}

/** Services for the work of a program's run. */
export interface ProgramWorkServices {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  readonly callTool: CallTool;
  readonly parking: { park(thrown: unknown, scope: RunScope): SpillwayError };
  readonly queue: (() => Promise<RunQueue>) | null;
  /** Null on a worker. */
  readonly bridge: Bridge | null;
}

/** Runs a program whose calls are made on a worker, with the same record; null if they are made in place. */
export async function runElsewhere(
  program: RemoteProgram & { readonly isPrivate: boolean },
  scope: RunScope,
  { bridge, registry, parking, ...services }: ProgramWorkServices,
): Promise<Outcome | null> {
  const { isPrivate, ...remote } = program;
  const queue = queueOf(services.queue, isPrivate, scope.state);
  if (queue === null) return null;
  try {
    const workers = await queue();
    const known = {
      decision: scope.decision,
      forgetPage: (change: RunChange, decision: RunDecision | null) =>
        forgetPage(change, { onlyReads: onlyReads(registry), decision }),
    };
    if (bridge === null) throw new SpillwayError('internal_error', 'A worker has no workers.');
    return await untilStopped(bridge, scope, (stoppable) =>
      workers.run(remote, stoppable, { ...known, mayGoOn: () => expectNotStopped(bridge, stoppable) }),
    );
  } catch (thrown) {
    throw parking.park(thrown, scope);
  }
}
