import type { Runs } from '../../core/runs.ts';
import type { ToolRuntimes } from '../../core/runtime.ts';
import { createRunCancel } from './cancel.ts';
import { createRunOutput } from './output.ts';
import { createRunResume } from './resume.ts';
import { createRunStatus } from './status.ts';

/** The runtimes of `runs`, by api. */
export function createRunTools(services: { readonly runs: Runs }): ToolRuntimes {
  return {
    run_status: createRunStatus(services),
    run_output: createRunOutput(services),
    run_cancel: createRunCancel(services),
    run_resume: createRunResume(services),
  };
}
