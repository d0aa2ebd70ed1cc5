import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import {
  cleanJsonText,
  clipClean,
  isoTime,
  membersOf,
  type CleanJson,
  type CleanRecord,
  type CleanText,
} from '../redact/clean.ts';
import type { Clock, Journal, JournalEntry, JournalQuery, Logger, Redactor } from '../core/services.ts';
import { dayOf } from './day-files.ts';
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
}

/** Longest text of an entry that is too long for a line. */
const SHORT_FIELD_UNITS = 256;
/** Longest argument of a call. */
const ARGUMENT_UNITS = 200;

function isShort(value: CleanJson | undefined): boolean {
  return typeof value === 'string' ? value.length <= SHORT_FIELD_UNITS : typeof value !== 'object';
}

/** One line of JSON. An entry that would be too long keeps its short fields and says so. */
function toLine(entry: CleanRecord, ts: CleanText): CleanText {
  const line = cleanJsonText({ ...entry, ts });
  if (Buffer.byteLength(line) <= LIMITS.journalLineBytes) return line;
  const short = Object.entries(entry).filter(
    ([key, value]) => key.length <= SHORT_FIELD_UNITS && isShort(value),
  );
  return cleanJsonText({ ...Object.fromEntries(short.slice(0, 20)), truncated: true, ts });
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
export function createJournal({ home, clock, logger, redactor }: JournalOptions): Journal {
  const folder = join(home, 'journal');
  const writer = new JournalWriter(folder, logger);
  let isClosed = false;

  function record(entry: JournalEntry): void {
    // The owner that closed it may have removed the folder since.
    if (isClosed) return;
    try {
      const ts = isoTime(clock.now());
      writer.append(dayOf(ts), toLine(withShortArguments(redactor.value(entry)), ts));
    } catch (thrown) {
      logger.warn({ err: thrown, event: entry.event }, 'an event could not be journalled');
    }
  }

  async function recent(query: JournalQuery): Promise<readonly StoredEntry[]> {
    await writer.flush();
    const entries: StoredEntry[] = [];
    if (query.count <= 0) return entries;
    for await (const entry of entriesOf(folder, query)) {
      entries.push(entry);
      if (entries.length >= query.count) break;
    }
    return entries.reverse();
  }

  return {
    record,
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
