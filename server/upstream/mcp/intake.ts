import { randomBytes } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/json-schema.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Scratch } from '../../core/services.ts';
import { markAnswer } from './failures.ts';
import { LargeAnswer, SpoolBudget, SpoolFile, type Spooled } from '../spool.ts';
import type { LargeValues, LongMessage } from './incoming.ts';

/** On disk at a time, for one connection. */
const SPOOLED_MAX_BYTES = 1_024 * 1_024 * 1_024;

/** What is answered with a result of a tool. */
const OF_TOOLS = ['tools/call', 'tasks/result'];

/** A request that has no answer yet. */
interface Pending {
  readonly method: string;
  /** What its answer is, apart from what the message says. */
  outcome: LargeAnswer | SpillwayError | null;
}

/** A message as it may be delivered. */
interface ReadableText {
  readonly text: string;
  /** It answers a request, or several. */
  readonly isAnswer: boolean;
}

export const isAnswer = (message: unknown): boolean =>
  Array.isArray(message) || (isObject(message) && !('method' in message));

/** What a long message comes to: it is delivered instead. Null: nothing is. */
export type Settled = JsonValue | null;

/**
 * What one connection knows of long messages: to which request an answer belongs, and where the large values of an answer are. An answer of
 * a tool keeps them on disk. In any other message they are put back, up to the bound of what is inline.
 */
export class Intake implements LargeValues {
  readonly #scratch: Pick<Scratch, 'folder'>;
  readonly #budget: SpoolBudget;
  /** No other program knows it. */
  readonly #nonce = randomBytes(16).toString('hex');
  readonly #pending = new Map<number, Pending>();
  #placeholders = 0;

  /** @param who the upstream, at the beginning of a sentence */
  constructor(who: string, scratch: Pick<Scratch, 'folder'>) {
    this.#scratch = scratch;
    this.#budget = new SpoolBudget(who, SPOOLED_MAX_BYTES);
  }

  file(): SpoolFile {
    return new SpoolFile(this.#scratch, this.#budget);
  }

  placeholder(): string {
    this.#placeholders += 1;
    return `${this.#nonce}-${this.#placeholders}`;
  }

  tooLarge(): SpillwayError {
    return new SpillwayError(
      'upstream_error',
      `${this.#budget.who} answered with too many values to be read: more than 32 MiB of them, or 1,000 levels.`,
      { hint: 'Ask it for less, or for pages. One long text has no such bound.', retryable: false },
    );
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
    if ('id' in message) this.#pending.set(Number(message.id), { method: message.method, outcome: null });
    else if (message.method === 'notifications/cancelled')
      void this.#end(Number(message.params?.['requestId']));
  }

  /** Marks the answer whose values are on disk, and what the other server has said itself. */
  #received(message: JSONRPCMessage): void {
    if ('method' in message || message.id === undefined) return;
    if ('error' in message) markAnswer(message.error);
    const id = Number(message.id);
    const outcome = this.#pending.get(id)?.outcome;
    this.#pending.delete(id);
    if (outcome !== null && outcome !== undefined && 'result' in message)
      Object.assign(message.result, { [this.#nonce]: outcome });
  }

  /** The answer to a request. @throws SpillwayError for one that could not be kept */
  checked(answer: object): object {
    const outcome: unknown = Reflect.get(answer, this.#nonce);
    if (outcome instanceof SpillwayError) throw outcome;
    return answer;
  }

  /** Where the large values of an answer are, to be removed by the caller; null for one that has none. */
  largeOf(answer: object): LargeAnswer | null {
    const outcome: unknown = Reflect.get(answer, this.#nonce);
    Reflect.deleteProperty(answer, this.#nonce);
    return outcome instanceof LargeAnswer ? outcome : null;
  }

  /** What is delivered for a long message. */
  async settle(long: LongMessage): Promise<Settled> {
    const { text, values } = long;
    let isKept = false;
    try {
      const parsed = text === null ? undefined : parsedOf(text);
      if (isObject(parsed)) {
        const settled = await this.#settleOne(parsed, long, true);
        isKept = settled !== null && this.#pending.get(Number(settled['id']))?.outcome === values;
        return settled;
      }
      if (parsed === undefined || !isJsonList(parsed)) return null;
      const all: JsonObject[] = [];
      for (const each of parsed) {
        const settled = isObject(each) ? await this.#settleOne(each, long, false) : null;
        if (settled !== null) all.push(settled);
      }
      return all;
    } finally {
      if (!isKept) await values.remove();
    }
  }

  async #settleOne(message: JsonObject, long: LongMessage, isAlone: boolean): Promise<JsonObject | null> {
    const { values, failure } = long;
    const { id, method, result } = message;
    const isShort = failure === null && values.sizeBytes <= LIMITS.outputInlineMaxBytes;
    if (typeof method === 'string') {
      if (isShort) return withValues(message, values.values);
      // It is refused for what it lacks; a notification is not worth that.
      return id === undefined ? null : { jsonrpc: '2.0', id, method };
    }
    const pending = this.#pending.get(Number(id));
    // Its call is gone, or was never made.
    if (pending === undefined || id === undefined) return null;
    if (isShort)
      try {
        return await withValues(message, values.values);
      } catch (thrown) {
        pending.outcome = toSpillwayError(thrown);
        return { jsonrpc: '2.0', id, result: {} };
      }
    if (failure === null && isAlone && OF_TOOLS.includes(pending.method) && isObject(result)) {
      pending.outcome = values;
      return message;
    }
    pending.outcome = failure ?? this.#moreThanInline();
    return { jsonrpc: '2.0', id, result: {} };
  }

  /** A message as it may be delivered: an answer that MCP does not allow fails its request. */
  readable(message: unknown): unknown {
    if (!isObject(message) || 'method' in message || JSONRPCMessageSchema.safeParse(message).success)
      return message;
    const { id } = message;
    const pending = this.#pending.get(Number(id));
    if (pending === undefined || id === null || id === undefined) return message;
    pending.outcome = new SpillwayError(
      'upstream_error',
      `${this.#budget.who} answered what MCP does not allow.`,
      {
        hint: 'Its maintainer can correct that. Other tools of it may work.',
        retryable: false,
      },
    );
    return { jsonrpc: '2.0', id, result: {} };
  }

  /** The same of a message as text. */
  readableText(text: string): ReadableText {
    const message = parsedOf(text);
    const readable = this.readable(message);
    return { text: readable === message ? text : JSON.stringify(readable), isAnswer: isAnswer(readable) };
  }

  /** What is delivered in the place of an answer that was cut off; null for one that came. @param asked as it was sent */
  lost(asked: unknown): Settled {
    const request = typeof asked === 'string' ? parsedOf(asked) : null;
    const id = isObject(request) ? request['id'] : undefined;
    const pending = this.#pending.get(Number(id));
    if (pending === undefined || id === undefined) return null;
    pending.outcome = new SpillwayError('upstream_error', `${this.#budget.who} broke off its answer.`);
    return { jsonrpc: '2.0', id, result: {} };
  }

  /** Ends the connection: what has not been delivered is not wanted any longer. */
  async close(): Promise<void> {
    await Promise.all([...this.#pending.keys()].map((id) => this.#end(id)));
  }

  async #end(id: number): Promise<void> {
    const outcome = this.#pending.get(id)?.outcome;
    this.#pending.delete(id);
    if (outcome instanceof LargeAnswer) await outcome.remove();
  }

  #moreThanInline(): SpillwayError {
    return new SpillwayError('upstream_error', `${this.#budget.who} answered more than 16 MiB.`, {
      retryable: false,
    });
  }
}

function parsedOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A value with its large ones put back. */
async function withValues(value: JsonObject, values: ReadonlyMap<string, Spooled>): Promise<JsonObject>;
async function withValues(value: JsonValue, values: ReadonlyMap<string, Spooled>): Promise<JsonValue>;
async function withValues(value: JsonValue, values: ReadonlyMap<string, Spooled>): Promise<JsonValue> {
  if (typeof value === 'string') {
    const spooled = values.get(value);
    if (spooled === undefined) return value;
    const whole = await spooled.whole();
    return spooled.isJson ? (parsedOf(whole) ?? null) : whole;
  }
  if (isJsonList(value)) return Promise.all(value.map((each) => withValues(each, values)));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    async ([key, member]) =>
      [key, member === undefined ? undefined : await withValues(member, values)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}
