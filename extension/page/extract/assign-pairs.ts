import { isPlausible } from '../../../shared/extract/coerce.ts';
import { MATCH_CONFIDENCE } from '../../../shared/extract/names.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { isList, scoreLabel, valueField, type Leaf } from './match.ts';
import type { Pair } from './pair.ts';
import { readValue } from './values.ts';
import type { View } from './view.ts';

/** A pair whose label names a field, and whose value the field can take. */
export interface FittingPair {
  readonly pair: Pair;
  readonly value: JsonValue;
  readonly score: number;
}

/** What speaks for a pair being a field's, 0 to 1. */
export function scorePair({ field }: Leaf, { label, kind, sure }: Pair): number {
  const own = scoreLabel(field, label);
  // A number before its unit is only a number, and a label without a colon has to be exact.
  const { form, types } = valueField(field);
  const type = types[0];
  const isNumber = type === 'number' || type === 'integer';
  // `Posts: 190` and `128 reviews` say how many there are.
  const score = isNumber ? Math.max(own, scoreLabel(field, `${label} count`)) : own;
  if (kind === 'unit' && !isNumber) return 0;
  // `2,318 ratings` says how many there are.
  if (kind === 'unit' && form === 'rating') return 0;
  if ((kind === 'prefix' || kind === 'loose') && score < MATCH_CONFIDENCE.synonym) return 0;
  return score * sure;
}

/** What a pair says for a field, without the dash or bar that parts it from what follows. */
export function readPair({ value }: Pair, { field }: Leaf, view: View): JsonValue {
  const read = readValue(value, field, view);
  return typeof read === 'string' ? read.replace(/\s+[-–—|·,]+$/u, '') : read;
}

/** The pairs that fit a field, best first. */
function fittingPairs(leaf: Leaf, pairs: readonly Pair[], view: View): FittingPair[] {
  if (isList(leaf.field) && valueField(leaf.field).types[0] === 'object') return [];
  return pairs
    .map((pair) => ({ pair, score: scorePair(leaf, pair) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .flatMap(({ pair, score }): FittingPair[] => {
      const value = readPair(pair, leaf, view);
      const isFit = isPlausible(leaf.field, value, { lang: view.lang, isMachine: false });
      return isFit ? [{ pair, value, score }] : [];
    });
}

/**
 * Gives each field the pair that names it best. Two different values under labels that are equally good
 * say nothing: they are of different things.
 */
export function assignPairs(
  leaves: readonly Leaf[],
  pairs: readonly Pair[],
  view: View,
): Map<Leaf, FittingPair> {
  const assigned = new Map<Leaf, FittingPair>();
  const owners = new Map<Pair, Leaf>();
  const wishes = leaves.flatMap((leaf) => {
    const fitting = fittingPairs(leaf, pairs, view);
    const [best] = fitting;
    if (best === undefined) return [];
    const isUnclear = fitting.some(
      ({ score, value }) => score === best.score && JSON.stringify(value) !== JSON.stringify(best.value),
    );
    return isUnclear ? [] : [{ leaf, fitting }];
  });
  wishes.sort((a, b) => (b.fitting[0]?.score ?? 0) - (a.fitting[0]?.score ?? 0));
  for (const { leaf, fitting } of wishes) {
    const free = fitting.find(({ pair }) => {
      const owner = owners.get(pair);
      return owner === undefined || readsElse(owner, leaf);
    });
    if (free === undefined) continue;
    owners.set(free.pair, leaf);
    assigned.set(leaf, free);
  }
  return assigned;
}

/** Two fields read different things of one place: a text and an address, or both ends of a range. */
const readsElse = (a: Leaf, b: Leaf): boolean => readingOf(a) !== readingOf(b);

/** A link's text, its address and its picture are three things, and a range has two ends. */
export function readingOf({ field }: Leaf): string {
  const { form, bound } = valueField(field);
  const kind = form === 'url' || form === 'image' || form === 'email' ? form : 'text';
  return bound === null ? kind : `${kind} ${bound}`;
}
