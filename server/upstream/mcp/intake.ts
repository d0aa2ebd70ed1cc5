import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { SpillwayError } from '../../../shared/errors.ts';
import { isObject } from '../../../shared/json.ts';
import { markAnswer } from './failures.ts';

/** A larger message is not read: the call that it answers fails. */
const MESSAGE_MAX_BYTES = 64 * 1_024 * 1_024;
/** Of a message that is too large: its beginning and its end usually name the request that it answers. */
const EDGE_BYTES = 256;

const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?<id>\d+)\s*,\s*(?!"method")/;
const ID_LAST = /"id"\s*:\s*(?<id>\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** A message as it came. */
interface CameMessage {
  /** Null for a message that is too large. */
  readonly bytes: Buffer | null;
  readonly sizeBytes: number;
  readonly start: string;
  readonly end: string;
}

/** Gathers the bytes of one message at a time. */
export class MessageBytes {
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;
  #start = '';

  push(chunk: Uint8Array): void {
    this.#sizeBytes += chunk.length;
    this.#parts.push(chunk);
    if (this.#sizeBytes <= MESSAGE_MAX_BYTES) return;
    const gathered = Buffer.concat(this.#parts);
    if (this.#start === '') this.#start = gathered.toString('latin1', 0, EDGE_BYTES);
    this.#parts = [Buffer.from(gathered.subarray(-EDGE_BYTES))];
  }

  get isTooLarge(): boolean {
    return this.#sizeBytes > MESSAGE_MAX_BYTES;
  }

  /** Returns the message, which has come, and begins the next one. */
  take(): CameMessage {
    const gathered = Buffer.concat(this.#parts);
    const [sizeBytes, start, { isTooLarge }] = [this.#sizeBytes, this.#start, this];
    this.#parts = [];
    this.#sizeBytes = 0;
    this.#start = '';
    return isTooLarge
      ? { bytes: null, sizeBytes, start, end: gathered.toString('latin1') }
      : { bytes: gathered, sizeBytes, start: '', end: '' };
  }
}

/** A message as it may be delivered. */
export interface ReadMessage {
  readonly text: string;
  /** Null for what is not MCP. */
  readonly message: JSONRPCMessage | null;
  readonly isAnswer: boolean;
}

const NOTHING: ReadMessage = { text: '', message: null, isAnswer: false };

/**
 * Knows which requests of one connection wait for an answer, so that an answer that is too large, malformed or cut off fails its own
 * request at once, and the connection stays.
 */
export class Intake {
  readonly #who: string;
  readonly #pending = new Map<number, SpillwayError | null>();

  /** @param who the upstream, at the beginning of a sentence */
  constructor(who: string) {
    this.#who = who;
  }

  /** Takes note of what a transport sends and receives. To be called before a client takes it. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      this.#sent(message);
      return send(message, options);
    };
    transport.onmessage = (message) => this.#received(message);
  }

  #sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#pending.set(Number(message.id), null);
    else if (message.method === 'notifications/cancelled')
      this.#pending.delete(Number(message.params?.['requestId']));
  }

  /** Marks errors: those of Spillway, and those that the other server has said itself. */
  #received(message: JSONRPCMessage): void {
    if ('method' in message || message.id === undefined) return;
    const id = Number(message.id);
    const failure = this.#pending.get(id) ?? null;
    this.#pending.delete(id);
    if (!('error' in message)) return;
    if (failure === null) markAnswer(message.error);
    else message.error.data = failure;
  }

  /** @param asked the request that is answered, as it was sent, where the transport knows it */
  read(came: CameMessage, asked?: unknown): ReadMessage {
    if (came.bytes === null) return this.#tooLarge(came, asked);
    const text = came.bytes.toString('utf8');
    const value = parsedOf(text);
    const { data: message = null } = JSONRPCMessageSchema.safeParse(value);
    const isAnswer = Array.isArray(value) || (isObject(value) && !('method' in value));
    const failed = message === null && isAnswer && isObject(value) ? this.#malformed(value['id']) : null;
    return failed ?? { text, message, isAnswer };
  }

  /** What is delivered in the place of an answer that was cut off; null for one that came. @param asked as it was sent */
  lost(asked: unknown): ReadMessage | null {
    return this.#fail(idOf(asked), new SpillwayError('upstream_error', `${this.#who} broke off its answer.`));
  }

  #tooLarge({ start, end }: CameMessage, asked: unknown): ReadMessage {
    const id = ID_FIRST.exec(start)?.groups?.['id'] ?? ID_LAST.exec(end)?.groups?.['id'] ?? idOf(asked);
    const failure = new SpillwayError(
      'upstream_error',
      `${this.#who} answered more than ${MESSAGE_MAX_BYTES / 2 ** 20} MiB.`,
      {
        hint: 'Ask it for less, or for pages. Its output_mode can store what has up to 64 MiB; more is not read.',
        retryable: false,
      },
    );
    return this.#fail(id, failure) ?? NOTHING;
  }

  #malformed(id: unknown): ReadMessage | null {
    const failure = new SpillwayError('upstream_error', `${this.#who} answered what MCP does not allow.`, {
      hint: 'Its maintainer can correct that. Other tools of it may work.',
      retryable: false,
    });
    return this.#fail(id, failure);
  }

  /** An answer that fails a request, if that is still waiting. */
  #fail(named: unknown, failure: SpillwayError): ReadMessage | null {
    const id = named === null || named === undefined ? Number.NaN : Number(named);
    if (!this.#pending.has(id)) return null;
    this.#pending.set(id, failure);
    const error = { code: ErrorCode.InternalError, message: failure.message };
    const message: JSONRPCMessage = { jsonrpc: '2.0', id, error };
    return { text: JSON.stringify(message), message, isAnswer: true };
  }
}

function idOf(request: unknown): unknown {
  const message = typeof request === 'string' ? parsedOf(request) : null;
  return isObject(message) ? message['id'] : undefined;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
