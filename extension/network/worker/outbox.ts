import type { StreamSink } from '../../core/handler.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';

/** How long lines wait for others to be sent with them. */
const BATCH_MS = 25;
/** A batch of this size is sent at once. */
const BATCH_UNITS = LIMITS.streamChunkUnits;
/** A silent stream sends a sign of life after this time; its reader gives up after 30 s. */
const SIGN_OF_LIFE_MS = 10_000;
/** The limit is on memory, which holds UTF-16. UTF-8 of captured text is rarely longer. */
const BYTES_PER_UNIT = 2;
/** The number of a mark that is only a sign of life; the server's begin at 1. */
const SIGN_OF_LIFE = 0;

interface WaitingLine {
  readonly text: string;
  /** Marks, and bodies with reserved room, are never dropped. */
  readonly isKept: boolean;
}

/**
 * Lines on their way into a capture's stream: sent soon, in small batches, and bounded. If the reader does not keep up,
 * the oldest events are dropped and counted; bodies wait for room instead.
 */
export class Outbox {
  #waiting: WaitingLine[] = [];
  #waitingBytes = 0;
  /** Waiting bodies, and those with reserved room. */
  #bodyBytes = 0;
  #roomBytes = 0;
  /** Bodies get room in the order of their requests. */
  #lastInLine: Promise<void> = Promise.resolve();
  /** Lines dropped since the last `lost` line, and since the beginning. */
  #unreportedLostLines = 0;
  lostLines = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #life: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  #roomWaiters: (() => void)[] = [];
  #isClosed = false;

  /** @param limitBytes smaller in tests */
  constructor(
    private readonly sink: StreamSink,
    private readonly limitBytes: number = LIMITS.networkQueueBytes,
  ) {
    this.#restartLifetime();
  }

  push(line: CaptureLine): void {
    if (this.#isClosed) return;
    const text = `${JSON.stringify(line)}\n`;
    const isKept = line.kind === 'mark' || line.kind === 'body';
    this.#waiting.push({ text, isKept });
    this.#count({ text, isKept }, 1);
    if (this.#waitingBytes > this.limitBytes) this.#dropOldest();
    if (this.#sending !== null) return;
    if (this.#waitingBytes + this.#bodyBytes >= BATCH_UNITS * BYTES_PER_UNIT) this.#send();
    else this.#scheduleSend();
  }

  /**
   * Reserves room for a body: resolves when it and the bodies before it fit into half of the buffer, or when it is
   * alone, and less than half of the rest is in use. Returns a function that releases the room, to be called once the
   * body was pushed or will not come.
   */
  async room(sizeBytes: number): Promise<() => void> {
    const bytes = sizeBytes * BYTES_PER_UNIT;
    const turn = this.#lastInLine.then(() => this.#waitForRoom(bytes));
    this.#lastInLine = turn;
    await turn;
    let isHeld = true;
    return () => {
      if (isHeld) this.#roomBytes -= bytes;
      isHeld = false;
      this.#releaseWaiters();
    };
  }

  async #waitForRoom(bytes: number): Promise<void> {
    while (!this.#isClosed && !this.#hasRoom(bytes))
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
    this.#roomBytes += bytes;
  }

  #hasRoom(bytes: number): boolean {
    const bodyBytes = this.#bodyBytes + this.#roomBytes;
    const fits = bodyBytes === 0 || (bodyBytes + bytes) * 2 <= this.limitBytes;
    return fits && this.#waitingBytes * 2 <= this.limitBytes;
  }

  /** Resolves when everything waiting has been sent. Rejects with the write error. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending !== null) {
      if (this.#sending === null) this.#send();
      await this.#sending;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#life);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#bodyBytes = 0;
    this.#releaseWaiters();
  }

  #count({ text, isKept }: WaitingLine, sign: 1 | -1): void {
    const bytes = sign * text.length * BYTES_PER_UNIT;
    if (isKept) this.#bodyBytes += bytes;
    else this.#waitingBytes += bytes;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sending = this.#sendAll().finally(() => {
      this.#sending = null;
      // Events that arrived while the last batch was flushed are sent now.
      if (this.#waiting.length > 0) this.#scheduleSend();
    });
    // A failure is reported to the drain; otherwise this stream's call has ended.
    sending.catch(() => undefined);
    this.#sending = sending;
  }

  #scheduleSend(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.sink.write(this.#takeBatch());
    await this.sink.flush();
    this.#restartLifetime();
  }

  #takeBatch(): string {
    let batch = '';
    if (this.#unreportedLostLines > 0) {
      batch = `${JSON.stringify({ kind: 'lost', lines: this.#unreportedLostLines, reason: 'The server did not read fast enough.' } satisfies CaptureLine)}\n`;
      this.#unreportedLostLines = 0;
    }
    let count = 0;
    while (count < this.#waiting.length && batch.length < BATCH_UNITS) {
      batch += this.#waiting[count]?.text ?? '';
      count += 1;
    }
    for (const line of this.#waiting.splice(0, count)) this.#count(line, -1);
    this.#releaseWaiters();
    return batch;
  }

  /** Down to half, so that an overflowing stream is not searched again for each line. */
  #dropOldest(): void {
    const kept: WaitingLine[] = [];
    let count = 0;
    while (count < this.#waiting.length - 1 && this.#waitingBytes * 2 > this.limitBytes) {
      const oldest = this.#waiting[count];
      count += 1;
      if (oldest === undefined) continue;
      if (oldest.isKept) kept.push(oldest);
      else {
        this.#count(oldest, -1);
        this.#unreportedLostLines += 1;
        this.lostLines += 1;
      }
    }
    this.#waiting.splice(0, count, ...kept);
  }

  #releaseWaiters(): void {
    const waiters = this.#roomWaiters;
    this.#roomWaiters = [];
    for (const resolve of waiters) resolve();
  }

  #restartLifetime(): void {
    clearTimeout(this.#life);
    if (!this.#isClosed)
      this.#life = setTimeout(() => this.push({ kind: 'mark', mark: SIGN_OF_LIFE }), SIGN_OF_LIFE_MS);
  }
}
