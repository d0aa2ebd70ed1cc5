import { formatNote } from '../../shared/core/notes.ts';
import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { Columns } from '../../shared/libraries/values/columns.ts';
import {
  type FieldPlan,
  STRATEGIES,
  type ExtractRequest,
  SELECTOR_TYPES,
  type FieldType,
  type SelectorPlan,
} from '../../shared/libraries/values/plan.ts';
import { type FoundRecord, Strategy } from '../../shared/libraries/values/request.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { extractData } from '../../shared/extract/extract_data.manifest.ts';
import { compileSchema, walkNested, type RecordSchema } from '../core/record-schema.ts';
import { normaliseName } from '../../shared/libraries/values/names.ts';
import { planFields } from './plan.ts';
import { explainRecord, finishRecord, type FinishedRecord } from './record.ts';
import { Json, JsonRecord } from '../../shared/base/json-schema.ts';
import { RenderMode } from '../../shared/crawl/crawl.methods.ts';

const MAX_LEVELS = 6;

const SelectorText = z.string().max(2_000);

interface GivenObject {
  readonly selector?: string | undefined;
  readonly attr?: string | undefined;
  readonly type?: (typeof SELECTOR_TYPES)[number] | undefined;
  readonly multiple?: boolean | undefined;
  readonly fields?: Readonly<Record<string, string | GivenObject>> | undefined;
}

/** A selector as a caller writes it: a text, or an object. */
const Given: z.ZodType<string | GivenObject> = z.union([
  SelectorText,
  z.strictObject({
    selector: SelectorText.optional(),
    attr: z.string().min(1).max(200).optional(),
    type: z.enum(SELECTOR_TYPES).optional(),
    multiple: z.boolean().optional(),
    get fields() {
      return z.record(z.string(), Given).optional();
    },
  }),
]);

/**
 * The explicit selectors of a call. The page judges their syntax.
 * @throws SpillwayError `selector_invalid`, naming the field
 */
function planSelectors(given: Readonly<Record<string, unknown>>): Record<string, SelectorPlan> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      for (const { depth } of walkNested(Json.parse(value), name))
        if (depth > 2 * MAX_LEVELS + 1) refuseDepth(`selectors.${name}`);
      const parsed = Given.safeParse(value);
      if (!parsed.success)
        throw new SpillwayError(
          'selector_invalid',
          `selectors.${name}: takes CSS, an XPath, or {selector, attr, type: ${SELECTOR_TYPES.join('|')}, fields, multiple}.`,
        );
      return [name, planSelector(parsed.data, `selectors.${name}`, 0)];
    }),
  );
}

function refuseDepth(path: string): never {
  throw new SpillwayError('selector_invalid', `${path}: is nested deeper than ${MAX_LEVELS} levels.`);
}

function planSelector(given: string | GivenObject, path: string, level: number): SelectorPlan {
  if (level > MAX_LEVELS) refuseDepth(path);
  const whole: GivenObject = typeof given === 'string' ? { selector: given } : given;
  const selector = whole.selector?.trim() ?? '';
  if (selector === '' && whole.attr === undefined && whole.fields === undefined)
    throw new SpillwayError(
      'selector_invalid',
      `${path}: names no element; pass a selector, attr or fields.`,
    );
  const fields = Object.entries(whole.fields ?? {}).map(
    ([name, inner]) => [name, planSelector(inner, `${path}.fields.${name}`, level + 1)] as const,
  );
  return {
    selector: ['', '.', ':scope'].includes(selector) ? null : selector,
    attr: whole.attr ?? null,
    type: whole.type ?? null,
    multiple: whole.multiple ?? false,
    fields: fields.length === 0 ? null : Object.fromEntries(fields),
  };
}

/** Names that a message lists. */
const NAMES_SHOWN = 20;

/**
 * Fields of a schema in the selectors' form; if it names none, the selectors' own.
 * @throws SpillwayError `invalid_argument` for a selector of a property that the schema does not name
 */
function withSelectors(
  fields: readonly FieldPlan[],
  plans: Readonly<Record<string, SelectorPlan>>,
  path = 'selectors',
): FieldPlan[] {
  if (fields.length === 0) return Object.entries(plans).map(([name, plan]) => fieldFor(name, plan));
  const names = fields.map(({ name }) => name);
  const unknown = Object.keys(plans).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalidArgument(
      `${path}.${unknown.slice(0, 80)}: the schema has no such property; it has ${names.slice(0, NAMES_SHOWN).join(', ')}.`,
    );
  return fields.map((field) => {
    const plan = Object.hasOwn(plans, field.name) ? plans[field.name] : undefined;
    return plan === undefined ? field : fitField(field, plan, `${path}.${field.name}`);
  });
}

function fitField(field: FieldPlan, plan: SelectorPlan, path: string): FieldPlan {
  const inner = plan.fields;
  const form = formOf(plan) ?? field.form;
  const item = field.item === null ? null : fitField(field.item, { ...plan, multiple: false }, path);
  if (field.types.length === 0)
    return { ...fieldFor(field.name, plan), required: field.required, names: field.names };
  const fields =
    inner === null || !field.types.includes('object')
      ? field.fields
      : withSelectors(field.fields, inner, `${path}.fields`);
  return { ...field, form, item, fields };
}

function formOf({ type, attr }: SelectorPlan): FieldPlan['form'] | null {
  if (type === 'html' || type === 'url' || type === 'date') return type;
  if (type === null && attr !== null && /^(?:href|src|action|data-src)$/i.test(attr)) return 'url';
  return type === null ? null : 'text';
}

function typesOf(type: SelectorPlan['type']): FieldType[] {
  if (type === null) return [];
  return type === 'number' || type === 'boolean' ? [type] : ['string'];
}

function fieldFor(name: string, plan: SelectorPlan): FieldPlan {
  const { fields, multiple, type } = plan;
  const single: FieldPlan = {
    name,
    names: [normaliseName(name)],
    synonyms: [],
    hint: '',
    types: fields === null ? typesOf(type) : ['object'],
    form: formOf(plan) ?? 'text',
    bound: null,
    format: type === 'date' ? 'date' : null,
    choices: [],
    required: false,
    fields: fields === null ? [] : Object.entries(fields).map(([inner, own]) => fieldFor(inner, own)),
    item: null,
  };
  return multiple ? { ...single, types: ['array'], fields: [], item: single } : single;
}

export type ExtractArgs = z.output<typeof extractData.input>;

/** A call's checked arguments: the fields to look for, and how to finish values. */
export type ExtractJob = ReturnType<typeof planJob>;

type JobArgs = Pick<ExtractArgs, 'schema' | 'selectors' | 'strategies' | 'scope' | 'multiple' | 'explain'>;

/**
 * Checks schema and selectors before any page is touched.
 * @throws SpillwayError `schema_invalid`, `selector_invalid`, `invalid_argument`
 */
export function planJob(args: JobArgs) {
  const schema = compileSchema(args.schema);
  const selectors = args.selectors === undefined ? null : planSelectors(args.selectors);
  const fields = withSelectors(planFields(schema.schema), selectors ?? {});
  if (fields.length === 0)
    throw new SpillwayError(
      'schema_invalid',
      'schema/properties: has no fields; describe the properties of one record.',
    );
  const strategies =
    args.strategies ?? (selectors === null ? STRATEGIES.filter((name) => name !== 'selectors') : STRATEGIES);
  if (selectors === null && strategies.every((name) => name === 'selectors'))
    throw invalidArgument('strategies: selectors alone finds nothing without selectors.');
  const request: ExtractRequest = {
    fields,
    strategies: [...new Set(strategies)],
    selectors,
    scope: args.scope ?? null,
    multiple: args.multiple,
    explain: args.explain,
  };
  return {
    request,
    fields,
    schema,
    /** @param columns of all records of the call or run */
    finish: (found: FoundRecord, columns: Columns): FinishedRecord =>
      finishRecord(found, fields, schema, columns),
    /** A finished record in the form that the caller asked for. */
    present: (finished: FinishedRecord): JsonObject =>
      args.explain ? explainRecord(finished) : finished.record,
  };
}

/** Patterns that nothing checks, as notes. */
export function patternNotes({ skippedPatterns }: RecordSchema): string[] {
  return [...skippedPatterns].map((pattern) => formatNote('pattern', { pattern: pattern.slice(0, 80) }));
}

export const RunArgs = z.object({
  /** The crawl. */
  run: z.string(),
  schema: JsonRecord,
  selectors: JsonRecord.optional(),
  scope: z.string().optional(),
  strategies: z.array(Strategy).optional(),
  multiple: z.boolean(),
  explain: z.boolean(),
  render: RenderMode,
  delay_ms: z.int().min(0),
  /** The extension's instance: the same profile has another number on the next server. */
  instance: z.string().nullable(),
});
export type RunArgs = z.output<typeof RunArgs>;

export const CrawledArgs = z.object({
  render: RenderMode,
  delay_ms: z.int().min(0),
  instance: z.string().nullable(),
  url: z.string().optional(),
  urls: z.array(z.string()).optional(),
  sitemap: z.string().optional(),
});

export const CrawledItem = z.object({
  url: z.string(),
  status: z.number().nullable(),
  duplicate_of: z.string().optional(),
  error: z.object({ code: z.string() }).optional(),
});
export type CrawledItem = z.output<typeof CrawledItem>;
