import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS, RE2JSException } from 're2js';
import { decodePercent } from '../../shared/base/file-name.ts';
import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
  isJsonList,
} from '../../shared/base/json.ts';
import { Json } from '../../shared/base/json-schema.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { MATCH_WORK, partToMatch } from './slices.ts';
import { messageOf } from '../../shared/base/message-of.ts';

/** Characters of a pattern. */
const MAX_UNITS = 1_000;
const SPACES = String.raw`\s\v\x{a0}\x{feff}\p{Z}`;

/** In RE2, white space is that of ASCII. */
function withAllSpaces(source: string): string {
  let isInClass = false;
  return source.replaceAll(/\\.|[[\]]/gs, (part) => {
    if (part === '[' || part === ']') isInClass = part === '[';
    if (part === '\\s') return isInClass ? SPACES : `[${SPACES}]`;
    return part === '\\S' && !isInClass ? `[^${SPACES}]` : part;
  });
}

/** Left for the patterns of a value. */
interface Work {
  left: number;
}

/**
 * ajv's `code.regExp` by RE2, whose time is bounded: it sees the beginning of a long text. `skipped` gets the patterns
 * that look around or refer to groups: RE2 has neither, and nothing checks them. Nor is more checked than `work` allows.
 */
const patternsOfRe2 = (skipped: Set<string>, work: Work) =>
  Object.assign(
    (source: string, flags: string) => {
      if (source.length > MAX_UNITS) throw new SyntaxError(`A pattern has at most ${MAX_UNITS} characters.`);
      const text = String(new RegExp(source, flags));
      const regex = compileRe2(source);
      if (regex === null) skipped.add(source);
      // ajv distinguishes patterns by their text.
      const test = (value: string): boolean => {
        if (regex === null || work.left < 0) return true;
        const part = partToMatch(value, regex.programSize());
        work.left -= part.length * regex.programSize();
        return regex.test(part);
      };
      return { toString: () => text, test };
    },
    { code: 'new RegExp' },
  );

function compileRe2(source: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(withAllSpaces(source)));
  } catch (thrown) {
    if (thrown instanceof RE2JSException) return null;
    throw thrown;
  }
}

/** A caller's schema, checked and ready. */
export interface RecordSchema {
  readonly schema: JsonObject;
  /** Empty if the record is valid. */
  readonly validate: (record: JsonValue) => readonly ErrorObject[];
  /** Patterns that nothing checks. */
  readonly skippedPatterns: ReadonlySet<string>;
}

/** `size: is required; colour: must be one of: red, blue`. */
export const describeProblems = (problems: readonly ErrorObject[]): string =>
  problems
    .map(({ instancePath, message, params }) => {
      const missing: unknown = params['missingProperty'] ?? params['additionalProperty'];
      const path = [instancePath.slice(1).replaceAll('/', '.'), missing]
        .filter(Boolean)
        .map(String)
        .join('.');
      const choices: unknown = params['allowedValues'];
      const allowed = Array.isArray(choices) ? `: ${choices.join(', ')}` : '';
      const what =
        missing === undefined ? message : 'missingProperty' in params ? 'is required' : 'unknown parameter';
      return `${path || 'arguments'}: ${what}${allowed}`;
    })
    .join('; ');

/** Drafts before 2020-12, which mean the same for a record. */
const OTHER_DRAFTS = /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]|draft\/20(?:19-09|20-12))\/schema#?$/;

/**
 * Checks and compiles the schema of one record. Nothing is fetched, and its patterns cannot hang.
 * @throws SpillwayError `schema_invalid`, naming the path
 */
export function compileSchema(given: Readonly<Record<string, unknown>>): RecordSchema {
  const asked = Json.parse(given);
  if (!isObject(asked)) return refuseSchema('schema', 'is not an object.');
  const schema = withoutDraft(asked);
  checkBounds(schema);
  if (schema['type'] === 'array')
    refuseSchema(
      'schema/type',
      'describes a list; describe one record, and pass multiple: true for all of them.',
    );
  const skippedPatterns = new Set<string>();
  const work: Work = { left: 0 };
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateSchema: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp: patternsOfRe2(skippedPatterns, work) },
  });
  addFormats(ajv);
  // ajv compares each item with each other one.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, list: readonly JsonValue[]) =>
      !isAsked || new Set(list.map(canonicalJson)).size === list.length,
    error: { message: 'must NOT have duplicate items' },
  });
  if (metaschema().validateSchema(schema) !== true) raise(metaschema().errors ?? []);
  const validate = compile(ajv, schema);
  return {
    schema,
    skippedPatterns,
    validate: (record) => {
      work.left = MATCH_WORK;
      return validate(record) ? [] : (validate.errors ?? []);
    },
  };
}

let meta: Ajv2020 | null = null;

/** The schema of schemas is compiled once: it takes longer than most callers' own. */
function metaschema(): Ajv2020 {
  if (meta !== null) return meta;
  meta = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats(meta);
  return meta;
}

function withoutDraft(schema: JsonObject): JsonObject {
  const { $schema, $id, ...rest } = schema;
  if ($schema !== undefined && (typeof $schema !== 'string' || !OTHER_DRAFTS.test($schema)))
    refuseSchema('schema/$schema', 'names an unknown dialect; only JSON Schema 2020-12 is supported.');
  if ($id !== undefined && typeof $id !== 'string') refuseSchema('schema/$id', 'is a string.');
  return rest;
}

function compile(ajv: Ajv2020, schema: JsonObject): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new SpillwayError('schema_invalid', `schema: ${reason.slice(0, 300)}`, { cause });
  }
}

/** The most telling error: the deepest, and of these the first. */
function raise(errors: readonly ErrorObject[]): never {
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
  const [worst] = [...errors].sort((a, b) => depth(b) - depth(a));
  const path = `schema${worst?.instancePath ?? ''}`;
  const choices: unknown = worst?.params['allowedValues'];
  const allowed = Array.isArray(choices) ? `: ${choices.join(', ')}` : '';
  return refuseSchema(path, `${worst?.message ?? 'is not a JSON Schema'}${allowed}.`);
}

/** Bounds of a schema: a larger schema is an attack, not a description of a record. */
const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 48;
const MAX_NODES = 5_000;
/** Subschemas that one value may have to be checked against, references followed. */
const MAX_EXPANSION = 20_000;

/** @throws SpillwayError `schema_invalid` */
function refuseSchema(path: string, why: string): never {
  throw new SpillwayError('schema_invalid', `${path}: ${why}`);
}

/**
 * Rejects schemas that are too large or too deep, that refer to other documents, or whose references lead in
 * circles without going deeper into the value.
 * @throws SpillwayError `schema_invalid`, naming the path
 */
function checkBounds(schema: JsonObject): void {
  let nodes = 0;
  for (const { value, path, depth } of walkNested(schema)) {
    nodes += 1;
    if (depth > MAX_DEPTH) refuseSchema(path, `is nested deeper than ${MAX_DEPTH} levels.`);
    if (nodes > MAX_NODES)
      refuseSchema(path, `comes after ${MAX_NODES} other parts: describe one record in fewer.`);
    if (isObject(value)) checkReference(value, path);
  }
  // Not earlier: an endlessly nested value cannot be serialised.
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES)
    refuseSchema('schema', `is larger than ${MAX_BYTES / 1024} KiB.`);
  checkExpansion(schema);
}

interface Nested {
  readonly value: JsonValue | undefined;
  readonly path: string;
  readonly depth: number;
}

/** Every object and list in a value, which may be nested deeper than the call stack. */
export function* walkNested(root: JsonValue, path = 'schema'): Generator<Nested> {
  const stack: Nested[] = [{ value: root, path, depth: 0 }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { value, path, depth } = at;
    if (typeof value !== 'object' || value === null) continue;
    yield at;
    for (const [key, inner] of Object.entries(value))
      stack.push({ value: inner, path: `${path}/${key}`, depth: depth + 1 });
  }
}

function checkReference(value: JsonObject, path: string): void {
  for (const key of ['$ref', '$dynamicRef']) {
    const target = value[key];
    if (typeof target === 'string' && !target.startsWith('#'))
      refuseSchema(
        `${path}/${key}`,
        `"${target.slice(0, 100)}" points outside the schema; only references such as "#/$defs/x" are followed.`,
      );
  }
  if (Object.hasOwn(value, '__proto__')) refuseSchema(path, 'a property cannot be called __proto__.');
}

/** The part of a schema that a local reference names, or undefined. */
export function followReference(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return findAnchor(root, reference.slice(1));
  let at: JsonValue | undefined = root;
  for (const part of (decodePercent(reference) ?? reference).slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonList(at)) at = at[Number(key)];
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function findAnchor(root: JsonObject, name: string): JsonValue | undefined {
  for (const { value } of walkNested(root))
    if (isObject(value) && (value['$anchor'] === name || value['$dynamicAnchor'] === name)) return value;
  return undefined;
}

/** Keywords whose subschemas see the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

function listSubschemas(keyword: string, value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  if (isJsonList(value)) return value;
  return keyword === 'dependentSchemas' && isObject(value) ? Object.values(value) : [value];
}

/** Counts the subschemas that one value meets: references in a row, or doubled at each step, multiply. */
function checkExpansion(root: JsonObject): void {
  /** Zero while it is being counted. */
  const costs = new Map<JsonObject, number>();
  const costOf = (schema: JsonObject, path: string): number => {
    const known = costs.get(schema);
    if (known === 0) refuseSchema(path, 'a reference is circular.');
    if (known !== undefined) return known;
    costs.set(schema, 0);
    let cost = 1;
    for (const [inner, innerPath] of partsInPlace(root, schema, path)) cost += costOf(inner, innerPath);
    costs.set(schema, cost);
    return cost;
  };
  for (const { value } of walkNested(root))
    if (isObject(value) && costOf(value, 'schema') > MAX_EXPANSION)
      refuseSchema('schema', `its references multiply to more than ${MAX_EXPANSION} checks of one value.`);
}

function* partsInPlace(
  root: JsonObject,
  schema: JsonObject,
  path: string,
): Generator<readonly [JsonObject, string]> {
  const reference = schema['$ref'] ?? schema['$dynamicRef'];
  if (typeof reference === 'string') {
    const target = followReference(root, reference);
    if (target === undefined)
      refuseSchema(`${path}/$ref`, `there is no ${reference.slice(0, 100)} in the schema.`);
    if (isObject(target)) yield [target, `${path}/$ref`];
  }
  for (const keyword of IN_PLACE) {
    const value = schema[keyword];
    for (const part of listSubschemas(keyword, value)) if (isObject(part)) yield [part, `${path}/${keyword}`];
  }
}
