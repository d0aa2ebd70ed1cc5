import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Digest } from '../../shared/policy/call-facts.ts';
import { isMissing } from '../machine/errno.ts';
import { namesIn } from '../machine/names-in.ts';
import { readRegular } from '../machine/regular-file.ts';
import type { Expiry } from '../machine/expiry.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import { sha256 } from '../machine/digest.ts';
import { writeWhole } from '../machine/write-whole.ts';
import { StoredRecord, StoredText } from '../redact/stored.ts';

/** Files of all servers of a home. A person answers no more in ten minutes. */
const FILES_MAX = 64;
const BYTES_MAX = 256 * 1024;
const DRAFT = '.tmp';

/** A call that waits for a person, as the next server finds it. */
export const KeptRecord = z.object({
  version: z.literal(1),
  call_id: StoredText,
  tool: StoredText,
  /** Null where they are not stored: they held a secret, or were too large. */
  args: StoredRecord.nullable(),
  /** SHA-256 of what the client called itself. */
  client: Digest,
  /** The extension's instance, and what the server called it. */
  browser: z.object({ instance: z.string(), name: z.string().regex(/^b\d+$/) }),
  question: z.string().min(1).max(64),
  /** Proves to the browser that the question is the reader's. */
  key: Digest,
  /** Number of the tab that the session worked in. */
  tab: z.int().nullable(),
  lifetime: z.object({
    created_at_ms: z.number(),
    expires_at_ms: z.number(),
    boot: z.string(),
    monotonic_ms: z.number(),
  }),
});
export type KeptRecord = z.infer<typeof KeptRecord>;

/** `<digest of the call's id>-<pid>-<start>-<server>.json`: a file is its owner's, whose name is in its own. */
const NAME =
  /^(?<call>[\da-f]{32})-(?<pid>\d{1,10})-(?<startTime>\d{1,20})-(?<server>[\da-f]{8,64})(?<left>\.left)?\.json$/;

/** A file of the folder. */
export interface KeptFile {
  readonly name: string;
  /** `gone`: its server has died or left, and it can be claimed. */
  readonly owner: 'own' | 'gone' | 'elsewhere';
}

interface FolderParts {
  readonly home: string;
  /** Instance of this server. */
  readonly server: string;
  readonly expiry: Expiry;
}

/** `<home>/pending`: one file for each call that outlives its server. A file belongs to the server that its name names. */
export class KeptFolder {
  readonly #root: string;
  readonly #server: string;
  readonly #expiry: Expiry;

  constructor({ home, server, expiry }: FolderParts) {
    this.#root = join(home, 'pending');
    this.#server = server;
    this.#expiry = expiry;
  }

  /**
   * Writes a record that is on the disk when this resolves.
   * @throws Error of the system, or where the folder is full
   */
  async write(facts: Omit<KeptRecord, 'version' | 'lifetime'>): Promise<void> {
    const record: KeptRecord = { version: 1, ...facts, lifetime: this.#expiry.begin() };
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    if ((await this.sweep()) >= FILES_MAX) throw new Error(`${FILES_MAX} calls are kept already`);
    const draft = join(this.#root, `${randomUUID()}${DRAFT}`);
    await writeWhole(this.#ownPath(facts.call_id), JSON.stringify(record), draft);
  }

  /** The file of a call; null if no server has kept it. */
  async find(callId: string): Promise<KeptFile | null> {
    const digest = digestOf(callId);
    const name = (await namesIn(this.#root)).find((one) => NAME.exec(one)?.groups?.['call'] === digest);
    return name === undefined ? null : this.#fileOf(name);
  }

  /** What a file says; null for one that is damaged, is another call's, or has gone. A damaged one is removed. */
  async read(file: KeptFile, callId: string): Promise<KeptRecord | null> {
    const record = await this.#read(file.name);
    if (record?.call_id === callId) return record;
    if (record === null) await this.remove(file.name);
    return null;
  }

  isExpired({ lifetime }: KeptRecord): boolean {
    return this.#expiry.isExpired(lifetime);
  }

  /** Makes a file this server's. Of several servers one gets it; false for the others. */
  async claim(file: KeptFile, callId: string): Promise<boolean> {
    try {
      await rename(join(this.#root, file.name), this.#ownPath(callId));
      return true;
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      throw thrown;
    }
  }

  /** Removes what this server has of a call. False where there was nothing. */
  async removeOwn(callId: string): Promise<boolean> {
    const own = join(this.#root, this.#ownName(callId));
    const removed = await Promise.all(
      [`${own}.json`, `${own}.left.json`].map(async (path) => {
        try {
          await unlink(path);
          return true;
        } catch (thrown) {
          if (isMissing(thrown)) return false;
          throw thrown;
        }
      }),
    );
    return removed.includes(true);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#root, name), { force: true });
  }

  /** Lets the next server claim the file of a call, while the process of this one lives. */
  leave(callId: string): void {
    const own = join(this.#root, this.#ownName(callId));
    try {
      renameSync(`${own}.json`, `${own}.left.json`);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }

  /** Removes what is over, what is damaged, and drafts that nobody finishes. Returns how many files are left. */
  async sweep(): Promise<number> {
    let left = 0;
    for (const name of await namesIn(this.#root)) {
      // What cannot be looked at now is looked at the next time.
      const isOver = await this.#isOver(name).catch(() => false);
      if (isOver) await this.remove(name);
      else left += 1;
    }
    return left;
  }

  async #isOver(name: string): Promise<boolean> {
    if (NAME.test(name)) {
      const record = await this.#read(name);
      return record === null || this.isExpired(record);
    }
    const found = await stat(join(this.#root, name)).catch(() => null);
    return found !== null && this.#expiry.isStale(found.mtimeMs);
  }

  /** Null for one that is damaged, or has gone. */
  async #read(name: string): Promise<KeptRecord | null> {
    const path = join(this.#root, name);
    try {
      const { size } = await stat(path);
      if (size > BYTES_MAX) return null;
      return KeptRecord.safeParse(JSON.parse(await readRegular(path))).data ?? null;
    } catch (thrown) {
      if (thrown instanceof SyntaxError || isMissing(thrown)) return null;
      throw thrown;
    }
  }

  #fileOf(name: string): KeptFile {
    const { pid = '', startTime = '', server, left } = NAME.exec(name)?.groups ?? {};
    if (server === this.#server) return { name, owner: 'own' };
    const isGone = left !== undefined || !isRunning({ pid: Number(pid), startTime });
    return { name, owner: isGone ? 'gone' : 'elsewhere' };
  }

  #ownName(callId: string): string {
    const { pid, startTime } = ownProcess();
    return `${digestOf(callId)}-${pid}-${startTime}-${this.#server}`;
  }

  #ownPath(callId: string): string {
    return join(this.#root, `${this.#ownName(callId)}.json`);
  }
}

/** Two servers may name calls alike: a call's id comes from its caller. */
const digestOf = (callId: string): string => sha256(callId).slice(0, 32);
