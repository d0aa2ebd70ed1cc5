import { squash } from '../dom.ts';
import type { Identity, Item, List, Recording } from './recording.ts';
import {
  MOST_TEXTS,
  VOLATILE,
  isAround,
  isNaming,
  alikeOf,
  itemsAround,
  nameOf,
  rowTexts,
  textsOf,
  without,
  type RowTexts,
  type TextKind,
  isSameAround,
  saidBefore,
} from './row-texts.ts';

/** An element may be described by this many texts before it. More of them are content of their own. */
const MOST_BEFORE = 8;
/** With fewer rows, different names may be states of the same control, such as Start and Stop. */
const MIN_NAMED = 3;

/** A number that may be a count, and is not part of an identifier such as an order number. */
const SHORT_NUMBER = /(?<![\d#.,-])\d{1,3}(?![\d.,-]*\d)/g;
/**
 * The heading before an element, without its counts. Headings in rows that do not contain the element are
 * skipped.
 */
function headingOf({ recording, heading, item }: Identity): string {
  let at = heading;
  const itemOf = (index: number): Item | null => recording.itemOf(recording.headings[index]?.from ?? -1);
  while (at >= 0 && !isAround(itemOf(at), item)) at -= 1;
  const range = recording.headings[at];
  const text =
    range === undefined ? recording.context.heading : recording.texts.slice(range.from, range.to).join(' ');
  return without(squash(text));
}

/** The texts of the row that an element is in, for messages. */
export function rowOf(identity: Identity): string {
  return identity.item === null ? '' : squash(textsOf(identity.item, identity, 'all').join(' '));
}

/**
 * Whether an element that is shown now is the one that was shown before. Compares role, name, heading and
 * landmark, and the texts of the row, card or part of the page around it.
 */
export function isSame(then: Identity, now: Identity): boolean {
  return then.role === now.role && nameOf(then) === nameOf(now) && isSamePlace(then, now);
}

/**
 * As {@link isSame}, judged by the row of the element alone: false if only the rest of the page could decide.
 */
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
    const match = matchItems(before[level] ?? partOf(then), after[level] ?? partOf(now), then, now);
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

function matchItems(before: Item, after: Item, then: Identity, now: Identity): Match {
  if (before.list.items.length < 2) return matchAlone(before, after, then, now);
  const match = matchRows(before, after, { then, now, kind: 'all' });
  if (match !== 'other') return match;
  if (matchRows(before, after, { then, now, kind: 'own' }) === 'same') return 'same';
  return isNamedRow(before, after, then, now) ? 'same' : 'other';
}

/**
 * Without other rows, the key of a row cannot be distinguished from its changing texts: the texts before the
 * element have to stay.
 */
function matchAlone(before: Item, after: Item, then: Identity, now: Identity): Match {
  const [was, is] = [beforeIn(before.from, then), beforeIn(after.from, now)];
  if (was === null || is === null || !agree(was, is)) return 'other';
  if (was.length > 0 && is.length > 0) return 'same';
  const [whole, wholeNow] = [namesIn(before, then), namesIn(after, now)];
  if (whole.length === 0 && wholeNow.length === 0) return 'unknown';
  return whole.length > 0 && wholeNow.length > 0 && agree(whole, wholeNow) ? 'same' : 'other';
}

/** Which texts of a row are compared, of how it was and how it is. */
interface Rows {
  readonly then: Identity;
  readonly now: Identity;
  readonly kind: TextKind;
}

function matchRows(before: Item, after: Item, { then, now, kind }: Rows): Match {
  const was = textsOf(before, then, kind);
  const is = textsOf(after, now, kind);
  const [others, neighbours] = [rowTexts(before, then, kind), rowTexts(after, now, kind)];
  const own = new Set(is);
  const counted = isOrdinal(was[0], before, then) ? was.slice(1) : was;
  const keys = counted.filter((text) => !VOLATILE.test(text) && others.countElsewhere(text) === 0);
  const key = keys.find((text) => !own.has(text) || neighbours.countElsewhere(text) === 0);
  if (key === undefined) {
    // Rows with equal texts cannot be told apart by them; the rows around them may decide.
    return agree(was, is) ? 'unknown' : 'other';
  }
  if (!own.has(key)) return 'other';
  const stays = keys.filter((text) => own.has(text));
  return !isMoved(keys, own, neighbours) && stays.length * 2 >= keys.length ? 'same' : 'other';
}

/** Whether a text that only this row had is now in another row. */
const isMoved = (keys: readonly string[], own: ReadonlySet<string>, neighbours: RowTexts): boolean =>
  keys.some((text) => isNaming(text) && !own.has(text) && neighbours.countElsewhere(text) === 1);

/**
 * Whether the name of the element itself says which row it is in, whatever else changed there: each row has a
 * control of this kind with a name of its own.
 */
function isNamedRow(before: Item, after: Item, then: Identity, now: Identity): boolean {
  // A walk of a part does not see what other rows say now.
  if (!now.recording.isWhole || before.list.items.length < MIN_NAMED || !isNaming(nameOf(then))) return false;
  if (!hasOwnNames(before, then) || !hasOwnNames(after, now)) return false;
  const others = rowTexts(before, then, 'all');
  const keys = textsOf(before, then, 'all').filter(
    (text) => !VOLATILE.test(text) && others.countElsewhere(text) === 0,
  );
  return !isMoved(keys, new Set(textsOf(after, now, 'all')), rowTexts(after, now, 'all'));
}

function hasOwnNames({ list, recording }: Item, self: Identity): boolean {
  const rows = new Map<Item, Set<string>>(list.items.map((item) => [item, new Set()]));
  const counts = new Map<string, number>();
  for (const identity of recording.identities) {
    if (identity.role !== self.role) continue;
    const row = itemsAround(identity).find((item) => rows.has(item));
    if (row === undefined) continue;
    const name = nameOf(identity);
    rows.get(row)?.add(name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isOwn = (name: string): boolean => counts.get(name) === 1;
  return isOwn(nameOf(self)) && [...rows.values()].every((names) => [...names].some(isOwn));
}

/** Whether the first texts of the rows only count them. */
function isOrdinal(text: string | undefined, item: Item, self: Identity): boolean {
  if (text === undefined || !/^\d{1,4}[.)]?$/.test(text)) return false;
  const { items } = item.list;
  const at = items.indexOf(item);
  const neighbour = items[at + 1] ?? items[at - 1];
  if (neighbour === undefined) return false;
  const step = items[at + 1] === undefined ? -1 : 1;
  return Number.parseInt(textsOf(neighbour, self, 'all')[0] ?? '', 10) === Number.parseInt(text, 10) + step;
}

/** For elements outside of rows: compares the texts before the element in its part of the page. */
function isSamePart(then: Identity, now: Identity): boolean {
  const [was, is] = [beforeIn(partStart(then), then), beforeIn(partStart(now), now)];
  // Many texts before it do not describe it.
  if (was !== null && is !== null && !agree(was, is)) return false;
  if (isToldApart(then, was) && isToldApart(now, is)) return true;
  return saidBefore(then, partStart(then)) === saidBefore(now, partStart(now));
}

/**
 * Whether the heading in its part of the page, or the texts there, distinguish an element from others like
 * it.
 */
function isToldApart(self: Identity, texts: readonly string[] | null): boolean {
  if ((self.recording.headings[self.heading]?.from ?? -1) >= self.partFrom) return true;
  const others = alikeOf(self, (other) => JSON.stringify(beforeIn(partStart(other), other)));
  const count = others.get(JSON.stringify(texts));
  return count === 1 && (others.size === 1 || (texts !== null && texts.length > 0));
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
