import { join } from 'node:path';
import { namesIn } from '../machine/names-in.ts';

const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
const DAY_MS = 86_400_000;

/** The UTC day of an ISO time: `2026-11-20`. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/** Where the entries of a UTC day are. */
export function dayFilePath(folder: string, day: string): string {
  return join(folder, `${day}.jsonl`);
}

/** Names of the journal's files, newest day first; none where there is no folder yet. */
export async function listDayFiles(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  return names.filter((name) => DAY_FILE.test(name)).sort((a, b) => (a < b ? 1 : -1));
}

/** True when a whole day ended before `since` (milliseconds since the epoch). */
export function endsBefore(name: string, since: number): boolean {
  const start = Date.parse(name.slice(0, 10));
  return Number.isFinite(start) && start + DAY_MS <= since;
}
