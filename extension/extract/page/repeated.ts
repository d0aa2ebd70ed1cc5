import { isPlausible } from '../../../shared/libraries/values/coerce.ts';
import { normaliseName } from '../../../shared/libraries/values/names.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { allIn, firstIn, parentOf, tagOf, countEach, lookUp, closestOf } from '../../dom/elements.ts';
import { speaksFor } from './evidence.ts';
import { isList, leavesOf, valueField, type Leaf } from './match.ts';
import { readPair, scorePair, pairsWithin } from './pairs.ts';
import { findGroups, findSingles, type RepeatedGroup, ASIDE } from './groups.ts';
import {
  isNestedList,
  readNested,
  type LeafValue,
  type RecordSet,
  recordOf,
  type SearchTools,
} from './records.ts';
import type { Pair } from './lines.ts';
import { cycleGroups, groupOfRuns, nestedGroups, runsOf, sectionGroups } from './spans.ts';
import type { Paths, Root, View } from './view.ts';
import { readTables } from './tables.ts';
import { readEach, readValue } from './values.ts';
import { learnWrapper, type ScoredSpot, type Wrapper } from './wrapper.ts';

/** Groups that are tried, the largest first. */
const MAX_GROUPS = 24;
const ASIDE_WORTH = 0.4;
const PAIR_WORTH = 0.9;
const FEW_WORTH = 0.95;
/** Two or three similar elements are rarely a page's list. */
const sizeWorth = (size: number): number => (size === 2 ? PAIR_WORTH : size === 3 ? FEW_WORTH : 1);

/** Groups of similar subtrees whose parts fit the fields. */
export function readRepeated(scope: Root | Element, tools: SearchTools): RecordSet[] {
  const hasLists = leavesOf(tools.fields).some(({ field }) => isNestedList(field));
  const nested = hasLists ? [] : nestedGroups(scope, tools.view);
  const inner = new Set(nested.flatMap(({ origins }) => [...(origins?.values() ?? [])].flat()));
  const whole = findGroups(scope).filter(({ members }) => !members.every((el) => inner.has(el)));
  const groups = [...nested, ...whole, ...cycleGroups(scope, tools.view), ...sectionGroups(scope, tools.view)]
    .map((group) => ({ group, weight: weightOf(group) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_GROUPS);
  const singles = findSingles(scope).slice(0, MAX_GROUPS);
  return [...groups.map(({ group }) => group), ...singles].flatMap((group) => setOf(group, tools) ?? []);
}

/** The cards named by a caller's scope. */
export function setOfCards(cards: readonly Element[], tools: SearchTools): RecordSet[] {
  const set = setOf({ members: cards }, tools);
  return set === null ? [] : [{ ...set, worth: 1 }];
}

function weightOf({ members }: RepeatedGroup): number {
  const [first, second] = members;
  const sizeOf = (el: Element | undefined): number => el?.getElementsByTagName('*').length ?? 0;
  return members.length * (1 + (sizeOf(first) + sizeOf(second)) / 2);
}

function setOf(group: RepeatedGroup, tools: SearchTools): RecordSet | null {
  const { view, paths, fields } = tools;
  const shown = group.members.filter((el) => view.isShown(el));
  const wrapper = learnWrapper(shown, fields, view);
  const [first] = group.members;
  const lines = linesPerRecord(shown, wrapper, tools);
  if (lines !== 1)
    return lines === 0 || group.origins !== undefined
      ? null
      : setOf(groupOfRuns(runsOf(group.members, lines), view), tools);
  if (first === undefined) return null;
  if (wrapper.length === 0 && !leavesOf(fields).some(({ field }) => isNestedList(field))) return null;
  const numbered = numberedLeaf(shown, wrapper, tools);
  const [origin = first] = group.origins?.get(first) ?? [];
  const inAside = closestOf(origin, ASIDE) !== null;
  return {
    strategy: 'repeated',
    where: paths.of(parentOf(origin) ?? origin),
    size: group.members.length,
    worth: (inAside ? ASIDE_WORTH : 1) * sizeWorth(group.members.length),
    records: function* (): Generator<FoundRecord> {
      for (const card of group.members) {
        if (!view.isShown(card)) tools.onHidden();
        else
          yield withOrigin(
            withoutRank(readCard(card, wrapper, tools), numbered),
            group.origins?.get(card),
            paths,
          );
      }
    },
  };
}

/**
 * How many members of a group make one record. If no field occurs in more than half of them, they are lines of a
 * record: as many as contain each field once. 0 if they have no order.
 */
function linesPerRecord(members: readonly Element[], wrapper: Wrapper, tools: SearchTools): number {
  const named = members.slice(0, SAMPLE).map((el) => Object.keys(readCard(el, wrapper, tools).fields));
  const counts = [...countEach(named.flat()).values()];
  const isOne = named.some(({ length }) => length === counts.length);
  if (isOne || counts.some((count) => count * 2 > named.length)) return 1;
  return LENGTHS.find((length) => members.length >= 2 * length && areLines(named, length)) ?? 0;
}

function areLines(said: readonly (readonly string[])[], length: number): boolean {
  const lines = Array.from(
    { length },
    (_, line) => new Set(said.filter((_names, at) => at % length === line).flat()),
  );
  const places = lines.flatMap((names) => [...names]);
  return new Set(places).size === places.length;
}

const LENGTHS = [2, 3, 4] as const;
const SAMPLE = 12;

const RANKED = /^(\d{1,4})[.)]\s+(?=\P{N})/u;

/** The title of numbered cards: `1. Rosa`, `2. Kin`. */
function numberedLeaf(cards: readonly Element[], wrapper: Wrapper, tools: SearchTools): string | null {
  const leaf = wrapper.find((one) => one.leaf.field.form === 'title' && one.leaf.path.length === 1)?.leaf;
  const sample = cards.slice(0, 3);
  if (leaf === undefined || sample.length < 2) return null;
  const ranks = sample.map((card) => {
    const value = lookUp(readCard(card, wrapper, tools).fields, leaf.field.name)?.value;
    return Number(typeof value === 'string' ? RANKED.exec(value)?.[1] : undefined);
  });
  return ranks.every((rank, index) => rank === (ranks[0] ?? 0) + index) ? leaf.field.name : null;
}

function withoutRank(record: FoundRecord, name: string | null): FoundRecord {
  const found = name === null ? undefined : lookUp(record.fields, name);
  if (name === null || typeof found?.value !== 'string') return record;
  return {
    ...record,
    fields: { ...record.fields, [name]: { ...found, value: found.value.replace(RANKED, '') } },
  };
}

/** Restores the places in a record that spans several siblings: selectors are relative to one of them. */
function withOrigin(record: FoundRecord, rows: readonly Element[] | undefined, paths: Paths): FoundRecord {
  if (rows === undefined) return record;
  const fields = Object.entries(record.fields).map(([name, field]) => {
    const selector = field.selector.replace(/^:scope > [^>]+ > /, ':scope > ');
    return [name, { ...field, selector }] as const;
  });
  const where = rows.map((row) => paths.of(row)).join(', ');
  return { ...record, where, fields: Object.fromEntries(fields) };
}

export function readCard(card: Element, wrapper: Wrapper, tools: SearchTools): FoundRecord {
  const { view, fields } = tools;
  let pairs: readonly Pair[] | null = null;
  const values = wrapper.flatMap(({ leaf, places }): LeafValue[] => {
    const found: LeafValue[] = [];
    for (const place of places) {
      const value =
        place.label === null
          ? takeValue(card, place, leaf, view)
          : labelled((pairs ??= pairsWithin(card, view)), place, leaf, view);
      if (value === null) continue;
      const selector = place.label === null ? (place.locator.selector ?? ':scope') : `label "${place.label}"`;
      const taken = { leaf, value, selector, confidence: place.score };
      if (isPlausible(leaf.field, value, view.hints)) return [taken];
      found.push(taken);
    }
    // A value that fits the schema nowhere is reported unchanged, at its first place.
    return found.slice(0, 1);
  });
  const nested = leavesOf(fields).filter(({ field }) => isNestedList(field));
  const lists = nested.flatMap((leaf) => readNested(leaf, (inner) => setsWithin(card, inner, tools)));
  return recordOf('repeated', card, [...values, ...lists], tools);
}

/** Tables and repeated elements in a part of the page. */
export function setsWithin(part: Element, fields: readonly FieldPlan[], tools: SearchTools): RecordSet[] {
  const inner = { ...tools, fields, onHidden: () => undefined };
  return [...readTables(part, inner), ...readRepeated(part, inner)];
}

function labelled(
  pairs: readonly Pair[],
  { label }: Pick<ScoredSpot, 'label'>,
  leaf: Leaf,
  view: View,
): JsonValue {
  const pair = pairs.find((one) => normaliseName(one.label) === label && scorePair(leaf, one) > 0);
  return pair === undefined ? null : readPair(pair, leaf, view);
}

function takeValue(
  card: Element,
  { locator: { selector }, isOrdered }: Extract<ScoredSpot, { label: null }>,
  leaf: Leaf,
  view: View,
): JsonValue {
  const list = isList(leaf.field) && selector !== null ? takeList(card, selector, leaf, view) : undefined;
  if (list !== undefined) return list;
  const el = selector === null ? card : firstIn(card, selector);
  if (el === null || (el !== card && !view.isShown(el) && leaf.field.form !== 'image')) return null;
  if (!isOrdered && !speaksFor(el, leaf.field, view, card)) return null;
  return readValue(el, leaf.field, view);
}

/** The values of several elements of a card; undefined if there are none, or if one contains a list. */
function takeList(card: Element, selector: string, leaf: Leaf, view: View): JsonValue | undefined {
  const all = allIn(card, selector).filter((el) => view.isShown(el));
  const [only] = all;
  if (all.length > 1) return readEach(all, valueField(leaf.field), view);
  return only === undefined || /^[uo]l$/.test(tagOf(only)) ? undefined : readValue(only, leaf.field, view);
}
