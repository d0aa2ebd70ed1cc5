import { z } from 'zod';
import { deadlineSignal } from '../../../shared/async.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { Json } from '../../../shared/json-schema.ts';
import type { CallTool } from '../../core/context.ts';
import type { ToolRegistry } from '../../core/registry/registry.ts';
import type { RunWorker } from '../../core/runs.ts';
import type { Clock } from '../../core/services.ts';
import { admitProgram, queueOf, runElsewhere } from '../../toolkit/programs/elsewhere.ts';
import type { Parking } from '../../toolkit/programs/parking.ts';
import { executionOf } from '../../toolkit/programs/caller.ts';
import { runProgram } from '../../toolkit/programs/program.ts';
import { PrivateBrowser } from '../../../shared/recipes/recipe.ts';
import type { ToolServices } from '../index.ts';

const Args = z.object({
  code: z.string(),
  input: Json,
  timeout_ms: z.int().optional(),
  browser: PrivateBrowser.optional(),
});

/** The work of the runs of `script`: a program, executed from its first line, even when it is resumed. */
export const createWorker = ({
  parking,
  queue,
  bridge,
  ...services
}: {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  readonly callTool: CallTool;
  readonly parking: Pick<Parking, 'park'>;
  readonly queue: ToolServices['queue'];
  /** Null on a worker. */
  readonly bridge: ToolServices['bridge'] | null;
}): RunWorker => ({
  admit: (stored, by) => admitProgram({ queue, bridge }, Args.parse(stored).browser === 'private', by),
  async run(stored, scope) {
    const { code, input, timeout_ms: timeoutMs = Infinity, browser } = Args.parse(stored);
    const workers = queueOf(queue, { isPrivate: browser === 'private', state: scope.state });
    if (workers !== null)
      return runElsewhere({ tool: 'script', args: stored, recipe: null }, scope, {
        ...services,
        queue: workers,
        bridge,
        parking,
      });
    const tooLong = (): SpillwayError =>
      new SpillwayError('timeout', `The program took longer than ${timeoutMs} ms.`);
    const { signal, release } = deadlineSignal(timeoutMs, tooLong, scope.signal);
    try {
      return await runProgram({ code, input }, { ...scope, signal }, executionOf(scope, 'script', services));
    } catch (thrown) {
      throw parking.park(thrown, scope);
    } finally {
      release();
    }
  },
});
