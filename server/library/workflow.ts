import { z } from 'zod';
import { isErrorCode, SpillwayError, type WireError, invalidArgument } from '../../shared/base/errors.ts';
import { defined as present, type JsonValue } from '../../shared/base/json.ts';
import { Json } from '../../shared/base/json-schema.ts';
import type { RunResult, RunView } from '../core/runs.ts';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  parseContinuePayload,
  type ContinuePayload,
  type PendingHumanInputAction,
} from '../people/human-contract.ts';
import { WorkflowThread, type Flow as AnyFlow, type FlowCallOptions } from '../programs/native.ts';
import { execute } from '../programs/program.ts';
import {
  keepAnswer,
  PARK_AFTER_MS,
  parseParked,
  questionsOf,
  type ProgramAnswer,
} from '../programs/waiting.ts';
import { decisionFrom } from '../programs/caller.ts';
import { hostOf, WORKFLOW_RUNS, type WorkflowHost } from './workflow-host.ts';
import type { Spillway } from './spillway.ts';
import type { TypedTools } from './types.ts';

export { FlowError, type FlowCallOptions } from '../programs/native.ts';

/** One method per tool, with its arguments' types. Arguments may be omitted if none is required. */
type FlowTools = {
  readonly [Name in keyof TypedTools]: undefined extends Parameters<TypedTools[Name]>[0]
    ? (args?: Parameters<TypedTools[Name]>[0], options?: FlowCallOptions) => Promise<JsonValue>
    : (args: Parameters<TypedTools[Name]>[0], options?: FlowCallOptions) => Promise<JsonValue>;
};

/** Work outside these functions is repeated when the workflow is resumed. */
export interface Flow extends Omit<AnyFlow, 'tools'> {
  /**
   * Calls a tool of Spillway. JSON answers are objects, texts are strings, and stored outputs have an
   * `output_handle`. @throws FlowError
   */
  readonly tools: FlowTools;
}

/** How long a question of a workflow can be answered. */
const EXPIRES_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

/** A workflow: a function over a {@link Flow}, whose every step is recorded. */
export interface Workflow<Input, Output> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly run: (flow: Flow, input: Input) => Promise<Output>;
}

/** The end of a workflow, or the reason that it waits. */
export type WorkflowResult<Output> =
  | { readonly status: 'completed'; readonly runId: string; readonly output: Output }
  | {
      readonly status: 'requires_human_input';
      readonly runId: string;
      /** Show it to a person, and pass the answer to {@link resumeWorkflow}. */
      readonly action: PendingHumanInputAction;
      /** It also sleeps: call {@link resumeWorkflow} then, without an answer. */
      readonly until?: Date;
    }
  | { readonly status: 'sleeping'; readonly runId: string; readonly until: Date }
  | { readonly status: 'failed' | 'cancelled'; readonly runId: string; readonly error: WireError };

/** The Spillway that a workflow uses. */
export interface WorkflowOptions {
  readonly spillway: Spillway;
  /** Cancels the run, which can be resumed. */
  readonly signal?: AbortSignal | undefined;
}

export interface ResumeOptions extends WorkflowOptions {
  /** The answer of the person. */
  readonly continue?: ContinuePayload | undefined;
  /** For the call that failed, or whose outcome is unknown: repeat it, or use `result` as its answer. */
  readonly outcome?: 'retry' | 'skip' | undefined;
  readonly result?: JsonValue | undefined;
}

/** A run of a workflow. */
export interface ListedWorkflow {
  readonly runId: string;
  readonly name: string;
  readonly status: RunView['status'];
  readonly startedAt: Date;
}

/**
 * Defines a workflow. Its name is also that of its record: a process that resumes a run defines it under the
 * same name.
 */
export const defineWorkflow = <Input, Output extends JsonValue | void>(
  workflow: Workflow<Input, Output>,
): Workflow<Input, Output> => Object.freeze(workflow);

/**
 * Executes a workflow until it ends or waits.
 * @throws SpillwayError `invalid_argument` for an invalid input
 */
export async function runWorkflow<Input, Output extends JsonValue | void>(
  workflow: Workflow<Input, Output>,
  input: Input,
  options: WorkflowOptions,
): Promise<WorkflowResult<Output>> {
  const parsed = workflow.input.safeParse(input);
  if (!parsed.success)
    throw invalidArgument(`The input of ${workflow.name}: ${z.prettifyError(parsed.error)}`);
  const host = expectHost(options.spillway);
  offer(workflow, host);
  const runs = await host.runs();
  const { run_id: runId } = await runs.start({
    tool: WORKFLOW_RUNS,
    args: { name: workflow.name, input: Json.parse(JSON.parse(JSON.stringify(parsed.data ?? null))) },
    source: workflow.name,
    session: host.session,
    output: { mode: 'inline', inlineLimitBytes: 0 },
    callsTools: true,
  });
  return settle(workflow.name, runId, host, options);
}

/**
 * Continues a run: with a person's answer, after a sleep, or after its process ended.
 * @throws SpillwayError `run_not_found`, `run_not_resumable`; `human_input_not_found` for an answer to a
 *   question that the run does not ask, `invalid_argument` for one that does not match, and for a result
 *   without `skip`
 */
export async function resumeWorkflow<Input, Output extends JsonValue | void>(
  workflow: Workflow<Input, Output>,
  runId: string,
  options: ResumeOptions,
): Promise<WorkflowResult<Output>> {
  const decision = decisionFrom(options.outcome, options.result ?? null);
  const host = expectHost(options.spillway);
  const runs = await host.runs();
  const view = await runs.get(runId);
  if (view.tool !== WORKFLOW_RUNS || view.source !== workflow.name)
    throw new SpillwayError(
      'run_not_resumable',
      `${runId} does not belong to the workflow ${workflow.name}.`,
    );
  if (options.continue !== undefined)
    await keepAnswer(runs, runId, answerFrom(runId, options.continue), Date.now());
  offer(workflow, host);
  await runs.resume(runId, { decision });
  return settle(workflow.name, runId, host, options);
}

/** The newest runs of workflows, newest first. @param count at most 100 */
export async function listWorkflows({ spillway }: WorkflowOptions, count = 20): Promise<ListedWorkflow[]> {
  const runs = await expectHost(spillway).runs();
  const { runs: views } = await runs.list({ count: Math.min(count, 100), tool: WORKFLOW_RUNS });
  return views.map(({ run_id: runId, source: name, status, started_at_ms: startedAtMs }) => ({
    runId,
    name,
    status,
    startedAt: new Date(startedAtMs),
  }));
}

function expectHost(spillway: Spillway): WorkflowHost {
  const host = hostOf(spillway);
  if (host !== undefined) return host;
  throw invalidArgument('spillway: takes what createSpillway returned.');
}

/** From now on, this definition executes the host's runs of this name. */
function offer<Input, Output extends JsonValue | void>(
  { name, input, run }: Workflow<Input, Output>,
  { registry, callTool, session, defined }: WorkflowHost,
): void {
  defined.set(name, (stored, scope) =>
    execute(
      (events, begin) =>
        new WorkflowThread(
          async (flow) => {
            // They are made as they are named.
            const tools = z.custom<FlowTools>(() => true).parse(flow.tools);
            const output: JsonValue | void = await run({ ...flow, tools }, input.parse(stored));
            return output ?? undefined;
          },
          events,
          begin,
        ),
      '',
      scope,
      {
        parkAfterMs: PARK_AFTER_MS,
        services: {
          registry,
          now: () => Date.now(),
          call: ({ callId, tool, args, signal, onAsk }) =>
            callTool({
              callId,
              tool,
              args,
              recipe: name,
              context: { callId: scope.runId, session, signal, step: null },
              onAsk,
            }),
        },
      },
    ),
  );
}

/** @throws SpillwayError `human_input_not_found` for a question of another run */
function answerFrom(runId: string, payload: ContinuePayload): ProgramAnswer {
  const { toolCallId, userInput: input } = parseContinuePayload(payload);
  const call = Number(toolCallId.slice(runId.length + 1));
  if (toolCallId === idOf(runId, call)) return { call, input };
  throw new SpillwayError(
    'human_input_not_found',
    `toolCallId: ${runId} does not ask ${JSON.stringify(toolCallId.slice(0, 80))}.`,
  );
}

const idOf = (runId: string, id: number): string => `${runId}.${id}`;

async function settle<Output>(
  name: string,
  runId: string,
  { runs: load }: WorkflowHost,
  { signal = new AbortController().signal }: WorkflowOptions,
): Promise<WorkflowResult<Output>> {
  const runs = await load();
  // A waiting or stopped run has no result: its record says why.
  const result = await runs
    .wait(runId, { timeoutMs: Infinity, signal, progress: () => undefined })
    .catch(() => null);
  const view = result?.view ?? (await runs.get(runId));
  const { status, error } = view;
  if (status === 'completed' && result !== null)
    return { status, runId, output: z.custom<Output>(() => true).parse(await outputOf(result)) };
  const waits = waitFor(name, view);
  if (waits !== null) return waits;
  const { code = 'cancelled', message = 'The run was stopped.', hint, quotes } = error ?? {};
  const known = isErrorCode(code) ? code : 'internal_error';
  return {
    status: status === 'failed' ? 'failed' : 'cancelled',
    runId,
    error: { ...new SpillwayError(known, message, { hint }).toWire(), ...present({ quotes }) },
  };
}

/** The stored return value; a list item by item. */
async function outputOf(result: RunResult): Promise<JsonValue | undefined> {
  const items: JsonValue[] = [];
  for await (const item of result.items()) items.push(item);
  return result.outcome.single === undefined ? items : items[0];
}

/** Null for a run that does not wait. */
function waitFor(
  name: string,
  view: RunView,
): Extract<WorkflowResult<never>, { status: 'requires_human_input' | 'sleeping' }> | null {
  const runId: string = view.run_id;
  const waiting = parseParked(view)?.waiting ?? [];
  const times = waiting.flatMap((each) => ('until' in each ? [each.until] : []));
  const sleeps = times.length === 0 ? null : { until: new Date(Math.min(...times)) };
  const [first, ...others] = questionsOf(view).map(({ id, question }) => ({
    toolCallId: idOf(runId, id),
    toolName: HUMAN_INTERACTION_TOOL_NAME,
    args: question,
  }));
  if (first !== undefined)
    return {
      status: 'requires_human_input',
      runId,
      action: {
        status: 'requires_human_input',
        interaction: {
          ...first,
          expiresAt: new Date(Date.now() + EXPIRES_AFTER_MS).toISOString(),
          others,
          waiting: [],
        },
        messages: [{ role: 'assistant', content: first.args.message, workflow: name, run_id: runId }],
      },
      ...sleeps,
    };
  return sleeps === null ? null : { status: 'sleeping', runId, ...sleeps };
}
