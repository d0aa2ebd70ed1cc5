import { join } from 'node:path';
import { mkdir, unlink } from 'node:fs/promises';
import { waitAtMost } from '../../shared/async/wait.ts';
import { LIMITS } from '../../shared/limits.ts';
import { type CleanText, clean, cleanBytes, type CleanBytes } from '../redact/clean.ts';
import type { Logger } from '../core/services.ts';
import { isMissing } from '../machine/errno.ts';
import { LineFile } from '../machine/line-file.ts';
import { dayFilePath, listDayFiles } from './day-files.ts';

/** Lines that wait for the disk; beyond it the newest are lost and counted. */
const QUEUE_LINES = 10_000;
/** Lines of so short a time share one open file and its writes: opening it for each costs more than all else of a small call. */
const GATHER_MS = 25;
/** Longest write. */
const WRITE_BYTES = 64 * 1_024;

interface Line {
  readonly day: string;
  readonly bytes: CleanBytes;
}

/**
 * Appends lines in the order in which they came. Nothing stays open between batches, so a file that
 * was removed is created again. A failure is logged once, until a write succeeds again.
 */
export class JournalWriter {
  readonly #folder: string;
  readonly #logger: Logger;
  #queue: Line[] = [];
  #draining: Promise<void> | null = null;
  #lost = 0;
  #isFailing = false;
  #prunedOn = '';
  /** Ends the gathering early. */
  #hurry: () => void = () => undefined;

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** Takes one line without its break. Returns at once. */
  append(day: string, line: CleanText): void {
    if (this.#queue.length >= QUEUE_LINES) {
      this.#lost += 1;
      return;
    }
    this.#queue.push({ day, bytes: cleanBytes(clean`${line}\n`) });
    this.#draining ??= this.#drain();
  }

  /** Resolves when everything taken so far is written or given up. Never rejects. */
  async flush(): Promise<void> {
    while (this.#draining !== null) {
      this.#hurry();
      await this.#draining;
    }
  }

  async #drain(): Promise<void> {
    await this.#gather();
    while (this.#queue.length > 0) {
      const day = this.#queue[0]?.day ?? '';
      const other = this.#queue.findIndex((line) => line.day !== day);
      const batch = this.#queue.splice(0, other < 0 ? this.#queue.length : other);
      await this.#writeBatch(day, batch);
    }
    this.#draining = null;
  }

  async #gather(): Promise<void> {
    const hurried = new Promise<void>((resolve) => (this.#hurry = resolve));
    await waitAtMost(hurried, GATHER_MS);
  }

  async #writeBatch(day: string, batch: readonly Line[]): Promise<void> {
    let written = 0;
    try {
      const file = await this.#openDay(day);
      try {
        while (written < batch.length) {
          const lines = firstLines(batch.slice(written));
          await file.append(Buffer.concat(lines));
          written += lines.length;
        }
      } finally {
        await file.close();
      }
      this.#recovered();
      if (this.#prunedOn !== day) await this.#prune(day);
    } catch (thrown) {
      this.#failed(thrown, batch.length - written);
    }
  }

  async #openDay(day: string): Promise<LineFile> {
    const path = dayFilePath(this.#folder, day);
    try {
      return await LineFile.open(path);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return LineFile.open(path);
    }
  }

  #failed(thrown: unknown, lines: number): void {
    this.#lost += lines;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#logger.error(
      { err: thrown, folder: this.#folder },
      'the journal cannot be written; calls are still served',
    );
  }

  #recovered(): void {
    if (this.#lost > 0)
      this.#logger.warn({ lost: this.#lost }, 'the journal can be written again; entries were lost');
    this.#lost = 0;
    this.#isFailing = false;
  }

  async #prune(day: string): Promise<void> {
    this.#prunedOn = day;
    const names = await listDayFiles(this.#folder);
    for (const name of names.slice(LIMITS.journalDays)) {
      await unlink(join(this.#folder, name)).catch((thrown: unknown) => {
        if (!isMissing(thrown)) throw thrown;
      });
    }
  }
}

/** As many of the lines as one write takes; one at least. */
function firstLines(lines: readonly Line[]): readonly CleanBytes[] {
  let sizeBytes = 0;
  const end = lines.findIndex(({ bytes }, at) => (sizeBytes += bytes.length) > WRITE_BYTES && at > 0);
  return lines.slice(0, end < 0 ? lines.length : end).map(({ bytes }) => bytes);
}
