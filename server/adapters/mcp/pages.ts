import { z } from 'zod';
import { invalidParams } from './rpc.ts';

/** Where a page of a list ended. */
const KeyCursor = z.strictObject({
  list: z.string(),
  /** Key of the last entry that was given. */
  after: z.string(),
  /** How many entries had been given: where to continue when that entry no longer exists. */
  given: z.int().min(1),
});
const NumberCursor = z.strictObject({
  list: z.string(),
  /** Number of the last entry that was given. */
  after: z.int().min(0),
});

/** `cursor`, and anything else that a client sends. */
export const ListParams = z.object({ cursor: z.string().max(2_048).optional() });

/** Entries of one page; a list of at most so many is one page, for clients that ignore cursors. */
const PAGE_ENTRIES = 100;

/** How the entries of a list are distinguished, and where the next page begins. */
export type Place<T> =
  | {
      /** For a list whose order is not that of joining, and from which hardly anything leaves. */
      readonly keyOf: (entry: T) => string;
    }
  | {
      /** Ascends over the list and is never reused, even when entries are removed. */
      readonly numberOf: (entry: T) => number;
    };

/**
 * One page of a list. A cursor names the entry it comes after, so that what joins the list between two
 * pages, or leaves it, neither repeats nor hides an entry that stays.
 * @throws RpcError -32602 for a cursor that this list did not give
 */
export function cutPage<T>(
  entries: readonly T[],
  page: Place<T> & {
    /** Names the list: a cursor of another one does not fit. */
    readonly list: string;
    readonly cursor: string | undefined;
    readonly size?: number;
  },
): { readonly page: readonly T[]; readonly next: { readonly nextCursor?: string } } {
  const { list, cursor, size = PAGE_ENTRIES } = page;
  const start = cursor === undefined ? 0 : startAfter(entries, page, { list, cursor });
  const cut = entries.slice(start, start + size);
  const last = cut.at(-1);
  if (last === undefined || start + size >= entries.length) return { page: cut, next: {} };
  const end =
    'numberOf' in page
      ? { list, after: page.numberOf(last) }
      : { list, after: page.keyOf(last), given: start + cut.length };
  return {
    page: cut,
    next: { nextCursor: Buffer.from(JSON.stringify(end)).toString('base64url') },
  };
}

function startAfter<T>(
  entries: readonly T[],
  place: Place<T>,
  given: { readonly list: string; readonly cursor: string },
): number {
  if ('numberOf' in place) {
    const { after } = readCursor(NumberCursor, given);
    const next = entries.findIndex((entry) => place.numberOf(entry) > after);
    return next === -1 ? entries.length : next;
  }
  const cursor = readCursor(KeyCursor, given);
  const last = entries.findIndex((entry) => place.keyOf(entry) === cursor.after);
  // Since the last one was removed, the one after it has moved up.
  return last === -1 ? cursor.given - 1 : last + 1;
}

function readCursor<Cursor extends { readonly list: string }>(
  schema: z.ZodType<Cursor>,
  { list, cursor }: { readonly list: string; readonly cursor: string },
): Cursor {
  try {
    const parsed = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (parsed.list === list) return parsed;
  } catch {
    // Whatever it is, no list gave it.
  }
  throw invalidParams(`cursor: unknown for ${list}; start without a cursor.`);
}
