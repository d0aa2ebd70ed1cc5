import { firstOf, lookUp } from '../../dom/elements.ts';
import { type Paths, type View } from './view.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import { isPlausible, MIN_SURE } from '../../../shared/libraries/values/coerce.ts';
import type { FoundField, FoundRecord, Strategy } from '../../../shared/libraries/values/request.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { type Leaf, isList, valueField } from './match.ts';

/** Related records: the rows of a table, the cards of a list, the nodes of a type. */
export interface RecordSet {
  readonly strategy: Strategy;
  readonly where: string;
  /** Number of records, hidden ones included. */
  readonly size: number;
  /** Sets of one strategy with the same key are one set in several places. */
  readonly key?: string;
  /** Less than 1, the default, for places that rarely contain the wanted records. */
  readonly worth?: number;
  /** Created lazily; may be called several times. */
  records(): Iterable<FoundRecord>;
}

export type Fields = Record<string, FoundField>;

/** Strategies whose values are written for programs. */
export const isMachine = (strategy: Strategy): boolean => strategy === 'json_ld' || strategy === 'meta';

/** Whether a value fits a field's schema. */
export function fits(field: FieldPlan, found: FoundField, lang: string | null): boolean {
  if (found.confidence < MIN_SURE) return false;
  return isPlausible(field, found.value, { lang, isMachine: isMachine(found.strategy) });
}

/** The bare values of fields; null if there are none. */
export function valuesOf(fields: Fields): JsonValue {
  const entries = Object.entries(fields).map(([name, { value }]) => [name, value] as const);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

const weightOf = (field: FieldPlan): number => (field.required ? 2 : 1);
const MISFIT = 0.1;

/**
 * How much of a schema a record covers, 0 to 1: required fields count twice, a value that does not fit hardly counts,
 * and a certain match counts up to twice an uncertain one.
 */
export function scoreRecord(fields: readonly FieldPlan[], record: FoundRecord): number {
  let sum = 0;
  let most = 0;
  for (const field of fields) {
    most += weightOf(field);
    const found = lookUp(record.fields, field.name);
    if (found === undefined || found.confidence < MIN_SURE) continue;
    const fit = fits(field, found, record.lang) ? 1 : MISFIT;
    sum += weightOf(field) * fit * (0.5 + 0.5 * found.confidence);
  }
  return most === 0 ? 0 : sum / most;
}

const SAMPLE = 12;

export function scoreSet(fields: readonly FieldPlan[], set: RecordSet): number {
  const scores = firstOf(set.records(), SAMPLE).map((record) => scoreRecord(fields, record));
  const sum = scores.reduce((before, score) => before + score, 0);
  return scores.length === 0 ? 0 : (sum / scores.length) * (set.worth ?? 1);
}

export interface LeafValue {
  readonly leaf: Leaf;
  readonly value: JsonValue;
  readonly selector: string;
  readonly confidence: number;
}

/** Puts the values of leaves into the record's structure. */
function assemble(strategy: Strategy, values: readonly LeafValue[]): Fields {
  const fields: Fields = {};
  for (const { leaf, value, selector, confidence } of values) {
    const [name, ...inner] = leaf.path;
    if (name === undefined) continue;
    const known = inner.length === 0 ? undefined : lookUp(fields, name);
    fields[name] = {
      value: setIn(known?.value ?? {}, inner, value),
      strategy,
      selector: known?.selector ?? selector,
      confidence: Math.min(known?.confidence ?? 1, confidence),
    };
  }
  return fields;
}

function setIn(group: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const own: JsonObject = isObject(group) ? group : {};
  const inner = lookUp(own, name) ?? {};
  return { ...own, [name]: setIn(inner, rest, value) };
}

/** A nested list must cover at least this share of its item schema. */
const ENOUGH = 0.45;

/** A list of objects needs a search of its own. */
export const isNestedList = (field: FieldPlan): boolean =>
  isList(field) && valueField(field).types[0] === 'object' && valueField(field).fields.length > 0;

/** The list of objects in a part of a page, if there is one. */
export function readNested(
  leaf: Leaf,
  setsOf: (fields: readonly FieldPlan[]) => readonly RecordSet[],
): LeafValue[] {
  const { fields } = valueField(leaf.field);
  const [best] = setsOf(fields)
    .map((set) => ({ set, score: scoreSet(fields, set) }))
    .filter(({ score }) => score >= ENOUGH)
    .sort((a, b) => b.score - a.score);
  if (best === undefined) return [];
  const value = [...best.set.records()]
    .map((record) => plainOf(record, fields))
    .filter((item) => item !== null);
  if (value.length === 0) return [];
  return [{ leaf, value, selector: best.set.where, confidence: Math.min(1, best.score) }];
}

function plainOf(record: FoundRecord, fields: readonly FieldPlan[]): JsonValue {
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const found = lookUp(record.fields, field.name);
    return found !== undefined && fits(field, found, record.lang) ? [[field.name, found.value]] : [];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

export interface SearchTools {
  readonly view: View;
  readonly paths: Paths;
  readonly fields: readonly FieldPlan[];
  /** Called with each hidden record. */
  readonly onHidden: () => void;
}

/** The record of an element. */
export const recordOf = (
  strategy: Strategy,
  el: Element,
  values: readonly LeafValue[],
  { view, paths }: SearchTools,
): FoundRecord => ({
  strategy,
  where: paths.of(el),
  lang: view.lang,
  fields: assemble(strategy, values),
});

export const singleSet = (record: FoundRecord): RecordSet => ({
  strategy: record.strategy,
  where: record.where,
  size: 1,
  records: () => [record],
});
