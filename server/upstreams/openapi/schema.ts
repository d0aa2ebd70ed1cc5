import { isRegExp } from '../../core/registry/json-schema.ts';
import { cut } from '../../../shared/base/cut.ts';
import {
  defined,
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
  stringOrEmpty,
} from '../../../shared/base/json.ts';
import { lookUp, membersOf, resolveList, resolveObject } from './bindings.ts';

export interface SchemaBounds {
  /** UTF-16 code units of a description; 0 leaves descriptions out. */
  readonly textUnits: number;
  /** Maximum nested references that are followed. */
  readonly depth: number;
  /** Maximum values of an enumeration; a longer one is left out. */
  readonly values: number;
}

const INLINE_DEPTH_MAX = 40;
const DEFAULT_UNITS = 200;
const PATTERN_UNITS = 300;
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Other formats describe storage, or are unknown. */
const FORMATS = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uuid json-pointer regex'.split(
    ' ',
  ),
);
const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isCount = (value: JsonValue): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isPattern = (value: JsonValue): boolean =>
  typeof value === 'string' && value.length <= PATTERN_UNITS && isRegExp(value);
const each = (names: string, isFit: (value: JsonValue) => boolean) =>
  Object.fromEntries(names.split(' ').map((name) => [name, isFit]));
/** Keywords that are copied if their value makes sense. */
const COPIED: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  format: (value) => typeof value === 'string' && FORMATS.has(value),
  pattern: isPattern,
  const: () => true,
  default: (value) => value !== null && JSON.stringify(value).length <= DEFAULT_UNITS,
  ...each('minLength maxLength minItems maxItems minProperties maxProperties', isCount),
  multipleOf: (value) => typeof value === 'number' && value > 0,
  uniqueItems: (value) => value === true,
  ...each('minimum maximum exclusiveMinimum exclusiveMaximum', isNumber),
};
const ONE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

type Schema = JsonObject | boolean;
const NONE: ReadonlySet<string> = new Set();

/**
 * Writes schemas of OpenAPI 3.0 and 3.1 as JSON Schema 2020-12 for a tool's arguments: self-contained, finite
 * despite circular references, and without members that are useless to a model. An unreadable part accepts
 * anything.
 */
export class SchemaWriter {
  /**
   * Members next to a reference count since OpenAPI 3.1. In earlier versions, some documents have a wrong
   * `type` there.
   */
  readonly #hasSiblings: boolean;
  /** Reference → name in `$defs`. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #waiting: { readonly reference: string; readonly name: string; readonly depth: number }[] = [];
  #depth = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly bounds: SchemaBounds,
  ) {
    this.#hasSiblings = !stringOrEmpty(root['openapi']).startsWith('3.0');
  }

  /**
   * The schema of a request: members that only answers have are left out.
   * @param answerOnly members that an enclosing schema marks so
   */
  write(value: JsonValue | undefined, inline = 0, answerOnly: ReadonlySet<string> = NONE): Schema {
    if (typeof value === 'boolean') return value;
    if (!isObject(value) || inline > INLINE_DEPTH_MAX) return {};
    const { $ref: reference, ...own } = value;
    if (typeof reference !== 'string') return nullable(this.#keywords(own, inline, answerOnly), own);
    const siblings = this.#keywords(this.#hasSiblings ? own : annotations(own), inline, answerOnly);
    const target = this.#reference(reference);
    return nullable(target === null ? siblings : { ...siblings, ...target }, own);
  }

  /** The schemas that were referred to. */
  definitions(): JsonObject {
    const written = new Map<string, JsonValue>();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#depth = next.depth;
      written.set(next.name, this.write(lookUp(this.root, next.reference)));
    }
    this.#depth = 0;
    return Object.fromEntries(written);
  }

  #reference(reference: string): JsonObject | null {
    const known = this.#names.get(reference);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const target = lookUp(this.root, reference);
    if (target === undefined) return null;
    if (this.#depth >= this.bounds.depth) {
      const type = typeOf(resolveObject(this.root, target)['type']);
      return type === undefined ? {} : { type };
    }
    const name = this.#nameOf(reference);
    this.#names.set(reference, name);
    this.#waiting.push({ reference, name, depth: this.#depth + 1 });
    return { $ref: `#/$defs/${name}` };
  }

  #nameOf(reference: string): string {
    const last = (reference.split('/').at(-1) ?? '').replaceAll(/[^\w.-]+/g, '_') || 'schema';
    let name = last;
    for (let next = 2; this.#taken.has(name); next++) name = `${last}_${next}`;
    this.#taken.add(name);
    return name;
  }

  #keywords(schema: JsonObject, inline: number, inherited: ReadonlySet<string>): JsonObject {
    const out: Record<string, JsonValue> = facts(schema, this.bounds);
    const inner = (value: JsonValue | undefined): Schema => this.write(value, inline + 1);
    for (const key of ONE) {
      const value = schema[key];
      if (isObject(value) || typeof value === 'boolean') out[key] = inner(value);
    }
    for (const key of MAPS) {
      if (!isObject(schema[key])) continue;
      const kept = membersOf(schema[key]).filter(
        ([name, member]) => !this.#isAnswerOnly(member) && (key !== 'patternProperties' || isPattern(name)),
      );
      out[key] = Object.fromEntries(kept.map(([name, member]) => [name, inner(member)]));
    }
    const answerOnly = new Set([...inherited, ...this.#answerOnlyOf(schema)]);
    const { required } = schema;
    if (Array.isArray(required)) {
      const names = required.filter((name: JsonValue) => typeof name === 'string' && !answerOnly.has(name));
      if (names.length > 0) out['required'] = distinct(names);
    }
    const list = (key: string, known = NONE): readonly Schema[] | undefined => {
      const value = schema[key];
      return isJsonList(value) && value.length > 0
        ? value.map((entry) => this.write(entry, inline + 1, known))
        : undefined;
    };
    // `oneOf` becomes `anyOf`: without its discriminator, a value may match several of its schemas.
    const [all, any, one] = ['allOf', 'anyOf', 'oneOf'].map((key) => list(key, answerOnly));
    if (any !== undefined && one !== undefined)
      out['allOf'] = [...(all ?? []), { anyOf: any }, { anyOf: one }];
    else Object.assign(out, defined({ allOf: all, anyOf: any ?? one }));
    Object.assign(out, defined({ prefixItems: list('prefixItems') ?? list('items') }));
    return out;
  }

  /** Names of members that only answers have, including those from the schemas that make up this one. */
  #answerOnlyOf(schema: JsonObject, seen = new Set<JsonObject>()): readonly string[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const { properties, allOf } = schema;
    const own = membersOf(properties).filter(([, member]) => this.#isAnswerOnly(member));
    const parts = resolveList(this.root, allOf).flatMap((part) => this.#answerOnlyOf(part, seen));
    return [...own.map(([name]) => name), ...parts];
  }

  #isAnswerOnly(member: JsonValue | undefined): boolean {
    return isObject(member) && (member['readOnly'] ?? resolveObject(this.root, member)['readOnly']) === true;
  }
}

const annotations = ({ description = null, default: preset = null }: JsonObject): JsonObject => ({
  description,
  default: preset,
});

function facts(schema: JsonObject, { textUnits, values }: SchemaBounds): Record<string, JsonValue> {
  const out = new Map<string, JsonValue>();
  const type = typeOf(schema['type']);
  if (type !== undefined) out.set('type', type);
  const { description, enum: named } = schema;
  if (typeof description === 'string' && description.trim() !== '' && textUnits > 0)
    out.set('description', cut(description.trim(), textUnits));
  if (isJsonList(named) && named.length > 0 && named.length <= values) out.set('enum', distinct(named));
  // In OpenAPI 3.0 the exclusive bounds are flags of the others.
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const given: JsonObject = {
    ...schema,
    ...(exclusiveMinimum === true ? { minimum: undefined, exclusiveMinimum: minimum } : {}),
    ...(exclusiveMaximum === true ? { maximum: undefined, exclusiveMaximum: maximum } : {}),
  };
  for (const [key, isFit] of Object.entries(COPIED)) {
    const value = given[key];
    if (value !== undefined && isFit(value)) out.set(key, value);
  }
  return Object.fromEntries(out);
}

const distinct = (values: readonly JsonValue[]): readonly JsonValue[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

function typeOf(type: JsonValue | undefined): JsonValue | undefined {
  if (type === 'file') return 'string';
  if (typeof type === 'string') return TYPES.has(type) ? type : undefined;
  if (!Array.isArray(type)) return undefined;
  const known = [...new Set<JsonValue>(type)].filter((name) => typeof name === 'string' && TYPES.has(name));
  return known.length > 1 ? known : known[0];
}

/** Of OpenAPI 3.0: `null` is a value, too. */
function nullable(written: JsonObject, { nullable: isNullable }: JsonObject): JsonObject {
  if (isNullable !== true) return written;
  const { type, enum: values, description, $ref, ...rest } = written;
  if ($ref !== undefined || typeof type !== 'string' || 'allOf' in rest || 'anyOf' in rest) {
    const { description: _, ...inner } = written;
    const either = Object.keys(inner).length > 0 ? { anyOf: [inner, { type: 'null' }] } : {};
    return description === undefined ? either : { description, ...either };
  }
  return {
    ...written,
    type: type === 'null' ? type : [type, 'null'],
    ...(isJsonList(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
