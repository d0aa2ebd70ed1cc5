import {
  addTo,
  allIn,
  attrOf,
  childCount,
  childrenOf,
  closestOf,
  firstIn,
  holds,
  isMatch,
  parentOf,
  tagOf,
  textIn,
  wordSet,
} from '../../dom/elements.ts';
import { SAID } from './looks.ts';
import { HEADING } from './match.ts';
import type { Root } from './view.ts';
import type { Skip } from './pairs.ts';

/** How often each kind of element occurs below an element. */
type Shape = ReadonlyMap<string, number>;

/**
 * Similarity of two shapes, 0 to 1 (Sørensen–Dice over multisets): twice the common elements over all elements.
 * Symmetric; 1 exactly for equal shapes.
 */
export function similarity(a: Shape, b: Shape): number {
  let common = 0;
  for (const [kind, count] of a) common += Math.min(count, b.get(kind) ?? 0);
  const all = countShape(a) + countShape(b);
  return all === 0 ? 1 : (2 * common) / all;
}

const countShape = (shape: Shape): number => [...shape.values()].reduce((sum, count) => sum + count, 0);

/** From here on, two shapes are of one kind. */
const ALIKE = 0.55;

/**
 * Groups elements by similarity to the first of each group, in order: anything between them (an advertisement, a heading)
 * becomes a group of its own and splits no other.
 */
function groupAlike(elements: readonly Element[]): Element[][] {
  const groups: { readonly shape: Shape; readonly members: Element[] }[] = [];
  for (const el of elements) {
    const shape = shapeOf(el);
    let best: Element[] | null = null;
    let most = ALIKE;
    for (const group of groups.slice(0, MAX_GROUPS)) {
      const alike = similarity(group.shape, shape);
      if (alike < most) continue;
      [best, most] = [group.members, alike];
      if (alike === 1) break;
    }
    if (best === null) groups.push({ shape, members: [el] });
    else best.push(el);
  }
  return groups.map(({ members }) => members);
}

/** Siblings of more kinds are not a list. */
const MAX_GROUPS = 24;

/** Repeated elements: cards, results, list items. */
export interface RepeatedGroup {
  readonly members: readonly Element[];
  /** The page's elements that each member copies, where a record spans several siblings. */
  readonly origins?: ReadonlyMap<Element, readonly Element[]>;
}

const FEWEST = 2;
const SHAPE_DEPTH = 4;
/** A larger element is compared by its first elements. */
const SHAPE_SIZE = 160;
const UNLISTED = wordSet(
  'script style template noscript link meta br hr option td th tr thead tbody tfoot col colgroup dt dd head title base source track param area svg path g use wbr',
);
/** Readable parts of class names, without generated ones. */
const STABLE_CLASS = /^[A-Za-z][A-Za-z]*(?:[-_]{1,2}[A-Za-z]+)*$/;

export const stableClasses = (el: Element): string[] =>
  [...el.classList].filter((name) => STABLE_CLASS.test(name)).slice(0, 6);

/** Every group of similar siblings, outer ones first. */
export function findGroups(scope: Root | Element): RepeatedGroup[] {
  const lists: Element[][] = [];
  for (const parent of [scope, ...allIn(scope, '*')]) {
    if (childCount(parent) < FEWEST) continue;
    const children = childrenOf(parent).filter(mayRepeat);
    if (children.length < FEWEST) continue;
    for (const members of groupAlike(children))
      if (members.length >= FEWEST && !areCopies(members)) lists.push(members);
  }
  return mergeAlike(lists).map((group) => withSingles(group, scope));
}

const LISTS = 'ul,ol,[role="list"],[role="feed"]';
const CARDS = 'article,[role="article"],[role="listitem"]';

/** A list's only card: the one result of a search, the one item of an order. */
export function findSingles(scope: Root | Element): RepeatedGroup[] {
  return allIn(scope, '*')
    .filter((el) => parentOf(el)?.childElementCount === 1 && mayRepeat(el) && isCardOf(parentOf(el), el))
    .map((el) => ({ members: [el] }));
}

/** A list is recognised by its element, its role, or a class derived from its card's: `jobs`, `job-list`. */
function isCardOf(list: Element | null, el: Element): boolean {
  if (list === null || firstIn(el, 'h1') !== null) return false;
  const named = stableClasses(list);
  return (
    isMatch(list, LISTS) ||
    isMatch(el, CARDS) ||
    isHeadedByLink(el) ||
    stableClasses(el).some((own) => named.some((name) => name !== own && name.startsWith(own)))
  );
}

/** One heading, and it leads to the item. */
const isHeadedByLink = (el: Element): boolean =>
  allIn(el, HEADING).length === 1 && firstIn(el, 'h2 a,h3 a,h4 a,a h2,a h3,a h4') !== null;

function areCopies([first, second, third]: readonly Element[]): boolean {
  if (first === undefined || second === undefined || third !== undefined) return false;
  const [text, link] = [textIn(first), firstLink(first)];
  return text.length > 20 && (text === textIn(second) || (link !== null && link === firstLink(second)));
}

const firstLink = (el: Element): string | null => attrOf(firstIn(el, 'a[href]'), 'href');

/** An empty element is not a record, and rows under headers are read as a table. */
function mayRepeat(el: Element): boolean {
  if (tagOf(el) === 'tr') return closestOf(el, 'table')?.querySelector('th') === null;
  if (UNLISTED.has(tagOf(el))) return false;
  return childCount(el) > 0 || textIn(el) !== '';
}

/** Tag paths below an element, with the classes of the element itself. */
export function shapeOf(el: Element): Shape {
  const shape = new Map<string, number>();
  const add = (kind: string): void => void shape.set(kind, (shape.get(kind) ?? 0) + 1);
  add(tagOf(el));
  for (const name of stableClasses(el)) add(`.${name}`);
  let left = SHAPE_SIZE;
  const visit = (at: Element, path: string, depth: number): void => {
    const seen = new Set<string>();
    for (const child of childrenOf(at)) {
      if ((left -= 1) < 0) return;
      const kind = `${path}>${child.localName}`;
      // Two of a kind are enough: a card with twenty tags is like one with three.
      if (seen.has(kind) && seen.has(`${kind}+`)) continue;
      seen.add(seen.has(kind) ? `${kind}+` : kind);
      add(kind);
      if (depth < SHAPE_DEPTH) visit(child, kind, depth + 1);
    }
  };
  visit(el, '', 1);
  return shape;
}

/** The tag and the classes shared by all members; null if there are none. */
function sharedClassKey(members: readonly Element[]): string | null {
  const [first, ...rest] = members;
  if (first === undefined) return null;
  const shared = stableClasses(first).filter((name) => rest.every((el) => el.classList.contains(name)));
  return shared.length === 0 ? null : `${first.localName}.${shared.sort().join('.')}`;
}

/** Cards in several rows or sections are one list. */
function mergeAlike(lists: readonly Element[][]): Merging[] {
  const merged: Merging[] = [];
  const byKey = new Map<string | null, Merging[]>();
  for (const members of lists) {
    const key = sharedClassKey(members);
    const known = key === null ? undefined : byKey.get(key)?.find((other) => isOfKind(members, other));
    if (known !== undefined) {
      known.members = [...known.members, ...members];
      continue;
    }
    const group = { key, members };
    addTo(byKey, key, group);
    merged.push(group);
  }
  return merged;
}

interface Merging {
  /** Groups with the same key elsewhere are the same list. */
  readonly key: string | null;
  members: readonly Element[];
}

const isOfKind = ([a]: readonly Element[], { members: [b] }: Merging): boolean =>
  a !== undefined && b !== undefined && haveAlikeCores(a, b);

/** Cells of one grid may contain different things: `li.cell > article.event` and `li.cell > article.news`. */
function haveAlikeCores(a: Element, b: Element): boolean {
  const [own, other] = [coreClasses(a), coreClasses(b)];
  return own.length === 0 || other.length === 0 || own.some((name) => other.includes(name));
}

function coreClasses(el: Element): string[] {
  const only = childCount(el) === 1 ? el.firstElementChild : null;
  if (only === null) return [];
  const classes = stableClasses(only);
  return classes.length > 0 ? classes : coreClasses(only);
}

/** A single card in the last row has no sibling to compare with: its class finds it. */
function withSingles({ key, members }: Merging, scope: Root | Element): RepeatedGroup {
  const [first] = members;
  if (key === null || first === undefined) return { members };
  const known = new Set(members);
  const depth = depthOf(first);
  const isKind = (el: Element): boolean => depthOf(el) === depth && haveAlikeCores(el, first);
  return { members: allIn(scope, key).filter((el) => known.has(el) || isKind(el)) };
}

function depthOf(el: Element): number {
  let depth = 0;
  for (let at = parentOf(el); at !== null; at = parentOf(at)) depth += 1;
  return depth;
}

/** Parts of a page about other things: navigation, related articles and products. */
export const ASIDE =
  'nav,header,footer,aside,[role="navigation"],[role="contentinfo"],[role="complementary"]';
const OFF_SUBJECT = `${ASIDE},[role="banner"],form[role="search"],[class*="breadcrumb" i],[class*="related" i],[class*="similar" i],[class*="recommend" i]`;

const MAIN = 'main,article,[role="main"]';

/** The heading that names the subject of a part of a page: its first `h1`, except one in a header around a logo. */
export function subjectOf(scope: Root | Element): Element | null {
  const all = allIn(scope, 'h1').filter(
    (el) => textIn(el) !== '' && closestOf(el, 'nav,footer,aside') === null,
  );
  const inMain = all.filter((el) => closestOf(el, MAIN) !== null);
  const notLogo = all.filter((el) => closestOf(el, 'header')?.querySelector('nav') == null);
  return inMain[0] ?? notLogo[0] ?? null;
}

/** Returns a test for elements that belong to something other than the subject. */
export function isOffSubject(scope: Root | Element): Skip {
  const subject = subjectOf(scope);
  const others = new Set<Element>();
  for (const { members } of findGroups(scope)) {
    if (members.some((el) => subject !== null && holds(el, subject))) continue;
    const items = members.filter(isOtherItem);
    if (items.length > 1 && items.length * 2 > members.length) for (const el of items) others.add(el);
  }
  return (el) => {
    const part = closestOf(el, OFF_SUBJECT);
    if (
      part !== null &&
      (!('localName' in scope) || holds(scope, part)) &&
      !isNextToPageFacts(part, subject) &&
      (subject === null || !holds(part, subject))
    )
      return true;
    if (others.size === 0) return false;
    for (let at: Element | null = el; at !== null && at !== scope; at = parentOf(at))
      if (others.has(at)) return true;
    return false;
  };
}

/** A side column of the subject's article with more text than links. */
function isNextToPageFacts(part: Element, subject: Element | null): boolean {
  if (tagOf(part) !== 'aside' || subject === null) return false;
  if (closestOf(part, MAIN)?.contains(subject) !== true) return false;
  const links = allIn(part, 'a[href]').reduce((sum, a) => sum + textIn(a).length, 0);
  return links * 2 < textIn(part).length;
}

/** A separate card: it has a link, and a heading or price. */
function isOtherItem(el: Element): boolean {
  if (tagOf(el) !== 'a' && firstIn(el, 'a[href]') === null) return false;
  if (firstIn(el, 'h2 a,h3 a,h4 a,a h2,a h3,a h4') !== null) return true;
  return SAID.test((el.textContent ?? '').slice(0, 400));
}
