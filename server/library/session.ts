import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { MANIFESTS } from '../../shared/core/tools/index.ts';
import { isForModels, type ToolDefinition, isFound } from '../core/registry/definition.ts';
import { buildCancelled, type ToolCall } from '../core/calls/call.ts';
import type { ClientSession, Progress } from '../core/context.ts';
import type { Executor } from '../core/calls/executor.ts';
import { buildInstructions } from '../core/registry/registry.ts';
import type { ToolSelector } from '../core/registry/selector.ts';
import type { ToolResult } from '../core/result.ts';
import { createSession, toSelectable, withCompanions } from '../core/registry/session.ts';
import { anySignal, onAbort, lazy } from '../../shared/base/async.ts';
import type { CallOptions, CallResult, ListedTool, SpillwaySession, TypedTools } from './types.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import { defined } from '../../shared/base/json.ts';

interface SessionParts {
  readonly executor: Executor;
  /** The program's name. */
  readonly name?: string | undefined;
  /** Tools and categories that it lists. Default: those of the executor's registry. */
  readonly selectors?: readonly string[] | undefined;
  /** Replaces the server's own selector. */
  readonly toolSelector?: ToolSelector | undefined;
  /** Whether methods of `tools` throw. */
  readonly throwOnError?: boolean | undefined;
  /** Ends the session too. */
  readonly signal?: AbortSignal;
}

/** Ids from models are unique only within their conversation. */
function idIn({ id }: ClientSession, callId: string): string {
  const prefix = `${id}:`;
  return callId.startsWith(prefix) ? callId : `${prefix}${callId}`;
}

/** Does something with a call that ends with its session, or with the caller's signal. */
async function withCall<T extends ToolResult | null>(
  session: ClientSession,
  { executor, toolSelector: selector }: Pick<SessionParts, 'executor' | 'toolSelector'>,
  { callId, signal, onProgress, syncWaitMs, step, own }: CallOptions & { readonly callId: string },
  work: (call: Omit<ToolCall, 'tool' | 'args'>) => Promise<T>,
): Promise<T> {
  const cancel = anySignal([session.signal, signal], codedReason);
  const id = idIn(session, callId);
  let result: T | undefined;
  try {
    const progress = onProgress && ((reported: Progress) => onProgress(reported));
    const about = { callId: id, session, signal: cancel.signal, wantsObject: true };
    result = await work({ ...about, ...defined({ selector, progress, syncWaitMs, step, own }) });
    return result;
  } finally {
    // The caller can still cancel a call that is decided later.
    if (result?.pending === undefined) cancel.release();
    else void executor.questions.settled(id).then(cancel.release, cancel.release);
  }
}

/**
 * A session of the executor for callers in this process.
 * @throws SpillwayError `invalid_argument` for a selector that matches nothing
 */
export function openSession(parts: SessionParts): SpillwaySession {
  const { executor, name, selectors, toolSelector, throwOnError = false, signal: ended } = parts;
  const { registry } = executor;
  const gone = new AbortController();
  const { signal } = gone;
  // It may have many listeners during its life.
  setMaxListeners(0, signal);
  const session = createSession(randomUUID(), { registry, signal, ...defined({ selectors, name }) });
  if (ended !== undefined)
    onAbort(
      signal,
      onAbort(ended, () => gone.abort(ended.reason)),
    );
  const listed = (): readonly ToolDefinition[] =>
    session.tools.namesInList().map((name) => registry.get(name));
  const answer = (callId: string, result: ToolResult): CallResult =>
    toCallResult(callId, result, signal.aborted);
  const call = async (tool: string, args: unknown = {}, given: CallOptions = {}): Promise<CallResult> => {
    const { callId = randomUUID() } = given;
    // A closed session loads nothing.
    if (signal.aborted) return answer(callId, executor.refusal(buildClosed(signal.reason)));
    const made = { ...given, callId };
    const result = await withCall(session, parts, made, (about) =>
      executor.execute({ ...about, tool, args }),
    );
    return answer(callId, result);
  };
  return {
    id: session.id,
    signal,
    tools: typedTools(throwOnError ? async (...made) => orThrow(await call(...made)) : call),
    list: () => listed().filter(isForModels).map(toListed),
    has: (name) => registry.has(name),
    find: (name) => {
      const definition = registry.find(name);
      return definition !== undefined && isForModels(definition) ? toListed(definition) : undefined;
    },
    select: createSelect(session, registry, toolSelector),
    onListChange: (listener) => session.tools.onChange(listener),
    instructions: () => buildInstructions(registry.mode, listed()),
    call,
    ask: async (tool, args, options) => {
      if (signal.aborted) return null;
      const asked = await withCall(session, parts, options, (about) =>
        executor.questions.ask({ ...about, tool, args }),
      );
      return asked === null ? null : answer(options.callId, asked);
    },
    decide: async (callId, decision, options = {}) => {
      const cancel = anySignal([signal, options.signal], codedReason);
      const deciding = executor.questions.decide(idIn(session, callId), decision, cancel.signal);
      return answer(callId, await deciding.finally(cancel.release));
    },
    settled: async (callId) => answer(callId, await executor.questions.settled(idIn(session, callId))),
    close: () => gone.abort(buildCancelled('the end of its session')),
  };
}

function toListed({ manifest, presentation }: ToolDefinition): ListedTool {
  const { title, description, inputSchema } = presentation;
  const { name, annotations } = manifest;
  return { name, title, description, inputSchema, isReadOnly: annotations.readOnlyHint };
}

const buildClosed = (reason: unknown): SpillwayError =>
  new SpillwayError('session_closed', 'The session is closed; no call was made.', { cause: reason });

/**
 * The abort in a result, with one of our codes: `AbortSignal.timeout` is a `timeout`; any other reason says
 * who cancelled.
 */
function codedReason(reason: unknown): SpillwayError {
  const error = toSpillwayError(reason);
  return error === reason || error.code === 'timeout' ? error : buildCancelled('its caller');
}

/** The executor's result without the members for widgets. */
function toCallResult(callId: string, result: ToolResult, isClosed: boolean): CallResult {
  const { content, state, descriptor, pending, error, own } = result;
  const structured = result.structured ?? (descriptor && { ...descriptor });
  const [first] = content;
  // After the end of the session, asking a model would pay for calls that can only fail.
  const stop = result.stop === true || (isClosed && !result.ok);
  const answer = {
    callId,
    content,
    text: first.type === 'text' ? first.text : '',
    state,
    ...defined({ descriptor, structured, pending, own, stop: stop || undefined }),
  };
  if (result.ok) return { ...answer, ok: true };
  return { ...answer, ok: false, error: error ?? new SpillwayError('internal_error', 'It failed.').toWire() };
}

/** @throws SpillwayError what a call failed with */
function orThrow(result: CallResult): CallResult {
  if (result.ok) return result;
  const { code, message, ...details } = result.error;
  throw new SpillwayError(code, message, { ...details, state: result.state });
}

/** A method per tool. */
function typedTools(call: SpillwaySession['call']): TypedTools {
  const methods = MANIFESTS.map(({ name }) => [
    name,
    (args?: unknown, options?: CallOptions) => call<string>(name, args, options),
  ]);
  // The names come from the manifests, and so does the type.
  return Object.freeze(Object.fromEntries(methods)) as TypedTools;
}

/** By words, with an index that all sessions of the process share while their tools are the same. */
const loadSelector = lazy(async (): Promise<ToolSelector> => {
  const { createToolSelector } = await import('../find-tools/index.ts');
  return createToolSelector();
});

/** `select` of a session. */
function createSelect(
  session: ClientSession,
  registry: ToolRegistry,
  toolSelector: ToolSelector | undefined,
): SpillwaySession['select'] {
  return async (options) => {
    const { query, messages = [], budget_tokens, selector = toolSelector, signal = session.signal } = options;
    const { lastQuestion } = await import('../find-tools/index.ts');
    const chooser = selector ?? (await loadSelector());
    const tools = registry.all().filter(isFound);
    const selection = await chooser.select({
      query: query ?? lastQuestion(messages),
      messages,
      tools: tools.map(toSelectable),
      budget_tokens,
      signal,
    });
    const known = new Set(tools.map(({ manifest }) => manifest.name));
    const always = tools.filter(({ manifest }) => manifest.tier === 1).map(({ manifest }) => manifest.name);
    const chosen = selection.tools.map(({ name }) => name).filter((name) => known.has(name));
    const names = withCompanions(registry, [...chosen, ...always]);
    // A model may call the tools that it sees, so they are listed from now on.
    session.tools.add(names);
    return {
      tools: names
        .map((name) => registry.get(name))
        .filter(isForModels)
        .map(toListed),
      notes: selection.notes,
    };
  };
}
