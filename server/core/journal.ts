import type { JournalFilter } from '../../shared/bridge/feed.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Clean, CleanRecord } from '../redact/clean.ts';

/** One line of the journal. `ts` is added by it. */
export interface JournalEntry extends JsonObject {
  readonly event: string;
}

export interface JournalQuery {
  readonly count: number;
  readonly tool?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** A line as it is written. */
export type JournalLineRecord = CleanRecord & Clean<{ event: string; ts: string; id: string }>;

/** Which lines {@link Journal.page} reads. */
export interface JournalPageQuery {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
  readonly filter: JournalFilter;
}

/** Lines as they are on the disk: redacted by the server that wrote them. */
export interface JournalPage {
  readonly lines: readonly { readonly position: string; readonly line: JournalEntry }[];
  readonly next: string | null;
}

/** Append-only record of calls and events (`server/journal`). */
export interface Journal {
  /** Redacts, adds `ts` and `id`, appends. Never throws: a full disk is logged, the call continues. */
  record(entry: JournalEntry): void;
  /** The line that an entry would be, redacted and cut as every line, without recording it. */
  preview(entry: JournalEntry): JournalLineRecord;
  /** Calls back with each line that this server records. Returns an unsubscribe function. */
  onLine(listener: (line: JournalLineRecord) => void): () => void;
  /** `journal.page` of shared/bridge/feed.ts. @throws SpillwayError `store_read_failed` */
  page(query: JournalPageQuery): Promise<JournalPage>;
  /** Newest last. Filters apply before the count. */
  recent(query: JournalQuery): Promise<readonly JournalEntry[]>;
  summary(query: JournalQuery): Promise<JsonObject>;
  /** Waits until all that was recorded is on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
