import PQueue from 'p-queue';
import type { DebuggerEvent } from '../../background/debugger/sessions.ts';
import type { BodyChoice } from '../../../shared/tools/network/options.ts';
import type { CaptureLine } from '../../../shared/tools/network/methods.ts';
import { base64Bytes } from './base64.ts';

/** Bodies that are asked for at once. */
const UNDER_WAY = 16;
/** Bodies that wait for their turn, before further ones are given up. */
const WAITING = 4_096;
/** Requests under way whose facts are kept; beyond it the oldest are forgotten. */
const REQUESTS = 10_000;
const TEXT_TYPES =
  /^text\/|[/+](?:json|xml|javascript|ecmascript|x-javascript|x-www-form-urlencoded|graphql|yaml|x-yaml|ndjson|x-ndjson|manifest\+json)\b|^image\/svg/i;
/** Statuses whose responses have no body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/** Whether a body of this type is text. */
export const isTextType = (mimeType: string): boolean => TEXT_TYPES.test(mimeType);

export interface BodyLimits {
  readonly bodies: BodyChoice;
  /** A body beyond this is counted, not kept. */
  readonly bodyBytes: number;
  /** All bodies together. */
  readonly bodiesBytes: number;
}

/** What a capture still keeps. */
export class BodyBudget {
  readonly limits: BodyLimits;
  #leftBytes: number;

  constructor(limits: BodyLimits) {
    this.limits = limits;
    this.#leftBytes = limits.bodiesBytes;
  }

  /** Why so many bytes are not kept, or null. */
  refuses(sizeBytes: number): 'too_large' | 'budget' | null {
    if (sizeBytes > this.limits.bodyBytes) return 'too_large';
    return sizeBytes > this.#leftBytes ? 'budget' : null;
  }

  /** Takes them, unless they are refused. */
  take(sizeBytes: number): 'too_large' | 'budget' | null {
    const refusal = this.refuses(sizeBytes);
    if (refusal === null) this.#leftBytes -= sizeBytes;
    return refusal;
  }
}

/** What is known of a request that is under way. */
interface Facts {
  method: string;
  mimeType: string;
  status: number;
  /** Decoded bytes that have come. */
  sizeBytes: number;
  /** What the response said it would have, as it is sent. */
  declaredBytes: number;
}

export interface BodiesOptions {
  readonly budget: BodyBudget;
  readonly send: (
    method: string,
    params: object,
    sessionId: string | null,
  ) => Promise<Record<string, unknown>>;
  /** Resolves when there is room for a large line. */
  readonly room: () => Promise<void>;
  readonly push: (line: CaptureLine) => void;
}

/**
 * Takes the bodies of responses the moment they have come, a bounded number at a time, and says of
 * each request that ended either its body or why there is none.
 */
export class Bodies {
  readonly #options: BodiesOptions;
  /** By request id alone: a worker's script begins in its page's session and ends in its own. */
  readonly #facts = new Map<string, Facts>();
  readonly #queue = new PQueue({ concurrency: UNDER_WAY });
  readonly #tasks = new Set<Promise<void>>();

  constructor(options: BodiesOptions) {
    this.#options = options;
  }

  /** To be told of every event, after it was forwarded. */
  observe({ method, params, sessionId }: DebuggerEvent): void {
    const id = params['requestId'];
    if (typeof id !== 'string') return;
    if (method === 'Network.requestWillBeSent') this.#begin(id, params);
    else if (method === 'Network.responseReceived') this.#respond(id, params);
    else if (method === 'Network.dataReceived') this.#count(id, params);
    else if (method === 'Network.loadingFailed') this.#end(sessionId, id, 'no_body');
    else if (method === 'Network.loadingFinished') this.#end(sessionId, id, null);
  }

  /** Resolves when what is under way now has been pushed. */
  async settle(): Promise<void> {
    await Promise.all(this.#tasks);
  }

  #begin(id: string, params: Readonly<Record<string, unknown>>): void {
    const oldest = this.#facts.size >= REQUESTS ? this.#facts.keys().next().value : undefined;
    if (oldest !== undefined) this.#facts.delete(oldest);
    this.#facts.set(id, {
      method: textOf(params['request'], 'method'),
      mimeType: '',
      status: 0,
      sizeBytes: 0,
      declaredBytes: 0,
    });
  }

  #respond(id: string, { response }: Readonly<Record<string, unknown>>): void {
    const facts = this.#facts.get(id);
    if (facts === undefined) return;
    facts.mimeType = textOf(response, 'mimeType');
    facts.status = numberOf(response, 'status');
    facts.declaredBytes = declaredBytes(response);
  }

  #count(id: string, params: Readonly<Record<string, unknown>>): void {
    const facts = this.#facts.get(id);
    if (facts !== undefined) facts.sizeBytes += numberOf(params, 'dataLength');
  }

  #end(session: string | null, id: string, failed: string | null): void {
    const facts = this.#facts.get(id);
    this.#facts.delete(id);
    const reason = failed ?? this.#whyNot(facts);
    if (reason !== null) return this.#say(session, id, reason, facts?.sizeBytes ?? null);
    if (this.#queue.size >= WAITING) return this.#say(session, id, 'busy', facts?.sizeBytes ?? null);
    const task = this.#queue.add(() => this.#take(session, id, facts));
    this.#tasks.add(task);
    void task.finally(() => this.#tasks.delete(task));
  }

  #whyNot(facts: Facts | undefined): string | null {
    const { budget } = this.#options;
    const { bodies } = budget.limits;
    if (facts === undefined) return bodies === 'none' ? 'not_asked' : null;
    const { method, status, mimeType, sizeBytes } = facts;
    if (method === 'HEAD' || EMPTY_STATUSES.has(status) || status === 0) return 'no_body';
    if (bodies === 'none') return 'not_asked';
    if (bodies === 'text' && !isTextType(mimeType)) return 'not_text';
    return budget.refuses(sizeBytes);
  }

  async #take(session: string | null, id: string, facts: Facts | undefined): Promise<void> {
    const { send, room, push, budget } = this.#options;
    const receivedBytes = facts?.sizeBytes ?? 0;
    const expectedBytes = receivedBytes > 0 ? receivedBytes : (facts?.declaredBytes ?? 0);
    try {
      await room();
      const answer = await send('Network.getResponseBody', { requestId: id }, session);
      const { body, base64Encoded } = answer;
      const data = typeof body === 'string' ? body : '';
      const base64 = base64Encoded === true;
      const sizeBytes = receivedBytes > 0 ? receivedBytes : sizeOf(data, base64);
      // A prefetched body stays with the browser until a page wants it.
      if (sizeBytes === 0 && expectedBytes > 0) return this.#say(session, id, 'evicted', expectedBytes);
      const refusal = budget.take(sizeBytes);
      if (refusal !== null) return this.#say(session, id, refusal, sizeBytes);
      push({ kind: 'body', session, request_id: id, base64, data, size_bytes: sizeBytes });
    } catch {
      // The renderer dropped it, or has gone; a response without content was never kept.
      this.#say(session, id, expectedBytes > 0 ? 'evicted' : 'no_body', expectedBytes);
    }
  }

  #say(session: string | null, id: string, reason: string, sizeBytes: number | null): void {
    this.#options.push({ kind: 'no_body', session, request_id: id, reason, size_bytes: sizeBytes });
  }
}

function textOf(record: unknown, name: string): string {
  const value: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, name) : null;
  return typeof value === 'string' ? value : '';
}

function numberOf(record: unknown, name: string): number {
  const value: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, name) : null;
  return typeof value === 'number' ? value : 0;
}

function declaredBytes(response: unknown): number {
  const headers: unknown =
    typeof response === 'object' && response !== null ? Reflect.get(response, 'headers') : null;
  if (typeof headers !== 'object' || headers === null) return 0;
  const length = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  const bytes = Number(length ?? 0);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : 0;
}

function sizeOf(data: string, base64: boolean): number {
  return base64 ? base64Bytes(data) : new TextEncoder().encode(data).length;
}
