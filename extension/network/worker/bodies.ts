import { isObject } from '../../../shared/base/json.ts';
import { isTextType } from '../../../shared/base/mime.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { Queue } from '../../../shared/base/queue.ts';
import type { NetworkEvent } from '../../platform/chromium/network-events.ts';
import type { Tap } from '../../platform/chromium/network-tap.ts';
import type { BodyChoice } from '../../../shared/network/network.methods.ts';
import { LateBodies } from './late-bodies.ts';
import type { Outbox } from './outbox.ts';
import { base64Bytes } from '../../core/ports/base64.ts';

/** Bodies requested at once. */
const IN_FLIGHT = 16;
/** Bodies that wait for their turn; further ones are given up. */
const WAITING = 4_096;
/** Pending requests whose facts are kept; the oldest are forgotten. */
const REQUESTS = 10_000;
const TEXT_KINDS: ReadonlySet<string> = new Set(['Document', 'Script', 'Stylesheet']);
/** Statuses whose responses have no body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

export interface BodyLimits {
  readonly bodies: BodyChoice;
  /** A larger body is counted, not kept. */
  readonly bodyBytes: number;
  /** All bodies together. */
  readonly bodiesBytes: number;
}

export class BodyBudget {
  #leftBytes: number;

  constructor(readonly limits: BodyLimits) {
    this.#leftBytes = limits.bodiesBytes;
  }

  /** Why a body of this size is not kept, or null. */
  refuses(sizeBytes: number): 'too_large' | 'budget' | null {
    if (sizeBytes > this.limits.bodyBytes) return 'too_large';
    return sizeBytes > this.#leftBytes ? 'budget' : null;
  }

  /** Reserves the bytes, unless they are refused. */
  take(sizeBytes: number): 'too_large' | 'budget' | null {
    const refusal = this.refuses(sizeBytes);
    if (refusal === null) this.#leftBytes -= sizeBytes;
    return refusal;
  }
}

/** Size of the last chunk of a chunked body: an empty one has only that. */
const END_BYTES = 5;

interface Facts {
  /** CDP's resource type. */
  type: string;
  method: string;
  mimeType: string;
  status: number;
  /** Decoded bytes received. */
  sizeBytes: number;
  /** Bytes of its headers on the wire. */
  headBytes: number;
  /** From the network, whose bodies the browser keeps, not from a cache or a worker. */
  isFromNetwork: boolean;
  isServedFromCache: boolean;
  /** An event stream as it arrives, in base64: of a cancelled one, the browser keeps nothing. */
  pieces: string[] | null;
}

interface Wanted {
  readonly session: string | null;
  readonly id: string;
  /** Decoded; 0 if unknown. */
  readonly receivedBytes: number;
  readonly isExpected: boolean;
}

/**
 * Collects response bodies, a bounded number at a time, and reports for each ended request either its body or why it
 * has none. Bodies that the browser keeps are collected late, so that a page loads undisturbed; others at once, before
 * their renderer drops them.
 */
export class Bodies {
  /** By request id alone: a worker's script begins in its page's session and ends in its own. */
  readonly #facts = new BoundedMap<string, Facts>(REQUESTS);
  readonly #queue = new Queue(IN_FLIGHT);
  readonly #tasks = new Set<Promise<void>>();
  readonly #late = new LateBodies<Wanted>(
    (wanted) => this.#schedule(wanted),
    () => this.#facts.size > 0,
  );
  readonly #stopListening: () => void;
  /** Grows while bodies are being collected. */
  progress = 0;

  constructor(
    private readonly tap: Tap,
    private readonly budget: BodyBudget,
    private readonly outbox: Outbox,
  ) {
    this.#stopListening = tap.onDrop(() => this.#late.flush());
  }

  /** Call with every event, after it was forwarded. */
  observe(event: NetworkEvent): void {
    const { kind, params, sessionId } = event;
    const id = params['requestId'];
    if (typeof id !== 'string') return;
    this.#late.touch();
    const facts = this.#facts.get(id);
    if (kind === 'request') {
      this.#begin(id, params);
      this.#takePosted(sessionId, id, params['request']);
    } else if (kind === 'failed') this.#fail(sessionId, id, facts);
    else if (kind === 'finished')
      this.#end(
        sessionId,
        id,
        null,
        getRecordNumber({ encodedDataLength: Infinity, ...params }, 'encodedDataLength'),
      );
    else if (facts === undefined) return;
    else if (kind === 'response') {
      respond(facts, params['response']);
      this.#follow(sessionId, id, facts);
    } else if (kind === 'from_cache') facts.isServedFromCache = true;
    else if (kind === 'data') {
      facts.sizeBytes += getRecordNumber(params, 'dataLength');
      if (this.budget.refuses(facts.sizeBytes) === null) facts.pieces?.push(getRecordText(params, 'data'));
      else facts.pieces = null;
    }
  }

  /** Collects waiting bodies; resolves when everything pending now has been pushed. */
  async settle(): Promise<void> {
    this.#late.flush();
    await Promise.all(this.#tasks);
  }

  /** Requests no further bodies. */
  close(): void {
    this.#stopListening();
    this.#late.clear();
  }

  /** Files and blobs are not in the event; requested at once, while the request exists. */
  #takePosted(session: string | null, id: string, request: unknown): void {
    if (this.budget.limits.bodies === 'none' || this.#queue.size >= WAITING) return;
    if (!isTrue(request, 'hasPostData') || getRecordText(request, 'postData') !== '') return;
    this.#run(async () => {
      const answer = await this.tap.postData(id, session);
      const [data, base64] = [getRecordText(answer, 'postData'), isTrue(answer, 'base64Encoded')];
      const sizeBytes = measureBody(data, base64);
      if (this.budget.take(sizeBytes) !== null) return;
      this.outbox.push({ kind: 'post_data', session, request_id: id, base64, data, size_bytes: sizeBytes });
    });
  }

  #run(work: () => Promise<void>): void {
    // Reading from a request that no longer exists fails: its line is omitted.
    const task = this.#queue.add(work).catch(() => undefined);
    this.#tasks.add(task);
    void task.then(() => {
      this.progress += 1;
      this.#tasks.delete(task);
    });
  }

  #begin(id: string, params: Readonly<Record<string, unknown>>): void {
    this.#facts.set(id, {
      type: getRecordText(params, 'type'),
      method: getRecordText(params['request'], 'method'),
      mimeType: '',
      status: 0,
      sizeBytes: 0,
      headBytes: 0,
      isFromNetwork: false,
      isServedFromCache: false,
      pieces: null,
    });
  }

  /** The events of an EventSource are reported one by one. */
  #follow(session: string | null, id: string, facts: Facts): void {
    const isStream = facts.mimeType === 'text/event-stream' && facts.type !== 'EventSource';
    if (!isStream || this.budget.limits.bodies === 'none') return;
    const pieces: string[] = (facts.pieces = []);
    this.tap.stream(id, session).then(
      (answer) => pieces.unshift(getRecordText(answer, 'bufferedData')),
      // It ended meanwhile, and can be read as a whole.
      () => undefined,
    );
  }

  /** A failed request has no body, except for what arrived of a stream. Of its beginning, the page may keep nothing. */
  #fail(session: string | null, id: string, facts: Facts | undefined): void {
    const binary = facts?.pieces?.map((piece) => atob(piece)).join('') ?? '';
    const size_bytes = binary.length;
    const isWhole = size_bytes > 0 && size_bytes === facts?.sizeBytes;
    const isLost = facts?.pieces != null && facts.sizeBytes > 0;
    const refusal = isWhole ? this.budget.take(size_bytes) : isLost ? 'not_kept' : 'no_body';
    if (refusal !== null) return this.#end(session, id, refusal);
    this.#facts.delete(id);
    this.outbox.push({ kind: 'body', session, request_id: id, base64: true, data: btoa(binary), size_bytes });
  }

  #end(session: string | null, id: string, failed: string | null, wireBytes = 0): void {
    const facts = this.#facts.get(id);
    this.#facts.delete(id);
    const reason = failed ?? this.#whyNot(facts);
    if (reason !== null) return this.#say(session, id, reason, facts?.sizeBytes ?? null);
    const isExpected =
      facts !== undefined && (facts.sizeBytes > 0 || wireBytes > facts.headBytes + END_BYTES);
    const wanted = { session, id, receivedBytes: facts?.sizeBytes ?? 0, isExpected };
    if (this.tap.keepsBodies && session === null && facts?.isFromNetwork === true)
      this.#late.add(wanted, Math.max(facts.sizeBytes, wireBytes));
    else this.#schedule(wanted);
  }

  #schedule(wanted: Wanted): void {
    const { session, id, receivedBytes } = wanted;
    if (this.#queue.size < WAITING) this.#run(() => this.#take(wanted));
    else this.#say(session, id, 'busy', receivedBytes);
  }

  #whyNot(facts: Facts | undefined): string | null {
    const { bodies } = this.budget.limits;
    if (facts === undefined) return bodies === 'none' ? 'not_asked' : null;
    const { method, status, sizeBytes } = facts;
    if (method === 'HEAD' || EMPTY_STATUSES.has(status)) return 'no_body';
    if (bodies === 'none') return 'not_asked';
    // Without a response event, as of a page that was left, nothing says what it is.
    if (bodies === 'text' && status > 0 && !isText(facts)) return 'not_text';
    return this.budget.refuses(sizeBytes);
  }

  async #take({ session, id, receivedBytes, isExpected }: Wanted): Promise<void> {
    const knownBytes = receivedBytes > 0 ? receivedBytes : null;
    const leaveRoom = await this.outbox.room(receivedBytes);
    try {
      const answer = await this.tap.body(id, session);
      const [data, base64] = [getRecordText(answer, 'body'), isTrue(answer, 'base64Encoded')];
      const sizeBytes = knownBytes ?? measureBody(data, base64);
      // A prefetched body stays with the browser until a page wants it.
      if (sizeBytes === 0 && isExpected) return this.#say(session, id, 'not_kept', knownBytes);
      const refusal = this.budget.take(sizeBytes);
      if (refusal !== null) return this.#say(session, id, refusal, sizeBytes);
      this.outbox.push({ kind: 'body', session, request_id: id, base64, data, size_bytes: sizeBytes });
    } catch (error) {
      // The browser does not keep bodies of workers and of renderers that have exited, nor empty responses.
      const reason = /evicted/i.test(String(error)) ? 'evicted' : 'not_kept';
      this.#say(session, id, isExpected ? reason : 'no_body', isExpected ? knownBytes : 0);
    } finally {
      leaveRoom();
    }
  }

  #say(session: string | null, id: string, reason: string, sizeBytes: number | null): void {
    this.outbox.push({ kind: 'no_body', session, request_id: id, reason, size_bytes: sizeBytes });
  }
}

function respond(facts: Facts, response: unknown): void {
  facts.mimeType = getRecordText(response, 'mimeType');
  facts.status = getRecordNumber(response, 'status');
  facts.headBytes = getRecordNumber(response, 'encodedDataLength');
  facts.isFromNetwork =
    !facts.isServedFromCache &&
    /^https?:/.test(getRecordText(response, 'url')) &&
    !['fromDiskCache', 'fromServiceWorker', 'fromPrefetchCache'].some((name) => isTrue(response, name));
}

/** A service worker's script may end without a response event: then its type decides. */
const isText = ({ mimeType, type }: Facts): boolean =>
  mimeType === '' ? TEXT_KINDS.has(type) : isTextType(mimeType);

function getRecordText(record: unknown, name: string): string {
  const value = isObject(record) ? record[name] : null;
  return typeof value === 'string' ? value : '';
}

const isTrue = (record: unknown, name: string): boolean => isObject(record) && record[name] === true;

function getRecordNumber(record: unknown, name: string): number {
  const value = isObject(record) ? record[name] : null;
  return typeof value === 'number' ? value : 0;
}

function measureBody(data: string, base64: boolean): number {
  return base64 ? base64Bytes(data) : new TextEncoder().encode(data).length;
}
