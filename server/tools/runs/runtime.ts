import type { Runs } from '../../core/runs.ts';
import type { ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Clock } from '../../core/services.ts';
import { createRunCancel } from './cancel.ts';
import { createRunList } from './list.ts';
import { createRunLog } from './log.ts';
import { createRunOutput } from './output.ts';
import { createRunResume } from './resume.ts';
import { createRunStatus } from './status.ts';

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
