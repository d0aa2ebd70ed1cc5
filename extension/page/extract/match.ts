import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { matchName } from '../../../shared/extract/names.ts';

const scores = new WeakMap<FieldPlan, Map<string, number>>();
/** Labels of a page repeat; those of a hostile one need not. */
const LABELS_KEPT = 2_000;

/** How well a label names a field, 0 to 1: `matchName`, remembered. */
export function scoreLabel(field: FieldPlan, label: string): number {
  let known = scores.get(field);
  if (known === undefined || known.size > LABELS_KEPT) scores.set(field, (known = new Map<string, number>()));
  let score = known.get(label);
  if (score === undefined) known.set(label, (score = matchName(field, label)));
  return score;
}

export interface Assigned {
  /** Position among the labels. */
  readonly index: number;
  readonly score: number;
}

/** A label that is only a part of the whole name (the last of several header rows) is less sure. */
const LESS_SURE = 0.97;

/** The best score of what one place is called. */
function scoreLabels(field: FieldPlan, labels: readonly string[]): number {
  let best = 0;
  labels.forEach((label, index) => {
    if (label !== '') best = Math.max(best, scoreLabel(field, label) * LESS_SURE ** index);
  });
  return best;
}

/**
 * Gives each field the place whose labels name it best, no place twice: best pairs first, then the
 * schema's order, then the page's. A place may be called by several labels, the fullest first.
 */
export function assignLabels(
  fields: readonly Leaf[],
  labels: readonly (readonly string[])[],
): Map<Leaf, Assigned> {
  const pairs: { leaf: Leaf; order: number; index: number; score: number }[] = [];
  fields.forEach((leaf, order) => {
    labels.forEach((names, index) => {
      const score = scoreLabels(leaf.field, names);
      if (score > 0) pairs.push({ leaf, order, index, score });
    });
  });
  pairs.sort((a, b) => b.score - a.score || a.order - b.order || a.index - b.index);
  const assigned = new Map<Leaf, Assigned>();
  const taken = new Set<number>();
  for (const { leaf, index, score } of pairs) {
    if (assigned.has(leaf) || taken.has(index)) continue;
    assigned.set(leaf, { index, score });
    taken.add(index);
  }
  return assigned;
}

/** A field that holds a value itself, and its place in the record. */
export interface Leaf {
  readonly path: readonly string[];
  readonly field: FieldPlan;
}

/**
 * Fields with those of objects among them, for sources that are flat: `offer.price` is looked for
 * as "offer price", then as "price".
 */
export function leavesOf(
  fields: readonly FieldPlan[],
  path: readonly string[] = [],
  outer: string[] = [],
): Leaf[] {
  return fields.flatMap((field): Leaf[] => {
    const own = [...path, field.name];
    const isGroup = field.types[0] === 'object' && field.fields.length > 0;
    if (isGroup) return leavesOf(field.fields, own, [...outer, ...field.names.slice(0, 1)]);
    if (outer.length === 0) return [{ path: own, field }];
    const long = `${outer.join(' ')} ${field.names[0] ?? ''}`.trim();
    return [{ path: own, field: { ...field, names: [long, ...field.names] } }];
  });
}

/** The field whose text, address or number is read: of an array its items. */
export function valueField(field: FieldPlan): FieldPlan {
  return field.types[0] === 'array' && field.item !== null ? field.item : field;
}

export const isList = (field: FieldPlan): boolean => field.types[0] === 'array';
