import {
  EmptyResultSchema,
  RELATED_TASK_META_KEY,
  type RequestId,
  type RequestMeta,
} from '@modelcontextprotocol/sdk/types.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { LIMITS } from '../../../shared/limits.ts';
import type { McpSession } from './session.ts';

/** What a request of ours to a client is about: a call that the client waits for, or the task that has become of one. */
export type About = { readonly requestId: RequestId } | { readonly taskId: string };

/** To the stream of the call; a task has none, and its requests name it. */
export const optionsOf = (about: About): Pick<RequestOptions, 'relatedRequestId'> =>
  'requestId' in about ? { relatedRequestId: about.requestId } : {};

/** The request's `_meta`. */
export const metaOf = (about: About): { readonly _meta?: RequestMeta } =>
  'requestId' in about ? {} : { _meta: { [RELATED_TASK_META_KEY]: { taskId: about.taskId } } };

/** Servers whose next request has another id than 0. */
const begun = new WeakSet<McpSession['server']>();

/**
 * Uses up the id 0 with a ping, whose answer is not waited for: clients that are built with the SDK ignore the cancellation
 * of a request of that id, and would show a question that has been decided elsewhere.
 */
export function useFirstId({ server }: McpSession, about: About): void {
  if (begun.has(server)) return;
  begun.add(server);
  const options = { timeout: LIMITS.humanInputMs, ...optionsOf(about) };
  server.request({ method: 'ping' }, EmptyResultSchema, options).catch(() => undefined);
}
