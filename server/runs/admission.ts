import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { RunWorker } from '../core/runs.ts';

/** A run that somebody wants to begin. */
export interface Admission {
  readonly tool: string;
  readonly args: JsonObject;
  readonly call: CallScope | null;
  readonly signal?: AbortSignal | undefined;
}

const NEVER = new AbortController().signal;

/** A person may have to be asked about what a run is for. @param workerOf the work of a tool's runs */
export async function admit(
  { tool, args, call, signal = NEVER }: Admission,
  workerOf: (tool: string) => Promise<RunWorker> | undefined,
): Promise<void> {
  if (call === null) return;
  const work = await workerOf(tool);
  await work?.admit?.(args, { call, signal });
}

/** @param why such as `is complete` */
export const notResumable = (runId: string, why: string): SpillwayError =>
  new SpillwayError('run_not_resumable', `${runId} ${why}.`);

/** Its tool is not offered here. */
export const noWork = (runId: string, tool: string): SpillwayError =>
  new SpillwayError('run_not_resumable', `${runId}: runs of ${tool} cannot be continued here.`, {
    hint: `Read its items with run_output, or call ${tool} again.`,
  });

/** A secret is not stored on disk, not even to resume a run. */
export const withheld = (runId: string): SpillwayError =>
  new SpillwayError(
    'run_not_resumable',
    `${runId}: its arguments contain a secret that this server does not have.`,
    { hint: 'Resume it from the server that has it, or read its items with run_output and start a new run.' },
  );
