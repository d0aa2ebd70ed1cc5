import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { JournalEntry } from '../core/services.ts';
import { isMissing } from '../machine/errno.ts';
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
function parseLine(line: Uint8Array): StoredEntry | null {
  try {
    const parsed = storedEntry.safeParse(JSON.parse(Buffer.from(line).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The lines of a file from its end, in blocks, so that memory does not grow with the file. */
async function* linesBackwards(file: FileHandle): AsyncGenerator<Uint8Array, void> {
  let position = (await file.stat()).size;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  while (position > 0) {
    const wanted = Math.min(BLOCK_BYTES, position);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, position - wanted);
    position -= wanted;
    let end = bytesRead;
    for (
      let at = buffer.lastIndexOf(NEW_LINE, end - 1);
      at >= 0;
      at = end > 0 ? buffer.lastIndexOf(NEW_LINE, end - 1) : -1
    ) {
      const length = end - at - 1 + tailBytes;
      if (length > 0 && length <= LINE_BYTES) yield Buffer.concat([buffer.subarray(at + 1, end), ...tail]);
      tail = [];
      tailBytes = 0;
      end = at;
    }
    tailBytes += end;
    tail = tailBytes <= LINE_BYTES ? [buffer.subarray(0, end), ...tail] : [];
  }
  if (tailBytes > 0 && tailBytes <= LINE_BYTES) yield Buffer.concat(tail);
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
      for await (const line of linesBackwards(file)) {
        const entry = parseLine(line);
        if (entry !== null && matches(entry, filter)) yield entry;
      }
    } finally {
      await file.close();
    }
  }
}

/** Null when another server has pruned the day meanwhile. */
async function openDay(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}
