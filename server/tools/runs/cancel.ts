import type { z } from 'zod';
import type { runCancel } from '../../../shared/tools/runs/manifest.ts';
import { produceJson } from '../../core/calls/produce.ts';
import { describeRun } from '../../core/calls/run-answer.ts';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/registry/runtime.ts';

type Args = z.output<typeof runCancel.input>;

/** `run_cancel`: ends a run; what is committed stays. */
export function createRunCancel({ runs }: { readonly runs: Runs }): ToolRuntime<Args> {
  return {
    run: async ({ run_id }) => produceJson(describeRun(await runs.cancel(run_id, 'run_cancel'))),
  };
}
