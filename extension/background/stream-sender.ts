import { abortable } from '../../shared/async/wait.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { StreamChunk } from '../../shared/bridge/streams.ts';
import { Digests } from './digests.ts';
import type { StreamSink } from './handler.ts';
import { TextCutter } from './text-cutter.ts';

const MAX_BYTES_PER_UNIT = 3;
const SMALL_PIECE_UNITS = 8_192;

export interface StreamSenderOptions {
  readonly stream: number;
  /** Bytes that the receiver initially allows to be unacknowledged. */
  readonly credit: number;
  readonly signal: AbortSignal;
  /** Posts one frame; throws when the port is closed. */
  readonly send: (chunk: StreamChunk) => void;
}

/**
 * The sending end of a stream (`shared/bridge/streams.ts`): cuts, counts against the credit,
 * numbers, hashes, sends. The newest piece is held back until the next one or the end comes, so
 * that the last chunk can carry the seal. Digests are computed while later chunks are sent.
 */
export class StreamSender implements StreamSink {
  readonly #options: StreamSenderOptions;
  readonly #cutter: TextCutter;
  readonly #encoder = new TextEncoder();
  #scratch: Uint8Array<ArrayBuffer> | null = null;
  readonly #digests = new Digests();
  #credit: number;
  #granted: (() => void) | null = null;
  #held: string | null = null;
  #seq = 0;
  #sizeBytes = 0;

  constructor(options: StreamSenderOptions) {
    this.#options = options;
    this.#credit = options.credit;
    // A piece never needs more credit than a receiver gave at first: it may grant no more than that.
    const units = Math.floor(options.credit / MAX_BYTES_PER_UNIT);
    this.#cutter = new TextCutter(Math.max(1, Math.min(LIMITS.streamChunkUnits, units)));
  }

  /** Resolves when everything that `text` completed has been sent. Rejects with the signal's reason. */
  async write(text: string): Promise<void> {
    this.#options.signal.throwIfAborted();
    for (const piece of this.#cutter.push(text)) {
      if (this.#held !== null) await this.#send(this.#held);
      this.#held = piece;
    }
  }

  /** Sends what is kept, so that the receiver has all that was written. */
  async flush(): Promise<void> {
    const rest = this.#cutter.rest();
    if (this.#held !== null) await this.#send(this.#held);
    this.#held = null;
    if (rest !== '') await this.#send(rest);
  }

  /** Sends what is left and the seal. Nothing may be written afterwards. */
  async end(): Promise<void> {
    const rest = this.#cutter.rest();
    if (rest !== '' || this.#held === null) {
      if (this.#held !== null) await this.#send(this.#held);
      this.#held = rest;
    }
    const last = this.#held;
    this.#held = null;
    await this.#claim(last);
    const { stream, signal, send } = this.#options;
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
    this.#options.send({ stream: this.#options.stream, seq: this.#seq++, data });
  }

  /** Waits for credit for `data`, takes it, and starts its digest. */
  async #claim(data: string): Promise<void> {
    const bytes = this.#encode(data);
    while (this.#credit < bytes.length) await this.#waitForCredit();
    this.#options.signal.throwIfAborted();
    this.#credit -= bytes.length;
    this.#sizeBytes += bytes.length;
    await this.#digests.add(crypto.subtle.digest('SHA-256', bytes));
  }

  /**
   * UTF-8 of a piece, good until the next one: `digest` takes a copy at once. A new buffer for each
   * large piece would cost three times what writing into an old one does.
   */
  #encode(data: string): Uint8Array<ArrayBuffer> {
    if (data.length < SMALL_PIECE_UNITS) return this.#encoder.encode(data);
    this.#scratch ??= new Uint8Array(LIMITS.streamChunkUnits * MAX_BYTES_PER_UNIT);
    return this.#scratch.subarray(0, this.#encoder.encodeInto(data, this.#scratch).written);
  }

  async #waitForCredit(): Promise<void> {
    const granted = new Promise<void>((resolve) => (this.#granted = resolve));
    try {
      await abortable(granted, this.#options.signal);
    } finally {
      this.#granted = null;
    }
  }
}
