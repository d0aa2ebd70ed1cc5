import { squash } from '../dom.ts';
import type { Identity, Item, List, Recording } from './recording.ts';
import {
  VOLATILE,
  isAround,
  isNaming,
  itemsAround,
  nameOf,
  countElsewhere,
  textsOf,
  without,
  isSameAround,
  saidBefore,
} from './row-texts.ts';

/** An element may be described by this many texts before it. More of them are content of their own. */
const MOST_BEFORE = 8;

/** A number that may be a count, and is not part of an identifier such as an order number. */
const SHORT_NUMBER = /(?<![\d#.,-])\d{1,3}(?![\d.,-]*\d)/g;
/** The texts of the row that an element is in, for messages. */
export function rowOf(identity: Identity): string {
  return identity.item === null ? '' : squash(textsOf(identity.item, identity).join(' '));
}

/**
 * Whether an element that is shown now is the one that was shown before. Compares role and
 * name, and the key of its row, or what is before it in its part of the page.
 */
export function isSame(then: Identity, now: Identity): boolean {
  return then.role === now.role && nameOf(then) === nameOf(now) && isSamePlace(then, now);
}

/**
 * As {@link isSame}, judged by the row of the element alone: false if only the rest of the page could decide.
 */
export function isSurelySame(then: Identity, now: Identity): boolean {
  if (then.role !== now.role || nameOf(then) !== nameOf(now)) return false;
  if (then.item === null && now.item === null) return isSamePart(then, now);
  return matchChain(then, now) === 'same';
}

/** The same place: what {@link isSame} compares but role and name. */
export function isSamePlace(then: Identity, now: Identity): boolean {
  const match = matchChain(then, now);
  return match === 'unknown' ? isSamePart(then, now) : match === 'same';
}

/**
 * Compares the row of an element. If that decides nothing, compares the rows around it, from the inside out.
 */
function matchChain(then: Identity, now: Identity): Match {
  const [before, after] = [itemsAround(then), itemsAround(now)];
  const isWhole = then.recording.isWhole && now.recording.isWhole;
  // A walk of a part sees fewer rows around it.
  const levels = isWhole ? Math.max(before.length, after.length) : Math.min(before.length, after.length);
  // An item without others of its kind is not recognised as a row.
  for (let level = 0; level < Math.max(levels, Math.min(1, before.length + after.length)); level += 1) {
    const [was, is] = [before[level] ?? partOf(then), after[level] ?? partOf(now)];
    const compare = was.list.items.length < 2 ? matchAlone : matchRows;
    const match = compare(was, is, then, now);
    if (match === 'same') return isSameAround(level, then, now) ? 'same' : 'other';
    if (match === 'other') return match;
  }
  return 'unknown';
}

/** The part of the page around an element as if it were the only row of a list. */
function partOf({ recording, partFrom, to }: Identity): Item {
  const list: List = { items: [], from: partFrom };
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

type Match = 'same' | 'other' | 'unknown';

/**
 * Without other rows, the key of a row cannot be distinguished from its changing texts: the texts before the
 * element have to stay.
 */
function matchAlone(before: Item, after: Item, then: Identity, now: Identity): Match {
  const [was, is] = [beforeIn(before.from, then), beforeIn(after.from, now)];
  if (was === null || is === null || !agree(was, is)) return 'other';
  if (was.length > 0 && is.length > 0) return 'same';
  return 'unknown';
}

/** Compares the texts that no other row of their list has: the first of them is the key of a row. */
function matchRows(before: Item, after: Item, then: Identity, now: Identity): Match {
  const was = textsOf(before, then);
  const is = textsOf(after, now);
  const [elsewhere, elsewhereNow] = [countElsewhere(before, then), countElsewhere(after, now)];
  const own = new Set(is);
  const counted = isOrdinal(was[0], before, then) ? was.slice(1) : was;
  const keys = counted.filter((text) => !VOLATILE.test(text) && elsewhere(text) === 0);
  const key = keys.find((text) => !own.has(text) || elsewhereNow(text) === 0);
  if (key === undefined) {
    // Rows with equal texts cannot be told apart by them; the rows around them may decide.
    return agree(was, is) ? 'unknown' : 'other';
  }
  if (!own.has(key)) return 'other';
  return keys.filter((text) => own.has(text)).length * 2 >= keys.length ? 'same' : 'other';
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

/** For elements outside of rows: compares the texts before the element in its part of the page. */
function isSamePart(then: Identity, now: Identity): boolean {
  const [was, is] = [beforeIn(partStart(then), then), beforeIn(partStart(now), now)];
  // Many texts before it do not describe it.
  if (was !== null && is !== null && !agree(was, is)) return false;
  return saidBefore(then, partStart(then)) === saidBefore(now, partStart(now));
}

/** Texts before a row do not describe what is in the row. */
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

/**
 * Whether a text belongs to another control, or to a link next to a link: it does not describe the element.
 */
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
