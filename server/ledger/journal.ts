import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { cut } from '../../shared/base/cut.ts';
import { LIMITS } from '../../shared/base/limits.ts';
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
} from '../libraries/redaction/clean.ts';
import { Listeners } from '../../shared/base/queue.ts';
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
import type { JournalFilter } from '../../shared/core/feed.ts';
import { HomeDatabase, type SqlRow } from '../core/home/database.ts';
import { parseAs } from '../../shared/base/json-schema.ts';
import { z } from 'zod';
import { JournalWriter } from './journal-lines.ts';

/** A page has to fit in a frame of the bridge, where a character may take three bytes. */
const PAGE_UNITS = 120 * 1024;

/** An entry as it is on disk. */
const StoredEntry = z.record(z.string(), z.json()).and(z.object({ event: z.string(), ts: z.iso.datetime() }));

/** Lines with what they are found and counted by. A damaged one has no event. */
const LINES = `(
  SELECT position, at_ms, line, json ->> 'agent' AS agent, json ->> 'client_session' AS client_session,
    json ->> 'audience' AS audience, json ->> 'duration_ms' AS duration_ms, json ->> 'site' AS site,
    iif(json ->> 'ts' > '', json ->> 'event', NULL) AS event,
    coalesce(json ->> 'tool', json ->> 'source_tool') AS tool,
    coalesce(json ->> 'code', iif(json ->> 'ok' = 0, 'unknown', NULL)) AS code,
    coalesce(json ->> 'content_bytes', json ->> 'size_bytes') AS bytes,
    CASE WHEN json ->> 'pending' THEN 'pending' WHEN json ->> 'ok' THEN 'ok' WHEN json ->> 'ok' = 0 THEN 'failed' END
      AS outcome,
    substr(authority, instr(authority, '@') + 1) AS host
  FROM (SELECT *, substr(behind, 1, instr(replace(replace(behind, '?', '/'), '#', '/') || '/', '/') - 1) AS authority
    FROM (SELECT *, lower(substr(json ->> '$.args.url', instr(json ->> '$.args.url', '://') + 3)) AS behind
      FROM (SELECT *, iif(json_valid(line), line, '{}') AS json FROM journal))))`;

type Wanted = JournalFilter & { readonly since?: number | undefined };

/** The test of the undamaged lines that are wanted, and its values. */
function testOf({ tool, agent, session, outcome, site, since }: Wanted) {
  const given = Object.entries({
    'at_ms >= ?': since,
    'tool = ?': tool,
    'agent = ?': agent,
    'client_session = ?': session,
    'outcome = ?': outcome,
    '? IN (site, host)': site,
  }).flatMap(([test, value]) => (value === undefined ? [] : [{ test, value }]));
  // Widgets poll their tools every few seconds.
  const always = tool === undefined ? "event IS NOT NULL AND audience IS NOT 'widget'" : 'event IS NOT NULL';
  return {
    test: [...given.map(({ test }) => test), always].join(' AND '),
    values: given.map(({ value }) => value),
  };
}

type Place = Pick<JournalPageQuery, 'before' | 'after'> & { readonly limit: number };

/** The wanted lines on one side of a position, nearest first. */
function findLines(database: HomeDatabase, wanted: Wanted, { before, after, limit }: Place) {
  const { test, values } = testOf(wanted);
  const [compared, order] = after === undefined ? ['<', 'DESC'] : ['>', 'ASC'];
  const from = Number(after ?? before ?? Number.MAX_SAFE_INTEGER);
  const rows = database.rows(
    `SELECT position, line FROM journal WHERE position IN (
       SELECT position FROM ${LINES} WHERE position ${compared} ? AND ${test} ORDER BY position ${order} LIMIT ?
     ) ORDER BY position ${order}`,
    ...[from, ...values, limit],
  );
  return rows.map(([position, text]) => ({
    position: String(position),
    lines: [parseAs(StoredEntry, String(text))].filter((line) => line !== null),
    units: String(text).length,
  }));
}

/** One page of a home's journal, whichever of its servers wrote it: bounded in lines and in size. */
function readPage(database: HomeDatabase, { filter, limit, ...side }: JournalPageQuery): JournalPage {
  const found = findLines(database, filter, { ...side, limit: limit + 1 });
  let units = 0;
  const shown = found.slice(0, limit).filter((one) => {
    const hasRoom = units < PAGE_UNITS;
    units += one.units;
    return hasRoom;
  });
  return {
    lines: shown.flatMap(({ position, lines }) => lines.map((line) => ({ position, line }))),
    next: shown.length < found.length ? (shown.at(-1)?.position ?? null) : null,
  };
}

/** A summary serves calls in between. */
const SUMMED_LINES = 5_000;

const Durations = z.array(z.number().nullable());

/** Rows by what is in a column, in its order. */
const membersBy = (rows: readonly SqlRow[], column: number): (readonly [string, SqlRow[]])[] =>
  [...new Set(rows.map((row) => row[column]))]
    .filter((name) => typeof name === 'string')
    .sort()
    .map((name) => [name, rows.filter((row) => row[column] === name)]);

/**
 * Totals per event and, for `tool_call` entries, per tool: calls, errors by code, bytes of the
 * answers, median and 95th percentile of the duration in milliseconds, by nearest rank.
 */
async function summarise(database: HomeDatabase, query: JournalQuery): Promise<JsonObject> {
  const { test, values } = testOf(query);
  const [first, last] = (database.row('SELECT min(position), max(position) FROM journal') ?? []).map(Number);
  const groups: SqlRow[] = [];
  for (let from = first ?? 0; from <= (last ?? 0); from += SUMMED_LINES) {
    const rows = database.rows(
      `SELECT event, iif(event = 'tool_call', tool, NULL) AS called, code, count(*), total(bytes), json_group_array(duration_ms),
         min(position), max(position)
       FROM ${LINES} WHERE position BETWEEN ? AND ? AND ${test} GROUP BY event, called, code`,
      ...[from, Math.min(from + SUMMED_LINES - 1, last ?? 0), ...values],
    );
    groups.push(...rows);
    await nextTurn();
  }
  const positions = groups.flatMap((group) => group.slice(6).map(Number));
  const [oldest, newest] = [Math.min(...positions), Math.max(...positions)].map((position) => {
    const atMs =
      groups.length > 0 && database.row('SELECT at_ms FROM journal WHERE position = ?', position)?.[0];
    return typeof atMs === 'number' ? isoTime(atMs) : null;
  });
  const sum = (rows: readonly SqlRow[], at: number): number =>
    rows.reduce((all, row) => all + Number(row[at]), 0);
  const countBy = (rows: readonly SqlRow[], column: number): JsonObject =>
    Object.fromEntries(membersBy(rows, column).map(([name, of]) => [name, sum(of, 3)]));
  const present = (rows: readonly SqlRow[]): JsonObject => {
    const durations = rows
      .flatMap((row) => parseAs(Durations, String(row[5])) ?? [])
      .filter((ms) => ms !== null);
    const ascending = durations.sort((a, b) => a - b);
    const percentile = (share: number): number | null =>
      ascending[Math.ceil(share * ascending.length) - 1] ?? null;
    const figures = { calls: sum(rows, 3), errors: countBy(rows, 2), bytes: sum(rows, 4) };
    return { ...figures, median_ms: percentile(0.5), p95_ms: percentile(0.95) };
  };
  return {
    entries: sum(groups, 3),
    oldest: oldest ?? null,
    newest: newest ?? null,
    events: countBy(groups, 0),
    tools: Object.fromEntries(membersBy(groups, 1).map(([tool, rows]) => [tool, present(rows)])),
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
    async recent({ count, ...query }) {
      await writer.flush();
      const found = findLines(database, query, { limit: Math.max(0, count) });
      // The id lets feeds recognise a line.
      return found.reverse().flatMap(({ lines }) => lines.map(({ id: _id, ...shown }) => shown));
    },
    summary: (query) => writer.flush().then(() => summarise(database, query)),
    flush: () => writer.flush(),
    close: async () => {
      isClosed = true;
      await writer.flush();
      database.close();
    },
  };
}
