import type { z } from 'zod';
import type { runResume } from '../../../shared/tools/runs/manifest.ts';
import { answerRun } from '../../core/calls/produce.ts';
import { decide } from '../../toolkit/programs/caller.ts';
import { Json } from '../../../shared/json-schema.ts';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/registry/definition.ts';

type Args = z.output<typeof runResume.input>;

/** `run_resume`: resumes a run, and waits for it as the call that started it did. */
export function createRunResume({ runs }: { readonly runs: Runs }): ToolRuntime<Args> {
  return {
    run: async ({ run_id, async, outcome, result }, context) => {
      if (outcome !== undefined) decide(context, outcome, Json.parse(result ?? null));
      const view = await runs.resume(run_id, context);
      return answerRun(runs, view, { async, context, isAsStarted: true });
    },
  };
}
