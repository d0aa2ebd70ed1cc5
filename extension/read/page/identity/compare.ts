import { squash } from '../../../dom/elements.ts';
import type { Identity, Item, List, Recording } from '../../../dom/identity/recording.ts';
import {
  VOLATILE,
  isAround,
  isNaming,
  itemsAround,
  identityName,
  countElsewhere,
  textsOf,
  without,
  isSameAround,
  says,
  saidBefore,
} from './row-texts.ts';

/** More texts before an element are content of their own, not its description. */
const MAX_BEFORE = 8;

/** A number that may be a count, not part of an identifier such as an order number. */
const SHORT_NUMBER = /(?<![\d#.,-])\d{1,3}(?![\d.,-]*\d)/g;
/** The texts of an element's row, for messages. */
export function rowOf(identity: Identity): string {
  return identity.item === null ? '' : squash(textsOf(identity.item, identity).join(' '));
}

/**
 * Whether the element is still the one that was shown. Compares role, name, and the key of its row or the texts before
 * it in its part of the page.
 */
export function isSameIdentity(then: Identity, now: Identity): boolean {
  return isCalledSame(then, now) && isSamePlace(then, now);
}

/** As {@link isSameIdentity}, but only by the element's own row: false if the rest of the page has to decide. */
export function isSurelySame(then: Identity, now: Identity): boolean {
  if (!isCalledSame(then, now)) return false;
  if (then.item === null && now.item === null) return isSamePart(then, now) && isAfterSame(then, now);
  return matchChain(then, now) === 'same';
}

/** Whether two elements have the same role and name. */
export const isCalledSame = (then: Identity, now: Identity): boolean =>
  then.role === now.role && identityName(then) === identityName(now);

/** {@link isSameIdentity} without role and name. */
export function isSamePlace(then: Identity, now: Identity): boolean {
  const match = matchChain(then, now);
  if (match !== 'unknown') return match === 'same';
  // A walk of a part does not see what is before it.
  return (
    isSamePart(then, now) && (!then.recording.isWhole || isAfterSame(then, now) || isAfterNew(then, now))
  );
}

/** Compares the row of an element and, if that decides nothing, the rows around it, innermost first. */
function matchChain(then: Identity, now: Identity): Match {
  const [before, after] = [itemsAround(then), itemsAround(now)];
  const isWhole = then.recording.isWhole && now.recording.isWhole;
  // A walk of a part sees fewer rows around it.
  const levels = isWhole ? Math.max(before.length, after.length) : Math.min(before.length, after.length);
  // An item without others of its kind is not recognised as a row.
  for (let level = 0; level < Math.max(levels, Math.min(1, before.length + after.length)); level += 1) {
    const [was, is] = [before[level] ?? findItem(then), after[level] ?? findItem(now)];
    const compare = was.list.items.length < 2 ? matchAlone : matchRows;
    const match = compare(was, is, then, now);
    if (match === 'same') return isSameAround(level, then, now) ? 'same' : 'other';
    if (match === 'other') return match;
  }
  return 'unknown';
}

/** Treats the part of the page around an element as the only row of a list. */
function findItem({ recording, partFrom, to }: Identity): Item {
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

/** Whether two names differ only in counts. */
export function differsInCount(then: string, now: string): boolean {
  const bare = (name: string): string => without(name).replace(SHORT_NUMBER, '#');
  return then !== now && bare(then) === bare(now) && bare(now) !== '#';
}

type Match = 'same' | 'other' | 'unknown';

/**
 * Without other rows, a row's key cannot be distinguished from its changing texts: the texts before the element must stay the
 * same.
 */
function matchAlone(before: Item, after: Item, then: Identity, now: Identity): Match {
  const [was, is] = [beforeIn(before.from, then), beforeIn(after.from, now)];
  // Many texts before it do not describe it.
  if (was === null && is === null) return 'unknown';
  if (was === null || is === null || !agree(was, is)) return 'other';
  if (was.length > 0 && is.length > 0) return 'same';
  return 'unknown';
}

/** Compares the texts that no other row of their list has: the first of them is the row's key. */
function matchRows(before: Item, after: Item, then: Identity, now: Identity): Match {
  const was = textsOf(before, then);
  const is = textsOf(after, now);
  const [elsewhere, elsewhereNow] = [countElsewhere(before, then), countElsewhere(after, now)];
  const own = new Set(is);
  const counted = isOrdinal(was[0], before, then) ? was.slice(1) : was;
  const keys = counted.filter((text) => !VOLATILE.test(text) && elsewhere(text) === 0);
  const key = keys.find((text) => !own.has(text) || elsewhereNow(text) === 0);
  if (key === undefined) {
    // Rows with equal texts differ only by the rows around them.
    return agree(was, is) ? 'unknown' : 'other';
  }
  if (!own.has(key)) return 'other';
  return keys.filter((text) => own.has(text)).length * 2 >= keys.length ? 'same' : 'other';
}

/** Whether rows begin with an ordinal. */
function isOrdinal(text: string | undefined, item: Item, self: Identity): boolean {
  if (text === undefined || !/^\d{1,4}[.)]?$/.test(text)) return false;
  const { items } = item.list;
  const at = items.indexOf(item);
  const neighbour = items[at + 1] ?? items[at - 1];
  if (neighbour === undefined) return false;
  const step = items[at + 1] === undefined ? -1 : 1;
  return Number.parseInt(textsOf(neighbour, self)[0] ?? '', 10) === Number.parseInt(text, 10) + step;
}

/** For elements outside rows: compares the texts before the element in its part of the page. */
function isSamePart(then: Identity, now: Identity): boolean {
  const [was, is] = [beforeIn(partStart(then), then), beforeIn(partStart(now), now)];
  return was === null || is === null || agree(was, is);
}

/** Whether the same text is before the part of the page around an element. */
const isAfterSame = (then: Identity, now: Identity): boolean =>
  saidBefore(then, partStart(then)) === saidBefore(now, partStart(now));

/** Whether the page only added a text there, such as the label of a field that another one asks for. */
function isAfterNew(then: Identity, now: Identity): boolean {
  const [was, is] = [saidBefore(then, partStart(then)), saidBefore(now, partStart(now))];
  if (was === null || is === null || says(then.recording, is)) return false;
  return says(now.recording, was, partStart(now));
}

/** Texts before a row do not describe its contents. */
const partStart = ({ partFrom, item }: Identity): number => Math.max(partFrom, item?.from ?? 0);

/** The naming texts before an element; null if there are too many to describe it. */
function beforeIn(start: number, { recording, role, item, from }: Identity): string[] | null {
  const texts: string[] = [];
  for (let at = start; at < from; at += 1) {
    if (isApart(recording, at, role) || !isAround(recording.itemOf(at), item)) continue;
    const text = without(squash(recording.texts[at] ?? ''));
    if (isNaming(text)) texts.push(text);
    if (texts.length > MAX_BEFORE) return null;
  }
  return texts;
}

/** Text of another control, or of a link next to a link, does not describe the element. */
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
