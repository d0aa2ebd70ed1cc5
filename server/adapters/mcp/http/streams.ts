import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CancelledNotificationSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Refusal } from '../../../toolkit/http-guard.ts';
import { noAnswer, type Missed, type SessionEvents } from './event-store.ts';

const VERSION_HEADER = 'mcp-protocol-version';
/** Since this revision clients take an event without data, which only tells them its id. */
const PRIMED_SINCE = '2025-11-25';
/** Since this revision a POST holds one message, so that its stream has one answer. */
const UNBATCHED_SINCE = '2025-06-18';

/** The protocol version of the answer to `initialize`; null for every other message. */
export function agreedVersion(message: JSONRPCMessage): string | null {
  if (!('result' in message)) return null;
  const { protocolVersion } = message.result;
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

/**
 * What a session agreed on holds for each of its requests. The transport goes by the header, takes
 * one that is left out for an old client, and would not let such a client resume. An invalid
 * version is kept, to be refused.
 */
export function stateVersion(request: IncomingMessage, version: string): void {
  const given = request.headers[VERSION_HEADER];
  if (given === version) return;
  if (given !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(given))) return;
  const others: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== VERSION_HEADER) others.push(name, value);
  }
  request.rawHeaders = [...others, VERSION_HEADER, version];
  request.headers[VERSION_HEADER] = version;
}

/** What the transport refuses of a request for a stream, for those that it never sees. */
export function checkStream({ headers }: IncomingMessage): Refusal | null {
  if (headers.accept?.includes('text/event-stream') !== true)
    return { status: 406, message: 'Not Acceptable: Client must accept text/event-stream' };
  const version = headers[VERSION_HEADER]?.toString();
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  return {
    status: 400,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`,
  };
}

/**
 * All that a client missed of a stream that has nothing more to tell, and its end.
 *
 * A client that missed nothing gets 204: the SDK's takes a stream as answered by a result alone, asks
 * again after an error, and takes an empty stream as one that broke, so that it never stops asking. The
 * protocol knows an event stream and 405 here. 405 would say that there are no streams to GET at all;
 * with 204 an event stream tells its reader not to come back (HTML, 9.2). A client of batches may
 * wait for another answer of the same stream, and shall come back.
 */
export function replayEndedStream(
  response: ServerResponse,
  events: Missed['events'],
  { sessionId, version }: { readonly sessionId: string | undefined; readonly version: string | null },
): void {
  response.writeHead(events.length === 0 && !mayBatch(version) ? 204 : 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  });
  for (const { id, message } of events)
    response.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  response.end();
}

const mayBatch = (version: string | null): boolean => version === null || version < UNBATCHED_SINCE;

/** Which request a message cancels, if the SDK supports it: it ignores ids that are 0 or empty. */
export function cancelledRequest(message: JSONRPCMessage): RequestId | null {
  const parsed = CancelledNotificationSchema.safeParse(message);
  return (parsed.success && parsed.data.params.requestId) || null;
}

/**
 * Ends the stream of a request that was cancelled, which the SDK leaves open and answers never. An
 * answer would be one to a request that its client no longer knows, so none is sent; but of a batch,
 * whose other answers need the stream. Rejects when the request is answered already.
 */
export async function finishCancelled(
  transport: StreamableHTTPServerTransport,
  { id, version }: { readonly id: RequestId; readonly version: string | null },
): Promise<void> {
  if (mayBatch(version)) return transport.send({ jsonrpc: '2.0', id, result: {} });
  transport.closeSSEStream(id);
  return transport.send(noAnswer(id));
}

/**
 * Tells a client that opens a stream with GET its position, so that it can resume when the
 * connection breaks before the first event: the transport does that for the streams of requests
 * alone. It is written once the transport has opened the stream, and only while nothing newer came:
 * an event says its id itself.
 */
export function sendPrimingEvent(
  response: ServerResponse,
  events: SessionEvents,
  { version, lastEventId }: { readonly version: string | null; readonly lastEventId: string | undefined },
): void {
  if (version === null || version < PRIMED_SINCE) return;
  const cursor = lastEventId ?? events.standaloneCursor();
  setImmediate(() => {
    const isOpen = response.headersSent && response.statusCode === 200 && !response.writableEnded;
    if (isOpen && events.isNewest(cursor)) response.write(`id: ${cursor}\ndata: \n\n`);
  });
}
