import { computeName } from '../../../dom/names/name.ts';
import { roleOf } from '../../../dom/names/role.ts';
import { countBefore, lookUp, valueIn } from '../../../dom/elements.ts';
import { parentAcross } from '../../../dom/trees.ts';
import type { DocumentTrees } from '../../../dom/trees.ts';
import { isShown, shownTextIn } from '../../../dom/visible.ts';
import {
  Contexts,
  HEADINGS,
  rankOf,
  actionableIn,
  groupsIn,
  isActionable,
  isGroup,
  raise,
  targetOf,
} from './contexts.ts';
import { fold, splitFolded, FIT, WordPlaces, type Fits, type FoundWords } from './words.ts';

/** Up to this many places are all examined. */
const FEW = 2_000;
/** Rows, items and sections around a rare word. */
const MAX_AROUND = 3;

type Range = readonly [number, number];

/**
 * With very many places, keeps those near the rarest word of the query, in its rows and sections or below its headings.
 * For a query of common words, keeps the first places, controls before text.
 */
function narrow(
  places: WordPlaces,
  words: number,
  headings: readonly Element[],
): ReadonlyMap<Element, FoundWords> {
  const { found } = places;
  if (found.size <= FEW) return found;
  const counts = Array.from({ length: words }, () => 0);
  for (const { fits } of found.values())
    for (const [index, fit] of fits.entries()) if (fit > 0) counts[index] = (counts[index] ?? 0) + 1;
  const fewest = Math.min(...counts.filter((count) => count > 0));
  const rarest = counts.indexOf(fewest);
  if (fewest > FEW)
    return new Map([...found].toSorted(([a], [b]) => weightOf(b) - weightOf(a)).slice(0, FEW));
  const ranges: Range[] = [];
  const holders = new Set<Element>();
  for (const [el, { fits, at }] of found) {
    if ((fits[rarest] ?? 0) === 0) continue;
    ranges.push([at, at + 1], ...groupsAround(el, places));
    holders.add(el);
  }
  ranges.push(...below(headings, holders, places));
  const within = covered(ranges);
  return new Map([...found].filter(([, { at }]) => within(at)).slice(0, FEW * 2));
}

const CONTROLS = new Set(['a', 'button', 'label', 'option', 'summary']);
const weightOf = (el: Element): number =>
  CONTROLS.has(el.localName) || isActionable(el) ? 2 : /^h[1-6]$/.test(el.localName) ? 1 : 0;

function groupsAround(el: Element, places: WordPlaces): Range[] {
  const ranges: Range[] = [];
  for (let up: Element | null = el; up !== null && ranges.length < MAX_AROUND; up = parentAcross(up))
    if (isGroup(up)) ranges.push(places.placeOf(up));
  return ranges;
}

/** From each heading with the word to the next one of the same or a higher rank. */
function below(headings: readonly Element[], holders: ReadonlySet<Element>, places: WordPlaces): Range[] {
  return headings.flatMap((heading, index) => {
    if (
      !holders.has(heading) &&
      !(heading.childElementCount > 0 && [...holders].some((el) => heading.contains(el)))
    )
      return [];
    const next = headings.slice(index + 1).find((other) => rankOf(other) <= rankOf(heading));
    return [[places.placeOf(heading)[0], next === undefined ? Infinity : places.placeOf(next)[0]]];
  });
}

function covered(ranges: readonly Range[]): (at: number) => boolean {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return (at) => {
    const before = countBefore(merged.length, (index) => (merged[index]?.[0] ?? 0) <= at);
    return at < (merged[before - 1]?.[1] ?? -1);
  };
}

const MAX_WORDS = 12;
/** Candidates whose names are computed, most promising first. */
const MAX_NAMED = 60;
/** Candidates whose surroundings are examined. */
const MAX_PLACED = 1_000;

const FIELDS = 'textbox searchbox combobox spinbutton password date time datetime month week file';
/** Words for kinds of elements, and their roles. */
const KINDS: Readonly<Record<string, string>> = {
  button: 'button summary',
  link: 'link',
  field: FIELDS,
  input: FIELDS,
  textbox: 'textbox searchbox',
  box: 'textbox searchbox checkbox combobox',
  checkbox: 'checkbox switch',
  dropdown: 'combobox listbox',
  select: 'combobox listbox',
  combobox: 'combobox',
  radio: 'radio',
  tab: 'tab',
  menu: 'menuitem button',
  heading: 'heading',
  title: 'heading',
  image: 'img',
  picture: 'img',
};
const IGNORED = new Set(['the', 'a', 'an', 'of', 'in', 'to', 'for', 'on', 'with', 'and']);

/** A candidate, and how well it fits. */
interface Ranked {
  readonly el: Element;
  readonly score: number;
}

export interface Ranking {
  readonly hits: readonly Ranked[];
  readonly nearest: readonly Ranked[];
  /** Everything was examined. */
  readonly isWhole: boolean;
}

interface Query {
  readonly text: string;
  readonly words: readonly string[];
  readonly roles: ReadonlySet<string>;
}

function parseQuery(query: string): Query {
  const all = splitFolded(fold(query));
  const meant = all.filter((word) => !IGNORED.has(word) && !Object.hasOwn(KINDS, word));
  const words = meant.length > 0 ? meant : all;
  const roles = all
    .filter((word) => !words.includes(word))
    .flatMap((word) => lookUp(KINDS, word)?.split(' ') ?? []);
  return { text: all.join(' '), words: [...new Set(words)].slice(0, MAX_WORDS), roles: new Set(roles) };
}

/** Elements that fit the words, best first: by their names and their surroundings. */
export function rank(documents: readonly DocumentTrees[], query: string): Ranking {
  const parsed = parseQuery(query);
  if (parsed.words.length === 0) return { hits: [], nearest: [], isWhole: true };
  const rankings = documents.map((each) => rankIn(each, parsed));
  const best = (list: 'hits' | 'nearest'): Ranked[] =>
    rankings.flatMap((ranking) => ranking[list]).toSorted((a, b) => b.score - a.score);
  return { hits: best('hits'), nearest: best('nearest'), isWhole: rankings.every(({ isWhole }) => isWhole) };
}

interface Candidate extends FoundWords {
  readonly el: Element;
  readonly promise: number;
}

const isFull = (fits: Fits): boolean => fits.every((fit) => fit > 0);

function rankIn(trees: DocumentTrees, query: Query): Ranking {
  const headings = trees.all(HEADINGS);
  const places = new WordPlaces(trees, query.words, [...headings, ...groupsIn(trees)]);
  const found = narrow(places, query.words.length, headings);
  const promising = candidatesOf(found).toSorted((a, b) => b.promise - a.promise || a.at - b.at);
  const full = promising.filter(({ fits }) => isFull(fits));
  const partial = promising.filter(({ fits }) => !isFull(fits)).slice(0, MAX_PLACED);
  const contexts = query.words.length > 1 ? new Contexts(places, found, headings) : null;
  const scored = (each: Candidate, at: number): Ranked => ({
    el: each.el,
    score: score(each, query, at < MAX_NAMED),
  });
  const hits = full.map(scored);
  const nearest: Ranked[] = [];
  for (const [at, each] of partial.entries()) {
    const around = contexts?.around(each.el, each) ?? [];
    const isHit =
      isActionable(each.el) && each.fits.every((fit, index) => fit > 0 || (around[index] ?? 0) > 0);
    if (isHit) hits.push(scored(each, at));
    else nearest.push({ el: each.el, score: each.promise });
  }
  hits.push(...inGroups(contexts, new Set(hits.map(({ el }) => el)), query));
  return { hits, nearest, isWhole: found === places.found };
}

function candidatesOf(found: ReadonlyMap<Element, FoundWords>): Candidate[] {
  const own = new Map<Element, FoundWords>();
  for (const [el, { fits, at }] of found) {
    raise(valueIn(own, targetOf(el), () => ({ fits: [...fits], at })).fits, fits);
  }
  return [...own].map(([el, { fits, at }]) => ({ el, fits, at, promise: promiseOf(el, fits) }));
}

const sum = (fits: Fits): number => fits.reduce((total, fit) => total + fit, 0);

const promiseOf = (el: Element, fits: Fits): number =>
  fits.filter((fit) => fit > 0).length * 100 + sum(fits) * 5 + (isActionable(el) ? 20 : 0);

/** An exact name before a beginning, before words, before words around it; controls before text. */
function score({ el, fits }: Candidate, { text, words, roles }: Query, isNamed: boolean): number {
  const own = fits.filter((fit) => fit > 0).length;
  let total = own === words.length ? 600 : 300 + (100 * own) / words.length;
  total += (sum(fits) / (words.length * FIT.whole)) * 60;
  if (isActionable(el)) total += 50;
  if (!isNamed) return total - 40;
  const role = roleOf(el, el.localName);
  const name = splitFolded(fold(computeName(el, role) || shownTextIn(el))).join(' ');
  const wanted = words.join(' ');
  if (roles.size > 0) total += roles.has(role) ? 120 : -20;
  if (name === text || name === wanted) total += 400;
  else if (name.startsWith(wanted) && own === words.length) total += 200;
  return total - Math.min(30, name.length / 10);
}

/** Controls without matching words, in the smallest rows and list items that have all words. */
function inGroups(contexts: Contexts | null, known: ReadonlySet<Element>, { words, roles }: Query): Ranked[] {
  const groups = new Map([...(contexts?.groups ?? [])].filter(([, fits]) => isFull(fits)));
  for (const el of [...groups.keys()])
    for (let up = parentAcross(el); up !== null; up = parentAcross(up)) groups.delete(up);
  const found: Ranked[] = [];
  for (const [group, fits] of groups) {
    if (found.length >= MAX_NAMED) break;
    for (const el of actionableIn(group)) {
      const isKind = roles.has(roleOf(el, el.localName));
      if (!known.has(el)) found.push({ el, score: 100 + sum(fits) / words.length + (isKind ? 120 : 0) });
    }
  }
  return found;
}

/** The first visible elements of a list, and how many more there are; `isCounted` is false beyond the examined ones. */
export function shownOf(
  elements: Iterable<Element>,
  limit: number,
  isSeen: (el: Element) => boolean = isShown,
): {
  readonly shown: Element[];
  readonly more: number;
  readonly isCounted: boolean;
  readonly hidden: number;
} {
  const shown: Element[] = [];
  let [more, hidden, looked] = [0, 0, 0];
  for (const el of new Set(elements)) {
    if (looked >= MAX_LOOKED && shown.length >= limit) return { shown, more, isCounted: false, hidden };
    looked += 1;
    if (!isSeen(el)) hidden += 1;
    else if (shown.length < limit) shown.push(el);
    else more += 1;
  }
  return { shown, more, isCounted: true, hidden };
}

const MAX_LOOKED = 1_000;
