import { randomUUID } from 'node:crypto';
import type { CallToolResult, InputRequest, Result, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { onAbort } from '../../../shared/base/async.ts';
import { buildCancelled, isSameCall, type ToolCall } from '../../core/calls/call.ts';
import { SessionLog } from '../log.ts';
import {
  LINK_BYTES,
  PROGRESS_BYTES,
  SAMPLING_MS,
  envelopeBytes,
  progressTo,
  rankWith,
  toCallToolResult,
} from '../tools.ts';
import { RPC_CODE, RpcError, invalidParams } from '../rpc.ts';
import {
  SESSION_KEY,
  TASKS_EXTENSION,
  callerOf,
  takesTasks,
  type Caller,
  type Capabilities,
} from './sessions.ts';
import { type Begun, type Era, PausedExchange } from './era.ts';
import { isObject } from '../../../shared/base/json.ts';
import { JsonRecord } from '../../../shared/base/json-schema.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { AskPerson, PersonPage, PersonPages, SampleModel } from '../../core/context.ts';

/** A request to the client, in the protocol's form. */
const Request = z.custom<InputRequest>();
const request = (method: InputRequest['method'], params: object): InputRequest =>
  Request.parse({ method, params });

const Reply = z.object({ action: z.enum(['accept', 'decline', 'cancel']), content: JsonRecord.optional() });
const Sampled = JsonRecord.refine(({ content }) => content !== undefined);

const pageRequest = ({ message, url }: PersonPage): InputRequest =>
  request('elicitation/create', { mode: 'url', message, url });

/** Questions and requests that this request declares to support. */
function asksOf(
  exchange: PausedExchange,
  { elicitation, sampling }: Capabilities,
): Pick<ToolCall, 'askPerson' | 'pages' | 'rank' | 'sample'> {
  const person = { response: Reply, timeoutMs: LIMITS.humanInputMs };
  const model = { response: Sampled, timeoutMs: SAMPLING_MS };
  const askPerson: AskPerson = async ({ message, schema: requestedSchema }, signal) => {
    const params = { mode: 'form', message, requestedSchema };
    const form = { request: request('elicitation/create', params), ...person };
    const { action, content = {} } = await exchange.ask(form, signal);
    return { action, content };
  };
  const pages: PersonPages = {
    ask: async (page, signal) =>
      (await exchange.ask({ request: pageRequest(page), ...person }, signal)).action,
    require: (needed) => void (exchange.required = needed),
    // The protocol has no word for it: the client repeats the call.
    completed: () => undefined,
  };
  const sample: SampleModel = (params, signal) =>
    exchange.ask({ request: request('sampling/createMessage', params), ...model }, signal);
  // A client that names no mode shows forms.
  const hasForms =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(hasForms ? { askPerson } : {}),
    ...(elicitation?.url === undefined ? {} : { pages }),
    ...(sampling === undefined ? {} : { sample, rank: rankWith(sample) }),
  };
}

export const CallParams = z.object({ name: z.unknown().optional(), arguments: z.unknown().optional() });

/** A call that takes longer becomes a task, if the client supports tasks. */
const TASK_AFTER_MS = 500;
/** The identity of the server, `resultType`, and the first answer's note on its session. */
const ADDED_BYTES = 512;

/** `tools/call`: the end of the call, its question to the client, or a task. */
export async function callTool(
  era: Era,
  params: z.infer<typeof CallParams>,
  context: ServerContext,
): Promise<Result> {
  const { mcpReq } = context;
  const caller = callerOf(context);
  const state = mcpReq.requestState<unknown>();
  const begun =
    state === undefined ? await begin(era, params, { caller, context }) : take(era, state, params);
  if ('refused' in begun) return begun.refused;
  const { exchange, call } = begun;
  exchange.answer(mcpReq.inputResponses ?? {});
  const stopCancel = onAbort(mcpReq.signal, () => exchange.cancel(buildCancelled('the client')));
  const stopLog = sendLog(era, begun, context);
  try {
    exchange.onProgress = progressOf(era, context, caller);
    await exchange.next(mayBeTask(era, call.tool, caller) ? TASK_AFTER_MS : Infinity);
    const isOpen = exchange.outcome === null && Object.keys(exchange.questions).length === 0;
    const task = isOpen ? era.tasks.keep(exchange, begun.ended) : null;
    if (task !== null) return addSessionName({ ...task }, begun.given.made);
    await exchange.next();
    return answer(era, begun);
  } finally {
    stopCancel();
    stopLog();
  }
}

const mayBeTask = ({ options }: Era, tool: string, caller: Caller): boolean =>
  takesTasks(caller) && options.executor.registry.find(tool)?.manifest.tasks === 'optional';

/** -32021: the request is for clients that support tasks. */
export const missingTasks = (): RpcError =>
  new RpcError(RPC_CODE.missingCapability, `Declare the extension ${TASKS_EXTENSION} in this request.`, {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });

/** The call behind a question to the client. @throws RpcError `-32602` */
function take(era: Era, state: unknown, params: z.infer<typeof CallParams>): Begun {
  const begun = typeof state === 'string' ? era.asked.get(state) : undefined;
  const { call } = begun ?? {};
  const isSame = call !== undefined && isSameCall(call, { ...call, ...argumentsOf(era, params).call });
  if (begun === undefined || !isSame)
    throw invalidParams('Invalid or expired requestState: make the call again without it.');
  era.asked.delete(begun.exchange.state);
  return begun;
}

/** The name and the arguments of a call; where sessions have handles, the arguments may name one. */
function argumentsOf(
  { sessions, options }: Era,
  { name, arguments: given }: z.infer<typeof CallParams>,
): { readonly call: Pick<ToolCall, 'tool' | 'args'>; readonly handle: string | undefined } {
  const tool = typeof name === 'string' ? name : '';
  const fields = options.executor.registry.find(tool)?.presentation.inputSchema['properties'];
  const takesOwn = isObject(fields) && 'session' in fields;
  if (!sessions.haveHandles || takesOwn || !isObject(given) || !('session' in given))
    return { call: { tool, args: given }, handle: undefined };
  const { session, ...args } = given;
  return { call: { tool, args }, handle: String(session) };
}

async function begin(
  era: Era,
  params: z.infer<typeof CallParams>,
  { caller, context }: { readonly caller: Caller; readonly context: ServerContext },
): Promise<Begun | { readonly refused: Result }> {
  const { executor, onWork, selectors } = era.options;
  const { call: named, handle } = argumentsOf(era, params);
  const isTask = mayBeTask(era, named.tool, caller);
  // Widgets know no handle, and poll: their sessions would displace those of models.
  const isOfWidget = executor.registry.find(named.tool)?.row.audience === 'widget';
  const given = era.sessions[isOfWidget ? 'borrow' : 'open']({
    client: caller.client,
    handle: caller.handle ?? handle,
    ...(selectors === undefined ? {} : { selectors }),
  });
  if ('code' in given)
    return { refused: toCallToolResult(executor.refusal(given), executor.registry.mode.widgets) };
  const { session } = given;
  const exchange = new PausedExchange();
  const call: ToolCall = {
    ...named,
    callId: randomUUID(),
    session,
    signal: exchange.signal,
    envelopeBytes: envelopeBytes(context.mcpReq.id) + LINK_BYTES + ADDED_BYTES,
    ...asksOf(exchange, caller.capabilities),
    ...(isTask ? { syncWaitMs: Infinity } : {}),
    ...(caller.progressToken === undefined && !isTask
      ? {}
      : { progressBytes: PROGRESS_BYTES, progress: exchange.report }),
  };
  const release = onAbort(session.signal, () => exchange.cancel(session.signal.reason));
  const ended = exchange.run(async () => {
    const first = await executor.execute(call);
    if (first.pending !== undefined) onWork?.(executor.questions.settled(first.pending.callId));
    const result = await executor.awaitAnswer(call, first);
    if (result.ok) exchange.required = [];
    return withHandle(toCallToolResult(result, executor.registry.mode.widgets), given.made);
  });
  void ended.then(() => {
    release();
    given.done();
    const { state } = exchange;
    // The client still shows a question: its answer counts, and it gets this end.
    if (era.asked.has(state)) setTimeout(() => era.asked.delete(state), LIMITS.humanInputMs).unref();
  });
  return { exchange, call, ended, given };
}

/** The end of a call, or its question to the client. */
function answer(era: Era, begun: Begun): Result {
  const { exchange } = begun;
  const { outcome, required } = exchange;
  if (outcome === null) {
    const requestState = randomUUID();
    exchange.state = requestState;
    era.asked.set(requestState, begun);
    return { resultType: 'input_required', inputRequests: exchange.questions, requestState };
  }
  exchange.leave();
  // The call has failed, and is repeated once the pages were opened.
  if (required.length > 0)
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(required.map((page, at) => [`page${at + 1}`, pageRequest(page)])),
    };
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** Adds the name of its session to the first answer of the call that made it. */
const addSessionName = <Answer extends Result>(answer: Answer, handle: string | null): Answer =>
  handle === null ? answer : { ...answer, _meta: { ...answer._meta, [SESSION_KEY]: handle } };

/** A task's client reads the result without this request. */
function withHandle(result: CallToolResult, handle: string | null): CallToolResult {
  if (handle === null) return result;
  const text = `session: ${handle}. Pass it as "session" in the next calls: it keeps the current tab, refs and the budget.`;
  return addSessionName({ ...result, content: [...result.content, { type: 'text', text }] }, handle);
}

/** Sends progress before the answer; over HTTP, while there is room in the body of a short one. */
function progressOf(
  { sessions }: Era,
  { mcpReq }: ServerContext,
  { progressToken }: Caller,
): PausedExchange['onProgress'] {
  if (progressToken === undefined) return null;
  return progressTo(progressToken, mcpReq.signal, (params, hasRoom) =>
    sessions.haveHandles && !hasRoom
      ? undefined
      : mcpReq.notify({ method: 'notifications/progress', params }),
  );
}

/** The log of a call, for a request that asks for it. */
function sendLog({ options }: Era, { call }: Begun, context: ServerContext): () => void {
  const { logLevel } = callerOf(context);
  const over = new AbortController();
  if (options.logs !== undefined && logLevel !== undefined)
    new SessionLog({
      source: options.logs,
      sessionId: call.session.id,
      signal: over.signal,
      send: async (params, callId) => {
        if (callId === call.callId)
          await context.mcpReq.notify({ method: 'notifications/message', params: { ...params } });
      },
    }).setLevel(logLevel);
  return () => over.abort();
}
