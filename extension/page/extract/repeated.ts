import { isPlausible } from '../../../shared/extract/coerce.ts';
import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { afterLabel, weigh, type Take } from './evidence.ts';
import { findGroups, type RepeatedGroup } from './groups.ts';
import { locate, type Locator } from './locators.ts';
import { isList, leavesOf, valueField, type Leaf } from './match.ts';
import type { Paths } from './paths.ts';
import { assemble, type LeafValue, type RecordSet } from './records.ts';
import { readScalar, readValue } from './values.ts';
import type { Root, View } from './view.ts';

export interface RepeatedTools {
  readonly view: View;
  readonly paths: Paths;
  readonly fields: readonly FieldPlan[];
  readonly onHidden: () => void;
}

/** Cards that a wrapper is learnt from, and groups that are tried, the largest first. */
const SAMPLE = 6;
const MOST_GROUPS = 24;
/** A field is found when the mean evidence in the cards that have it reaches this. */
const ENOUGH = 0.3;
/** Places of a field that are tried in turn: cards differ. */
const MOST_PLACES = 3;
const ASIDE = 'nav,header,footer,aside,[role="navigation"],[role="contentinfo"],[role="complementary"]';
const ASIDE_WORTH = 0.7;
const PAIR_WORTH = 0.9;

/** The place of a field in the cards of a group. */
interface Place {
  readonly locator: Locator;
  readonly take: Take;
  readonly score: number;
}

export type Wrapper = readonly { readonly leaf: Leaf; readonly places: readonly Place[] }[];

/** Groups of similar subtrees whose parts fit the fields. */
export function readRepeated(scope: Root | Element, tools: RepeatedTools): RecordSet[] {
  const groups = findGroups(scope)
    .map((group) => ({ group, weight: weightOf(group) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_GROUPS);
  return groups.flatMap(({ group }) => setOf(group, tools) ?? []);
}

/** Cards that a caller's scope names. */
export function setOfCards(cards: readonly Element[], tools: RepeatedTools): RecordSet[] {
  const set = setOf({ members: cards, key: null }, tools);
  return set === null ? [] : [{ ...set, worth: 1 }];
}

function weightOf({ members }: RepeatedGroup): number {
  const [first, second] = members;
  const sizeOf = (el: Element | undefined): number => el?.getElementsByTagName('*').length ?? 0;
  return members.length * (1 + (sizeOf(first) + sizeOf(second)) / 2);
}

function setOf(group: RepeatedGroup, tools: RepeatedTools): RecordSet | null {
  const { view, paths, fields } = tools;
  const shown = group.members.filter((el) => view.isShown(el));
  const wrapper = learnWrapper(shown, fields, view);
  const [first] = group.members;
  if (wrapper.length === 0 || first === undefined) return null;
  const inAside = first.closest(ASIDE) !== null;
  return {
    strategy: 'repeated',
    where: paths.of(first.parentElement ?? first),
    size: group.members.length,
    key: null,
    worth: (inAside ? ASIDE_WORTH : 1) * (group.members.length === 2 ? PAIR_WORTH : 1),
    records: function* (): Generator<FoundRecord> {
      for (const card of group.members) {
        if (view.isShown(card)) yield readCard(card, wrapper, tools);
        else tools.onHidden();
      }
    },
  };
}

/** What one card says, by the places that its group has taught. */
export function readCard(
  card: Element,
  wrapper: Wrapper,
  { view, paths }: Pick<RepeatedTools, 'view' | 'paths'>,
): FoundRecord {
  const hints = { lang: view.lang, isMachine: false };
  const values = wrapper.flatMap(({ leaf, places }): LeafValue[] => {
    const found: LeafValue[] = [];
    for (const { locator, take, score } of places) {
      const value = takeValue(card, locator, take, { leaf, view });
      if (value === null) continue;
      const taken = { leaf, value, selector: locator.selector ?? ':scope', confidence: score };
      if (isPlausible(leaf.field, value, hints)) return [taken];
      found.push(taken);
    }
    // A value that matches the schema nowhere is reported as it is at its first place.
    return found.slice(0, 1);
  });
  return {
    strategy: 'repeated',
    where: paths.of(card),
    lang: view.lang,
    fields: assemble('repeated', values),
  };
}

function takeValue(
  card: Element,
  { selector }: Locator,
  take: Take,
  { leaf, view }: { readonly leaf: Leaf; readonly view: View },
): JsonValue {
  if (isList(leaf.field) && selector !== null) {
    const all = [...card.querySelectorAll(selector)].filter((el) => view.isShown(el));
    if (all.length > 1)
      return all.map((el) => readScalar(el, valueField(leaf.field), view)).filter((value) => value !== null);
  }
  const el = selector === null ? card : card.querySelector(selector);
  if (el === null || (el !== card && !view.isShown(el) && leaf.field.form !== 'image')) return null;
  return take === 'after_label' ? afterLabel(el) : readValue(el, leaf.field, view);
}

interface Vote {
  readonly leaf: Leaf;
  readonly locator: Locator;
  readonly take: Take;
  readonly order: number;
  sum: number;
  count: number;
}

/**
 * Learns the place of each field from a few cards: every element speaks for the fields that it fits,
 * the place that most cards agree on wins, and no place says two fields of one kind.
 */
export function learnWrapper(cards: readonly Element[], fields: readonly FieldPlan[], view: View): Wrapper {
  const leaves = leavesOf(fields);
  const sample = cards.slice(0, SAMPLE);
  const votes = new Map<string, Vote>();
  for (const card of sample) {
    const elements = [...locate(card)];
    const kinds = countKinds(elements.map(({ locator }) => locator.kind));
    for (const { el, locator } of elements)
      for (const leaf of leaves) vote(votes, { el, locator, leaf, view }, kinds.get(locator.kind) ?? 1);
  }
  return elect(leaves, [...votes.values()], sample.length);
}

function countKinds(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

interface Ballot {
  readonly el: Element;
  readonly locator: Locator;
  readonly leaf: Leaf;
  readonly view: View;
}

function vote(votes: Map<string, Vote>, { el, locator, leaf, view }: Ballot, alike: number): void {
  const evidence = weigh(el, leaf.field, view);
  if (evidence.score === 0) return;
  const isMany = isList(leaf.field);
  const place =
    isMany && alike > 1 ? { selector: selectorOfKind(locator.kind), kind: locator.kind } : locator;
  const key = `${leaf.path.join('.')} ${place.selector} ${evidence.take}`;
  const found = votes.get(key) ?? {
    leaf,
    locator: place,
    take: evidence.take,
    order: votes.size,
    sum: 0,
    count: 0,
  };
  votes.set(key, found);
  // Several elements of a kind say that this card is a list of cards.
  found.sum += isMany ? evidence.score / alike : evidence.score / Math.sqrt(alike);
  found.count += isMany ? 1 / alike : 1;
}

/** All elements of a kind, whatever their positions. */
const selectorOfKind = (kind: string): string => `:scope ${kind.replaceAll('>', ' > ').trim()}`;

function elect(leaves: readonly Leaf[], votes: readonly Vote[], sampled: number): Wrapper {
  const places = new Map<Leaf, Place[]>();
  const taken = new Set<string>();
  const ranked = votes
    .map((vote) => ({ ...vote, score: Math.min(1, vote.sum / vote.count), share: vote.sum / sampled }))
    .filter(({ score }) => score >= ENOUGH)
    .sort((a, b) => b.share - a.share || a.order - b.order);
  for (const { leaf, locator, take, score } of ranked) {
    const own = places.get(leaf) ?? [];
    const key = `${locator.selector} ${readingOf(leaf)}`;
    if (own.length >= MOST_PLACES || taken.has(key)) continue;
    // Only the first place is the field's own: another one may be another field's first.
    if (own.length === 0) taken.add(key);
    places.set(leaf, [...own, { locator, take, score }]);
  }
  return leaves.flatMap((leaf) => {
    const own = places.get(leaf);
    return own === undefined
      ? []
      : [{ leaf, places: own.filter((place, at) => at === 0 || !isTakenFirst(place, leaf, places)) }];
  });
}

/** A fallback that is another field's first place says that one and not this. */
function isTakenFirst({ locator }: Place, leaf: Leaf, places: ReadonlyMap<Leaf, readonly Place[]>): boolean {
  return [...places].some(
    ([other, [first]]) =>
      other !== leaf && first?.locator.selector === locator.selector && readingOf(other) === readingOf(leaf),
  );
}

/** A link's text, its address and its picture are three things. */
function readingOf({ field }: Leaf): string {
  const { form } = valueField(field);
  return form === 'url' || form === 'image' ? form : 'text';
}
