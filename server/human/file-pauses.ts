import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { JsonRecord } from '../../shared/json-schema.ts';
import type { Clock } from '../core/services.ts';
import { isMissing } from '../machine/errno.ts';
import { readRegular } from '../machine/regular-file.ts';
import { namesIn } from '../machine/names-in.ts';
import { ensureKey } from '../machine/key-file.ts';
import { syncFolder } from '../machine/sync-folder.ts';
import { writeWhole } from '../machine/write-whole.ts';
import { humanInputSchema, type UserInput } from './contract.ts';
import { PAUSES_MAX, type Pause, type PauseStore } from './store.ts';

const OPEN = '.json';
const ABANDONED = '.over';
const FINISHED = '.done';
const DRAFT = '.tmp';
/** A program that writes a file takes less. */
const DRAFT_MS = 60 * 60_000;
/** How long after its end a question is known: a late answer gives each call a result that says so. */
const LINGER_MS = 24 * 60 * 60_000;

const KeptPause = z.object({
  version: z.literal(1),
  id: z.string().regex(/^[\da-f]{64}$/),
  length: z.int().min(1),
  questions: z.array(z.object({ toolCallId: z.string(), question: humanInputSchema })).min(1),
  waiting: z.array(z.object({ toolCallId: z.string(), toolName: z.string(), args: JsonRecord })),
  expiresAtMs: z.number(),
  hasSecret: z.boolean(),
});

/**
 * Pauses that outlive their program: in `<home>/human`, one file each, and the key that signs their messages. Answers are
 * in memory alone, since a person may have written a secret: the questions of a turn that were answered before a restart
 * are asked again.
 */
export class FilePauses implements PauseStore {
  readonly #root: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #answers = new Map<string, Map<string, UserInput>>();
  #key: Promise<Buffer> | null = null;

  constructor(home: string, clock: Pick<Clock, 'now'>) {
    this.#root = join(home, 'human');
    this.#clock = clock;
  }

  /** @throws SpillwayError `store_write_failed`, as all of these do */
  async key(): Promise<Buffer> {
    this.#key ??= onDisk(async () => {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      return ensureKey(this.#root);
    });
    this.#key.catch(() => (this.#key = null));
    return this.#key;
  }

  async add(pause: Pause): Promise<void> {
    await this.key();
    await onDisk(async () => {
      await this.#sweep();
      // The same question again, which is still open: what was answered of it stays.
      if (await this.#isOpen(pause)) return;
      this.#answers.delete(pause.id);
      const draft = join(this.#root, `${randomUUID()}${DRAFT}`);
      await writeWhole(this.#path(pause, OPEN), JSON.stringify({ version: 1, ...pause }), draft);
      for (const suffix of [FINISHED, ABANDONED]) await rm(this.#path(pause, suffix), { force: true });
      await syncFolder(this.#root);
    });
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    const names = await onDisk(() => namesIn(this.#root));
    const ids = new Set(names.filter(isPause).map((name) => name.slice(0, name.indexOf('.'))));
    const pauses = await onDisk(() => Promise.all([...ids].map((id) => this.#readAny(id))));
    return pauses.filter(
      (pause): pause is Pause =>
        pause !== null && pause.questions.some((asked) => asked.toolCallId === toolCallId),
    );
  }

  async answer(pause: Pause, toolCallId: string, input: UserInput): Promise<boolean> {
    if (!(await onDisk(() => this.#isOpen(pause)))) return false;
    const answers = this.#answers.get(pause.id) ?? new Map<string, UserInput>();
    if (answers.has(toolCallId)) return false;
    this.#answers.set(pause.id, answers.set(toolCallId, input));
    return true;
  }

  async answers({ id }: Pause): Promise<ReadonlyMap<string, UserInput>> {
    return new Map(this.#answers.get(id));
  }

  /** At once, since a program that aborts its tasks may be about to exit. */
  abandon(pause: Pause): void {
    try {
      renameSync(this.#path(pause, OPEN), this.#path(pause, ABANDONED));
    } catch {
      // It has been continued, or its folder has gone: either way nothing of it can be answered.
    }
  }

  /** The new name is the lock: of several programs that continue a task, one finds the old one. */
  async finish(pause: Pause): Promise<boolean> {
    return onDisk(async () => {
      const isOurs = (await this.#rename(pause, OPEN)) || (await this.#rename(pause, ABANDONED));
      if (!isOurs) return false;
      this.#answers.delete(pause.id);
      // Or a power cut would let the calls run once more.
      await syncFolder(this.#root);
      return true;
    });
  }

  async #rename(pause: Pause, from: string): Promise<boolean> {
    try {
      await rename(this.#path(pause, from), this.#path(pause, FINISHED));
      return true;
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      throw thrown;
    }
  }

  /** Removes what is over, what is damaged, and the oldest of too many: a late answer to those finds no question. */
  async #sweep(): Promise<void> {
    const now = this.#clock.now();
    const kept: { readonly name: string; readonly expiresAtMs: number }[] = [];
    for (const name of await readdir(this.#root)) {
      const pause = await this.#read(name);
      const isKept = pause === null ? !(await this.#isRubbish(name)) : now < pause.expiresAtMs + LINGER_MS;
      if (!isKept) await rm(join(this.#root, name), { force: true });
      else if (pause !== null) kept.push({ name, expiresAtMs: pause.expiresAtMs });
    }
    const oldest = kept.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs);
    for (const { name } of oldest.slice(0, Math.max(0, kept.length - PAUSES_MAX + 1)))
      await rm(join(this.#root, name), { force: true });
  }

  /** A pause that cannot be read, or a draft that nobody finishes. */
  async #isRubbish(name: string): Promise<boolean> {
    if (isPause(name)) return true;
    const found = name.endsWith(DRAFT) ? await stat(join(this.#root, name)).catch(() => null) : null;
    return found !== null && this.#clock.now() > found.mtimeMs + DRAFT_MS;
  }

  async #isOpen(pause: Pause): Promise<boolean> {
    return (await this.#read(`${pause.id}${OPEN}`)) !== null;
  }

  /** In the order in which a pause takes its names, so that one which another program renames meanwhile is found. */
  async #readAny(id: string): Promise<Pause | null> {
    const open = await this.#read(`${id}${OPEN}`);
    if (open !== null) return open;
    const abandoned = await this.#read(`${id}${ABANDONED}`);
    if (abandoned !== null) return { ...abandoned, expiresAtMs: 0 };
    return this.#read(`${id}${FINISHED}`);
  }

  /** Null for what is damaged, has gone, or is something else. */
  async #read(name: string): Promise<Pause | null> {
    if (!isPause(name)) return null;
    try {
      return KeptPause.safeParse(JSON.parse(await readRegular(join(this.#root, name)))).data ?? null;
    } catch (thrown) {
      if (thrown instanceof SyntaxError || isMissing(thrown)) return null;
      throw thrown;
    }
  }

  #path({ id }: Pause, suffix: string): string {
    return join(this.#root, `${id}${suffix}`);
  }
}

const isPause = (name: string): boolean =>
  [OPEN, ABANDONED, FINISHED].some((suffix) => name.endsWith(suffix));

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new SpillwayError('store_write_failed', 'The question could not be kept in the home.', { cause });
  }
}
