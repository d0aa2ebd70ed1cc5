import type { IncomingMessage, ServerResponse } from 'node:http';
import { SUPPORTED_PROTOCOL_VERSIONS, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Missed, SessionEvents } from './event-store.ts';

const VERSION_HEADER = 'mcp-protocol-version';
/** Since this revision clients take an event without data, which only tells them its id. */
const PRIMED_SINCE = '2025-11-25';

/** The protocol version of the answer to `initialize`; null for every other message. */
export function agreedVersion(message: JSONRPCMessage): string | null {
  if (!('result' in message)) return null;
  const { protocolVersion } = message.result;
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

/**
 * What a session agreed on holds for each of its requests. The transport goes by the header, takes
 * one that is left out for an old client, and would not let such a client resume. A version that is
 * none stays, to be refused.
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

/** All that a client missed of a stream that has nothing more to tell, and its end. */
export function replayWhole(
  response: ServerResponse,
  sessionId: string | undefined,
  events: Missed['events'],
): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  });
  for (const { id, message } of events)
    response.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  response.end();
}

/**
 * Tells a client that opens a stream with GET where it stands, so that it can resume when the
 * connection breaks before the first event: the transport does that for the streams of requests
 * alone. It is written once the transport has opened the stream, and only while nothing newer came:
 * an event says its id itself.
 */
export function primeWhenOpen(
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
