import type { FeedEvent } from '../../shared/bridge/feed.ts';
import type { JournalLineRecord } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';

/** Members that say what a line of the journal is about. */
type LineKind<E> = E extends { readonly line: unknown } ? Omit<E, 'line'> : never;
type LineEvent<K> = K extends unknown ? Readonly<K> & { readonly line: JournalLineRecord } : never;

/** An event of redacted parts. */
export type CleanEvent =
  | Clean<Exclude<FeedEvent, { readonly line: unknown }>>
  | LineEvent<LineKind<FeedEvent>>;

/** What the events of the journal inform people of. The others are passed as they are. */
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

/** The event that a line of the journal is. */
export function eventOf(line: JournalLineRecord): CleanEvent {
  const kind = Object.hasOwn(KINDS, line.event) ? KINDS[line.event] : undefined;
  return { ...(kind ?? { type: 'journal' as const }), line };
}

/** What widgets alone call, they call every few seconds: no page of the journal shows it. */
export const isOfWidget = (line: JournalLineRecord): boolean => line['audience'] === 'widget';
