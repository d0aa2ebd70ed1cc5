import {
  ProtocolErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  isJSONRPCErrorResponse,
  isSpecType,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { onAbort, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { createParser } from 'eventsource-parser';
import { defined, isObject } from '../../../shared/base/json.ts';
import type { RemoteEntry } from '../config.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import { edgesOf, MessageBytes, type ReceivedMessage } from '../../core/message-bytes.ts';
import { ANSWER_VALUES_MAX, hasMoreValues } from '../../core/slices.ts';

/** A larger message is not read: the call that it answers fails. */
export const MESSAGE_MAX_BYTES = 64 * 1_024 * 1_024;
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(?<id>\d+)"?\s*,\s*(?!"method")/;
const ID_LAST = /"id"\s*:\s*"?(?<id>\d+)"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** A message as it may be delivered. */
interface ReadMessage {
  readonly text: string;
  /** Null for a message that is not MCP. */
  readonly message: JSONRPCMessage | null;
  readonly isAnswer: boolean;
}

const NOTHING: ReadMessage = { text: '', message: null, isAnswer: false };

/**
 * Knows which requests of a connection wait for an answer, so that an answer that is too large, malformed or
 * cut off fails only its own request at once, and the connection stays.
 */
export class Intake {
  readonly #pending = new Map<number, SpillwayError | null>();

  /** @param who the upstream, at the beginning of a sentence */
  constructor(private readonly who: string) {}

  /** Observes what a transport sends and receives. Call it before a client takes the transport. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      this.#noteSent(message, options?.requestSignal);
      return send(message, options);
    };
    transport.onmessage = (message) => this.#noteReceived(message);
  }

  /** @param signal cancels a request without another message */
  #noteSent(message: JSONRPCMessage, signal: AbortSignal | undefined): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      const id = Number(message.id);
      this.#pending.set(id, null);
      onAbort(signal, () => this.#pending.delete(id));
    } else if (message.method === 'notifications/cancelled')
      this.#pending.delete(Number(message.params?.['requestId']));
  }

  /** Puts Spillway's own failures in place of their messages. */
  #noteReceived(message: JSONRPCMessage): void {
    if ('method' in message || message.id === undefined) return;
    const id = Number(message.id);
    const failure = this.#pending.get(id) ?? null;
    this.#pending.delete(id);
    if (failure !== null && 'error' in message) message.error.data = failure;
  }

  /** @param asked the request that is answered, as it was sent, where the transport knows it */
  read(received: ReceivedMessage, asked?: unknown): ReadMessage {
    const { text } = received;
    if (received.isTooLarge) return this.#tooLarge(text, asked);
    if (hasMoreValues(text, ANSWER_VALUES_MAX))
      return this.#tooLarge(text, asked, `${ANSWER_VALUES_MAX} values`);
    const value = jsonIn(text);
    const message = isSpecType.JSONRPCMessage(value) ? value : null;
    const isAnswer = Array.isArray(value) || (isObject(value) && !('method' in value));
    const failed =
      message === null && isAnswer && isObject(value)
        ? this.#fail(value['id'], 'answered what MCP does not allow', MALFORMED_HINT)
        : null;
    return failed ?? { text, message, isAnswer };
  }

  /** Null for a received one. @param asked as it was sent */
  lost(asked: unknown): ReadMessage | null {
    return this.#fail(idOf(asked), 'broke off its answer');
  }

  #tooLarge(text: string, asked: unknown, most = `${MESSAGE_MAX_BYTES / 2 ** 20} MiB`): ReadMessage {
    const edges = edgesOf(text);
    const id = ID_FIRST.exec(edges)?.groups?.['id'] ?? ID_LAST.exec(edges)?.groups?.['id'] ?? idOf(asked);
    const hint =
      'Request less, or one page at a time. Its output_mode can store up to 64 MiB; more is not read.';
    return this.#fail(id, `answered more than ${most}`, hint) ?? NOTHING;
  }

  /** An answer that fails a request that is still waiting. @param hint what helps, instead of a repeated call */
  #fail(named: unknown, what: string, hint?: string): ReadMessage | null {
    const id = named === null || named === undefined ? Number.NaN : Number(named);
    if (!this.#pending.has(id)) return null;
    const how = hint === undefined ? {} : { hint, retryable: false };
    const failure = new SpillwayError('upstream_error', `${this.who} ${what}.`, how);
    this.#pending.set(id, failure);
    const error = { code: ProtocolErrorCode.InternalError, message: failure.message };
    const message: JSONRPCMessage = { jsonrpc: '2.0', id, error };
    return { text: JSON.stringify(message), message, isAnswer: true };
  }
}

const MALFORMED_HINT = 'Its maintainer can correct that. Its other tools may work.';

function idOf(request: unknown): unknown {
  const message = typeof request === 'string' ? jsonIn(request) : null;
  return isObject(message) ? message['id'] : undefined;
}

/** How to reach a server at an address. */
export function transportOf(
  { url, transport }: RemoteEntry,
  { headers, fetch }: { readonly headers: Record<string, string>; readonly fetch: typeof globalThis.fetch },
): Transport {
  const options = { requestInit: { headers }, fetch };
  return transport === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
}

/** Waits for work whose failure does not matter. */
export const tryFor = (maxMs: number, work: Promise<unknown>): Promise<unknown> =>
  waitAtMost(
    work.catch(() => undefined),
    maxMs,
  );

/** For the body of a failure: it becomes part of a message. */
const FAILURE_MAX_BYTES = 64 * 1_024;

/** `fetch` for the SDK's transports, which parse each message whole and wait for answers that were cut off. */
export const fetchWithIntake =
  (intake: Intake, send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init);
    const { body } = response;
    const read = readerFor(response);
    if (body === null || read === null) return response;
    const given = streamOf(read(body, intake, init?.body));
    const isFailed = response.status >= 400 && !SIGN_IN.includes(response.status);
    if (!isFailed || !new Headers(init?.headers).has(METHOD_HEADER)) return new Response(given, response);
    return withError(new Response(given, response), init?.body);
  };

/** Only requests without a session have it. */
const METHOD_HEADER = 'mcp-method';
/** Statuses that mean a sign-in. */
const SIGN_IN = [401, 403];

/** Without a session, each error of the protocol has a status too: it is the answer. Any other failure is unchanged. */
async function withError(response: Response, asked: unknown): Promise<Response> {
  const text = await response.text();
  const id = idOf(asked);
  const value = jsonIn(text);
  const message = isObject(value) ? { ...value, id } : null;
  return isJSONRPCErrorResponse(message) ? Response.json(message) : new Response(text, response);
}

type Body = AsyncIterable<Uint8Array>;
type Source = AsyncGenerator<Uint8Array, void>;

/** Reads no more than requested. */
function streamOf(source: Source): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await source.return()),
    },
    { highWaterMark: 0 },
  );
}

function readerFor({ status, headers }: Response) {
  if (status >= 400) return startOf;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return jsonOf;
  return type === 'text/event-stream' ? eventsOf : null;
}

async function* startOf(body: Body): Source {
  let left = FAILURE_MAX_BYTES;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** A body that is one message. */
async function* jsonOf(body: Body, intake: Intake, asked: unknown): Source {
  const bytes = new MessageBytes(MESSAGE_MAX_BYTES);
  for await (const chunk of body) {
    bytes.push(chunk);
    if (bytes.isTooLarge) break;
  }
  // Empty messages have no waiter.
  yield Buffer.from(intake.read(bytes.take(), asked).text || '[]');
}

/** A larger event ends the stream, since the request that it answers is unknown. */
const EVENT_MAX_UNITS = 2 * MESSAGE_MAX_BYTES;

const asReceived = (text: string): ReceivedMessage => ({
  text,
  isTooLarge: Buffer.byteLength(text) > MESSAGE_MAX_BYTES,
});

/**
 * Events whose data are messages. An answer that is missing at the end is replaced, because the SDK's client would wait
 * until its time is over; after an event with an id it asks for later events instead.
 * @param asked the request that they answer, as it was sent
 */
export async function* eventsOf(body: Body, intake: Intake, asked: unknown): Source {
  const out: string[] = [];
  let [isResumable, hasAnswer, isTooLarge] = [false, false, false];
  const deliver = (read: ReadMessage | null, more = ''): void => {
    if (read !== null && read !== NOTHING)
      out.push(`${more}data: ${read.text.replaceAll('\n', '\ndata: ')}\n\n`);
    hasAnswer ||= read?.isAnswer === true;
  };
  const parser = createParser({
    maxBufferSize: EVENT_MAX_UNITS,
    onError: ({ type }) => (isTooLarge ||= type === 'max-buffer-size-exceeded'),
    onRetry: (ms) => out.push(`retry: ${ms}\n`),
    onEvent: ({ id, event, data }) => {
      isResumable ||= Boolean(id);
      const fields = Object.entries(defined({ id, event })).map(([name, value]) => `${name}: ${value}\n`);
      deliver(intake.read(asReceived(data), hasAnswer ? undefined : asked), fields.join(''));
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (isTooLarge) deliver(intake.read({ text: '', isTooLarge }, hasAnswer ? undefined : asked));
      if (out.length > 0) yield Buffer.from(out.splice(0).join(''));
      if (isTooLarge) return;
    }
    if (!isResumable && !hasAnswer) deliver(intake.lost(asked));
  } catch (thrown) {
    if (!isResumable && !hasAnswer) deliver(intake.lost(asked));
    if (out.length === 0) throw thrown;
  }
  yield Buffer.from(out.join(''));
}
