import { normaliseName } from '../../../shared/libraries/values/names.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import { addTo, tagOf, textIn, countEach } from '../../dom/elements.ts';
import { scorePair, pairsWithin } from './pairs.ts';
import { weigh, type Evidence } from './evidence.ts';
import { asksFor, linkSubject, isList, leavesOf, type Leaf, readingOf } from './match.ts';
import { leadOf, ordinalOf, commonClasses, locate, type LocatedCard, type Locator } from './locators.ts';
import { isNestedList } from './records.ts';
import type { Pair } from './lines.ts';
import type { View } from './view.ts';

/** Cards that a wrapper is learnt from. */
const SAMPLE = 6;
/** With less mean evidence in the cards that have it, a place is not even reported as a problem. */
const ENOUGH = 0.3;
const MOST = 3 / 4;
/** Less evidence only means a place next to something else, such as an image. */
const LOOKS_LIKE = 0.6;
/** Suggested only by the cards together: that a place counts them, or is their first that differs. */
const COUNTED = 0.6;
const FIRST = 0.5;
/** Places of a field that are tried in turn: cards differ. */
const MAX_PLACES = 3;

type Spot =
  | { readonly label: string; readonly locator: null }
  /** Ordered if only the cards together explain it: no single card has evidence. */
  | { readonly label: null; readonly locator: Locator; readonly isOrdered: boolean };
/** The place of a field in a group's cards: an element, or a labelled value. */
export type ScoredSpot = Spot & { readonly score: number };

export type Wrapper = readonly { readonly leaf: Leaf; readonly places: readonly ScoredSpot[] }[];

interface Vote {
  readonly leaf: Leaf;
  readonly place: Spot;
  sum: number;
  count: number;
}

interface Card extends LocatedCard {
  readonly el: Element;
  readonly pairs: readonly Pair[];
}

/**
 * Learns the place of each field from a few cards: every element and label votes for the fields it fits, the place with
 * the most agreement wins, and no place serves two fields of one kind.
 */
export function learnWrapper(cards: readonly Element[], fields: readonly FieldPlan[], view: View): Wrapper {
  const leaves = leavesOf(fields).filter(({ field }) => !isNestedList(field));
  const sampled = sampleOf(cards);
  const common = commonClasses(sampled);
  const sample = sampled.map((el) => ({
    el,
    pairs: pairsWithin(el, view),
    elements: [...locate(el, common)],
  }));
  return elect(leaves, votesOf(leaves, sample, view), sample.length);
}

/** The first cards and some later ones, which may be laid out differently. */
function sampleOf(cards: readonly Element[]): Element[] {
  if (cards.length <= SAMPLE) return [...cards];
  const half = SAMPLE / 2;
  const step = (cards.length - half) / half;
  const later = Array.from({ length: half }, (_, index) => cards[Math.floor(half + (index + 0.5) * step)]);
  return [...cards.slice(0, half), ...later.filter((el) => el !== undefined)];
}

/** The fields, and what only the cards together show. */
interface Poll {
  readonly leaves: readonly Leaf[];
  readonly view: View;
  /** Texts at the same place in every card belong to the page. */
  readonly constant: ReadonlySet<string>;
  /** Places with the same text in most cards. */
  readonly common: ReadonlySet<string>;
  readonly lead: string | undefined;
  readonly ordinal: string | undefined;
}

/** The votes of all cards, those for one place of a field together. */
function votesOf(leaves: readonly Leaf[], sample: readonly Card[], view: View): Vote[] {
  const texts = textsByPlace(sample);
  const [constant, common] = [placesOfOneText(texts, 1), placesOfOneText(texts, MOST)];
  const poll = { leaves, view, constant, common, lead: leadOf(sample), ordinal: ordinalOf(sample) };
  const votes = new Map<string, Vote>();
  for (const card of sample)
    for (const vote of [
      ...leaves.flatMap((leaf) => votesOfLabels(leaf, card)),
      ...leaves.flatMap((leaf) => votesOfElements(leaf, card, poll)),
    ]) {
      const key = `${vote.leaf.path.join('.')} ${vote.place.label ?? ''} ${vote.place.locator?.selector}`;
      const found = votes.get(key);
      if (found === undefined) votes.set(key, vote);
      else {
        found.sum += vote.sum;
        found.count += vote.count;
      }
    }
  return [...votes.values()];
}

function votesOfLabels(leaf: Leaf, { pairs }: Card): Vote[] {
  const best = new Map<string, number>();
  for (const pair of pairs) {
    const score = scorePair(leaf, pair);
    const label = normaliseName(pair.label);
    if (score > (best.get(label) ?? 0)) best.set(label, score);
  }
  return [...best].map(([label, sum]) => ({ leaf, place: { label, locator: null }, sum, count: 1 }));
}

function votesOfElements(leaf: Leaf, { el: card, elements }: Card, poll: Poll): Vote[] {
  const fitting = elements.flatMap(({ el, locator }) => {
    const evidence = weigh(el, leaf.field, poll.view, card);
    const isVote = evidence.score > 0 && !isFixed(el, locator, evidence, leaf.field, poll);
    return isVote ? [{ locator, score: evidence.score }] : [];
  });
  const isOrdered = fitting.length === 0;
  if (isOrdered) fitting.push(...byOrder(leaf, elements, poll));
  const kinds = countEach(fitting.map(({ locator }) => locator.kind));
  const seen = new Set<string | null>();
  return fitting.flatMap(({ locator, score }): Vote[] => {
    const alike = kinds.get(locator.kind) ?? 1;
    const isMany = isList(leaf.field) && alike > 1;
    // A place is read at its first element: more of a kind add nothing.
    if (!isMany && seen.has(locator.selector)) return [];
    seen.add(locator.selector);
    const place = isMany ? { selector: selectorOfKind(locator.kind), kind: locator.kind } : locator;
    // Several elements of a kind suggest that this card is a list of cards.
    const sum = isMany ? score / alike : score / Math.sqrt(alike);
    return [{ leaf, place: { label: null, locator: place, isOrdered }, sum, count: isMany ? 1 / alike : 1 }];
  });
}

/**
 * A title or link in every card; also a text in most cards, for a field that it merely resembles: `Members` is not an
 * author.
 */
function isFixed(
  el: Element,
  { selector }: Locator,
  { by, score }: Evidence,
  { form }: FieldPlan,
  { constant, common }: Poll,
): boolean {
  const place = selector ?? '';
  if (form === 'title') return by === 'kind' && constant.has(place);
  if (form !== 'text') return false;
  if (tagOf(el) === 'a' && constant.has(place)) return true;
  return by === 'kind' && score < LOOKS_LIKE && common.has(place);
}

function byOrder(leaf: Leaf, elements: Card['elements'], { leaves, lead, ordinal }: Poll) {
  const { form, required } = leaf.field;
  const isTitle = form === 'title' && (required || leaf === leaves[0]);
  const selector = isTitle ? lead : asksFor(leaf.field, 'rank') ? ordinal : undefined;
  return elements
    .filter(({ locator }) => locator.selector === selector)
    .map(({ locator }) => ({ locator, score: isTitle ? FIRST : COUNTED }));
}

function textsByPlace(sample: readonly Card[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { elements } of sample)
    for (const { el, locator } of elements) addTo(texts, locator.selector ?? '', textIn(el).slice(0, 80));
  return texts;
}

/** Places with the same text in at least this share of the cards. */
function placesOfOneText(texts: ReadonlyMap<string, readonly string[]>, share: number): Set<string> {
  const isOne = (said: readonly string[]): boolean =>
    said.length > 2 && Math.max(...countEach(said).values()) >= said.length * share;
  return new Set([...texts].filter(([, said]) => isOne(said)).map(([selector]) => selector));
}

const selectorOfKind = (kind: string): string => `:scope ${kind.replaceAll('>', ' > ').trim()}`;

function elect(leaves: readonly Leaf[], votes: readonly Vote[], sampled: number): Wrapper {
  const places = new Map<Leaf, ScoredSpot[]>();
  const taken = new Set<string>();
  const ranked = votes
    .map((vote) => ({ ...vote, score: Math.min(1, vote.sum / vote.count), share: vote.sum / sampled }))
    .filter(({ score }) => score >= ENOUGH)
    .sort((a, b) => b.share - a.share);
  for (const { leaf, place, score } of ranked) {
    const own = places.get(leaf) ?? [];
    const key = `${place.label ?? ''} ${place.locator?.selector} ${readingOf(leaf)}`;
    if (own.length >= MAX_PLACES || taken.has(key)) continue;
    // Only the first place belongs to the field: another one may be another field's first.
    if (own.length === 0) taken.add(key);
    places.set(leaf, [...own, { ...place, score }]);
  }
  return leaves.flatMap((leaf) => {
    const own = isLinkOfOther(leaf, leaves, places) ? undefined : places.get(leaf);
    return own === undefined ? [] : [{ leaf, places: own }];
  });
}

/**
 * The link around an author's or maker's name leads to them; if the record has a name of its own, it is not the
 * record's.
 */
function isLinkOfOther(
  leaf: Leaf,
  leaves: readonly Leaf[],
  places: ReadonlyMap<Leaf, readonly ScoredSpot[]>,
): boolean {
  const selector = places.get(leaf)?.[0]?.locator?.selector;
  if (selector === undefined || leaf.field.form !== 'url' || linkSubject(leaf.field) !== null) return false;
  const others = [...places].filter(([other]) => other !== leaf);
  return (
    leaves.some(({ field }) => /(?:name|title)$/.test(field.names[0] ?? '')) &&
    others.some(([{ field }, [place]]) => field.form === 'text' && place?.locator?.selector === selector)
  );
}
