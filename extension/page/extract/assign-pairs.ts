import { isPlausible } from '../../../shared/extract/coerce.ts';
import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { MATCH_CONFIDENCE } from '../../../shared/extract/names.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { allIn, tagOf, textIn } from '../dom.ts';
import { isList, scoreLabel, valueField, type Leaf } from './match.ts';
import { aboutField } from './links.ts';
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
export function scorePair({ field }: Leaf, { label, kind, sure, value }: Pair): number {
  const named = Math.max(scoreLabel(field, label), linkedScore(field, label, value));
  const own = Math.max(named, isNumbered(field, label, value) ? MATCH_CONFIDENCE.synonym : 0);
  // A number before its unit is only a number, and a label without a colon has to be exact.
  const { form, types } = valueField(field);
  const type = types[0];
  const isNumber = type === 'number' || type === 'integer';
  // `Posts: 190` and `128 reviews` say how many there are; a rating of 4.4 does not.
  const score =
    isNumber && !DECIMAL.test(textIn(value)) ? Math.max(own, scoreLabel(field, `${label} count`)) : own;
  if (kind === 'unit' && !isNumber) return 0;
  // `2,318 ratings` says how many there are.
  if (kind === 'unit' && form === 'rating' && !isScore(label, value)) return 0;
  const isVague = kind === 'prefix' || kind === 'loose' || (kind === 'colon' && isSentence(value));
  if (isVague && score < MATCH_CONFIDENCE.synonym) return 0;
  return score * sure;
}

const DECIMAL = /^\d{1,2}[.,]\d{1,2}(?:\s?\(.*)?$/;

/** `Episode 48` says an `episode_number`; `Posts 12` is a count. */
function isNumbered(field: FieldPlan, label: string, value: Element): boolean {
  const [, thing] = /^(.+) (?:number|no|id)$/.exec(field.names[0] ?? '') ?? [];
  return label.toLowerCase() === thing && /^#?\S*\d\S*$/.test(textIn(value));
}

/** `Security release: please update.` is a part of a text. */
const isSentence = (value: Element): boolean => / .*[.!?]$/s.test(textIn(value));

/** `<dt>Author</dt><dd><a href>` says an `author_url`. */
function linkedScore(field: FieldPlan, label: string, value: Element): number {
  if (valueField(field).form !== 'url' || allIn(value, 'a[href]').length !== (tagOf(value) === 'a' ? 0 : 1))
    return 0;
  const about = aboutField(field);
  return about === null ? 0 : scoreLabel(about, label);
}

/** `4.34 avg rating` is a score and not a count. */
const isScore = (label: string, value: Element): boolean =>
  /(?:rating|score)$/i.test(label) && /^\d{1,2}[.,]\d+(?:\s\D*)?$/.test(textIn(value));

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
      const isFit = isPlausible(leaf.field, value, view.hints);
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
