import type { z } from 'zod';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntimes, ToolRuntime } from '../../core/registry/definition.ts';
import type { Clock } from '../../core/services.ts';
import type { runCancel } from '../../../shared/tools/runs/manifest.ts';
import { produceJson, describeRun } from '../../core/calls/produce.ts';
import { createRunList } from './list.ts';
import { createRunLog } from './log.ts';
import { createRunOutput } from './output.ts';
import { createRunResume } from './resume.ts';
import { createRunStatus } from './status.ts';

type Args = z.output<typeof runCancel.input>;

/** `run_cancel`: ends a run; what is committed stays. */
function createRunCancel({ runs }: { readonly runs: Runs }): ToolRuntime<Args> {
  return {
    run: async ({ run_id }) => produceJson(describeRun(await runs.cancel(run_id, 'run_cancel'))),
  };
}

/** The runtimes of `runs`, by api. */
export function createRuntimes(services: { readonly runs: Runs; readonly clock: Clock }): ToolRuntimes {
  return {
    run_status: createRunStatus(services),
    run_output: createRunOutput(services),
    run_cancel: createRunCancel(services),
    run_resume: createRunResume(services),
    run_list: createRunList(services),
    run_log: createRunLog(services),
  };
}
