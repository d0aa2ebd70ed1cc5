import type { FeedCursor, FeedEvent } from '../../shared/core/feed.ts';
import type { JournalLineRecord, Redactor } from '../core/services.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { ToolResult } from '../core/result.ts';

/** Events kept for readers; older ones are only in the journal. */
const EVENTS_MAX = 1_000;
/** An answer has to fit in a frame of the bridge, where a character may take three bytes. */
const BATCH_UNITS = 120 * 1024;

interface KeptEntry {
  readonly seq: number;
  /** Computed when it is read: most steps never are. */
  readonly event: () => CleanEvent;
  /** Lines of the journal up to it. */
  readonly lines: number;
}

export interface Batch {
  readonly cursor: FeedCursor;
  readonly events: readonly CleanEvent[];
  /** Lines dropped before the first of them. */
  readonly missed: number;
}

/**
 * The newest events. It is bounded whatever its readers do: a reader whose place is gone learns how many
 * lines it has missed. Journal lines are counted even while none are kept.
 */
export class FeedRing {
  /** In their order. A newer event of the same key replaces one; a line of the journal has its own number as key. */
  readonly #kept = new Map<string | number, KeptEntry>();
  #seq = 0;
  #lines = 0;
  /** Lines up to the last that was dropped. */
  #droppedLines = 0;

  /** Where a reader begins that wants only new events. */
  get end(): FeedCursor {
    return { seq: this.#seq, lines: this.#lines };
  }

  /** Adds a line of the journal. */
  add(event: CleanEvent): void {
    this.#lines += 1;
    this.replace(this.#seq + 1, () => event);
  }

  /** Adds an event that is useless once a newer one of its key has arrived. */
  replace(key: string | number, event: () => CleanEvent): void {
    this.#seq += 1;
    this.#kept.delete(key);
    this.#kept.set(key, { seq: this.#seq, event, lines: this.#lines });
    const [oldest] = this.#kept;
    if (this.#kept.size <= EVENTS_MAX || oldest === undefined) return;
    this.#kept.delete(oldest[0]);
    if (typeof oldest[0] === 'number') this.#droppedLines = oldest[1].lines;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** Counts a line that nobody reads. */
  skip(): void {
    this.#seq += 1;
    this.#lines += 1;
    this.#droppedLines = this.#lines;
  }

  clear(): void {
    this.#kept.clear();
    this.#droppedLines = this.#lines;
  }

  hasAfter({ seq, lines }: FeedCursor): boolean {
    return seq < this.#seq && (this.#kept.size > 0 || lines < this.#droppedLines);
  }

  read(after: FeedCursor, limit: number): Batch {
    // An unknown place counts as the end.
    const from = Math.min(after.seq, this.#seq);
    const missed = Math.max(0, this.#droppedLines - after.lines);
    const events: CleanEvent[] = [];
    let cursor = this.end;
    let units = 0;
    for (const { seq, event: make, lines } of this.#kept.values()) {
      if (seq <= from) continue;
      if (events.length >= limit || units >= BATCH_UNITS) return { cursor, events, missed };
      const event = make();
      events.push(event);
      units += JSON.stringify(event).length;
      cursor = { seq, lines };
    }
    return { cursor: this.end, events, missed };
  }
}

/** Members that identify the subject of a journal line. */
type LineKind<E> = E extends { readonly line: unknown } ? Omit<E, 'line'> : never;
type LineEvent<K> = K extends unknown ? Readonly<K> & { readonly line: JournalLineRecord } : never;

/** An event of redacted parts. */
export type CleanEvent =
  | Clean<Exclude<FeedEvent, { readonly line: unknown }>>
  | LineEvent<LineKind<FeedEvent>>;

/** The others pass unchanged. */
const KINDS: Readonly<Record<string, LineKind<FeedEvent>>> = {
  tool_call: { type: 'call', phase: 'ended' },
  run_started: { type: 'run', phase: 'begun' },
  run_resumed: { type: 'run', phase: 'begun' },
  run_ended: { type: 'run', phase: 'ended' },
  run_cancelled: { type: 'run', phase: 'ended' },
  run_interrupted: { type: 'run', phase: 'ended' },
  output_handle_created: { type: 'store', phase: 'made' },
  output_handle_evicted: { type: 'store', phase: 'swept' },
  output_handle_deleted: { type: 'store', phase: 'deleted' },
};

/** A journal line as an event. */
export function eventOf(line: JournalLineRecord): CleanEvent {
  const kind = Object.hasOwn(KINDS, line.event) ? KINDS[line.event] : undefined;
  return { ...(kind ?? { type: 'journal' as const }), line };
}

/** No page of the journal shows it. */
export const isOfWidget = (line: JournalLineRecord): boolean => line['audience'] === 'widget';

export type MakeClean = <T extends JsonObject>(value: T) => Clean<T>;

/**
 * Redacts data for people at the browsers. Another server of the home may have written a secret that only
 * this server knows, and another MCP server's answer may contain any.
 */
export const cleanBy =
  (redactor: Redactor): MakeClean =>
  <T extends JsonObject>(value: T): Clean<T> =>
    redactor.value(value);

/** Maximum answers that are kept, and their total size; the oldest beyond that are forgotten. */
const ANSWERS_MAX = 100;
const ANSWERS_BYTES = 8 * 1024 * 1024;
/** A larger one is not kept: it would not fit in a frame of the bridge. */
const ANSWER_BYTES = 512 * 1024;

/** `structured` is for another server's answer, whose blocks may be empty, and for a mode's text. */
export type KeptAnswer = Pick<ToolResult, 'ok' | 'content' | 'state'> & {
  readonly [Name in 'error' | 'descriptor' | 'kind' | 'structured']?: ToolResult[Name] | undefined;
};

/** The latest answers, for people at the browsers. A call takes two entries of a map. */
export class LastAnswers {
  readonly #kept = new Map<string, { readonly answer: KeptAnswer; readonly sizeBytes: number }>();
  #sizeBytes = 0;

  /** @param sizeBytes of its content, which the journal counts anyway */
  keep(callId: string, result: ToolResult, sizeBytes: number): void {
    this.#forget(callId);
    // A call that waits for a person has no answer yet.
    if (result.pending !== undefined || sizeBytes > ANSWER_BYTES) return;
    this.#kept.set(callId, { answer: keepResult(result), sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= ANSWERS_MAX && this.#sizeBytes <= ANSWERS_BYTES) break;
      this.#forget(oldest);
    }
  }

  /** Null for one that is no longer kept, or never was. */
  of(callId: string): KeptAnswer | null {
    return this.#kept.get(callId)?.answer ?? null;
  }

  clear(): void {
    this.#kept.clear();
    this.#sizeBytes = 0;
  }

  #forget(callId: string): void {
    const known = this.#kept.get(callId);
    if (known === undefined) return;
    this.#kept.delete(callId);
    this.#sizeBytes -= known.sizeBytes;
  }
}

function keepResult({
  ok,
  content,
  state,
  error,
  descriptor,
  kind,
  structured,
  shown,
}: ToolResult): KeptAnswer {
  const isForeign = content[0].type === 'foreign';
  return { ok, content, state, error, descriptor, kind, structured: isForeign ? structured : shown };
}
