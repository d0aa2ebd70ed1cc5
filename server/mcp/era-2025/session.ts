import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra, RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CreateMessageRequestParamsSchema,
  CreateMessageResultSchema,
  EmptyResultSchema,
  ErrorCode,
  McpError,
  RELATED_TASK_META_KEY,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type RequestId,
  type RequestMeta,
  type Result,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { lazy, onAbort } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { JsonRecord } from '../../../shared/base/json-schema.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { ToolCall } from '../../core/calls/call.ts';
import type { AskPerson, PersonPage, PersonPages, SampleModel } from '../../core/context.ts';
import type { ToolResult } from '../../core/result.ts';
import type { Resources } from '../../core/upstreams.ts';
import { serveFaces } from '../faces.ts';
import { LevelParams, SessionLog } from '../log.ts';
import { answerRequest, type McpScope, RpcError, UriParams } from '../rpc.ts';
import { rankWith, SAMPLING_MS } from '../tools.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** One client of the adapter: the SDK's server, and what Spillway remembers of the client. */
export interface McpSession extends McpScope {
  readonly server: Server;
  /** Requests of pending calls, by call id: messages about a call go to the same stream as its result. */
  readonly requests: Map<string, RequestId>;
  /** The methods that are served. The SDK would check their parameters first, and answer invalid ones without a code. */
  readonly methods: Map<string, (params: unknown, extra: Extra) => Promise<Result>>;
}

/** Questions and requests that the client has declared to support. */
export function asksOf(
  mcp: McpSession,
  about: About,
): Pick<ToolCall, 'askPerson' | 'pages' | 'rank' | 'sample'> {
  const { elicitation, sampling } = mcp.server.getClientCapabilities() ?? {};
  const asking: Asking = { server: mcp.server, about };
  const sample = sampleOf(asking);
  return {
    ...(elicitation?.form === undefined ? {} : { askPerson: askPersonOf(asking) }),
    ...(elicitation?.url === undefined ? {} : { pages: pagesOf(asking) }),
    ...(sampling === undefined ? {} : { rank: rankWith(sample), sample }),
  };
}

/** A client, and what its requests are about. */
interface Asking {
  readonly server: McpSession['server'];
  readonly about: About;
}

/** A call that the client waits for, or the task that it has become. */
type About = { readonly requestId: RequestId } | { readonly taskId: string };

/** The request's `_meta`. */
const metaOf = (about: About): { readonly _meta?: RequestMeta } =>
  'requestId' in about ? {} : { _meta: { [RELATED_TASK_META_KEY]: { taskId: about.taskId } } };

/** Servers whose next request id is not 0. */
const begun = new WeakSet<McpSession['server']>();

/**
 * The options of a request, which goes to its call's stream. A task has no stream, so its requests name it. A
 * ping uses up the id 0 without waiting for its answer: clients built with the SDK ignore a cancellation of
 * that id, and would show a question that has been decided elsewhere.
 */
function optionsOf({ server, about }: Asking, timeout: number, signal: AbortSignal): RequestOptions {
  const related = 'requestId' in about ? { relatedRequestId: about.requestId } : {};
  if (!begun.has(server)) {
    begun.add(server);
    const options = { timeout: LIMITS.humanInputMs, ...related };
    server.request({ method: 'ping' }, EmptyResultSchema, options).catch(() => undefined);
  }
  return { timeout, signal, ...related };
}

/** Our forms have the protocol's shape: an object of scalars. */
const RequestedSchema = z.custom<ElicitRequestFormParams['requestedSchema']>();

/** Shows a question to the person. @throws SpillwayError `human_input_expired`, `human_unreachable` */
async function elicit(
  asking: Asking,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const options = optionsOf(asking, LIMITS.humanInputMs, signal);
  try {
    return await asking.server.elicitInput({ ...params, ...metaOf(asking.about) }, options);
  } catch (thrown) {
    throw signal.aborted ? thrown : buildUnanswered(thrown);
  }
}

const askPersonOf =
  (asking: Asking): AskPerson =>
  async ({ message, schema }, signal) => {
    const params = { mode: 'form', message, requestedSchema: RequestedSchema.parse(schema) } as const;
    const { action, content = {} } = await elicit(asking, params, signal);
    return { action, content: JsonRecord.parse(content) };
  };

/** A question that a client has not answered. */
function buildUnanswered(thrown: unknown): SpillwayError {
  if (thrown instanceof McpError && thrown.code === ErrorCode.RequestTimeout)
    return new SpillwayError('human_input_expired', 'Nobody answered in time.', { cause: thrown });
  const message = `The client did not show the question: ${messageOf(thrown)}`;
  return new SpillwayError('human_unreachable', message, { cause: thrown });
}

const required = new WeakMap<PersonPages, readonly PersonPage[]>();

const toParams = ({ id, message, url }: PersonPage) => ({
  mode: 'url' as const,
  message,
  url,
  elicitationId: id,
});

function pagesOf(asking: Asking): PersonPages {
  const pages: PersonPages = {
    ask: async (page, signal) => (await elicit(asking, toParams(page), signal)).action,
    require: (needed) => void required.set(pages, needed),
    completed: (id) => {
      // A disconnected client needs no notification.
      asking.server
        .createElicitationCompletionNotifier(id)()
        .catch(() => undefined);
    },
  };
  return pages;
}

/** @throws RpcError `-32042` for a call that failed because a person has to open a page first */
export function expectPages(pages: PersonPages | undefined, { ok, error }: ToolResult): void {
  const needed = pages === undefined || ok ? undefined : required.get(pages);
  if (needed === undefined || error === undefined) return;
  throw new RpcError(ErrorCode.UrlElicitationRequired, error.message, {
    elicitations: needed.map(toParams),
    error,
  });
}

/** Sampling, also for other servers. */
const sampleOf =
  (asking: Asking): SampleModel =>
  async (given, signal) => {
    const params = CreateMessageRequestParamsSchema.parse({ ...given, ...metaOf(asking.about) });
    const request = { method: 'sampling/createMessage', params } as const;
    const options = optionsOf(asking, SAMPLING_MS, signal);
    return JsonRecord.parse(await asking.server.request(request, CreateMessageResultSchema, options));
  };

/** Serves a method. */
export function serveMethod<Params>(
  mcp: McpSession,
  method: string,
  params: z.ZodType<Params>,
  answer: (params: Params, extra: Extra) => Promise<Result>,
): void {
  mcp.methods.set(method, (given = {}, extra) =>
    answerRequest(mcp, { params, given }, (parsed) => answer(parsed, extra)),
  );
}

/** Everything but tools. */
export function serveAll(mcp: McpSession): void {
  const { session, options } = mcp;
  serveFaces(
    (method, params, answer) =>
      serveMethod(mcp, method, params, (parsed, { signal }) => answer(parsed, mcp, signal)),
    options,
    followEnds(mcp),
  );
  if (options.resources !== undefined) serveSubscriptions(mcp, options.resources);
  const lineage = options.resources?.upstreams?.lineage;
  if (lineage !== undefined) onAbort(session.signal, () => lineage.forget(session));
  serveLogging(mcp);
}

/** Handles of this session that no longer exist; the client is notified that its list changed. */
function followEnds({ server, session, options }: McpSession): ReadonlySet<string> {
  const ended = new Set<string>();
  if (options.resources === undefined) return ended;
  // A client that has disconnected, or is not yet connected, needs no notification.
  const listChanged = (): void => void server.sendResourceListChanged().catch(() => undefined);
  session.outputs.onAdd(listChanged);
  const promptsChanged = (): void => void server.sendPromptListChanged().catch(() => undefined);
  const stopOffers = options.resources.upstreams?.onChange((kind) =>
    kind === 'prompts' ? promptsChanged() : listChanged(),
  );
  const stop = options.resources.outputs.onEnd((handle) => {
    if (!session.outputs.has(handle) || ended.has(handle)) return;
    ended.add(handle);
    listChanged();
  });
  onAbort(session.signal, () => {
    stop();
    stopOffers?.();
  });
  return ended;
}

function serveSubscriptions(mcp: McpSession, resources: Resources): void {
  const { server, session } = mcp;
  const load = lazy(async () => {
    const { Subscriptions } = await import('../subscriptions.ts');
    return new Subscriptions({
      resources,
      picks: session.picks,
      signal: session.signal,
      onUpdate: (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined),
    });
  });
  serveMethod(mcp, 'resources/subscribe', UriParams, async ({ uri }) => {
    await (await load()).subscribe(uri);
    return {};
  });
  serveMethod(mcp, 'resources/unsubscribe', UriParams, async ({ uri }) => {
    (await load()).unsubscribe(uri);
    return {};
  });
}

function serveLogging(mcp: McpSession): void {
  const { server, session, options } = mcp;
  const source = options.logs;
  if (source === undefined) return;
  const log = new SessionLog({
    source,
    sessionId: session.id,
    signal: session.signal,
    send: (params, callId) => {
      const relatedRequestId = callId === undefined ? undefined : mcp.requests.get(callId);
      return server.notification(
        { method: 'notifications/message', params },
        relatedRequestId === undefined ? {} : { relatedRequestId },
      );
    },
  });
  // The SDK's own changes only what the SDK would log.
  server.removeRequestHandler('logging/setLevel');
  serveMethod(mcp, 'logging/setLevel', LevelParams, async ({ level }) => {
    log.setLevel(level);
    return {};
  });
}
