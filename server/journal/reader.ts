import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { JournalEntry } from '../core/services.ts';
import { isMissing } from '../machine/errno.ts';
import { linesBackwards, type PlacedBytes } from '../machine/lines-backwards.ts';
import { openRegular } from '../machine/regular-file.ts';
import { endsBefore, listDayFiles } from './day-files.ts';

const BLOCK_BYTES = 64 * 1024;
/** A longer line is not an entry; it is skipped without being buffered. */
const LINE_BYTES = 1024 * 1024;
const NEW_LINE = 0x0a;

/** An entry as it is on disk. */
export interface StoredEntry extends JournalEntry {
  readonly ts: string;
}

const storedEntry = z.record(z.string(), z.json()).and(z.object({ event: z.string(), ts: z.iso.datetime() }));

/** Null for an invalid entry: a line torn by a crash, or edited. */
export function parseLine(line: Uint8Array): StoredEntry | null {
  try {
    const parsed = storedEntry.safeParse(JSON.parse(Buffer.from(line).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The whole lines of a file from byte `from` on, in blocks. A last line that has no end yet is left out. */
export async function* linesForwards(file: FileHandle, from: number): AsyncGenerator<PlacedBytes, void> {
  let position = from;
  let at = from;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BLOCK_BYTES), 0, BLOCK_BYTES, position);
    if (bytesRead === 0) return;
    let start = 0;
    for (
      let end = buffer.indexOf(NEW_LINE);
      end >= 0 && end < bytesRead;
      end = buffer.indexOf(NEW_LINE, start)
    ) {
      const length = end - start + tailBytes;
      if (length > 0 && length <= LINE_BYTES)
        yield { bytes: Buffer.concat([...tail, buffer.subarray(start, end)]), at };
      tail = [];
      tailBytes = 0;
      start = end + 1;
      at = position + start;
    }
    tailBytes += bytesRead - start;
    tail = tailBytes <= LINE_BYTES ? [...tail, buffer.subarray(start, bytesRead)] : [];
    position += bytesRead;
  }
}

/** Which entries to read. */
export interface EntryFilter {
  /** Default: every tool but those that widgets alone call, which they do every few seconds. */
  readonly tool?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

function matches(entry: StoredEntry, { tool, since }: EntryFilter): boolean {
  if (tool === undefined && entry['audience'] === 'widget') return false;
  if (tool !== undefined && entry['tool'] !== tool && entry['source_tool'] !== tool) return false;
  return since === undefined || Date.parse(entry.ts) >= since;
}

/** Matching entries, newest first, read from the newest day backwards and only as far as asked. */
export async function* readEntries(folder: string, filter: EntryFilter): AsyncGenerator<StoredEntry, void> {
  for (const name of await listDayFiles(folder)) {
    if (filter.since !== undefined && endsBefore(name, filter.since)) continue;
    const file = await openDay(join(folder, name));
    if (file === null) continue;
    try {
      for await (const { bytes } of linesBackwards(file)) {
        const entry = parseLine(bytes);
        if (entry !== null && matches(entry, filter)) yield entry;
      }
    } finally {
      await file.close();
    }
  }
}

/** Null when another server has pruned the day meanwhile. */
export async function openDay(path: string): Promise<FileHandle | null> {
  try {
    return await openRegular(path);
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}
