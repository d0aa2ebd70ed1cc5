import browser from 'webextension-polyfill';
import { z } from 'zod';

/** Maximum documents remembered; the least recently read are forgotten. */
const MAX_DOCUMENTS = 500;
/** Per document: ranges of its numbers, and sessions that have seen it. */
const MAX_RANGES = 100;
const MAX_VIEWERS = 50;

const NEXT = 'refs.next';
const DOCUMENT = 'refs.of.';

const Stored = z.object({
  tabId: z.int(),
  frameId: z.int(),
  /** `f2`, or empty. Null for a frame that nobody has read yet. */
  prefix: z.string().nullable(),
  viewers: z.array(z.string()),
  /** First and last number of each range. */
  ranges: z.array(z.tuple([z.int(), z.int()])),
  /** Order of the last loans. */
  turn: z.int(),
});
export type Entry = z.infer<typeof Stored>;

/** A document that is to show refs. */
export interface ShowingDocument {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
}

export interface Lending {
  /** `Caller.session` */
  readonly viewer: string;
  readonly prefix?: string | undefined;
}

/** The documents with known refs, and their numbers. Outlives the worker in `storage.session`. */
export class RefEntries {
  readonly #entries = new Map<string, Entry>();
  #turn = 0;

  /** Reads the stored entries, and returns the next free number. */
  async load(): Promise<number> {
    const kept = await browser.storage.session.get(null);
    for (const [key, value] of Object.entries(kept)) {
      if (!key.startsWith(DOCUMENT)) continue;
      const entry = Stored.parse(value);
      this.#entries.set(key.slice(DOCUMENT.length), entry);
      this.#turn = Math.max(this.#turn, entry.turn);
    }
    return z.int().min(1).default(1).parse(kept[NEXT]);
  }

  get(documentId: string): Entry | undefined {
    return this.#entries.get(documentId);
  }

  /** The document that has a number. */
  find(number: number): { readonly documentId: string; readonly entry: Entry } | null {
    for (const [documentId, entry] of this.#entries)
      if (entry.ranges.some(([from, to]) => from <= number && number <= to)) return { documentId, entry };
    return null;
  }

  /** The documents that a session saw last. */
  shownTo(viewer: string, most: number): ShowingDocument[] {
    return [...this.#entries]
      .filter(([, { viewers }]) => viewers.includes(viewer))
      .toSorted(([, one], [, other]) => other.turn - one.turn)
      .slice(0, most)
      .map(([documentId, { tabId, frameId }]) => ({ tabId, frameId, documentId }));
  }

  /** Whether a number is so old that its document is forgotten: numbers are issued in ascending order. */
  isForgotten(number: number, next: number): boolean {
    if (number < 1) return false;
    for (const { ranges } of this.#entries.values())
      if (ranges.some(([from]) => from <= number)) return false;
    return number < next;
  }

  /** Records that a session sees a document. `isNew` means that this is not stored yet. */
  note(
    { documentId, tabId, frameId }: ShowingDocument,
    { viewer, prefix }: Lending,
  ): { readonly entry: Entry; readonly isNew: boolean } {
    const before = this.#entries.get(documentId);
    const known = before?.viewers ?? [];
    const entry: Entry = {
      tabId,
      frameId,
      prefix: prefix ?? before?.prefix ?? (frameId === 0 ? '' : null),
      viewers: [...known.filter((other) => other !== viewer), viewer].slice(-MAX_VIEWERS),
      ranges: before?.ranges ?? [],
      turn: (this.#turn += 1),
    };
    this.#entries.set(documentId, entry);
    return { entry, isNew: !known.includes(viewer) || before?.prefix !== entry.prefix };
  }

  /** @param next the next free number */
  async store(documentId: string, entry: Entry, next: number): Promise<void> {
    const writes = [browser.storage.session.set({ [NEXT]: next, [`${DOCUMENT}${documentId}`]: entry })];
    if (this.#entries.size > MAX_DOCUMENTS) {
      const byTurn = [...this.#entries].toSorted(([, one], [, other]) => one.turn - other.turn);
      const [oldest = ''] = byTurn[0] ?? [];
      this.#entries.delete(oldest);
      writes.push(browser.storage.session.remove(`${DOCUMENT}${oldest}`));
    }
    await Promise.all(writes);
  }

  async storeNext(next: number): Promise<void> {
    await browser.storage.session.set({ [NEXT]: next });
  }
}

/** Adds a range, merged with the last one if it follows directly. */
export function withRange(
  ranges: readonly [number, number][],
  [from, to]: readonly [number, number],
): [number, number][] {
  const before = ranges.at(-1);
  if (before?.[1] !== from - 1) return [...ranges, [from, to] as [number, number]].slice(-MAX_RANGES);
  return [...ranges.slice(0, -1), [before[0], to]];
}
