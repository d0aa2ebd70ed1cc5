import { isObject, isJsonList, type JsonObject, type JsonValue, lookUp } from '../../shared/base/json.ts';
import { normaliseName } from '../../shared/libraries/values/names.ts';
import {
  FIELD_TYPES,
  type FieldPlan,
  type FieldType,
  type Form,
} from '../../shared/libraries/values/plan.ts';
import { followReference } from '../core/record-schema.ts';
import { synonymsOf, thingsOf } from './synonyms.ts';

/** Levels of objects and lists to look for; deeper ones are left to the page's own structure. */
const MAX_LEVELS = 6;
const MAX_FIELDS = 200;
/** Maximum consecutive references. */
const MAX_HOPS = 32;

/** The fields of a record, with references resolved and names ready for matching. */
export function planFields(schema: JsonObject): FieldPlan[] {
  return fieldsOf(schema, schema, 0);
}

function fieldsOf(schema: JsonObject, root: JsonObject, level: number): FieldPlan[] {
  const whole = resolve(schema, root);
  const properties = whole['properties'];
  if (!isObject(properties) || level >= MAX_LEVELS) return [];
  const required: readonly JsonValue[] = Array.isArray(whole['required']) ? whole['required'] : [];
  const things = thingsOf(Object.keys(properties).slice(0, MAX_FIELDS));
  const fields = Object.entries(properties)
    .slice(0, MAX_FIELDS)
    .map(([name, inner]) =>
      planField(name, isObject(inner) ? inner : {}, {
        root,
        level,
        things,
        required: required.includes(name),
      }),
    );
  const apart = fields.map((field) => apartFrom(field, fields));
  return withOwnLink(
    withHeads(apart.some(({ form }) => form === 'title') ? withOneTitle(apart) : withTitle(apart)),
  );
}

/**
 * If a title is requested too, a `subject` is something else: the name of one field is not a synonym of
 * another.
 */
function apartFrom(field: FieldPlan, all: readonly FieldPlan[]): FieldPlan {
  const others = new Set(all.filter((other) => other !== field).map(({ names }) => names[0] ?? ''));
  const isOther =
    field.form === 'title' &&
    !(field.names[0] ?? '').includes(' ') &&
    TITLES.some((name) => others.has(name)) &&
    !TITLES.includes(field.names[0] ?? '');
  const isListed = field.synonyms.some((name) => others.has(name));
  return !isListed
    ? field
    : {
        ...field,
        synonyms: isOther ? [] : field.synonyms.filter((name) => !others.has(name)),
        form: isOther ? 'text' : field.form,
      };
}

const TITLES = ['title', 'name', 'headline'];

/** A record has one title: of a `talk_title` and a `speaker_name`, the name is a text with its own label. */
function withOneTitle(fields: readonly FieldPlan[]): readonly FieldPlan[] {
  const titles = fields.filter(({ form }) => form === 'title').map(({ names }) => names[0] ?? '');
  const own =
    titles.find((name) => TITLES.includes(name)) ??
    titles.find((name) => /title$|headline$/.test(name)) ??
    titles[0];
  return fields.map((field) => {
    const name = field.names[0] ?? '';
    return field.form === 'title' && name !== own && / name$/.test(name) ? { ...field, form: 'text' } : field;
  });
}

const HEADS = new Set(['time', 'size', 'color', 'status', 'type', 'country', 'city', 'rating', 'level']);
const lastWord = ({ names }: FieldPlan): string => (names[0] ?? '').split(' ').at(-1) ?? '';

/** A page may call a record's only `departure_time` "Time". */
function withHeads(fields: readonly FieldPlan[]): FieldPlan[] {
  const heads = fields.map(lastWord);
  return fields.map((field, index) => {
    const head = heads[index] ?? '';
    const isOnly = HEADS.has(head) && heads.indexOf(head) === heads.lastIndexOf(head);
    const isNew = !field.names.includes(head) && !field.synonyms.includes(head);
    return isOnly && isNew ? { ...field, synonyms: [...field.synonyms, head] } : field;
  });
}

/**
 * If a record is a category, its `category_url` is the record's own address, and so is a person's
 * `profile_url`.
 */
function withOwnLink(fields: readonly FieldPlan[]): FieldPlan[] {
  const title = fields.find(({ form }) => form === 'title')?.names[0] ?? '';
  const isOfPerson = fields.some(({ names, synonyms }) => [...names, ...synonyms].includes('author'));
  const own = new Set([title, title.replace(/ (?:name|title)$/, ''), ...(isOfPerson ? [] : ['profile'])]);
  return fields.map((field) => {
    const [, subject = ''] = /^(.+) (?:url|link)$/.exec(field.names[0] ?? '') ?? [];
    return field.form === 'url' && own.has(subject) ? { ...field, names: ['url', ...field.names] } : field;
  });
}

/** Without a title field, a first text with an uncommon name, such as `dish`, is the title of a record. */
function withTitle([first, ...rest]: readonly FieldPlan[]): FieldPlan[] {
  if (first === undefined) return [];
  const { types, form, format, choices, synonyms, names } = first;
  const isPlain = types[0] === 'string' && form === 'text' && format === null && choices.length === 0;
  const isNamed = (synonyms.length > 0 && !LISTED.has(names[0] ?? '')) || UNTITLED.test(names[0] ?? '');
  return [
    isPlain && !isNamed ? { ...first, form: 'title', synonyms: [...synonyms, 'title', 'name'] } : first,
    ...rest,
  ];
}

const LISTED = new Set(['category', 'department', 'section', 'topic']);

const UNTITLED =
  /(?:^| )(?:id|number|no|code|key|type|date|time|text|size|color|count|status|level|address|value)$/;

interface FieldScope {
  readonly root: JsonObject;
  readonly things?: ReadonlySet<string>;
  readonly level: number;
  readonly required: boolean;
}

function planField(
  name: string,
  schema: JsonObject,
  { root, level, things, required }: FieldScope,
): FieldPlan {
  const whole = resolve(schema, root);
  const names = namesOf(name, whole);
  const { synonyms, form, bound } = synonymsOf(names, things);
  const types = typesOf(whole);
  const format = typeof whole['format'] === 'string' ? whole['format'] : null;
  const items = whole['items'];
  const base: FieldPlan = {
    name,
    names,
    synonyms,
    hint: typeof whole['description'] === 'string' ? normaliseName(whole['description']) : '',
    types,
    form: formOf(whole, format, form, types),
    bound,
    format,
    choices: choicesOf(whole),
    required,
    fields: types.includes('object') ? fieldsOf(whole, root, level + 1) : [],
    item: null,
  };
  if (!types.includes('array')) return base;
  const inner = level < MAX_LEVELS && isObject(items) ? items : { type: 'string' };
  return { ...base, item: planField(name, inner, { root, level: level + 1, required: false }) };
}

function namesOf(name: string, schema: JsonObject): string[] {
  const aliases = schema['x-aliases'];
  const candidates = [name, schema['title'], ...listOf(aliases)];
  const names = candidates.filter((text) => typeof text === 'string').map(normaliseName);
  return [...new Set(names)].filter((text) => text !== '');
}

/** Follows references, merges `allOf`, and takes the first alternative that is not null. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let whole = schema;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const { $ref: reference, allOf, ...rest } = whole;
    if (typeof reference === 'string') {
      const kept = allOf === undefined ? rest : { ...rest, allOf };
      whole = { ...objectOf(followReference(root, reference)), ...kept };
    } else if (Array.isArray(allOf)) {
      const parts = allOf.filter(isObject).map((part) => resolve(part, root));
      whole = mergeAll([...parts, rest]);
    } else {
      const { anyOf, oneOf, ...own } = rest;
      if (!Array.isArray(anyOf) && !Array.isArray(oneOf)) return whole;
      const choices = [...listOf(anyOf), ...listOf(oneOf)].filter(isObject);
      return alternatives(
        choices.map((choice) => resolve(choice, root)),
        own,
      );
    }
  }
  return whole;
}

function mergeAll(parts: readonly JsonObject[]): JsonObject {
  let merged: JsonObject = {};
  for (const part of parts) {
    const properties = { ...objectOf(merged['properties']), ...objectOf(part['properties']) };
    const required = [...listOf(merged['required']), ...listOf(part['required'])];
    merged = { ...merged, ...part };
    if (Object.keys(properties).length > 0) merged = { ...merged, properties };
    if (required.length > 0) merged = { ...merged, required };
  }
  return merged;
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonList(value) ? value : []);

function alternatives(choices: readonly JsonObject[], own: JsonObject): JsonObject {
  const real = choices.filter((choice) => choice['type'] !== 'null');
  const [first = {}] = real;
  const types = [...new Set(real.flatMap(typesOf))];
  const values = real.flatMap(choicesOf);
  return {
    ...first,
    ...own,
    ...(types.length > 0 ? { type: types } : {}),
    ...(values.length > 0 && real.every((choice) => choicesOf(choice).length > 0) ? { enum: values } : {}),
  };
}

const isType = (type: JsonValue): type is FieldType => FIELD_TYPES.some((known) => known === type);

function typesOf(schema: JsonObject): FieldType[] {
  const declared = schema['type'];
  const types = (Array.isArray(declared) ? declared : [declared ?? null]).filter(isType);
  if (types.length > 0) return types;
  if (isObject(schema['properties'])) return ['object'];
  if (schema['items'] !== undefined) return ['array'];
  const choices = choicesOf(schema);
  if (choices.length > 0)
    return choices.every((choice) => typeof choice === 'number') ? ['number'] : ['string'];
  if (['format', 'pattern', 'minLength', 'maxLength'].some((key) => schema[key] !== undefined))
    return ['string'];
  return ['minimum', 'maximum', 'multipleOf'].some((key) => schema[key] !== undefined) ? ['number'] : [];
}

function choicesOf(schema: JsonObject): (string | number)[] {
  const constant = schema['const'];
  const all = constant === undefined ? listOf(schema['enum']) : [constant];
  return all.filter((choice) => typeof choice === 'string' || typeof choice === 'number');
}

const FORMATS: Readonly<Record<string, Form>> = {
  uri: 'url',
  url: 'url',
  iri: 'url',
  'uri-reference': 'url',
  'iri-reference': 'url',
  date: 'date',
  'date-time': 'date',
  'iso-date-time': 'date',
  email: 'email',
};

/** By the format first, then by the name: a text called `link` is an address. */
function formOf(
  schema: JsonObject,
  format: string | null,
  named: Form | null,
  types: readonly FieldType[],
): Form {
  if (schema['contentMediaType'] === 'text/html' || format === 'html') return 'html';
  const isText = types.length === 0 || types.includes('string') || types.includes('array');
  const byFormat = format === null ? undefined : lookUp(FORMATS, format);
  if (byFormat === 'url') return named === 'image' ? 'image' : 'url';
  if (byFormat !== undefined) return byFormat;
  if (named === 'money' || named === 'rating' || named === 'stock') return named;
  return isText && named !== null ? named : 'text';
}
