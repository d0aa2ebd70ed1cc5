import { abortable } from '../../../shared/base/async.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { StreamChunk } from '../../../shared/core/bridge/streams.ts';
import type { StreamSink } from '../handler.ts';
const DIGEST_BYTES = 32;
/** Concurrent digests: enough to keep the hashing thread busy, few enough to bound memory. */
const IN_FLIGHT = 64;
const FIRST_CAPACITY = 64;
import { sha256 } from '../sha256.ts';

/**
 * The digests of a stream's chunks, in order. They share one buffer, 32 bytes each: a stream that lives for hours has
 * hundreds of thousands of them.
 */
class Digests {
  #done = new Uint8Array(FIRST_CAPACITY * DIGEST_BYTES);
  #doneCount = 0;
  #inFlight: Promise<ArrayBuffer>[] = [];

  get count(): number {
    return this.#doneCount + this.#inFlight.length;
  }

  /** Resolves when the next one may come. Await it before the next call. */
  async add(digest: Promise<ArrayBuffer>): Promise<void> {
    this.#inFlight.push(digest);
    const oldest = this.#inFlight.length >= IN_FLIGHT ? this.#inFlight.shift() : undefined;
    if (oldest !== undefined) this.#keep(await oldest);
  }

  /** SHA-256 over the concatenated raw digests, in lower-case hexadecimal. Call last. */
  async seal(): Promise<string> {
    const last = this.#inFlight;
    this.#inFlight = [];
    for (const digest of last) this.#keep(await digest);
    return sha256(this.#done.subarray(0, this.#doneCount * DIGEST_BYTES));
  }

  #keep(digest: ArrayBuffer): void {
    const at = this.#doneCount * DIGEST_BYTES;
    if (at === this.#done.length) {
      const larger = new Uint8Array(at * 2);
      larger.set(this.#done);
      this.#done = larger;
    }
    this.#done.set(new Uint8Array(digest), at);
    this.#doneCount += 1;
  }
}
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
/** The last unit of one text and the first of the next are one code point. */
const isPair = (text: string, next: string): boolean =>
  isHighSurrogate(text.charCodeAt(text.length - 1)) && isLowSurrogate(next.charCodeAt(0));

/**
 * Cuts a text that arrives in pieces of any size into pieces of at most `maxUnits` UTF-16 code units, never inside a
 * code point, even if a surrogate pair was written in two pieces. Every piece but the last is full; each is well-formed
 * (lone surrogates become U+FFFD).
 */
export class TextCutter {
  #pending = '';

  /** @param maxUnits at least 1; a code point of two units then makes a piece of two */
  constructor(private readonly maxUnits: number) {}

  /** The full pieces that `text` completes; the rest is kept for the next call. */
  *push(text: string): Generator<string, void, undefined> {
    let rest = text;
    // Joining copies: a full piece that waited for its successor is not joined with it.
    if (this.#pending.length === this.maxUnits && text !== '' && !isPair(this.#pending, text)) {
      yield this.#pending.toWellFormed();
    } else rest = this.#pending + text;
    let from = 0;
    // One unit more than a piece is needed, to know whether its last one begins a pair.
    while (rest.length - from > this.maxUnits) {
      const to = from + this.maxUnits;
      const splits = isHighSurrogate(rest.charCodeAt(to - 1)) && isLowSurrogate(rest.charCodeAt(to));
      const end = !splits ? to : to - 1 > from ? to - 1 : to + 1;
      yield rest.slice(from, end).toWellFormed();
      from = end;
    }
    this.#pending = rest.slice(from);
  }

  /** Empty only if nothing was ever left over. */
  rest(): string {
    const rest = this.#pending.toWellFormed();
    this.#pending = '';
    return rest;
  }
}

const MAX_BYTES_PER_UNIT = 3;
const SMALL_PIECE_UNITS = 8_192;

interface StreamSenderOptions {
  readonly stream: number;
  /** Bytes that the receiver initially allows to be unacknowledged. */
  readonly credit: number;
  readonly signal: AbortSignal;
  /** Posts one frame; throws if the port is closed. */
  readonly send: (chunk: StreamChunk) => void;
}

/**
 * The sending end of a stream (`shared/core/bridge/streams.ts`): cuts, counts against the credit, numbers, hashes, sends.
 * The newest piece is held back until the next one or the end comes, so that the last chunk can carry the seal. Digests
 * are computed while later chunks are sent.
 */
export class StreamSender implements StreamSink {
  readonly #cutter: TextCutter;
  readonly #encoder = new TextEncoder();
  #scratch: Uint8Array<ArrayBuffer> | null = null;
  readonly #digests = new Digests();
  #credit: number;
  #granted: (() => void) | null = null;
  #held: string | null = null;
  #seq = 0;
  #sizeBytes = 0;

  constructor(private readonly options: StreamSenderOptions) {
    this.#credit = options.credit;
    // A piece never needs more credit than the receiver gave at first: it may grant no more than that.
    const units = Math.floor(options.credit / MAX_BYTES_PER_UNIT);
    this.#cutter = new TextCutter(Math.max(1, Math.min(LIMITS.streamChunkUnits, units)));
  }

  /** Resolves when everything that `text` completed has been sent. Rejects with the signal's reason. */
  async write(text: string): Promise<void> {
    this.options.signal.throwIfAborted();
    for (const piece of this.#cutter.push(text)) {
      if (this.#held !== null) await this.#send(this.#held);
      this.#held = piece;
    }
  }

  /** Sends the buffered text, so that the receiver has everything written. */
  async flush(): Promise<void> {
    const rest = this.#cutter.rest();
    if (this.#held !== null) await this.#send(this.#held);
    this.#held = null;
    if (rest !== '') await this.#send(rest);
  }

  /** Sends the rest and the seal. Nothing may be written afterwards. */
  async end(): Promise<void> {
    const rest = this.#cutter.rest();
    if (rest !== '' || this.#held === null) {
      if (this.#held !== null) await this.#send(this.#held);
      this.#held = rest;
    }
    const last = this.#held;
    this.#held = null;
    await this.#claim(last);
    const { stream, signal, send } = this.options;
    const sha256 = await this.#digests.seal();
    signal.throwIfAborted();
    const end = { chunks: this.#digests.count, size_bytes: this.#sizeBytes, sha256 };
    send({ stream, seq: this.#seq++, data: last, end });
  }

  /** The receiver allows `bytes` more to be unacknowledged. */
  grant(bytes: number): void {
    this.#credit += bytes;
    this.#granted?.();
  }

  async #send(data: string): Promise<void> {
    await this.#claim(data);
    this.options.send({ stream: this.options.stream, seq: this.#seq++, data });
  }

  /** Waits for credit for `data`, takes it, and starts its digest. */
  async #claim(data: string): Promise<void> {
    const bytes = this.#encode(data);
    while (this.#credit < bytes.length) await this.#waitForCredit();
    this.options.signal.throwIfAborted();
    this.#credit -= bytes.length;
    this.#sizeBytes += bytes.length;
    await this.#digests.add(crypto.subtle.digest('SHA-256', bytes));
  }

  /**
   * UTF-8 of a piece, valid until the next one: `digest` copies at once. A new buffer for each large piece would take
   * three times as long as reusing one.
   */
  #encode(data: string): Uint8Array<ArrayBuffer> {
    if (data.length < SMALL_PIECE_UNITS) return this.#encoder.encode(data);
    this.#scratch ??= new Uint8Array(LIMITS.streamChunkUnits * MAX_BYTES_PER_UNIT);
    return this.#scratch.subarray(0, this.#encoder.encodeInto(data, this.#scratch).written);
  }

  async #waitForCredit(): Promise<void> {
    const granted = new Promise<void>((resolve) => (this.#granted = resolve));
    try {
      await abortable(granted, this.options.signal);
    } finally {
      this.#granted = null;
    }
  }
}
