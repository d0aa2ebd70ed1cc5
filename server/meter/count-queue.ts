import { estimateTokens } from './measure.ts';

/** Text kept until it is counted; beyond this, the oldest keeps its estimate. */
const KEPT_UNITS = 1024 * 1024;
/** Units of a text that are counted; the total is extrapolated from them. */
const COUNTED_UNITS = 256 * 1024;
/** Text of one order. */
const ORDER_UNITS = 512 * 1024;

/** A text whose tokens are estimated so far. */
interface Uncounted {
  /** Read when it is counted. Null when it is gone: its estimate stays. */
  readonly text: () => string | null | Promise<string | null>;
  /** What keeping it takes, about, in UTF-16 units. */
  readonly keptUnits: number;
  readonly countedUnits: number;
  readonly scale: number;
  /** Called once, with what the whole takes. */
  readonly counted: (tokens: number) => void;
}

export const ENTRY_UNITS = 256;

/** A text in memory; of a very long one, its beginning is counted. */
export function uncounted(text: string, counted: (tokens: number) => void): Uncounted {
  const part = text.length > COUNTED_UNITS ? text.slice(0, COUNTED_UNITS) : text;
  const scale =
    part === text ? 1 : estimateTokens(Buffer.byteLength(text)) / estimateTokens(Buffer.byteLength(part));
  return {
    text: () => part,
    keptUnits: ENTRY_UNITS + part.length,
    countedUnits: part.length,
    scale,
    counted,
  };
}

interface QueueOptions {
  readonly counter: Counter;
  readonly isWanted: () => boolean;
  /** Called after figures have changed. */
  readonly onCounted: () => void;
  readonly onFailure: (thrown: unknown) => void;
}

/** What is still to be counted, the oldest first, one order at a time. */
export class CountQueue {
  readonly #options: QueueOptions;
  #queue: Uncounted[] = [];
  #units = 0;
  #working: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  add(item: Uncounted): void {
    this.#queue.push(item);
    this.#units += item.keptUnits;
    while (this.#units > KEPT_UNITS && this.#queue.length > 1)
      this.#units -= this.#queue.shift()?.keptUnits ?? 0;
    this.start();
  }

  /** Starts counting, unless nobody reads the figures. */
  start(): void {
    if (this.#working !== null || this.#isClosed || this.#queue.length === 0 || !this.#options.isWanted())
      return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
      // What came while the last order was counted.
      this.start();
    });
  }

  /** Resolves when all that was there has been counted. */
  async settled(): Promise<void> {
    while (this.#working !== null) await this.#working;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue = [];
    await this.#options.counter.close();
  }

  async #work(): Promise<void> {
    // The answer goes out first.
    await new Promise((resolve) => setImmediate(resolve));
    const order = this.#take();
    try {
      const texts = await Promise.all(order.map(async ({ text }) => text()));
      const tokens = await this.#options.counter.count(texts.map((text) => text ?? ''));
      order.forEach(({ scale, counted }, at) => {
        if (texts[at] !== null) counted(Math.round((tokens[at] ?? 0) * scale));
      });
      this.#options.onCounted();
    } catch (thrown) {
      // The estimates stay.
      if (!this.#isClosed) this.#options.onFailure(thrown);
    }
  }

  #take(): readonly Uncounted[] {
    let units = 0;
    const end = this.#queue.findIndex((item) => (units += item.countedUnits) > ORDER_UNITS);
    const order = this.#queue.splice(0, end < 0 ? this.#queue.length : Math.max(1, end));
    this.#units -= order.reduce((sum, { keptUnits }) => sum + keptUnits, 0);
    return order;
  }
}

/** Counts tokens off the path of calls. */
export interface Counter {
  /** Tokens of each text. @throws where counting failed, or took too long */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** Frees what counting needs; the next count gets it again. */
  close(): Promise<void>;
}
