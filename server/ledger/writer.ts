import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { mkdir, open, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { waitAtMost, withTimeout } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import type { ChainEnd } from '../../shared/ledger/report.ts';
import type { Clock, Logger } from '../core/services.ts';
import { isFull, undefinedIfMissing } from '../core/machine/errno.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { VERSION } from '../../shared/base/version.ts';
import { syncFolder, ensureKey } from '../core/machine/files.ts';
import {
  type Places,
  placesOf,
  chainPath,
  headPath,
  listChains,
  keyIdOf,
  NO_HASH,
  writeLine,
  type Link,
  openingOf,
  HeadFile,
  type Head,
  readHead,
} from './lines.ts';

/** Maximum chains to inspect: enough for servers that start at the same time. */
const NEWEST = 16;

/**
 * The ends of the newest chains that no other chain names yet. A new chain names them in its first line: from
 * then on that line shows if they are removed, or cut before that end.
 */
async function findPredecessors(places: Places, key: Buffer): Promise<Link[]> {
  const chains = (await listChains(places)).slice(-NEWEST);
  // `verify` reports unreadable lines.
  const openings = await Promise.all(chains.map((chain) => openingOf(places, chain).catch(() => null)));
  const named = new Set(openings.flatMap((opening) => opening?.continues.map(({ chain }) => chain) ?? []));
  const links = chains
    .filter((chain) => !named.has(chain))
    .map(async (chain): Promise<Link[]> => {
      const head = (await readHead(headPath(places, chain), chain, key))?.head ?? null;
      return head === null || head.seq === 0 ? [] : [{ chain, ...head }];
    });
  return (await Promise.all(links)).flat();
}

/** The chain adds number, time and hashes. */
type Facts = JsonObject & { readonly kind: string };

interface Parts {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
  readonly head: HeadFile;
  readonly key: Buffer;
  readonly clock: Clock;
}

/** Sorts by time, and is unique among all servers that share a home. */
const createChainName = (clock: Clock): string =>
  `${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;

/**
 * One chain of lines in a file that only this writer appends to. After a failure the disk's content is
 * unknown, and the chain must not be used any more.
 */
class Chain {
  readonly name: string;
  readonly #beganAt: number;
  #end: Head = { seq: 0, hash: NO_HASH };
  #sizeBytes = 0;

  private constructor(private readonly parts: Parts) {
    this.name = parts.name;
    this.#beganAt = parts.clock.monotonic();
  }

  /**
   * Begins a chain: the head first, so that a chain without one must have lost it. A failure leaves nothing
   * behind.
   * @throws the disk's error
   */
  static async begin(places: Places, clock: Clock): Promise<Chain> {
    for (const folder of [places.chains, places.heads]) await makeFolder(folder);
    const key = await ensureKey(places.heads);
    const continues = await findPredecessors(places, key);
    const name = createChainName(clock);
    const path = chainPath(places, name);
    const head = await HeadFile.create(headPath(places, name), name, key);
    let file: FileHandle | null = null;
    let chain: Chain | null = null;
    try {
      await syncFolder(places.heads);
      file = await open(path, 'ax', 0o600);
      chain = new Chain({ name, path, file, head, key, clock });
      const opening = { kind: 'opened', chain: name, key: keyIdOf(key), continues, pid: process.pid };
      await chain.append([{ ...opening, format: 1, version: VERSION }]);
      await syncFolder(places.chains);
      return chain;
    } catch (thrown) {
      // If the head already names its first line, both stay: half of them would look like a removed file.
      if (chain?.isBegun !== true) {
        if (file !== null) await unlink(path).catch(() => undefined);
        await unlink(headPath(places, name)).catch(() => undefined);
      }
      await Promise.allSettled([head.close(), file?.close()]);
      throw thrown;
    }
  }

  get isBegun(): boolean {
    return this.#end.seq > 0;
  }

  /**
   * Whether the file is as this writer left it. Lines appended to a removed or replaced file would be lost,
   * and after a stranger's line they would not count as sound.
   */
  async isUntouched(): Promise<boolean> {
    const { path, file } = this.parts;
    const own = await file.stat();
    const there = await stat(path).catch(undefinedIfMissing);
    return there?.ino === own.ino && there.dev === own.dev && own.size === this.#sizeBytes;
  }

  /**
   * Resolves when all lines are on disk.
   * @throws the disk's error, even if it took a part
   */
  async append(lines: readonly Facts[]): Promise<readonly Head[]> {
    const { file, head, key, clock } = this.parts;
    const ends: Head[] = [];
    let [text, end] = ['', this.#end];
    for (const facts of lines) {
      const seq = end.seq + 1;
      const ts = new Date(clock.now()).toISOString();
      const offset = Math.max(0, Math.round(clock.monotonic() - this.#beganAt));
      const line = writeLine({ ...facts, seq, ts, offset_ms: offset, prev: end.hash }, key);
      text += `${line.text}\n`;
      end = { seq, hash: line.hash };
      ends.push(end);
    }
    const bytes = Buffer.from(text);
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, this.#sizeBytes);
    if (bytesWritten !== bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await file.datasync();
    await head.write(end);
    this.#sizeBytes += bytes.length;
    this.#end = end;
    return ends;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.parts.file.close(), this.parts.head.close()]);
  }
}

async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(made));
}

interface WaitingWrite {
  readonly facts: Facts;
  readonly resolve: (place: Link) => void;
  readonly reject: (reason: Error) => void;
  /** Nobody waits for it any more, so it need not be written. */
  readonly isGivenUp: () => boolean;
}

/** Maximum lines that one sync covers. */
const GROUP_LINES = 1_000;
/** Maximum lines that wait for the disk. */
const QUEUE_LINES = 10_000;

export interface LedgerOptions {
  /** `<home>`: the chains are in `<home>/ledger`, their heads and the key in `<home>/ledger-heads`. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longest wait for the disk. Milliseconds. */
  readonly waitMs?: number;
  /** Called with the end of a chain once its lines are on disk. */
  readonly onGrown?: (end: ChainEnd) => void;
}

/**
 * Appends lines in groups: lines that arrive while a group is being written form the next one. After a
 * failure the next group begins a new chain, since the end of the old one is unknown.
 */
export class LedgerWriter {
  #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | null = null;
  #chain: Chain | null = null;
  #isClosed = false;
  readonly #places: Places;
  readonly #waitMs: number;

  constructor(private readonly options: LedgerOptions) {
    this.#places = placesOf(options.home);
    this.#waitMs = options.waitMs ?? LIMITS.ledgerWaitMs;
  }

  /** Resolves when the line is on disk. @throws SpillwayError `ledger_unavailable` */
  async append(facts: Facts): Promise<Link> {
    if (this.#isClosed) throw this.#unavailable('the server is stopping');
    if (this.#waiting.length >= QUEUE_LINES)
      throw this.#unavailable(`${QUEUE_LINES} lines are waiting for the disk`);
    let isGivenUp = false;
    const written = new Promise<Link>((resolve, reject) => {
      this.#waiting.push({ facts, resolve, reject, isGivenUp: () => isGivenUp });
    });
    this.#draining ??= this.#drain();
    return withTimeout(written, this.#waitMs, () => {
      isGivenUp = true;
      return this.#unavailable(`the disk did not answer within ${this.#waitMs / 1000} seconds`);
    });
  }

  /** Waits for lines in flight. Later ones are refused. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await waitAtMost(this.#draining ?? Promise.resolve(), this.#waitMs);
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
  async #write(group: readonly WaitingWrite[]): Promise<void> {
    try {
      const chain = await this.#usableChain();
      const ends = await chain.append(group.map(({ facts }) => facts));
      group.forEach(({ resolve, reject }, at) => {
        const end = ends[at];
        if (end === undefined) reject(this.#unavailable('a line was lost'));
        else resolve({ chain: chain.name, ...end });
      });
      const { seq } = ends.at(-1) ?? { seq: 0 };
      if (seq > 0) this.options.onGrown?.({ chain: chain.name, seq });
    } catch (thrown) {
      await this.#endChain();
      const refusal = this.#unavailable(isFull(thrown) ? 'the disk is full' : messageOf(thrown), thrown);
      this.options.logger.error({ err: thrown }, 'the ledger cannot be written; nothing is done on pages');
      for (const { reject } of group) reject(refusal);
    }
  }

  async #usableChain(): Promise<Chain> {
    const { clock, logger } = this.options;
    if (this.#chain !== null && !(await this.#chain.isUntouched())) {
      logger.error({ chain: this.#chain.name }, 'a file of the ledger was changed by another program');
      await this.#endChain();
    }
    return (this.#chain ??= await Chain.begin(this.#places, clock));
  }

  async #endChain(): Promise<void> {
    const chain = this.#chain;
    this.#chain = null;
    await chain?.close();
  }

  #unavailable(why: string, cause?: unknown): SpillwayError {
    const message = `The ledger ${this.#places.chains} cannot be written: ${why}.`;
    return new SpillwayError('ledger_unavailable', message, { cause });
  }
}
