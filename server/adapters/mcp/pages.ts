import { z } from 'zod';
import { invalidParams } from './rpc.ts';

/** Where a page of a list ended. */
const Cursor = z.strictObject({
  list: z.string(),
  /** Key of the last entry that was given. */
  after: z.string(),
  /** How many entries had been given: where to go on when that entry is no more. */
  given: z.int().min(1),
});

/** `cursor`, and whatever else a client sends. */
export const ListParams = z.object({ cursor: z.string().max(2_048).optional() });

/** Entries of one page; a list of at most so many is one page, for clients that ignore cursors. */
const PAGE_ENTRIES = 100;

function readCursor(list: string, cursor: string): z.infer<typeof Cursor> {
  try {
    const parsed = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (parsed.list === list) return parsed;
  } catch {
    // Whatever it is, no list gave it.
  }
  throw invalidParams(`cursor: no page of ${list} gave this one; begin without a cursor.`);
}

/**
 * One page of a list. A cursor names the entry it comes after, so that what joins or leaves the
 * list between two pages neither repeats nor hides an entry that stays.
 * @throws RpcError -32602 for a cursor that this list did not give
 */
export function cutPage<T>(
  entries: readonly T[],
  page: {
    /** Names the list: a cursor of another one does not fit. */
    readonly list: string;
    readonly keyOf: (entry: T) => string;
    readonly cursor: string | undefined;
    readonly size?: number;
  },
): { readonly page: readonly T[]; readonly next: { readonly nextCursor?: string } } {
  const { list, keyOf, cursor, size = PAGE_ENTRIES } = page;
  const start = cursor === undefined ? 0 : startAfter(entries, keyOf, readCursor(list, cursor));
  const cut = entries.slice(start, start + size);
  const last = cut.at(-1);
  if (last === undefined || start + size >= entries.length) return { page: cut, next: {} };
  const end = { list, after: keyOf(last), given: start + cut.length };
  return {
    page: cut,
    next: { nextCursor: Buffer.from(JSON.stringify(end)).toString('base64url') },
  };
}

function startAfter<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  { after, given }: z.infer<typeof Cursor>,
): number {
  const last = entries.findIndex((entry) => keyOf(entry) === after);
  // Since the last one has gone, the one after it has moved up.
  return last === -1 ? given - 1 : last + 1;
}
