import { decodePercent } from '../../shared/file-name.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script, type Context } from 'node:vm';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject, type JsonValue, isJsonList } from '../../shared/json.ts';
import { Json } from '../../shared/json-schema.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { messageOf } from '../../shared/message-of.ts';

const CLASS = /\[(?:\\.|[^\]\\])*\]/gs;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|.)/gs;
/** No count of choices bounds it. */
const LOOKS = /\\[1-9k]|\(\?<?[=!]/;
const GROUP_HEAD = /\(\?(?:<[^>]*>|:)/g;
/** A part, its quantifier, and whether it is lazy. */
const REPEATED = /(?<part>[^(|])(?:(?<sign>[*+?])|\{(?<least>\d+)(?<open>,(?<most>\d*))?\})\??/gs;

/**
 * Most steps that a pattern with the flag `u` takes on a text of this many UTF-16 units, by the number of
 * paths for backtracking: each repeat and alternative multiplies them, and no path is longer than text and
 * pattern. Infinite for a pattern that repeats a group or looks around.
 */
export function maxSteps(source: string, units: number): number {
  if (LOOKS.test(source.replaceAll('\\\\', 'x'))) return Infinity;
  const bare = source.replace(ESCAPE, 'x').replace(CLASS, 'x').replace(GROUP_HEAD, '(');
  let ways = bare.startsWith('^') && !bare.includes('|') ? 1 : units + 1;
  for (const { groups } of bare.matchAll(REPEATED)) {
    const { part, sign, least, open, most } = groups ?? {};
    const isMaybe = sign === '?';
    if (part === ')' && !isMaybe) return Infinity;
    const times = open === undefined ? 0 : most === '' ? units : Number(most) - Number(least);
    ways *= isMaybe ? 2 : Math.min(sign === undefined ? times : units, units) + 1;
  }
  return ways * 2 ** (bare.split('|').length - 1) * (units + source.length);
}

/** Characters of a pattern. */
const MOST_UNITS = 1_000;
const FEW_STEPS = 100_000;
const TURN_MS = 100;
const CALL_MS = 5_000;
/** After a record that took less, the next one follows at once. */
const SHORT_MS = 10;

interface Bounds {
  readonly turnMs: number;
  readonly callMs: number;
  /** Milliseconds. */
  readonly now: () => number;
}

interface Tester {
  test(text: string): boolean;
  /** ajv distinguishes patterns by this. */
  toString(): string;
}

/**
 * Bounded regular expressions from callers: one that takes few steps on a text runs directly, any other in a
 * context that is interrupted. An interrupted pattern is not tried again, and none is tried when the time of
 * the turn or the call is over; `skipped` names those.
 */
export class Patterns {
  readonly skipped = new Set<string>();
  readonly #givenUp = new Set<string>();
  readonly #bounds: Bounds;
  #sandbox: Context | null = null;
  #turnMs = 0;
  #callMs = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { turnMs: TURN_MS, callMs: CALL_MS, now: () => performance.now(), ...bounds };
  }

  /** ajv's `code.regExp`. @throws SyntaxError for an invalid pattern, or one that is too long */
  readonly create = Object.assign((source: string, flags: string): Tester => this.#tester(source, flags), {
    code: 'new RegExp',
  });

  /** Between two records: yields if the patterns took long. */
  async rest(): Promise<void> {
    if (this.#turnMs < SHORT_MS) return;
    await nextTurn();
    this.#turnMs = 0;
  }

  #tester(source: string, flags: string): Tester {
    if (source.length > MOST_UNITS) throw new SyntaxError(`A pattern has at most ${MOST_UNITS} characters.`);
    const pattern = new RegExp(source, flags);
    const isCountable = flags === 'u';
    return {
      toString: () => String(pattern),
      test: (text) => {
        if (this.#givenUp.has(source)) return true;
        if (isCountable && maxSteps(source, text.length) <= FEW_STEPS)
          return this.#within(pattern, () => pattern.test(text));
        const sandbox = (this.#sandbox ??= createContext({}));
        Object.assign(sandbox, { pattern, text });
        return this.#within(pattern, (leftMs) => TEST.runInContext(sandbox, { timeout: leftMs }) === true);
      },
    };
  }

  #within({ source }: RegExp, test: (leftMs: number) => boolean): boolean {
    const { turnMs, callMs, now } = this.#bounds;
    const leftMs = Math.ceil(Math.min(turnMs - this.#turnMs, callMs - this.#callMs));
    const startedAt = now();
    try {
      if (leftMs > 0) return test(leftMs);
    } catch {
      // It was interrupted, or is too large for the engine.
      this.#givenUp.add(source);
    } finally {
      const tookMs = now() - startedAt;
      this.#turnMs += tookMs;
      this.#callMs += tookMs;
    }
    this.skipped.add(source);
    return true;
  }
}

const TEST = new Script('pattern.test(text)');

/** A caller's schema, checked and ready. */
export interface RecordSchema {
  readonly schema: JsonObject;
  /** Empty if the record is valid. */
  readonly validate: (record: JsonValue) => readonly ErrorObject[];
  /** Await it between two records: slow patterns yield to other work. */
  readonly rest: () => Promise<void>;
  /** Patterns that took too long and were abandoned. */
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
  const patterns = new Patterns();
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateSchema: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp: patterns.create },
  });
  addFormats(ajv);
  if (metaschema().validateSchema(schema) !== true) raise(metaschema().errors ?? []);
  const validate = compile(ajv, schema);
  return {
    schema,
    rest: () => patterns.rest(),
    skippedPatterns: patterns.skipped,
    validate: (record) => (validate(record) ? [] : (validate.errors ?? [])),
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
const MOST_BYTES = 256 * 1024;
const MOST_DEPTH = 48;
const MOST_NODES = 5_000;
/** Subschemas that one value may have to be checked against, references followed. */
const MOST_EXPANSION = 20_000;

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
  const stack: { value: JsonValue | undefined; path: string; depth: number }[] = [
    { value: schema, path: 'schema', depth: 0 },
  ];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { value, path, depth } = at;
    if (typeof value !== 'object' || value === null) continue;
    nodes += 1;
    if (depth > MOST_DEPTH) refuseSchema(path, `is nested deeper than ${MOST_DEPTH} levels.`);
    if (nodes > MOST_NODES)
      refuseSchema(path, `comes after ${MOST_NODES} other parts: describe one record in fewer.`);
    if (isObject(value)) checkReference(value, path);
    for (const [key, inner] of Object.entries(value))
      stack.push({ value: inner, path: `${path}/${key}`, depth: depth + 1 });
  }
  // Not earlier: an endlessly nested value cannot be serialised.
  if (JSON.stringify(schema).length > MOST_BYTES)
    refuseSchema('schema', `is larger than ${MOST_BYTES / 1024} KiB.`);
  new Expansion(schema).check();
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
  const stack: (JsonValue | undefined)[] = [root];
  for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
    if (isObject(at) && (at['$anchor'] === name || at['$dynamicAnchor'] === name)) return at;
    if (typeof at === 'object' && at !== null) stack.push(...Object.values<JsonValue | undefined>({ ...at }));
  }
  return undefined;
}

/** Keywords whose subschemas see the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

function partsOf(keyword: string, value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  if (isJsonList(value)) return value;
  return keyword === 'dependentSchemas' && isObject(value) ? Object.values(value) : [value];
}

/** How many subschemas one value meets: references in a row, or doubled at each step, multiply. */
class Expansion {
  readonly #costs = new Map<JsonObject, number>();
  readonly #inFlight = new Set<JsonObject>();

  constructor(private readonly root: JsonObject) {}

  check(): void {
    const stack: (JsonValue | undefined)[] = [this.root];
    for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
      if (typeof at !== 'object' || at === null) continue;
      if (isObject(at) && this.#cost(at, 'schema') > MOST_EXPANSION)
        refuseSchema('schema', `its references multiply to more than ${MOST_EXPANSION} checks of one value.`);
      stack.push(...Object.values<JsonValue | undefined>({ ...at }));
    }
  }

  #cost(schema: JsonObject, path: string): number {
    const known = this.#costs.get(schema);
    if (known !== undefined) return known;
    if (this.#inFlight.has(schema)) refuseSchema(path, 'a reference is circular.');
    this.#inFlight.add(schema);
    let cost = 1;
    for (const [inner, innerPath] of this.#partsInPlace(schema, path)) cost += this.#cost(inner, innerPath);
    this.#inFlight.delete(schema);
    this.#costs.set(schema, cost);
    return cost;
  }

  *#partsInPlace(schema: JsonObject, path: string): Generator<[JsonObject, string]> {
    const reference = schema['$ref'] ?? schema['$dynamicRef'];
    if (typeof reference === 'string') {
      const target = followReference(this.root, reference);
      if (target === undefined)
        refuseSchema(`${path}/$ref`, `there is no ${reference.slice(0, 100)} in the schema.`);
      if (isObject(target)) yield [target, `${path}/$ref`];
    }
    for (const keyword of IN_PLACE) {
      const value = schema[keyword];
      for (const part of partsOf(keyword, value)) if (isObject(part)) yield [part, `${path}/${keyword}`];
    }
  }
}
