import { z } from 'zod';
import { deadlineSignal } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { Json } from '../../shared/base/json-schema.ts';
import type { RunWorker } from '../core/runs.ts';
import { executionOf } from './caller.ts';
import { runProgram } from './program.ts';
import type { ToolServices } from '../core/index.ts';

const Args = z.object({ code: z.string(), input: Json, timeout_ms: z.int().optional() });

/** The work of the runs of `script`: a program, executed from its first line, even when it is resumed. */
export const createWorker = (
  services: Pick<ToolServices, 'registry' | 'clock' | 'callTool' | 'parking'>,
): RunWorker => ({
  async run(stored, scope) {
    const { code, input, timeout_ms: timeoutMs = Infinity } = Args.parse(stored);
    const tooLong = (): SpillwayError =>
      new SpillwayError('timeout', `The program took longer than ${timeoutMs} ms.`);
    const { signal, release } = deadlineSignal(timeoutMs, tooLong, scope.signal);
    try {
      return await runProgram({ code, input }, { ...scope, signal }, executionOf(scope, 'script', services));
    } catch (thrown) {
      throw services.parking.park(thrown, scope);
    } finally {
      release();
    }
  },
});
