import { SpillwayError } from '../../shared/errors.ts';
import type { OutputSearch } from '../core/output.ts';
import type { Clock } from '../core/services.ts';
import { Budget } from './query/budget.ts';
import { anyCaseFinder, searchOutput } from './query/search.ts';
import type { OutputStore } from './store.ts';

/** How long one search takes at most; what is left is for the next. */
const SEARCH_MS = 3_000;
/** Bytes of one answer. */
const ANSWER_BYTES = 256 * 1024;

interface SearchOptions {
  readonly store: Pick<OutputStore, 'open'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds; a test has less patience. */
  readonly searchMs?: number;
}

/** Finds a text in stored outputs, whatever its case. */
export function createOutputSearch({ store, clock, searchMs = SEARCH_MS }: SearchOptions): OutputSearch {
  return async ({ handle, text, offset, limit }, signal) => {
    signal.throwIfAborted();
    const output = await store.open(handle);
    try {
      const { kind, mime_type: type, item_count: count, size_bytes: size } = output.meta;
      if (kind === 'bytes')
        throw new SpillwayError(
          'invalid_format_for_payload',
          `${handle} holds ${type}, which has no text to search.`,
        );
      const finder = anyCaseFinder(text, kind !== 'text');
      const budget = new Budget({ clock, signal, timeMs: searchMs, bytes: ANSWER_BYTES });
      const { matches, next } = await searchOutput(output, finder, { from: offset, limit, budget });
      return {
        unit: kind === 'items' ? 'items' : 'bytes',
        matches,
        next_offset: next,
        total: count ?? size,
      };
    } finally {
      await output.close();
    }
  };
}
