import type { ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { formatNote } from '../../shared/core/notes.ts';
import { cut, textsOf } from '../../shared/base/cut.ts';
import { type Columns, pathOf, SIGNS } from '../../shared/libraries/values/columns.ts';
import type { FieldPlan } from '../../shared/libraries/values/plan.ts';
import {
  coerce,
  escapePointer,
  MIN_SURE,
  UNSURE,
  type ValueHints,
} from '../../shared/libraries/values/coerce.ts';
import type {
  FoundField,
  FoundRecord,
  Strategy,
  TriedStrategy,
} from '../../shared/libraries/values/request.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import type { RecordSchema } from '../core/record-schema.ts';

/** A gap in a record, or a violation of its schema. */
interface RecordProblem extends JsonObject {
  /** Name, or path below it: `offer/price`. */
  readonly field: string;
  /** `invalid`: null if the value cannot be coerced to its type, and unchanged if it breaks another rule. */
  readonly problem: 'missing' | 'invalid';
  readonly reason: string;
}

export interface FinishedRecord {
  readonly record: JsonObject;
  readonly problems: readonly RecordProblem[];
  readonly found: FoundRecord;
}

const MACHINE: readonly Strategy[] = ['json_ld', 'meta'];
const QUOTED_UNITS = 80;

/** Records that wait at once for others of their column. */
export const MAX_HELD = 2_000;

/** {@link Columns.save} */
export const SavedColumns = z.array(z.tuple([z.string(), z.array(z.enum(SIGNS))]));

/** Finished records in turn. From the first that can only be read with the others of its column, they wait for them. */
export async function* finishAll(
  all: AsyncIterable<FoundRecord>,
  columns: Columns,
  finish: (found: FoundRecord) => FinishedRecord,
): AsyncGenerator<FinishedRecord, void> {
  const held: FoundRecord[] = [];
  for await (const found of all) {
    const finished = finish(found);
    if (!columns.isAsked) yield finished;
    else if (held.push(found) >= MAX_HELD) for (const one of held.splice(0)) yield finish(one);
  }
  for (const one of held) yield finish(one);
}

/**
 * A record in the schema's form. It has every property: null if the page says nothing, or nothing of the
 * declared type.
 */
export function finishRecord(
  found: FoundRecord,
  fields: readonly FieldPlan[],
  schema: RecordSchema,
  columns: Columns,
): FinishedRecord {
  const values = new Map<string, JsonValue>();
  const problems: RecordProblem[] = [];
  for (const field of fields) {
    const own = Object.hasOwn(found.fields, field.name) ? found.fields[field.name] : undefined;
    const made = finishField(field, own, { lang: found.lang, columns });
    values.set(field.name, made.value);
    problems.push(...made.problems);
  }
  const record = Object.fromEntries(values);
  for (const error of schema.validate(withoutNulls(record))) {
    const problem = problemOf(error);
    if (!problems.some(({ field }) => field === problem.field)) problems.push(problem);
  }
  return { record, problems, found };
}

function finishField(
  field: FieldPlan,
  own: FoundField | undefined,
  page: Omit<ValueHints, 'isMachine'>,
): { readonly value: JsonValue; readonly problems: readonly RecordProblem[] } {
  if (own === undefined) return { value: null, problems: [buildMissing(field)] };
  if (own.confidence < MIN_SURE) return { value: null, problems: [unsure(field, own.value, own.confidence)] };
  const hints = { ...page, isMachine: MACHINE.includes(own.strategy) };
  const made = coerce(field, own.value, hints, escapePointer(field.name));
  const isEmpty = saysNothing(made.value);
  const problems = made.problems.map(({ path, raw, reason }): RecordProblem => {
    return { field: path, problem: 'invalid', reason: `${quote(raw)} ${reason}` };
  });
  return {
    value: isEmpty ? null : made.value,
    problems: isEmpty && problems.length === 0 ? [buildMissing(field)] : problems,
  };
}

/** A list without items, or an object whose fields are all null. */
const saysNothing = (value: JsonValue): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.values(value).every((inner) => saysNothing(inner ?? null)));

const buildMissing = ({ name, required }: FieldPlan): RecordProblem => ({
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

/** Our nulls mean "nothing found": the schema is not applied to them. */
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

/** A record with the source of each field. `page` is set if records of several pages are mixed. */
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

const FieldTally = z.object({
  missing: z.number(),
  required: z.boolean(),
  invalid: z.number(),
  /** The first invalid one. */
  example: z.object({ record: z.number(), reason: z.string() }).nullable(),
});
type FieldTally = z.infer<typeof FieldTally>;

export const SavedTally = z.object({
  records: z.number(),
  fields: z.array(z.tuple([z.string(), FieldTally])),
  strategies: z.array(z.tuple([z.string(), z.number()])),
  unsure: z.array(z.string()).default([]),
});

const REASON_UNITS = 160;
const NAMES_SHOWN = 20;
const MAX_PATHS = 200;

export class Tally {
  records = 0;
  hidden = 0;
  readonly #fields = new Map<string, FieldTally>();
  readonly #strategies = new Map<string, number>();
  readonly #unsure = new Set<string>();

  add({ record, problems, found }: FinishedRecord): void {
    this.records += 1;
    for (const [name, { confidence }] of Object.entries(found.fields))
      if (confidence < UNSURE && (record[name] ?? null) !== null) this.#unsure.add(name);
    this.#strategies.set(found.strategy, (this.#strategies.get(found.strategy) ?? 0) + 1);
    for (const { field, problem, reason } of problems) {
      const path = pathOf(field);
      let tally = this.#fields.get(path);
      if (tally === undefined) {
        if (this.#fields.size >= MAX_PATHS) continue;
        this.#fields.set(path, (tally = { missing: 0, required: false, invalid: 0, example: null }));
      }
      if (problem === 'missing') {
        tally.missing += 1;
        tally.required ||= reason.startsWith('required');
      } else {
        tally.invalid += 1;
        tally.example ??= { record: this.records, reason: cut(reason, REASON_UNITS) };
      }
    }
  }

  /** Stored next to the items, so that a resumed run continues the counts. */
  save(): JsonObject {
    return {
      records: this.records,
      fields: [...this.#fields].map(([path, tally]) => [path, { ...tally }]),
      strategies: [...this.#strategies],
      unsure: [...this.#unsure],
    };
  }

  restore(saved: z.infer<typeof SavedTally>): void {
    this.records = saved.records;
    for (const [path, tally] of saved.fields) this.#fields.set(path, tally);
    for (const [strategy, count] of saved.strategies) this.#strategies.set(strategy, count);
    for (const name of saved.unsure) this.#unsure.add(name);
  }

  /** One sentence per field; required and invalid ones come first. */
  notes(): string[] {
    const ordered = [...this.#fields].sort(([, a], [, b]) => weight(b) - weight(a));
    return textsOf(
      ...ordered.flatMap(([field, tally]) => this.#note(field, tally)),
      this.#unsure.size > 0 &&
        formatNote('unsure', { fields: [...this.#unsure].slice(0, NAMES_SHOWN).join(', ') }),
      this.hidden > 0 && formatNote('hidden', { count: this.hidden }),
    );
  }

  #note(field: string, { missing, required, invalid, example }: FieldTally): string[] {
    const all = this.records;
    const isOne = all === 1;
    const lacks = required ? 'required' : 'missing';
    return textsOf(
      invalid > 0 &&
        example !== null &&
        formatNote(isOne ? 'invalid' : 'invalid_in', { field, some: invalid, all, ...example }),
      missing > 0 && formatNote(isOne ? lacks : `${lacks}_in`, { field, some: missing, all }),
    );
  }

  state(): JsonObject {
    return {
      records: this.records,
      hidden_records: this.hidden,
      strategies: Object.fromEntries(this.#strategies),
      problems: Object.fromEntries(
        [...this.#fields].map(([field, { missing, invalid, example }]) => [
          field,
          { missing, invalid, ...(example === null ? {} : { first_invalid: { ...example } }) },
        ]),
      ),
    };
  }
}

const weight = ({ required, invalid }: FieldTally): number => (required ? 2 : 0) + (invalid > 0 ? 1 : 0);

export function describeTried(tried: readonly TriedStrategy[]): string {
  const parts = tried.map(({ strategy, records, coverage }) => {
    if (records === 0) return `${strategy} (none)`;
    return `${strategy} (${records} candidates, best covers ${Math.round(coverage * 100)} %)`;
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
