import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { fits, scoreSet, type LeafValue, type RecordSet } from './records.ts';
import { isList, valueField, type Leaf } from './match.ts';

/** A list of records within a record has to say at least so much of what is asked of each. */
const ENOUGH = 0.45;

/** Whether a field is a list of objects, which only another search can fill. */
export const isNestedList = (field: FieldPlan): boolean =>
  isList(field) && valueField(field).types[0] === 'object' && valueField(field).fields.length > 0;

/** The list of objects that a part of a page holds, or null. */
export function readNested(
  leaf: Leaf,
  setsOf: (fields: readonly FieldPlan[]) => readonly RecordSet[],
): LeafValue | null {
  const { fields } = valueField(leaf.field);
  let best: { readonly set: RecordSet; readonly score: number } | null = null;
  for (const set of setsOf(fields)) {
    const score = scoreSet(fields, set);
    if (score >= ENOUGH && score > (best?.score ?? 0)) best = { set, score };
  }
  if (best === null) return null;
  const value = [...best.set.records()]
    .map((record) => plainOf(record, fields))
    .filter((item) => item !== null);
  if (value.length === 0) return null;
  return { leaf, value, selector: best.set.where, confidence: Math.min(1, best.score) };
}

function plainOf(record: FoundRecord, fields: readonly FieldPlan[]): JsonValue {
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const found = record.fields[field.name];
    return found !== undefined && fits(field, found, record.lang) ? [[field.name, found.value]] : [];
  });
  const item: JsonObject = Object.fromEntries(entries);
  return entries.length === 0 ? null : item;
}
