import type { z } from 'zod';
import type { runResume } from '../../../shared/tools/run_resume/manifest.ts';
import { answerRun, sourceOfRun } from '../../core/run-answer.ts';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/runtime.ts';

type Args = z.output<typeof runResume.input>;

/** `run_resume`: goes on with a run, and waits for it as the call that started it did. */
export function createRunResume(services: {
  readonly runs: Runs;
  readonly syncWaitMs: number;
}): ToolRuntime<Args> {
  const { runs, syncWaitMs } = services;
  return {
    run: async ({ run_id, async }, context) => {
      const view = await runs.resume(run_id);
      const untrustedFrom = await sourceOfRun(runs, view);
      return answerRun(runs, view, { async, syncWaitMs, untrustedFrom, context, isAsStarted: true });
    },
  };
}
