import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { cut } from '../../shared/cut.ts';
import { LIMITS } from '../../shared/limits.ts';
import {
  clean,
  cleanHex,
  cleanJsonText,
  clipClean,
  isoTime,
  membersOf,
  type Clean,
  type CleanJson,
  type CleanRecord,
  type CleanText,
} from '../redact/clean.ts';
import { Listeners } from '../../shared/queue.ts';
import type {
  Clock,
  Journal,
  JournalEntry,
  JournalLineRecord,
  JournalQuery,
  Logger,
  Redactor,
  JournalPage,
  JournalPageQuery,
} from '../core/services.ts';
import type { JournalFilter } from '../../shared/bridge/feed.ts';
import { parseUrl } from '../../shared/private-address.ts';
import { HomeDatabase } from '../home/database.ts';
import { JournalWriter, linesFrom, type StoredEntry } from './lines.ts';

const SCANNED_BYTES = 4 * 1024 * 1024;
/** A page has to fit in a frame of the bridge, where a character may take three bytes. */
const PAGE_UNITS = 120 * 1024;
/** Servers write their lines with a short delay, and clocks are corrected. */
const OUT_OF_ORDER_MS = 86_400_000;

const outcomeOf = ({ ok, pending }: StoredEntry): JournalFilter['outcome'] =>
  pending === true ? 'pending' : ok === true ? 'ok' : ok === false ? 'failed' : undefined;

function sitesOf({ args, site }: StoredEntry): readonly unknown[] {
  const url = isObject(args) ? args['url'] : undefined;
  return [site, typeof url === 'string' ? parseUrl(url)?.host : undefined];
}

function isWanted(entry: StoredEntry, { tool, agent, session, outcome, site }: JournalFilter): boolean {
  // Widgets poll these tools every few seconds.
  if (tool === undefined && entry['audience'] === 'widget') return false;
  if (tool !== undefined && entry['tool'] !== tool && entry['source_tool'] !== tool) return false;
  if (agent !== undefined && entry['agent'] !== agent) return false;
  if (session !== undefined && entry['client_session'] !== session) return false;
  if (outcome !== undefined && outcomeOf(entry) !== outcome) return false;
  return site === undefined || sitesOf(entry).includes(site);
}

/**
 * One page of a home's journal, whichever of its servers wrote it. Bounded in lines, in size and in how much
 * is read: a filter that few lines pass gives short pages.
 */
async function readPage(
  database: HomeDatabase,
  { before, after, limit, filter }: JournalPageQuery,
): Promise<JournalPage> {
  const lines: JournalPage['lines'][number][] = [];
  let [units, scannedBytes] = [0, 0];
  const found =
    after === undefined
      ? linesFrom(database, 'before', Number(before ?? Number.MAX_SAFE_INTEGER))
      : linesFrom(database, 'after', Number(after));
  for await (const { position, sizeBytes, entry } of found) {
    scannedBytes += sizeBytes;
    if (entry !== null && isWanted(entry, filter)) {
      lines.push({ position: String(position), line: entry });
      units += sizeBytes;
    }
    if (lines.length >= limit || units >= PAGE_UNITS || scannedBytes >= SCANNED_BYTES)
      return { lines, next: String(position) };
  }
  return { lines, next: null };
}

/** Matching entries, newest first, reading no further than needed. */
async function* entriesOf(
  database: HomeDatabase,
  { tool, since = -Infinity }: JournalQuery,
): AsyncGenerator<StoredEntry, void> {
  for await (const { entry } of linesFrom(database, 'before', Number.MAX_SAFE_INTEGER)) {
    if (entry === null) continue;
    const at = Date.parse(entry.ts);
    if (at < since - OUT_OF_ORDER_MS) return;
    if (at >= since && isWanted(entry, { tool })) yield entry;
  }
}

/** Durations kept per tool: only the newest, so that memory is bounded. */
const DURATIONS = 10_000;

interface ToolTotals {
  calls: number;
  bytes: number;
  readonly errors: Map<string, number>;
  readonly durationsMs: number[];
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const sortMembers = <T extends JsonValue>(members: Iterable<readonly [string, T]>): JsonObject =>
  Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Nearest-rank percentile (`share` in 0..1) of durations in ascending order; null if there are none. */
const percentile = (ascending: readonly number[], share: number): number | null =>
  ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? null;

function getEntryNumber(entry: StoredEntry, key: string): number | undefined {
  const value = entry[key];
  return typeof value === 'number' ? value : undefined;
}

function addCall(totals: ToolTotals, entry: StoredEntry): void {
  totals.calls += 1;
  totals.bytes += getEntryNumber(entry, 'content_bytes') ?? getEntryNumber(entry, 'size_bytes') ?? 0;
  if (typeof entry['code'] === 'string') count(totals.errors, entry['code']);
  else if (entry['ok'] === false) count(totals.errors, 'unknown');
  const durationMs = getEntryNumber(entry, 'duration_ms');
  if (durationMs !== undefined && totals.durationsMs.length < DURATIONS) totals.durationsMs.push(durationMs);
}

function present(totals: ToolTotals): JsonObject {
  const ascending = totals.durationsMs.sort((a, b) => a - b);
  return {
    calls: totals.calls,
    errors: sortMembers(totals.errors),
    bytes: totals.bytes,
    median_ms: percentile(ascending, 0.5),
    p95_ms: percentile(ascending, 0.95),
  };
}

/**
 * Totals per event and, for `tool_call` entries, per tool: calls, errors by code, bytes of the
 * answers, median and 95th percentile of the duration in milliseconds.
 */
async function summarise(entries: AsyncIterable<StoredEntry>): Promise<JsonObject> {
  const events = new Map<string, number>();
  const tools = new Map<string, ToolTotals>();
  let total = 0;
  let oldest: string | null = null;
  let newest: string | null = null;
  for await (const entry of entries) {
    total += 1;
    newest ??= entry.ts;
    oldest = entry.ts;
    count(events, entry.event);
    const tool = entry['tool'];
    if (entry.event !== 'tool_call' || typeof tool !== 'string') continue;
    const totals = tools.get(tool) ?? { calls: 0, bytes: 0, errors: new Map(), durationsMs: [] };
    tools.set(tool, totals);
    addCall(totals, entry);
  }
  return {
    entries: total,
    oldest,
    newest,
    events: sortMembers(events),
    tools: sortMembers([...tools].map(([name, totals]) => [name, present(totals)] as const)),
  };
}

export interface JournalOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** Instance of the server that writes: several may share the journal. */
  readonly server?: string;
}

/** Longest text of an entry that is too long for a line. */
const SHORT_FIELD_UNITS = 256;
/** Bytes that identify the process in the ids of its lines. */
const WRITER_BYTES = 6;
/** Longest argument of a call. */
const ARGUMENT_UNITS = 200;

const isShort = (value: CleanJson | undefined): boolean =>
  typeof value === 'string' ? value.length <= SHORT_FIELD_UNITS : typeof value !== 'object';

type Stamp = Clean<{ event: string; ts: string; id: string }>;

/** An entry that is too long keeps its short fields and says so. */
function toLine(entry: CleanRecord, stamp: Stamp): readonly [JournalLineRecord, CleanText] {
  const line = withText({ ...entry, ...stamp });
  if (Buffer.byteLength(line[1]) <= LIMITS.journalLineBytes) return line;
  const short = Object.entries(entry).filter(
    ([key, value]) => key.length <= SHORT_FIELD_UNITS && isShort(value),
  );
  return withText({ ...Object.fromEntries(short.slice(0, 20)), truncated: true, ...stamp });
}

const withText = (line: JournalLineRecord) => [line, cleanJsonText(line)] as const;

/** Text that no line has room for is cut before it is redacted. */
function withBoundedArguments(entry: JournalEntry): JournalEntry {
  const { args } = entry;
  if (!isObject(args)) return entry;
  const most = LIMITS.journalLineBytes;
  const bounded = Object.entries(args).map(([name, value]): [string, JsonValue | undefined] => {
    if (typeof value === 'string') return [name, cut(value, most)];
    return [name, typeof value === 'object' && JSON.stringify(value).length > most ? '…' : value];
  });
  return { ...entry, args: Object.fromEntries(bounded) };
}

/** Arguments are cut to their length after they are redacted, since more of an address survives that way. */
function withShortArguments(entry: CleanRecord): CleanRecord {
  const { args } = entry;
  if (!isObject(args)) return entry;
  const short = membersOf(args).map(([name, value]): [string, CleanJson | undefined] => [
    name,
    typeof value === 'string' ? clipClean(value, ARGUMENT_UNITS) : value,
  ]);
  return { ...entry, args: Object.fromEntries(short) };
}

/**
 * Makes the journal: one JSON line per event, in the home's database, which several servers may share. It
 * keeps the newest `LIMITS.journalDays` UTC days, and does not touch the disk before the first entry. A power
 * cut may lose the last lines: no call waits for the disk.
 * `record` never throws and never waits; an entry that cannot be written is lost and the loss is logged, and
 * one after `close` is dropped. Reading rejects with `store_read_failed` or `store_corrupt`.
 */
export function createJournal({ home, clock, logger, redactor, server }: JournalOptions): Journal {
  const database = new HomeDatabase(home, { isDurable: false });
  const writer = new JournalWriter(database, logger);
  const listeners = new Listeners<JournalLineRecord>();
  const self = cleanHex(randomBytes(WRITER_BYTES));
  let made = 0;
  let isClosed = false;

  function stamped(entry: JournalEntry): ReturnType<typeof toLine> {
    const bounded = withBoundedArguments(entry);
    const redacted = redactor.value(server === undefined ? bounded : { ...bounded, server });
    const { event } = redacted;
    const stamp = { event, id: clean`${self}-${(made += 1)}`, ts: isoTime(clock.now()) };
    return toLine(withShortArguments(redacted), stamp);
  }

  return {
    record(entry) {
      // The owner may have removed the folder after closing.
      if (isClosed) return;
      try {
        const [line, text] = stamped(entry);
        writer.append(Date.parse(line.ts), text);
        listeners.notify(line);
      } catch (thrown) {
        logger.warn({ err: thrown, event: entry.event }, 'an event could not be journalled');
      }
    },
    preview: (entry) => stamped(entry)[0],
    onLine: (listener) => listeners.add(listener),
    page: (query) => writer.flush().then(() => readPage(database, query)),
    async recent(query) {
      await writer.flush();
      const entries: StoredEntry[] = [];
      if (query.count <= 0) return entries;
      for await (const entry of entriesOf(database, query)) {
        // The id lets feeds recognise a line.
        const { id: _id, ...shown } = entry;
        entries.push(shown);
        if (entries.length >= query.count) break;
      }
      return entries.reverse();
    },
    summary: (query) => writer.flush().then(() => summarise(entriesOf(database, query))),
    flush: () => writer.flush(),
    close: async () => {
      isClosed = true;
      await writer.flush();
      database.close();
    },
  };
}
