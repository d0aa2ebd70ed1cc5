import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Recipe } from '../../../shared/recipes/recipe.ts';
import type { ToolRegistry } from '../../core/registry/registry.ts';
import type { Outcome } from '../../core/result.ts';
import type { RunChange, RunScope } from '../../core/runs.ts';
import type { Decision } from './calls.ts';
import { takeDecision } from './caller.ts';
import type { Parking } from './parking.ts';
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
   * Commits what a worker reports to the run's own scope. @param begin called for each worker that begins: a change of the record,
   * and the decision about the call that ended the run
   * @throws SpillwayError `queue_secret_refused`, `queue_unavailable`, `no_worker`, `worker_lost`, or the program's own
   */
  run(
    program: RemoteProgram,
    scope: RunScope,
    begin: () => { readonly change: (change: RunChange) => void; readonly decision: Decision | null },
  ): Promise<Outcome>;
}

/** The run of a program whose calls are made on a worker. Its record is the same as in place. */
export async function runElsewhere(
  program: RemoteProgram,
  scope: RunScope,
  services: {
    readonly queue: () => Promise<RunQueue>;
    readonly registry: Pick<ToolRegistry, 'find'>;
    readonly parking: Pick<Parking, 'park'>;
  },
): Promise<Outcome> {
  const { queue, registry, parking } = services;
  let decision = takeDecision(scope.runId);
  const onlyReads = (name: string): boolean => {
    const tool = registry.find(name);
    return tool?.kind === 'native' && (name === 'navigate' || tool.manifest.annotations.readOnlyHint);
  };
  try {
    return await (
      await queue()
    ).run(program, scope, () => {
      const once = decision;
      // A second worker meets a call that nobody has decided about.
      decision = null;
      return { decision: once, change: (change) => forgetPage(change, { onlyReads, decision: once }) };
    });
  } catch (thrown) {
    throw parking.park(thrown, scope);
  }
}

/** A worker parks nothing: the home does. */
export const PASSES_ON = {
  park: (thrown: unknown): SpillwayError =>
    thrown instanceof SpillwayError ? thrown : new SpillwayError('internal_error', String(thrown)),
};
