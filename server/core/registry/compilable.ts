import { z } from 'zod';
import { isObject, type JsonObject } from '../../../shared/json.ts';

/** Compilers of schemas recurse, with many frames a level. */
const DEPTH_MAX = 48;

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Compilers look for these under words that they do not know, too; two tools may use the same. */
const NAMES = ['$id', '$anchor', '$dynamicAnchor'];

/** The same text for the same value, in any order of its fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );

const unique = (list: z.ZodArray): z.ZodType =>
  list.refine((parts) => new Set(parts.map(canonical)).size === parts.length, 'the same twice');

/** A schema each of whose keywords has a value of the form that the keyword takes. */
function formOfSchemas(): z.ZodType {
  const schema: z.ZodType = z.lazy(() => z.union([z.boolean(), keywords]));
  const type = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
  const pattern = z.string().refine(isPattern, 'not a regular expression');
  const schemas = z.array(schema).min(1);
  const named = z.record(z.string(), schema);
  const names = unique(z.array(z.string()));
  const form = <Keys extends string>(keys: readonly Keys[], of: z.ZodType) =>
    Object.fromEntries(keys.map((key) => [key, of.optional()]));
  const keywords = z
    .looseObject({
      ...form(['id', '$dynamicRef', '$recursiveRef', '$async'], z.never()),
      // Validators that support only a few formats.
      ...form(['formatMinimum', 'formatMaximum'], z.never()),
      ...form(['formatExclusiveMinimum', 'formatExclusiveMaximum'], z.never()),
      ...form(['$schema', '$comment', 'format', 'title', 'description'], z.string()),
      ...form(['contentMediaType', 'contentEncoding'], z.string()),
      ...form(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], z.number()),
      ...form(['minLength', 'maxLength', 'minItems', 'maxItems'], z.int().min(0)),
      ...form(['minProperties', 'maxProperties', 'minContains', 'maxContains'], z.int().min(0)),
      ...form(['not', 'if', 'then', 'else', 'contains', 'propertyNames'], schema),
      ...form(['additionalProperties', 'additionalItems'], schema),
      ...form(['anyOf', 'allOf', 'oneOf'], schemas),
      ...form(['properties', '$defs', 'definitions'], named),
      ...form(['uniqueItems', 'nullable', 'readOnly', 'writeOnly'], z.boolean()),
      examples: z.array(z.unknown()).optional(),
      $ref: z.string().startsWith('#').optional(),
      type: z.union([type, unique(z.array(type).min(1))]).optional(),
      enum: unique(z.array(z.unknown()).min(1)).optional(),
      required: names.optional(),
      multipleOf: z.number().positive().optional(),
      pattern: pattern.optional(),
      patternProperties: z.record(pattern, schema).optional(),
      items: z.union([schema, schemas]).optional(),
      dependencies: z.record(z.string(), z.union([names, schema])).optional(),
    })
    .refine(
      (each) => each['nullable'] === undefined || each['type'] !== undefined,
      'nullable without a type',
    );
  return schema;
}

let form: z.ZodType | undefined;

/**
 * Whether every client can compile a schema: one that cannot loses its whole list. It rejects
 * some that would do, never yes of one that would not. Ours, since compilers differ in what they
 * take, make code of a foreign schema, and would be loaded at every start; tests hold it against them.
 */
export function isCompilable(schema: JsonObject): boolean {
  form ??= formOfSchemas();
  const isSchema = form;
  return !isDeeperThan(schema, DEPTH_MAX) && isSchema.safeParse(schema).success && isClosed(schema, isSchema);
}

const partsOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function isDeeperThan(value: unknown, levels: number): boolean {
  return levels < 0 || partsOf(value).some((part) => isDeeperThan(part, levels - 1));
}

/**
 * Whether each reference leads to a schema of the same document, and no part has a name of its own.
 * What only looks like either is taken for it.
 */
function isClosed(root: JsonObject, isSchema: z.ZodType): boolean {
  // Thousands of references lead to a few parts.
  const known = new Map<string, boolean>();
  const leads = (reference: string): boolean => {
    const isKnown = known.get(reference) ?? isSchema.safeParse(targetOf(root, reference)).success;
    known.set(reference, isKnown);
    return isKnown;
  };
  const isClosedAt = (value: unknown): boolean => {
    const fields = Object(value) as Readonly<Record<string, unknown>>;
    const { $ref: reference } = fields;
    const hasTarget = typeof reference !== 'string' || leads(reference);
    return (
      hasTarget && !NAMES.some((name) => Object.hasOwn(fields, name)) && partsOf(value).every(isClosedAt)
    );
  };
  return isClosedAt(root);
}

/** What a JSON Pointer (RFC 6901) of plain characters names, or undefined. */
function targetOf(root: JsonObject, reference: string): unknown {
  if (reference === '#') return root;
  if (!/^#\/[\w$/.-]+$/.test(reference)) return undefined;
  let at: unknown = root;
  for (const key of reference.slice(2).split('/')) {
    const members = Object(at) as Readonly<Record<string, unknown>>;
    at = Object.hasOwn(members, key) ? members[key] : undefined;
  }
  return at;
}
