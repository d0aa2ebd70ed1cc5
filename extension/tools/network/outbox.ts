import type { StreamSink } from '../../background/handler.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { CaptureLine } from '../../../shared/tools/network/methods.ts';

/** Lines wait this long for others to be sent with them. */
const BATCH_MS = 25;
/** So much is sent at once, without waiting for more. */
const BATCH_UNITS = LIMITS.streamChunkUnits;
/** A stream that is silent for this long says that it lives; its reader gives up after 30 s. */
const SIGN_OF_LIFE_MS = 10_000;
/** UTF-8 of captured text is seldom longer; what is bounded is memory, and it holds UTF-16. */
const BYTES_PER_UNIT = 2;
/** The number of a mark that is only a sign of life; the server's begin at 1. */
const SIGN_OF_LIFE = 0;

interface Waiting {
  readonly text: string;
  readonly isMark: boolean;
}

export interface OutboxOptions {
  readonly sink: StreamSink;
  /** What may wait for a slow reader; a smaller one in tests. */
  readonly limitBytes?: number;
}

/**
 * Lines on their way into a capture's stream: sent in small batches, soon, and bounded. Where the
 * reader does not keep up the oldest are dropped and counted; marks never are.
 */
export class Outbox {
  readonly #sink: StreamSink;
  readonly #limitBytes: number;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Lines that were dropped since the last `lost` line, and since the beginning. */
  #unreportedLostLines = 0;
  #lostLines = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #life: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  #roomWaiters: (() => void)[] = [];
  #isClosed = false;

  constructor({ sink, limitBytes = LIMITS.networkQueueBytes }: OutboxOptions) {
    this.#sink = sink;
    this.#limitBytes = limitBytes;
    this.#restartLifetime();
  }

  get lostLines(): number {
    return this.#lostLines;
  }

  push(line: CaptureLine): void {
    if (this.#isClosed) return;
    const text = `${JSON.stringify(line)}\n`;
    this.#waiting.push({ text, isMark: line.kind === 'mark' });
    this.#waitingBytes += text.length * BYTES_PER_UNIT;
    if (this.#waitingBytes > this.#limitBytes) this.#dropOldest();
    if (this.#sending !== null) return;
    if (this.#waitingBytes >= BATCH_UNITS * BYTES_PER_UNIT) this.#send();
    else this.#scheduleSend();
  }

  /** Resolves when less than half of what may wait does: large lines are made only then. */
  async room(): Promise<void> {
    while (!this.#isClosed && this.#waitingBytes * 2 > this.#limitBytes)
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
  }

  /** Resolves when all that waits has been sent. Rejects with what writing failed with. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending !== null) {
      if (this.#sending === null) this.#send();
      await this.#sending;
    }
  }

  /** Nothing more is taken or sent. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#life);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#releaseWaiters();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sending = this.#sendAll().finally(() => {
      this.#sending = null;
      // Events that arrived while the last batch was flushed are sent now.
      if (this.#waiting.length > 0) this.#scheduleSend();
    });
    // A failure is reported to the drain; else the call that this stream belongs to has ended.
    sending.catch(() => undefined);
    this.#sending = sending;
  }

  #scheduleSend(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sink.write(this.#takeBatch());
    await this.#sink.flush();
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
    for (const { text } of this.#waiting.splice(0, count)) this.#waitingBytes -= text.length * BYTES_PER_UNIT;
    this.#releaseWaiters();
    return batch;
  }

  /** Down to half, so that a stream that overflows is not searched again for each line. */
  #dropOldest(): void {
    const marks: Waiting[] = [];
    let count = 0;
    while (count < this.#waiting.length - 1 && this.#waitingBytes * 2 > this.#limitBytes) {
      const oldest = this.#waiting[count];
      count += 1;
      if (oldest === undefined) continue;
      if (oldest.isMark) marks.push(oldest);
      else {
        this.#waitingBytes -= oldest.text.length * BYTES_PER_UNIT;
        this.#unreportedLostLines += 1;
        this.#lostLines += 1;
      }
    }
    this.#waiting.splice(0, count, ...marks);
  }

  #releaseWaiters(): void {
    if (this.#waitingBytes * 2 > this.#limitBytes) return;
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
