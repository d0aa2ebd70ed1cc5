import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitAtMost, withTimeout } from '../../shared/async/wait.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { ChainEnd } from '../../shared/policy/chain-ends.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { Clock, Logger } from '../core/services.ts';
import { isFull } from '../machine/errno.ts';
import { Chain, type Facts } from './chain.ts';
import type { Places } from './places.ts';

/** Where a line of the ledger is. */
interface Place {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

interface Waiting {
  readonly facts: Facts;
  readonly resolve: (place: Place) => void;
  readonly reject: (reason: Error) => void;
  /** Nobody waits for it any more: it need not be written. */
  readonly isGivenUp: () => boolean;
}

/** Lines that one sync covers at most. */
const GROUP_LINES = 1_000;
/** Lines that wait for the disk at most. */
const QUEUE_LINES = 10_000;

export interface WriterOptions {
  readonly places: Places;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longest wait for the disk. Milliseconds. */
  readonly waitMs: number;
  /** Called with the end of a chain once its lines are on the disk. */
  readonly onGrown: (end: ChainEnd) => void;
}

/**
 * Appends lines one group after the other: what came while a group was being written is the next one. After
 * a failure the next group begins a new chain, since nothing is known of the end of the old one.
 */
export class LedgerWriter {
  readonly #options: WriterOptions;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #chain: Chain | null = null;
  #isClosed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Resolves when the line is on the disk. @throws SpillwayError `ledger_unavailable` */
  async append(facts: Facts): Promise<Place> {
    if (this.#isClosed) throw this.#unavailable('the server is stopping');
    if (this.#waiting.length >= QUEUE_LINES)
      throw this.#unavailable(`${QUEUE_LINES} lines are waiting for the disk`);
    const { waitMs } = this.#options;
    let isGivenUp = false;
    const written = new Promise<Place>((resolve, reject) => {
      this.#waiting.push({ facts, resolve, reject, isGivenUp: () => isGivenUp });
    });
    this.#draining ??= this.#drain();
    return withTimeout(written, waitMs, () => {
      isGivenUp = true;
      return this.#unavailable(`the disk did not answer within ${waitMs / 1000} seconds`);
    });
  }

  /** Waits for the lines that are on their way. Later ones are refused. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await waitAtMost(this.#draining ?? Promise.resolve(), this.#options.waitMs);
    await this.#endChain();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Lines of the same turn belong together.
      await nextTurn();
      const group = this.#waiting.splice(0, GROUP_LINES).filter(({ isGivenUp }) => !isGivenUp());
      if (group.length > 0) await this.#write(group);
    }
    this.#draining = null;
  }

  /** Settles every line of a group. */
  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      const chain = await this.#usableChain();
      const ends = await chain.append(group.map(({ facts }) => facts));
      group.forEach(({ resolve, reject }, at) => {
        const end = ends[at];
        if (end === undefined) reject(this.#unavailable('a line was lost'));
        else resolve({ chain: chain.name, ...end });
      });
      const { seq } = ends.at(-1) ?? { seq: 0 };
      if (seq > 0) this.#options.onGrown({ chain: chain.name, seq });
    } catch (thrown) {
      await this.#endChain();
      const refusal = this.#unavailable(isFull(thrown) ? 'the disk is full' : messageOf(thrown), thrown);
      this.#options.logger.error({ err: thrown }, 'the ledger cannot be written; nothing is done on pages');
      for (const { reject } of group) reject(refusal);
    }
  }

  async #usableChain(): Promise<Chain> {
    const { places, clock, logger } = this.#options;
    if (this.#chain !== null && !(await this.#chain.isUntouched())) {
      logger.error({ chain: this.#chain.name }, 'a file of the ledger was changed by another program');
      await this.#endChain();
    }
    return (this.#chain ??= await Chain.begin(places, clock));
  }

  async #endChain(): Promise<void> {
    const chain = this.#chain;
    this.#chain = null;
    await chain?.close();
  }

  #unavailable(why: string, cause?: unknown): SpillwayError {
    const { chains } = this.#options.places;
    return new SpillwayError('ledger_unavailable', `The ledger ${chains} cannot be written: ${why}.`, {
      cause,
    });
  }
}
