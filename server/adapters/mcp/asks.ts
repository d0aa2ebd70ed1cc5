import {
  CreateMessageRequestParamsSchema,
  CreateMessageResultSchema,
  EmptyResultSchema,
  RELATED_TASK_META_KEY,
  type RequestId,
  type RequestMeta,
  ErrorCode,
  McpError,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolCall } from '../../core/calls/call.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import type { SampleModel, AskPerson, PersonPage, PersonPages } from '../../core/context.ts';
import type { McpSession } from './session.ts';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { LIMITS } from '../../../shared/limits.ts';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { ToolResult } from '../../core/result.ts';
import { RpcError } from './rpc.ts';
import type { RankTools } from '../../core/registry/selector.ts';
import { defined } from '../../../shared/json.ts';

/** A client may show the request to its person first. */
const TIMEOUT_MS = 600_000;

/** Sampling for other servers, for a client that declares it. */
function sampleOf(mcp: McpSession, about: About): SampleModel | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (given, signal) => {
    useFirstId(mcp, about);
    const params = CreateMessageRequestParamsSchema.parse({ ...given, ...metaOf(about) });
    const options = { timeout: TIMEOUT_MS, signal, ...optionsOf(about) };
    const request = { method: 'sampling/createMessage', params } as const;
    return JsonRecord.parse(await server.request(request, CreateMessageResultSchema, options));
  };
}

/** What a call may ask of its client: what the client has declared that it can do. */
export function asksOf(
  mcp: McpSession,
  about: About,
): Pick<ToolCall, 'askPerson' | 'pages' | 'rank' | 'sample'> {
  const askPerson = askPersonOf(mcp, about);
  const pages = pagesOf(mcp, about);
  const rank = rankOf(mcp, about);
  const sample = sampleOf(mcp, about);
  return {
    ...defined({ askPerson, pages, rank, sample }),
  };
}

/** What a request of ours to a client is about: a call that the client waits for, or the task that has become of one. */
type About = { readonly requestId: RequestId } | { readonly taskId: string };

/** To the stream of the call; a task has none, and its requests name it. */
const optionsOf = (about: About): Pick<RequestOptions, 'relatedRequestId'> =>
  'requestId' in about ? { relatedRequestId: about.requestId } : {};

/** The request's `_meta`. */
const metaOf = (about: About): { readonly _meta?: RequestMeta } =>
  'requestId' in about ? {} : { _meta: { [RELATED_TASK_META_KEY]: { taskId: about.taskId } } };

/** Servers whose next request has another id than 0. */
const begun = new WeakSet<McpSession['server']>();

/**
 * Uses up the id 0 with a ping, whose answer is not waited for: clients that are built with the SDK ignore the cancellation
 * of a request of that id, and would show a question that has been decided elsewhere.
 */
function useFirstId({ server }: McpSession, about: About): void {
  if (begun.has(server)) return;
  begun.add(server);
  const options = { timeout: LIMITS.humanInputMs, ...optionsOf(about) };
  server.request({ method: 'ping' }, EmptyResultSchema, options).catch(() => undefined);
}

/** A form of ours is what the protocol takes: an object of scalars. */
const RequestedSchema = z.custom<ElicitRequestFormParams['requestedSchema']>();

/** Elicitation, for a client that declares it in form mode. */
function askPersonOf(mcp: McpSession, about: About): AskPerson | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  return async ({ message, schema }, signal) => {
    useFirstId(mcp, about);
    try {
      const { action, content = {} } = await server.elicitInput(
        { mode: 'form', message, requestedSchema: RequestedSchema.parse(schema), ...metaOf(about) },
        { timeout: LIMITS.humanInputMs, signal, ...optionsOf(about) },
      );
      return { action, content: JsonRecord.parse(content) };
    } catch (thrown) {
      throw signal.aborted ? thrown : unanswered(thrown);
    }
  };
}

/** A question that a client did not answer. */
function unanswered(thrown: unknown): SpillwayError {
  if (thrown instanceof McpError && thrown.code === ErrorCode.RequestTimeout)
    return new SpillwayError('human_input_expired', 'Nobody answered in time.', { cause: thrown });
  const message = `The client did not show the question: ${messageOf(thrown)}`;
  return new SpillwayError('human_unreachable', message, { cause: thrown });
}

/** What calls that have failed need first. */
const required = new WeakMap<PersonPages, readonly PersonPage[]>();

const toParams = ({ id, message, url }: PersonPage) => ({
  mode: 'url' as const,
  message,
  url,
  elicitationId: id,
});

/** Elicitation by address, for a client that declares it. */
function pagesOf(mcp: McpSession, about: About): PersonPages | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.elicitation?.url === undefined) return undefined;
  const pages: PersonPages = {
    ask: async (page, signal) => {
      useFirstId(mcp, about);
      const options = { timeout: LIMITS.humanInputMs, signal, ...optionsOf(about) };
      try {
        return (await server.elicitInput({ ...toParams(page), ...metaOf(about) }, options)).action;
      } catch (thrown) {
        throw signal.aborted ? thrown : unanswered(thrown);
      }
    },
    require: (needed) => void required.set(pages, needed),
    completed: (id) => {
      // A client that has disconnected needs no notification.
      server
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

/** Names of tools are short. */
const ANSWER_TOKENS = 1_000;

/** Sampling, for a client that declares it. */
function rankOf(mcp: McpSession, about: About): RankTools | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (prompt, signal) => {
    useFirstId(mcp, about);
    const { content } = await server.createMessage(
      {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: ANSWER_TOKENS,
        ...metaOf(about),
      },
      { timeout: TIMEOUT_MS, signal, ...optionsOf(about) },
    );
    return content.type === 'text' ? content.text : '';
  };
}
