import type { ErrorObject } from 'ajv/dist/2020.js';
import { cut } from '../../../shared/cut.ts';
import { LEAST_SURE } from '../../../shared/extract/confidence.ts';
import { coerce, escapePointer } from '../../../shared/extract/coerce.ts';
import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundField, FoundRecord, Strategy } from '../../../shared/extract/request.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { RecordSchema } from '../../toolkit/record-schema.ts';

/** Something that a record lacks, or that its schema does not allow. */
interface RecordProblem extends JsonObject {
  /** Name, or path below it: `offer/price`. */
  readonly field: string;
  /** `invalid`: the value is null where its type could not be made, and as found where it breaks another rule. */
  readonly problem: 'missing' | 'invalid';
  readonly reason: string;
}

export interface FinishedRecord {
  readonly record: JsonObject;
  readonly problems: readonly RecordProblem[];
  readonly found: FoundRecord;
}

const MACHINE: readonly Strategy[] = ['json_ld', 'meta'];
/** What the page said, quoted in a reason. */
const QUOTED_UNITS = 80;

/**
 * A record as the schema wants it. Every property is there: null where the page says nothing or
 * nothing of the declared type.
 */
export function finishRecord(
  found: FoundRecord,
  fields: readonly FieldPlan[],
  schema: RecordSchema,
): FinishedRecord {
  const record: Record<string, JsonValue> = {};
  const problems: RecordProblem[] = [];
  for (const field of fields) {
    const own = Object.hasOwn(found.fields, field.name) ? found.fields[field.name] : undefined;
    const made = finishField(field, own, found.lang);
    record[field.name] = made.value;
    problems.push(...made.problems);
  }
  for (const error of schema.validate(withoutNulls(record))) {
    const problem = problemOf(error);
    if (!problems.some(({ field }) => field === problem.field)) problems.push(problem);
  }
  return { record, problems, found };
}

function finishField(
  field: FieldPlan,
  own: FoundField | undefined,
  lang: string | null,
): { readonly value: JsonValue; readonly problems: readonly RecordProblem[] } {
  if (own === undefined) return { value: null, problems: [missing(field)] };
  if (own.confidence < LEAST_SURE)
    return { value: null, problems: [unsure(field, own.value, own.confidence)] };
  const hints = { lang, isMachine: MACHINE.includes(own.strategy) };
  const made = coerce(field, own.value, hints, escapePointer(field.name));
  const isEmpty = saysNothing(made.value);
  const problems = made.problems.map(({ path, raw, reason }): RecordProblem => {
    return { field: path, problem: 'invalid', reason: `${quote(raw)} ${reason}` };
  });
  return {
    value: isEmpty ? null : made.value,
    problems: isEmpty && problems.length === 0 ? [missing(field)] : problems,
  };
}

/** A list without items, or an object whose fields are all null. */
const saysNothing = (value: JsonValue): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.values(value).every((inner) => saysNothing(inner ?? null)));

const missing = ({ name, required }: FieldPlan): RecordProblem => ({
  field: escapePointer(name),
  problem: 'missing',
  reason: required ? 'required, and not found' : 'not found',
});

const unsure = ({ name }: FieldPlan, value: JsonValue, confidence: number): RecordProblem => ({
  field: escapePointer(name),
  problem: 'invalid',
  reason: `${quote(value)} matches too weakly (confidence ${confidence.toFixed(2)})`,
});

function quote(raw: JsonValue): string {
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  return JSON.stringify(cut(text, QUOTED_UNITS));
}

/** Ours mean "nothing found": a schema is not asked about them. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner ?? null)]));
}

function problemOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): RecordProblem {
  const path = instancePath.replace(/^\//, '');
  if (keyword === 'required') {
    const name = escapePointer(String(params['missingProperty']));
    return {
      field: path === '' ? name : `${path}/${name}`,
      problem: 'missing',
      reason: 'required, and not found',
    };
  }
  const allowed: unknown = params['allowedValues'];
  const choices = Array.isArray(allowed) ? `: ${allowed.slice(0, 8).join(', ')}` : '';
  const extra = keyword === 'additionalProperties' ? `: ${String(params['additionalProperty'])}` : '';
  return {
    field: path === '' ? '(record)' : path,
    problem: 'invalid',
    reason: `${message}${choices}${extra}`,
  };
}

/** A record with where each field came from. `page` is set where records of several pages are mixed. */
export function explainRecord({ record, problems, found }: FinishedRecord): JsonObject {
  const fields = Object.entries(found.fields).map(([name, { strategy, selector, confidence }]) => {
    const rounded = Math.round(confidence * 100) / 100;
    return [name, { strategy, selector, confidence: rounded }] as const;
  });
  return {
    record,
    strategy: found.strategy,
    where: found.where,
    fields: Object.fromEntries(fields),
    problems: [...problems],
  };
}
