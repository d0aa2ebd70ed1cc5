import { squash, countEach, valueIn } from '../../../dom/elements.ts';
import type { Identity, Item, List, Recording } from '../../../dom/identity/recording.ts';

/** Maximum texts of an item that are compared. */
const MAX_TEXTS = 60;
/** Levels of items that are compared. */
const MAX_LEVELS = 4;
/** Prices, percentages and times change while their row stays the same. */
export const VOLATILE = /^[^\p{L}]*(?:[$€£¥%]|\d:\d\d|\d[.,]\d)[^\p{L}]*$/u;
/** Counts, which name nothing: `Inbox (3)`, `3 tasks left`, `Clicks: 3`, `clicked 3 times`. */
const COUNT =
  /(?<=[([]\s*)\d[\d.,]*\+?(?=\s*[)\]])|^\d{1,3}(?=\s+\p{Ll})|(?<=[:=]\s*)\d{1,3}(?![\d.,-]*\d)|(?<![\d#.,-])\d{1,3}(?=\s+(?:times?|of)\b)/gu;
/** Text that can identify the subject of a part of the page: a bare short number cannot. */
const NAMING = /\p{L}|\d{4}/u;

const AMOUNT = /[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?[$€£¥%]/g;

/** Replaces amounts and counts by `#`: they change while the meaning stays. */
export const without = (text: string): string => text.replace(AMOUNT, '#').replace(COUNT, '#');

/** The given name of an element, else its text. */
export function identityName({ given, recording, from, to }: Identity): string {
  return given ?? squash(recording.texts.slice(from, to).join(' '));
}

export const isNaming = (text: string): boolean => NAMING.test(text);

/** Whether `outer` is `item` or contains it; null means outside all items and contains everything. */
export function isAround(outer: Item | null, item: Item | null): boolean {
  if (outer === null) return true;
  for (let up = item; up !== null; up = up.outer) if (up === outer) return true;
  return false;
}

export function itemsAround({ item }: Identity): Item[] {
  const items: Item[] = [];
  for (let up = item; up !== null && items.length < MAX_LEVELS; up = up.outer) items.push(up);
  return items;
}

/**
 * The texts of an item with `#` for counts, without those of the element itself and of inner rows with the same
 * control.
 */
export function textsOf(item: Item, self: Identity): string[] {
  const { recording, from, to } = item;
  const texts: string[] = [];
  const holders = holdersOf(recording, self);
  for (let at = from; at < to && texts.length < MAX_TEXTS; at += 1) {
    if (self.recording === recording && at >= self.from && at < self.to) continue;
    if (isInside(at, item, holders, self.item)) continue;
    const text = without(squash(recording.texts[at] ?? ''));
    if (text !== '') texts.push(text);
  }
  return texts;
}

/** Whether a text is in one of these inner rows, and the element is not. */
function isInside(at: number, item: Item, holders: ReadonlySet<Item>, own: Item | null): boolean {
  for (let up = item.recording.itemOf(at); up !== null && up !== item; up = up.outer)
    if (holders.has(up) && !isAround(up, own)) return true;
  return false;
}

const knownHolders = new WeakMap<Recording, Map<string, ReadonlySet<Item>>>();

/** The rows of a walk with controls of this role and name. */
function holdersOf(recording: Recording, self: Identity): ReadonlySet<Item> {
  const known = valueIn(knownHolders, recording, () => new Map<string, ReadonlySet<Item>>());
  return valueIn(known, identityKey(self), (key) => {
    const all = new Set<Item>();
    for (const identity of recording.identities) {
      if (identityKey(identity) !== key) continue;
      for (let up = identity.item; up !== null && !all.has(up); up = up.outer) all.add(up);
    }
    return all;
  });
}

const identityKey = (self: Identity): string => `${self.role} ${identityName(self)}`;

interface Counts {
  readonly rows: ReadonlyMap<Item, ReadonlySet<string>>;
  readonly counts: ReadonlyMap<string, number>;
}
const knownCounts = new WeakMap<List, Map<string, Counts>>();

/** How many other rows of a list have a text. Each row is read once for all controls of a role and name. */
export function countElsewhere(item: Item, self: Identity): (text: string) => number {
  const known = valueIn(knownCounts, item.list, () => new Map<string, Counts>());
  const { rows, counts } = valueIn(known, identityKey(self), () => countTexts(item.list, self));
  const own = rows.get(item);
  return (text) => (counts.get(text) ?? 0) - (own?.has(text) === true ? 1 : 0);
}

function countTexts({ items }: List, self: Identity): Counts {
  // A row without an element of its own: the result serves every element of this role and name.
  const nobody = { ...self, given: identityName(self), item: null, from: -1, to: -1 };
  const rows = new Map(items.map((item) => [item, new Set(textsOf(item, nobody))]));
  const counts = countEach([...rows.values()].flatMap((texts) => [...texts]));
  return { rows, counts };
}

/** Rows on each side that a row is compared with, to find its unique texts. */
const NEAR = 4;

/** Rows with equal texts differ if their containers do: a meeting today, and one tomorrow. */
export function isSameAround(level: number, then: Identity, now: Identity): boolean {
  // A walk of a part does not see its surroundings.
  if (!then.recording.isWhole || !now.recording.isWhole) return true;
  const [before, after] = [itemsAround(then), itemsAround(now)];
  const [was, is] = [titleOf(before.slice(level + 1), then), titleOf(after.slice(level + 1), now)];
  if (was !== is && !(isStill(was, is, now) && isStill(is, was, then))) return false;
  const [list, listNow] = [listTitleOf(before[level]), listTitleOf(after[level])];
  if (list === listNow) return true;
  return list === null
    ? isSaidBefore(listNow, then, after[level], now)
    : isSaidBefore(list, now, before[level], then);
}

/** Whether a page has a text, up to a place. */
export const says = ({ texts }: Recording, said: string, to = texts.length): boolean =>
  texts.slice(0, to).some((text) => without(squash(text)) === said);

const isStill = (title: string | null, instead: string | null, { recording }: Identity): boolean =>
  title === null || (instead === null && says(recording, title));

/** Whether a title is the last text before an element outside lists, apart from its row's texts. */
function isSaidBefore(title: string | null, self: Identity, row: Item | undefined, inRow: Identity): boolean {
  return saidBefore(self, self.from, row === undefined ? [] : textsOf(row, inRow)) === title;
}

/** The last text before a place, ignored texts skipped; null without one, or if it is in another row or a control. */
export function saidBefore(
  { recording, item }: Identity,
  place: number,
  ignored: readonly string[] = [],
): string | null {
  for (let at = place - 1; at >= Math.max(0, place - MAX_TEXTS); at -= 1) {
    if (!isAround(recording.itemOf(at), item)) continue;
    const text = without(squash(recording.texts[at] ?? ''));
    if (isTitle(text) && !ignored.includes(text) && recording.ownerOf(at) === undefined) return text;
  }
  return null;
}

const isTitle = (text: string): boolean => isNaming(text) && !VOLATILE.test(text);

/** The last text before the rows of a list. */
function listTitleOf(item: Item | undefined): string | null {
  if (item === undefined) return null;
  const { recording, list } = item;
  for (let at = (list.items[0]?.from ?? 0) - 1; at >= list.from; at -= 1) {
    const text = without(squash(recording.texts[at] ?? ''));
    if (isTitle(text) && recording.ownerOf(at) === undefined) return text;
  }
  return null;
}

/** The titles around an element's row: the text before its list, and that of the row around the list. */
export const titlesAround = (identity: Identity): readonly string[] =>
  [listTitleOf(identity.item ?? undefined), titleOf(itemsAround(identity).slice(1), identity)].filter(
    (title) => title !== null,
  );

/** The first text of a row that its neighbours lack. */
function titleOf(items: readonly Item[], self: Identity): string | null {
  for (const item of items) {
    const near = neighboursOf(item).flatMap((other) => textsOf(other, self));
    const title = textsOf(item, self).find((text) => isTitle(text) && !near.includes(text));
    if (title !== undefined) return title;
  }
  return null;
}

function neighboursOf(item: Item): readonly Item[] {
  const { items } = item.list;
  const at = items.indexOf(item);
  return [...items.slice(Math.max(0, at - NEAR), at), ...items.slice(at + 1, at + 1 + NEAR)];
}
