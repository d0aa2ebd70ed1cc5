import { join } from 'node:path';
import type { JournalFilter } from '../../shared/bridge/feed.ts';
import { isObject } from '../../shared/json.ts';
import { parseUrl } from '../toolkit/urls.ts';
import type { JournalEntry, JournalPage, JournalPageQuery } from '../core/services.ts';
import { listDayFiles } from './day-files.ts';
import { linesBackwards, type PlacedBytes } from '../machine/lines-backwards.ts';
import { linesForwards, openDay, parseLine, type StoredEntry } from './reader.ts';

/** What one page looks at of the journal, however few lines its filter lets pass. */
const SCANNED_BYTES = 4 * 1024 * 1024;
/** What one page holds: it has to fit in a frame of the bridge, where a character may take three bytes. */
const PAGE_UNITS = 120 * 1024;

interface Place {
  readonly day: string;
  readonly at: number;
}

/** `2026-11-22:4711`; checked by its schema. */
function parsePosition(text: string): Place {
  const [day = '', at = '0'] = text.split(':');
  return { day, at: Number(at) };
}

const positionOf = ({ day, at }: Place): string => `${day}:${at}`;

interface PlacedLine extends Place {
  readonly bytes: Uint8Array;
}

/** Lines of several days in one direction. A day that another server has pruned meanwhile is left out. */
async function* linesOfDays(
  folder: string,
  names: readonly string[],
  read: (file: Parameters<typeof linesBackwards>[0], day: string) => AsyncIterable<PlacedBytes>,
): AsyncGenerator<PlacedLine, void> {
  for (const name of names) {
    const file = await openDay(join(folder, name));
    if (file === null) continue;
    const day = name.slice(0, 10);
    try {
      for await (const { bytes, at } of read(file, day)) yield { day, at, bytes };
    } finally {
      await file.close();
    }
  }
}

async function* linesBefore(folder: string, before: Place | null): AsyncGenerator<PlacedLine, void> {
  const names = (await listDayFiles(folder)).filter(
    (name) => before === null || name.slice(0, 10) <= before.day,
  );
  yield* linesOfDays(folder, names, (file, day) =>
    linesBackwards(file, day === before?.day ? before.at : Infinity),
  );
}

async function* linesAfter(folder: string, after: Place): AsyncGenerator<PlacedLine, void> {
  const names = (await listDayFiles(folder)).filter((name) => name.slice(0, 10) >= after.day).reverse();
  const lines = linesOfDays(folder, names, (file, day) =>
    linesForwards(file, day === after.day ? after.at : 0),
  );
  for await (const line of lines) if (line.day !== after.day || line.at > after.at) yield line;
}

const outcomeOf = ({ ok, pending }: StoredEntry): JournalFilter['outcome'] =>
  pending === true ? 'pending' : ok === true ? 'ok' : ok === false ? 'failed' : undefined;

function sitesOf({ args, site }: StoredEntry): readonly unknown[] {
  const url = isObject(args) ? args['url'] : undefined;
  return [site, typeof url === 'string' ? parseUrl(url)?.host : undefined];
}

function isWanted(entry: StoredEntry, { tool, agent, session, outcome, site }: JournalFilter): boolean {
  // What widgets alone call, they call every few seconds.
  if (tool === undefined && entry['audience'] === 'widget') return false;
  if (tool !== undefined && entry['tool'] !== tool && entry['source_tool'] !== tool) return false;
  if (agent !== undefined && entry['agent'] !== agent) return false;
  if (session !== undefined && entry['client_session'] !== session) return false;
  if (outcome !== undefined && outcomeOf(entry) !== outcome) return false;
  return site === undefined || sitesOf(entry).includes(site);
}

/** Lines of an older build have no id: where they are names them as well. */
const withId = (entry: StoredEntry, position: string): JournalEntry =>
  typeof entry['id'] === 'string' ? entry : { ...entry, id: position };

/**
 * One page of the journal of a home, whichever of its servers wrote it. Bounded in lines, in size and in what is read
 * for it: a filter that few lines pass answers short pages.
 */
export async function readPage(
  folder: string,
  { before, after, limit, filter }: JournalPageQuery,
): Promise<JournalPage> {
  const lines: JournalPage['lines'][number][] = [];
  let units = 0;
  let scannedBytes = 0;
  const found =
    after === undefined
      ? linesBefore(folder, before === undefined ? null : parsePosition(before))
      : linesAfter(folder, parsePosition(after));
  for await (const { bytes, ...place } of found) {
    const position = positionOf(place);
    scannedBytes += bytes.length;
    const entry = parseLine(bytes);
    if (entry !== null && isWanted(entry, filter)) {
      lines.push({ position, line: withId(entry, position) });
      units += bytes.length;
    }
    if (lines.length >= limit || units >= PAGE_UNITS || scannedBytes >= SCANNED_BYTES)
      return { lines, next: position };
  }
  return { lines, next: null };
}
