import { squash } from '../dom.ts';
import type { Identity, Item } from './recording.ts';
import { MOST_TEXTS, VOLATILE, isAround, isNaming, itemsAround, textsOf, without } from './row-texts.ts';

/** On each side of a row, how many rows it is compared with to find the texts that only it has. */
const NEAR = 4;

/** Rows with equal texts differ if what contains them differs: a meeting of this day, and one of the next. */
export function isSameAround(level: number, then: Identity, now: Identity): boolean {
  // A walk of a part does not see what is around it.
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

/** Whether a title is still on the page, and no other title has taken its place. */
const isStill = (title: string | null, instead: string | null, { recording }: Identity): boolean =>
  title === null || (instead === null && recording.texts.some((text) => without(squash(text)) === title));

/** Whether a title is the last text before an element that is in no list, apart from the texts of its row. */
function isSaidBefore(title: string | null, self: Identity, row: Item | undefined, inRow: Identity): boolean {
  return saidBefore(self, self.from, row === undefined ? [] : textsOf(row, inRow, 'all')) === title;
}

/**
 * The last text before a place, unless it is in another row or in a control. Texts that are ignored are
 * passed over. Null without one.
 */
export function saidBefore(
  { recording, item }: Identity,
  place: number,
  ignored: readonly string[] = [],
): string | null {
  for (let at = place - 1; at >= Math.max(0, place - MOST_TEXTS); at -= 1) {
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

/**
 * The titles around the row of an element: the text before its list, and that of the row which contains the
 * list.
 */
export const titlesAround = (identity: Identity): readonly string[] =>
  [listTitleOf(identity.item ?? undefined), titleOf(itemsAround(identity).slice(1), identity)].filter(
    (title) => title !== null,
  );

/** The first text of a row that the rows next to it do not have. */
function titleOf(items: readonly Item[], self: Identity): string | null {
  for (const item of items) {
    const near = neighboursOf(item).flatMap((other) => textsOf(other, self, 'own'));
    const title = textsOf(item, self, 'own').find((text) => isTitle(text) && !near.includes(text));
    if (title !== undefined) return title;
  }
  return null;
}

function neighboursOf(item: Item): readonly Item[] {
  const { items } = item.list;
  const at = items.indexOf(item);
  return [...items.slice(Math.max(0, at - NEAR), at), ...items.slice(at + 1, at + 1 + NEAR)];
}
