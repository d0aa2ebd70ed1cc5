import { z } from 'zod';
import { OBVIOUS, type ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { cut } from '../../../shared/base/cut.ts';
import { type JsonObject, isJsonList, isObject, type JsonValue } from '../../../shared/base/json.ts';
import { valueIn } from '../../../shared/base/maps.ts';
import { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { JsonRecord } from '../../../shared/base/json-schema.ts';

/**
 * The description explains patterns and bounds better to a model, and each costs tokens in every list.
 * Arguments are checked against the whole schema.
 */
const UNSAID = [
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
] as const;

/** Maximum names of an item that a list shows. */
const ITEM_NAMES_MAX = 8;

/** JSON Schema as clients see it: the input side, so that fields with a default are optional. */
export function inputJsonSchema(schema: z.ZodObject): JsonObject {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      for (const key of UNSAID) delete jsonSchema[key];
      delete jsonSchema.additionalProperties;
      // An absent member means false.
      if (jsonSchema.default === false) delete jsonSchema.default;
      if (path.length === 0) return;
      if (jsonSchema[OBVIOUS] === true) delete jsonSchema.description;
      delete jsonSchema[OBVIOUS];
      // The keys of an object inside the arguments are in its description.
      if (jsonSchema.type === 'object') delete jsonSchema.properties;
      // If an item can have many names, the description shows some, and an error names all.
      if (path.at(-1) === 'items' && (jsonSchema.enum?.length ?? 0) > ITEM_NAMES_MAX) delete jsonSchema.enum;
    },
  });
  return withoutDialect(json);
}

const withoutDialect = ({ $schema: _dialect, ...json }: z.core.JSONSchema.BaseSchema): JsonObject =>
  JSON.parse(JSON.stringify(json)) as JsonObject;

const plainSchema = (schema: z.ZodObject): JsonObject =>
  withoutDialect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));

/** A start writes every tool's schema, so the common part is converted once. */
let stored: JsonObject | undefined;

/**
 * JSON Schema of a tool's answer: its own fields, or those of a descriptor if it was stored. For a tool that
 * hardly ever stores, the list shows only the descriptor's fields that the answer has too.
 */
export function outputJsonSchema(schema: z.ZodObject, { spills }: Pick<ToolManifest, 'spills'>): JsonObject {
  stored ??= propertiesOf(plainSchema(OutputDescriptor));
  const own = plainSchema(schema);
  return relaxSchema(own, spills ? stored : membersInBoth(propertiesOf(own), stored));
}

const membersInBoth = (own: JsonObject, all: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(own, key)));

/** The same meaning as `true` and `false` in a property, in a form that clients accept. */
const Property = z.union([
  JsonRecord,
  z.boolean().transform((isAnything): JsonObject => (isAnything ? {} : { not: {} })),
]);

/**
 * MCP clients refuse the whole list for one schema that fails this, and models' APIs for one without
 * properties.
 */
const ObjectSchema = z.looseObject({
  type: z.literal('object').default('object'),
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).optional(),
});

/**
 * The schema of a provider's tool in a form that every client accepts: an object's, which says so.
 * @throws Error that names `which` and the first invalid place
 */
export function objectSchema(which: 'input' | 'output', schema: JsonObject): JsonObject {
  // Everything below is JSON without circles.
  const checked = ObjectSchema.safeParse(JSON.parse(JSON.stringify(schema)));
  const object = checked.data as JsonObject | undefined;
  if (object !== undefined) return object;
  const [issue] = checked.error?.issues ?? [];
  const where = issue?.path.map(String).join('.') ?? '';
  const problem = `${where === '' ? '' : `${where}: `}${issue?.message ?? 'malformed'}`;
  throw new Error(`its ${which} schema is not an object schema that clients accept (${problem})`);
}

/** Models' APIs refuse the whole list for one argument with another name. */
const ARGUMENT_NAME = /^[\w.-]{1,64}$/;
/** Leaves room for a number. */
const ARGUMENT_UNITS = 56;

/** The arguments that models' APIs refuse: their names, and the nearest free ones. */
export function argumentNames(schema: JsonObject): ReadonlyMap<string, string> {
  const own = Object.keys(propertiesOf(schema));
  const taken = new Set(own);
  const names = new Map<string, string>();
  for (const name of own) {
    if (ARGUMENT_NAME.test(name)) continue;
    const plain = name.replaceAll(/[^\w.-]+/g, '_').slice(0, ARGUMENT_UNITS) || '_';
    let shown = plain;
    for (let next = 2; taken.has(shown); next += 1) shown = `${plain}_${next}`;
    taken.add(shown);
    names.set(name, shown);
  }
  return names;
}

const SENT_UNITS = 80;

/** The same schema with the names of {@link argumentNames}. */
export function renameArguments(schema: JsonObject): JsonObject {
  const names = argumentNames(schema);
  if (names.size === 0) return schema;
  const properties = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const shown = names.get(name);
    if (shown === undefined || !isObject(property)) return [name, property] as const;
    const { description } = property;
    const sent = `Sent as "${cut(name, SENT_UNITS)}".`;
    return [
      shown,
      { ...property, description: typeof description === 'string' ? `${description} ${sent}` : sent },
    ] as const;
  });
  const shownAs = (name: JsonValue): JsonValue =>
    typeof name === 'string' ? (names.get(name) ?? name) : name;
  const { required } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(isJsonList(required) ? { required: required.map(shownAs) } : {}),
  };
}

/** A failure, a question to a person. */
const ASIDE: JsonObject = { error: { type: 'object' }, pending: { type: 'object' } };

const KEPT = ['$schema', 'type', 'title', 'description', '$defs', 'definitions'];

/** References into parts that are changed or left out. */
const LEADS_ELSEWHERE = /"\$ref":"#(?!\/(?:\$defs|definitions)\/)/;

/**
 * A tool's output schema as clients see it. They also validate other answers against it: a failure, a
 * question, a descriptor with the fields `stored`, the part that a mode keeps. So nothing is required, and if
 * two of these share a name, it accepts either.
 */
export function relaxSchema(schema: JsonObject, stored: JsonObject = {}): JsonObject {
  const base = LEADS_ELSEWHERE.test(JSON.stringify(schema)) ? withWhole(schema) : schema;
  const own = propertiesOf(base);
  const shared = Object.entries({ ...ASIDE, ...stored }).filter(([name]) => Object.hasOwn(own, name));
  const either = shared.map(([name, other]): [string, JsonObject] => [name, eitherOf(own[name], other)]);
  return {
    ...Object.fromEntries(Object.entries(base).filter(([key]) => KEPT.includes(key))),
    properties: { ...stored, ...own, ...Object.fromEntries(either) },
  };
}

export const propertiesOf = ({ properties }: JsonObject): JsonObject =>
  isObject(properties) ? properties : {};

function eitherOf(one: JsonValue | undefined, other: JsonValue | undefined): JsonObject {
  const anyOf = [one ?? {}, other ?? {}];
  const [first, second] = anyOf.map((each) => JSON.stringify(each));
  return first === second || first === '{}' ? (anyOf[0] as JsonObject) : { anyOf };
}

/** The same, but references lead into an unchanged copy, so that `oneOf` still distinguishes its alternatives. */
function withWhole(schema: JsonObject): JsonObject {
  const lead = (key: string, value: unknown): unknown =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#/, '#/$defs/whole') : value;
  const moved = JSON.parse(JSON.stringify(schema), lead) as JsonObject;
  const { $schema: _dialect, ...whole } = moved;
  const { definitions: _inWhole, ...rest } = moved;
  return { ...rest, $defs: { whole } };
}

/** Schema compilers recurse, with many frames a level. */
const DEPTH_MAX = 48;

export const isRegExp = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Compilers look for these even under unknown keywords; two tools may use the same one. */
const NAMES = ['$id', '$anchor', '$dynamicAnchor'];

/** The same text for the same value, whatever the order of its fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );

const unique = (list: z.ZodArray): z.ZodType =>
  list.refine((parts) => new Set(parts.map(canonical)).size === parts.length, 'the same twice');

/** A schema in which each keyword's value has the right form. */
function formOfSchemas(): z.ZodType {
  const schema: z.ZodType = z.lazy(() => z.union([z.boolean(), keywords]));
  const type = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
  const pattern = z.string().refine(isRegExp, 'not a regular expression');
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
 * Whether every client can compile a schema: a client that cannot loses its whole list. It rejects some that
 * would work, but never accepts one that would not. It is ours because compilers disagree, generate code from
 * a foreign schema, and would load at every start; tests compare it with them.
 */
export function isCompilable(schema: JsonObject): boolean {
  form ??= formOfSchemas();
  const isSchema = form;
  return !isDeeperThan(schema, DEPTH_MAX) && isSchema.safeParse(schema).success && isClosed(schema, isSchema);
}

const memberValues = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const isDeeperThan = (value: unknown, levels: number): boolean =>
  levels < 0 || memberValues(value).some((part) => isDeeperThan(part, levels - 1));

/**
 * Whether each reference leads to a schema of the same document, and no part has an id. Anything that looks
 * like either counts.
 */
function isClosed(root: JsonObject, isSchema: z.ZodType): boolean {
  // Thousands of references lead to a few parts.
  const known = new Map<string, boolean>();
  const leads = (reference: string): boolean =>
    valueIn(known, reference, () => isSchema.safeParse(targetOf(root, reference)).success);
  const isClosedAt = (value: unknown): boolean => {
    const fields = Object(value) as Readonly<Record<string, unknown>>;
    const { $ref: reference } = fields;
    const hasTarget = typeof reference !== 'string' || leads(reference);
    return (
      hasTarget && !NAMES.some((name) => Object.hasOwn(fields, name)) && memberValues(value).every(isClosedAt)
    );
  };
  return isClosedAt(root);
}

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
