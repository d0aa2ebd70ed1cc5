import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../machine/errno.ts';
import { LineFile } from '../machine/line-file.ts';
import { readRegular } from '../machine/regular-file.ts';
import type { Clock, Logger } from '../core/services.ts';
import {
  cleanJsonText,
  isoTime,
  type CleanRecord,
  type CleanText,
  cleanBytes,
  joinLines,
  type CleanBytes,
} from '../redact/clean.ts';
import { StoredRecord } from '../redact/stored.ts';

const NAME = 'log.jsonl';
const OLDER = 'log.1.jsonl';
/** Two files of this size are kept at most. */
const FILE_BYTES = 512 * 1024;
/** Lines that wait for the disk; beyond it the newest are left out. */
const QUEUE_LINES = 1_000;

/** The log of one run: redacted lines `{ ts, event, … }` in its folder, the oldest forgotten first. */
export class RunLog {
  readonly #folder: string;
  readonly #services: { readonly clock: Clock; readonly logger: Logger };
  #queue: CleanText[] = [];
  #writing: Promise<void> | undefined;
  #sizeBytes: number | undefined;

  constructor(folder: string, services: { clock: Clock; logger: Logger }) {
    this.#folder = folder;
    this.#services = services;
  }

  /** Returns at once; on a full disk the line is lost, not the run. */
  add(facts: CleanRecord): void {
    if (this.#queue.length >= QUEUE_LINES) return;
    const ts = isoTime(this.#services.clock.now());
    this.#queue.push(cleanJsonText({ ts, ...facts }));
    this.#writing ??= this.#drain();
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    try {
      while (this.#queue.length > 0) {
        const lines = cleanBytes(joinLines(this.#queue.splice(0)));
        const sizeBytes = await this.#makeRoom();
        await this.#append(lines);
        this.#sizeBytes = sizeBytes + lines.length;
      }
    } catch (thrown) {
      this.#queue = [];
      this.#services.logger.warn({ err: thrown }, 'the log of a run was not written');
    } finally {
      this.#writing = undefined;
    }
  }

  async #append(lines: CleanBytes): Promise<void> {
    const file = await LineFile.open(join(this.#folder, NAME));
    try {
      await file.append(lines);
    } finally {
      await file.close();
    }
  }

  /** Returns the size of the file that the next lines go to. */
  async #makeRoom(): Promise<number> {
    const path = join(this.#folder, NAME);
    const sizeBytes = this.#sizeBytes ?? (await stat(path).catch(() => ({ size: 0 }))).size;
    if (sizeBytes < FILE_BYTES) return sizeBytes;
    await rename(path, join(this.#folder, OLDER));
    return 0;
  }
}

/**
 * The last lines of the log in a folder, oldest first: at most `count`, at most `bytes` of JSON, none
 * older than `since`. A larger line is reduced to its event and its size.
 */
export async function readLog(
  folder: string,
  { count, bytes, since = -Infinity }: { count: number; bytes: number; since?: number | undefined },
): Promise<{ readonly lines: readonly CleanRecord[]; readonly total: number }> {
  const newer = await readText(join(folder, NAME));
  const older = await readText(join(folder, OLDER));
  // Between the two reads the one may have become the other.
  const text = older.startsWith(newer) ? older : older + newer;
  const kept = text.split('\n').flatMap((line) => {
    const entry = parseLine(line);
    return entry === null || Date.parse(String(entry['ts'])) < since ? [] : [{ entry, line }];
  });
  const lines: CleanRecord[] = [];
  let room = bytes;
  for (const { entry, line } of kept.slice(-count).reverse()) {
    const sizeBytes = Buffer.byteLength(line);
    const shown = sizeBytes <= bytes ? entry : shorten(entry, sizeBytes);
    room -= sizeBytes <= bytes ? sizeBytes + 1 : Buffer.byteLength(JSON.stringify(shown));
    if (room < 0) break;
    lines.unshift(shown);
  }
  return { lines, total: kept.length };
}

const shorten = ({ ts, event }: CleanRecord, sizeBytes: number): CleanRecord => ({
  ts: ts ?? null,
  event: event ?? null,
  oversized_bytes: sizeBytes,
});

async function readText(path: string): Promise<string> {
  try {
    return await readRegular(path);
  } catch (thrown) {
    if (isMissing(thrown)) return '';
    throw thrown;
  }
}

/** Null for an invalid line: a server that was killed may have left half of one. */
function parseLine(line: string): CleanRecord | null {
  try {
    const parsed = StoredRecord.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
