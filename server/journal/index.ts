import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import {
  clean,
  cleanHex,
  cleanJsonText,
  clipClean,
  isoTime,
  membersOf,
  type CleanJson,
  type CleanRecord,
  type CleanText,
} from '../redact/clean.ts';
import { Listeners } from '../core/listeners.ts';
import type {
  Clock,
  Journal,
  JournalEntry,
  JournalLineRecord,
  JournalQuery,
  Logger,
  Redactor,
} from '../core/services.ts';
import { dayOf } from './day-files.ts';
import { readPage } from './pages.ts';
import { readEntries, type StoredEntry } from './reader.ts';
import { summarise } from './summary.ts';
import { JournalWriter } from './writer.ts';
import { messageOf } from '../../shared/message-of.ts';

export interface JournalOptions {
  /** `<home>`: the journal is `<home>/journal/<YYYY-MM-DD>.jsonl`. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** Instance of the server that writes: several may share the journal. */
  readonly server?: string;
}

/** Longest text of an entry that is too long for a line. */
const SHORT_FIELD_UNITS = 256;
/** Bytes that name the process in the ids of its lines. */
const WRITER_BYTES = 6;
/** Longest argument of a call. */
const ARGUMENT_UNITS = 200;

function isShort(value: CleanJson | undefined): boolean {
  return typeof value === 'string' ? value.length <= SHORT_FIELD_UNITS : typeof value !== 'object';
}

interface Line {
  readonly ts: CleanText;
  readonly record: JournalLineRecord;
  /** The same as JSON. */
  readonly text: CleanText;
}

/** What every line has, however long its entry is. */
interface Stamp {
  readonly event: CleanText;
  readonly ts: CleanText;
  readonly id: CleanText;
}

function lineOf(entry: CleanRecord, stamp: Stamp): Line {
  const record = { ...entry, ...stamp };
  return { ts: stamp.ts, record, text: cleanJsonText(record) };
}

/** An entry that would be too long keeps its short fields and says so. */
function toLine(entry: CleanRecord, stamp: Stamp): Line {
  const line = lineOf(entry, stamp);
  if (Buffer.byteLength(line.text) <= LIMITS.journalLineBytes) return line;
  const short = Object.entries(entry).filter(
    ([key, value]) => key.length <= SHORT_FIELD_UNITS && isShort(value),
  );
  return lineOf({ ...Object.fromEntries(short.slice(0, 20)), truncated: true }, stamp);
}

/** Arguments are cut after they are redacted, since more of an address survives the cut that way. */
function withShortArguments(entry: CleanRecord): CleanRecord {
  const { args } = entry;
  if (!isObject(args)) return entry;
  const short = membersOf(args).map(([name, value]): [string, CleanJson | undefined] => [
    name,
    typeof value === 'string' ? clipClean(value, ARGUMENT_UNITS) : value,
  ]);
  return { ...entry, args: Object.fromEntries(short) };
}

async function* entriesOf(folder: string, query: JournalQuery): AsyncGenerator<StoredEntry, void> {
  try {
    yield* readEntries(folder, query);
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new SpillwayError('store_read_failed', `The journal ${folder} cannot be read (${why}).`, {
      hint: 'Check that the journal in --home is readable, then call again.',
      cause: thrown,
    });
  }
}

/**
 * Makes the journal: one JSON line an event, a file a UTC day, 0600 in a folder 0700. Several servers
 * may share it. The newest `LIMITS.journalDays` days are kept. Nothing touches the disk before the
 * first entry. Reading goes backwards from the newest day, in blocks.
 *
 * `record` never throws and never waits; an entry that cannot be written is lost and the loss is
 * logged, one that comes after `close` is dropped. `recent` and `summary` reject with `store_read_failed` when a day cannot be read.
 */
export function createJournal({ home, clock, logger, redactor, server }: JournalOptions): Journal {
  const folder = join(home, 'journal');
  const writer = new JournalWriter(folder, logger);
  const listeners = new Listeners<JournalLineRecord>();
  const self = cleanHex(randomBytes(WRITER_BYTES));
  let made = 0;
  let isClosed = false;

  function stamped(entry: JournalEntry): Line {
    const redacted = redactor.value(server === undefined ? entry : { ...entry, server });
    const { event } = redacted;
    const stamp = { event, id: clean`${self}-${(made += 1)}`, ts: isoTime(clock.now()) };
    return toLine(withShortArguments(redacted), stamp);
  }

  function record(entry: JournalEntry): void {
    // The owner that closed it may have removed the folder since.
    if (isClosed) return;
    try {
      const line = stamped(entry);
      writer.append(dayOf(line.ts), line.text);
      listeners.notify(line.record);
    } catch (thrown) {
      logger.warn({ err: thrown, event: entry.event }, 'an event could not be journalled');
    }
  }

  async function recent(query: JournalQuery): Promise<readonly StoredEntry[]> {
    await writer.flush();
    const entries: StoredEntry[] = [];
    if (query.count <= 0) return entries;
    for await (const entry of entriesOf(folder, query)) {
      // The id is for feeds, which have to know a line again.
      const { id: _id, ...shown } = entry;
      entries.push(shown);
      if (entries.length >= query.count) break;
    }
    return entries.reverse();
  }

  return {
    record,
    preview: (entry) => stamped(entry).record,
    onLine: (listener) => listeners.add(listener),
    page: async (query) => {
      await writer.flush();
      return readPage(folder, query);
    },
    recent,
    summary: async (query) => {
      await writer.flush();
      return summarise(entriesOf(folder, query));
    },
    flush: () => writer.flush(),
    close: () => {
      isClosed = true;
      return writer.flush();
    },
  };
}
