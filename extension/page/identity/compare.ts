import { squash } from '../dom.ts';
import type { Identity, Item, List, Recording } from './recording.ts';

/** Texts of an item that are compared, at most. */
const MOST_TEXTS = 60;
/** Texts before an element that can say which part of the page it is in: more of them are a text of their own. */
const MOST_BEFORE = 8;
/** Items around an item that are compared. */
const MOST_LEVELS = 4;

/** Prices, shares, times: they change while their row stays what it is. */
const VOLATILE = /^[^\p{L}]*(?:[$€£¥%]|\d:\d\d|\d[.,]\d)[^\p{L}]*$/u;
/** Numbers that count and name nothing: `Inbox (3)`, `3 tasks left`, `Clicks: 3`, `clicked 3 times`. */
const COUNT =
  /(?<=[([]\s*)\d[\d.,]*\+?(?=\s*[)\]])|^\d{1,3}(?=\s+\p{Ll})|(?<=[:=]\s*)\d{1,3}(?![\d.,-]*\d)|(?<![\d#.,-])\d{1,3}(?=\s+(?:times?|of)\b)/gu;
/** A number that may count, and is not one of an order or the like. */
const SHORT_NUMBER = /(?<![\d#.,-])\d{1,3}(?![\d.,-]*\d)/g;
/** What says which thing a part of the page is about: a bare short number does not. */
const NAMING = /\p{L}|\d{4}/u;

/** Prices and shares. */
const AMOUNT = /[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?[$€£¥%]/g;

const without = (text: string): string => text.replace(AMOUNT, '#').replace(COUNT, '#');

/** What an element is called. */
export function nameOf({ given, recording, from, to }: Identity): string {
  return given ?? squash(recording.texts.slice(from, to).join(' '));
}

/** The heading before an element, its counters left out. Those in rows that it is not in are not about it. */
function headingOf({ recording, heading, item }: Identity): string {
  let at = heading;
  const itemOf = (index: number): Item | null => recording.itemOf(recording.headings[index]?.from ?? -1);
  while (at >= 0 && !isAround(itemOf(at), item)) at -= 1;
  const range = recording.headings[at];
  const text =
    range === undefined ? recording.context.heading : recording.texts.slice(range.from, range.to).join(' ');
  return without(squash(text));
}

/** Whether an item is an element's own, or one around that; outside of all items always. */
function isAround(outer: Item | null, item: Item | null): boolean {
  if (outer === null) return true;
  for (let up = item; up !== null; up = up.outer) if (up === outer) return true;
  return false;
}

/** The texts of the row that an element is in, for messages. */
export function rowOf(identity: Identity): string {
  return identity.item === null ? '' : squash(textsOf(identity.item, identity).join(' '));
}

/**
 * Whether an element that is shown now is the one that was shown: by its role and name, the heading and the landmark
 * around it, and by what its row, its card or the part of the page that it is in says that it is of.
 */
export function isSame(then: Identity, now: Identity): boolean {
  return then.role === now.role && nameOf(then) === nameOf(now) && isSamePlace(then, now);
}

/** The same, as far as the row of the element tells it without the rest of the page. */
export function isSurelySame(then: Identity, now: Identity): boolean {
  if (then.role !== now.role || nameOf(then) !== nameOf(now) || !isSameScope(then, now)) return false;
  if (then.item === null && now.item === null) return isSamePart(then, now);
  return matchChain(then, now) === 'same';
}

/** The same place: what {@link isSame} compares but role and name. */
export function isSamePlace(then: Identity, now: Identity): boolean {
  if (!isSameScope(then, now)) return false;
  const match = matchChain(then, now);
  return match === 'unknown' ? isSamePart(then, now) : match === 'same';
}

const isSameScope = (then: Identity, now: Identity): boolean =>
  then.region === now.region && headingOf(then) === headingOf(now);

/** Compares the row of an element, and those around it as long as they say nothing. */
function matchChain(then: Identity, now: Identity): Match {
  const [before, after] = [itemsAround(then), itemsAround(now)];
  const isWhole = then.recording.isWhole && now.recording.isWhole;
  // A walk of a part sees fewer rows around it.
  const levels = isWhole ? Math.max(before.length, after.length) : Math.min(before.length, after.length);
  // The only one of its kind looks like no row.
  for (let level = 0; level < Math.max(levels, Math.min(1, before.length + after.length)); level += 1) {
    const match = matchItems(before[level] ?? partOf(then), after[level] ?? partOf(now), then, now);
    if (match !== 'unknown') return match;
  }
  return 'unknown';
}

/** The row of an element and those around it. */
function itemsAround({ item }: Identity): Item[] {
  const items: Item[] = [];
  for (let up = item; up !== null && items.length < MOST_LEVELS; up = up.outer) items.push(up);
  return items;
}

/** The part of the page around an element as if it were the only row of a list. */
function partOf({ recording, partFrom, to }: Identity): Item {
  const list: List = { items: [] };
  const item: Item = { recording, list, outer: null, from: partFrom, to };
  list.items.push(item);
  return item;
}

/** Whether its row, or one around it, is one of several. */
export function isRepeated({ item }: Identity): boolean {
  for (let up = item; up !== null; up = up.outer) if (up.list.items.length > 1) return true;
  return false;
}

/** Whether two names differ in nothing but numbers that count something. */
export function differsInCount(then: string, now: string): boolean {
  const bare = (name: string): string => without(name).replace(SHORT_NUMBER, '#');
  return then !== now && bare(then) === bare(now) && bare(now) !== '#';
}

/** The texts of an item without those of the element itself, and without what only counts. */
function textsOf({ recording, from, to }: Item, self: Identity): string[] {
  const texts: string[] = [];
  for (let at = from; at < to && texts.length < MOST_TEXTS; at += 1) {
    if (self.recording === recording && at >= self.from && at < self.to) continue;
    const text = without(squash(recording.texts[at] ?? ''));
    if (text !== '') texts.push(text);
  }
  return texts;
}

type Match = 'same' | 'other' | 'unknown';

function matchItems(before: Item, after: Item, then: Identity, now: Identity): Match {
  if (before.list.items.length < 2) return matchAlone(before, after, then, now);
  return matchRows(before, after, [textsOf(before, then), textsOf(after, now)], { then, now });
}

const isNaming = (text: string): boolean => NAMING.test(text);

/** Without neighbours nothing tells a row's key from what changes in it: what precedes the element has to stay. */
function matchAlone(before: Item, after: Item, then: Identity, now: Identity): Match {
  const [was, is] = [beforeIn(before.from, then), beforeIn(after.from, now)];
  if (was === null || is === null || !agree(was, is)) return 'other';
  if (was.length > 0 && is.length > 0) return 'same';
  const [whole, wholeNow] = [namesIn(before, then), namesIn(after, now)];
  if (whole.length === 0 && wholeNow.length === 0) return 'unknown';
  return whole.length > 0 && wholeNow.length > 0 && agree(whole, wholeNow) ? 'same' : 'other';
}

function matchRows(
  before: Item,
  after: Item,
  [was, is]: readonly [readonly string[], readonly string[]],
  { then, now }: { readonly then: Identity; readonly now: Identity },
): Match {
  const others = before.list.items
    .filter((item) => item !== before)
    .map((item) => new Set(textsOf(item, then)));
  const neighbours = after.list.items
    .filter((item) => item !== after)
    .map((item) => new Set(textsOf(item, now)));
  const inOthers = (text: string): boolean => others.some((texts) => texts.has(text));
  const own = new Set(is);
  const counted = isOrdinal(was[0], before, then) ? was.slice(1) : was;
  const keys = counted.filter((text) => !VOLATILE.test(text) && !inOthers(text));
  const isRepeatedNow = (text: string): boolean =>
    own.has(text) && neighbours.some((texts) => texts.has(text));
  const key = keys.find((text) => !isRepeatedNow(text));
  if (key === undefined) {
    // Rows that say the same are told apart by nothing, and rows that say nothing by what is around them.
    return agree(was, is) ? 'unknown' : 'other';
  }
  if (!own.has(key)) return 'other';
  const stays = keys.filter((text) => own.has(text));
  const moved = keys.some(
    (text) => !own.has(text) && neighbours.filter((texts) => texts.has(text)).length === 1,
  );
  return !moved && stays.length * 2 >= keys.length ? 'same' : 'other';
}

/** Whether the first texts of the rows only count them. */
function isOrdinal(text: string | undefined, item: Item, self: Identity): boolean {
  if (text === undefined || !/^\d{1,4}[.)]?$/.test(text)) return false;
  const { items } = item.list;
  const at = items.indexOf(item);
  const neighbour = items[at + 1] ?? items[at - 1];
  if (neighbour === undefined) return false;
  const step = items[at + 1] === undefined ? -1 : 1;
  return Number.parseInt(textsOf(neighbour, self)[0] ?? '', 10) === Number.parseInt(text, 10) + step;
}

/** Outside of rows: what the part of the page says before the element. */
function isSamePart(then: Identity, now: Identity): boolean {
  const [was, is] = [beforeIn(partStart(then), then), beforeIn(partStart(now), now)];
  // A long text before it is not about it.
  return was === null || is === null || agree(was, is);
}

/** What is before a row is not about what is in it. */
const partStart = ({ partFrom, item }: Identity): number => Math.max(partFrom, item?.from ?? 0);

/** The texts that name something before an element; null when there are too many to be about it. */
function beforeIn(start: number, { recording, role, item, from }: Identity): string[] | null {
  const texts: string[] = [];
  for (let at = start; at < from; at += 1) {
    if (isApart(recording, at, role) || !isAround(recording.itemOf(at), item)) continue;
    const text = without(squash(recording.texts[at] ?? ''));
    if (isNaming(text)) texts.push(text);
    if (texts.length > MOST_BEFORE) return null;
  }
  return texts;
}

/** The texts of an item that name something, without those of controls. */
function namesIn({ recording, from, to }: Item, self: Identity): string[] {
  const texts: string[] = [];
  for (let at = from; at < to && texts.length < MOST_TEXTS; at += 1) {
    const isOwn = self.recording === recording && at >= self.from && at < self.to;
    const text = isOwn || isApart(recording, at, self.role) ? '' : without(squash(recording.texts[at] ?? ''));
    if (isNaming(text)) texts.push(text);
  }
  return texts;
}

/** What another button says, or a link next to a link, is not what an element is about. */
function isApart(recording: Recording, at: number, role: string): boolean {
  const owner = recording.ownerOf(at);
  return owner === 'control' || (owner === 'link' && role === 'link');
}

/** Whether texts were only added, or only removed. */
function agree(was: readonly string[], is: readonly string[]): boolean {
  const [few, many] = was.length <= is.length ? [was, is] : [is, was];
  let at = 0;
  for (const text of many) if (text === few[at]) at += 1;
  return at === few.length;
}
