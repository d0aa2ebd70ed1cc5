import { randomBytes } from 'node:crypto';
import { mkdir, open, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '../../shared/json.ts';
import { VERSION } from '../../shared/version.ts';
import type { Clock } from '../core/services.ts';
import { isMissing } from '../machine/errno.ts';
import { syncFolder } from '../machine/sync-folder.ts';
import { HeadFile, type Head } from './head.ts';
import { ensureKey } from '../machine/key-file.ts';
import { keyIdOf, NO_HASH, writeLine } from './lines.ts';
import { chainPath, headPath, type Places } from './places.ts';
import { findPredecessors } from './predecessors.ts';

/** What a line says; the chain adds number, time and hashes. */
export type Facts = JsonObject & { readonly kind: string };

interface Parts {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
  readonly head: HeadFile;
  readonly key: Buffer;
  readonly clock: Clock;
}

/** Sorts by time, and is unique among all servers that share a home. */
const nameOf = (clock: Clock): string =>
  `${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;

/**
 * One chain of lines in a file that this writer alone appends to. After a failure what is on the disk is not known, and
 * the chain must not be used any more.
 */
export class Chain {
  readonly name: string;
  readonly #parts: Parts;
  readonly #beganAt: number;
  #end: Head = { seq: 0, hash: NO_HASH };
  #sizeBytes = 0;

  private constructor(parts: Parts) {
    this.name = parts.name;
    this.#parts = parts;
    this.#beganAt = parts.clock.monotonic();
  }

  /**
   * Begins a chain: the head first, so that a chain without one has always lost it. A failure leaves nothing.
   * @throws what the disk refuses
   */
  static async begin(places: Places, clock: Clock): Promise<Chain> {
    for (const folder of [places.chains, places.heads]) await makeFolder(folder);
    const key = await ensureKey(places.heads);
    const continues = await findPredecessors(places, key);
    const name = nameOf(clock);
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
      // One whose head names its first line stays: half of it would look like a file that was removed.
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
   * Whether the file is as this writer left it. Lines appended to a file that was removed or
   * replaced would be lost, and after a stranger's line they would not count as sound.
   */
  async isUntouched(): Promise<boolean> {
    const { path, file } = this.#parts;
    const own = await file.stat();
    const there = await stat(path).catch((thrown: unknown) => {
      if (isMissing(thrown)) return null;
      throw thrown;
    });
    return there?.ino === own.ino && there.dev === own.dev && own.size === this.#sizeBytes;
  }

  /**
   * Resolves when all lines are on the disk.
   * @throws what the disk refuses, also when it took only a part
   */
  async append(lines: readonly Facts[]): Promise<readonly Head[]> {
    const { file, head, key, clock } = this.#parts;
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
    await Promise.allSettled([this.#parts.file.close(), this.#parts.head.close()]);
  }
}

async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(made));
}
