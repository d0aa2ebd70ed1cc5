import { isJsonList, isObject, type JsonValue } from '../../base/json.ts';
import { isoDay, readDate, readTime } from './dates.ts';
import { normaliseName } from './names.ts';
import { ANY_COLUMN, type Columns } from './columns.ts';
import { readBound, reading, readNumber, buildRefusal, type NumberHints, type Reading } from './numbers.ts';
import type { FieldPlan, FieldType } from './plan.ts';
import { readPrice, type PriceRole } from './prices.ts';

/** How the values of a page are read. */
export interface ValueHints extends NumberHints {
  /** Of all records, if they are read together. */
  readonly columns?: Columns;
}

/** Below this, a field is null despite a match, with a problem that says so. */
export const MIN_SURE = 0.45;

/** Below this, a note names the field. */
export const UNSURE = 0.6;

/** A value that could not be coerced to the schema. `path` is a JSON pointer below the record. */
interface CoercionProblem {
  readonly path: string;
  readonly raw: JsonValue;
  readonly reason: string;
}

export interface Coerced {
  /** Null if nothing of the declared type could be made. */
  readonly value: JsonValue;
  readonly problems: readonly CoercionProblem[];
}

/**
 * Coerces a page's value to the schema of its field. Types always hold: a value that cannot be converted is
 * null, with a problem that quotes the page.
 */
export function coerce(field: FieldPlan, raw: JsonValue, hints: ValueHints, path = ''): Coerced {
  if (raw === null || field.types.length === 0) return { value: raw, problems: [] };
  let reason = '';
  for (const type of field.types) {
    const made = coerceTo(type, field, raw, hints, path);
    if (made.ok) return made.value;
    reason ||= made.reason;
  }
  return { value: null, problems: [{ path, raw, reason }] };
}

/** Scales end at 5, 10, 20 or 100. More is a count, which whole `stars` may be. */
const MAX_RATING = 100;

/** Whether a field's schema could accept a value in the page's form. */
export function isPlausible(field: FieldPlan, raw: JsonValue, hints: ValueHints): boolean {
  if (raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0)) return false;
  const { value, problems } = coerce(field, raw, { ...hints, column: ANY_COLUMN });
  if (value === null || (Array.isArray(value) && value.length === 0)) return false;
  const isScale = field.form === 'rating' && field.types[0] === 'number';
  if (isScale && typeof value === 'number' && value > MAX_RATING) return false;
  if (field.choices.length > 0 && isScalar(value)) return field.choices.includes(value);
  return problems.length === 0 || typeof value === 'object';
}

const isScalar = (value: JsonValue): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

function coerceTo(
  type: FieldType,
  field: FieldPlan,
  raw: JsonValue,
  hints: ValueHints,
  path: string,
): Reading<Coerced> {
  if (type === 'array') return reading(toArray(field, raw, hints, path));
  if (type === 'object') return toObject(field, raw, hints, path);
  const scalar = singleOf(raw);
  if (typeof scalar === 'object')
    return buildRefusal(`is ${scalar === null ? 'empty' : 'a group of values'}`);
  const { columns } = hints;
  const made = toScalar(
    type,
    field,
    scalar,
    columns === undefined ? hints : { ...hints, column: columns.at(path) },
  );
  return made.ok ? reading({ value: made.value, problems: [] }) : made;
}

const singleOf = (raw: JsonValue): JsonValue => (isJsonList(raw) ? (raw[0] ?? null) : raw);

function toScalar(
  type: Exclude<FieldType, 'array' | 'object'>,
  field: FieldPlan,
  raw: string | number | boolean,
  hints: ValueHints,
): Reading<string | number | boolean> {
  if (type === 'boolean') return toBoolean(raw);
  if (type === 'string') return toText(field, raw, hints);
  if (typeof raw === 'boolean') return buildRefusal('is not a number');
  const number = typeof raw === 'number' ? reading(raw) : coerceNumber(field, raw, hints);
  if (!number.ok || type === 'number' || Number.isSafeInteger(number.value)) return number;
  return buildRefusal('is not an integer');
}

const FREE =
  /^(?:(?:entry|admission|entrance)\s*:?\s*)?(?:free|gratis|kostenlos|kostenfrei|gratuite?|gratuito|grátis|бесплатно|免费|無料|무료)(?:\s+(?:entry|admission|of charge|event|of cost))?[.!]?$/iu;

/** `40 % off` is not a price. */
const SHARE = /^\D*\d[\d.,]*\s?%\D*$/;

/** Counts are never negative: their brackets mean nothing. */
const COUNT = /(?:^| )(?:count|number|review|rating|vote|comment)$/;
const OF_UNIT = /(?:^| )(?:unit price|price per|per unit)(?: |$)/;

/** `1/2 cup`, `5/16"` */
const FRACTION = /^\s*(?:[1-7]\s?\/\s?[2348]|\d\d?\/(?:16|32|64))\s*[\p{L}"″]/u;

function coerceNumber(field: FieldPlan, given: string, hints: ValueHints): Reading<number> {
  const isCount = field.form === 'rating' || COUNT.test(field.names[0] ?? '');
  const raw = isCount ? given.trim().replace(/^[(（](.*)[)）]$/su, '$1') : given;
  if (field.form === 'money' && FREE.test(raw.trim())) return reading(0);
  if (field.form === 'money' && SHARE.test(raw)) return buildRefusal('is a percentage');
  if (field.form !== 'rating' && FRACTION.test(raw)) return buildRefusal('may be a fraction or a score');
  if (field.bound !== null) return readBound(raw, field.bound, hints);
  return field.form === 'money' ? readPrice(raw, roleOf(field), hints) : readNumber(raw, hints);
}

function roleOf({ names }: FieldPlan): PriceRole {
  const name = names.join(' ');
  return OF_UNIT.test(name) ? 'unit' : FORMER.test(name) ? 'old' : 'current';
}

/** Names of fields for a former price. */
export const FORMER =
  /\b(?:old|was|original|list price|regular|strike|striked|through|before|previous|msrp|rrp)\b/i;

/** `In stock (12 available)`. */
const STOCKED =
  /^(?:(?:only )?\d+ (?:left )?in stock|in stock|available|auf lager|lieferbar|sofort lieferbar|en stock|disponib(?:le|ile)|disponível|op voorraad|på lager|i lager)(?![\p{L}])/iu;
const NOT_STOCKED =
  /^(?:currently |temporarily )?(?:out of stock|sold out|unavailable|not available|not in stock|discontinued|nicht (?:auf lager|verfügbar|lieferbar)|ausverkauft|agotado|esgotado|esaurito|épuisé|rupture de stock|uitverkocht|udsolgt|slutsåld)(?![\p{L}])/iu;

/** Whether a text says that something is in stock; null if it is about something else. */
export function readStock(text: string): boolean | null {
  if (NOT_STOCKED.test(text.trim())) return false;
  return STOCKED.test(text.trim()) ? true : null;
}

const TRUE = new Set(
  'true yes y 1 on x ja oui si sim sì да tak evet vero vrai wahr verdadero igen kyllä 是 はい 예 ✓ ✔ ☑ ✅ instock limitedavailability onlineonly instoreonly'.split(
    ' ',
  ),
);
const FALSE = new Set(
  'false no n 0 off nein non nao não nie нет hayır falso faux falsch nem ei 否 いいえ 아니요 ✗ ✘ ✕ ✖ ☐ ❌ – — - outofstock soldout discontinued on+loan checked+out on+hold reserved rented borrowed'.split(
    ' ',
  ),
);

function toBoolean(raw: string | number | boolean): Reading<boolean> {
  if (typeof raw === 'boolean') return reading(raw);
  // A check mark may be followed by the selector of its coloured form.
  const word = tailOf(String(raw).trim())
    .toLowerCase()
    .replace(/\s+/g, '+')
    .replace(/[.!\ufe0f]$/, '');
  if (TRUE.has(word)) return reading(true);
  if (FALSE.has(word)) return reading(false);
  const stocked = typeof raw === 'string' ? readStock(raw) : null;
  if (stocked !== null) return reading(stocked);
  return buildRefusal('is neither yes nor no');
}

/** `https://schema.org/InStock` is `InStock`. */
const tailOf = (text: string): string =>
  /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)([A-Za-z]+)\/?$/.exec(text)?.[1] ?? text;

function toText(
  field: FieldPlan,
  raw: string | number | boolean,
  hints: ValueHints,
): Reading<string | number> {
  const text = String(raw).trim();
  if (field.choices.length > 0) return reading(chooseAmong(field.choices, text));
  switch (field.format) {
    case 'date': {
      const date = readDate(text, hints);
      return date.ok ? reading(isoDay(date.value)) : date;
    }
    case 'date-time':
    case 'iso-date-time':
      return toInstant(raw, text, hints);
    case 'time':
    case 'iso-time':
      return readTime(text);
    case 'email': {
      const address = text.replace(/^mailto:/i, '').replace(/\?.*$/, '');
      return /^\S+@\S+$/.test(address) ? reading(address) : buildRefusal('is not an email address');
    }
    default:
      return reading(text);
  }
}

/** From here on, a number means milliseconds since 1970, not seconds. */
const MILLISECONDS_FROM = 1e11;

function toInstant(raw: string | number | boolean, text: string, hints: ValueHints): Reading<string> {
  const date = readDate(text, hints);
  if (!date.ok && /^\d{9,14}$/.test(text) && typeof raw !== 'boolean') {
    const stamp = Number(text);
    return reading(new Date(stamp < MILLISECONDS_FROM ? stamp * 1000 : stamp).toISOString());
  }
  if (!date.ok) return date;
  const { time } = date.value;
  if (time === null) return buildRefusal('has a day but no time');
  return reading(`${isoDay(date.value)}T${time}`);
}

function chooseAmong(choices: readonly (string | number)[], text: string): string | number {
  const exact = choices.find((choice) => String(choice) === text);
  if (exact !== undefined) return exact;
  const words = [compact(text), compact(tailOf(text))];
  return choices.find((choice) => words.includes(compact(String(choice)))) ?? text;
}

/** `In stock`, `in_stock` and `InStock` are the same choice. */
const compact = (text: string): string => normaliseName(text).replaceAll(' ', '');

function toArray(field: FieldPlan, raw: JsonValue, hints: ValueHints, path: string): Coerced {
  const { item } = field;
  const values = isJsonList(raw) ? raw : rangeOf(item, raw, hints);
  if (item === null) return { value: values, problems: [] };
  const made = values.map((value, index) => coerce(item, value, hints, `${path}/${index}`));
  return {
    value: made.map(({ value }) => value).filter((value) => value !== null),
    problems: made.flatMap(({ problems }) => problems),
  };
}

/** Both ends of a range for a list of numbers: `$199 – $249`. */
function rangeOf(item: FieldPlan | null, raw: JsonValue, hints: ValueHints): readonly JsonValue[] {
  const isNumber = /^(?:number|integer)$/.test(item?.types[0] ?? '');
  if (typeof raw !== 'string' || !isNumber || readNumber(raw, hints).ok) return [raw];
  const ends = (['low', 'high'] as const).map((bound) => readBound(raw, bound, hints));
  return ends.every((end) => end.ok) ? ends.map(({ value }) => value) : [raw];
}

function toObject(field: FieldPlan, raw: JsonValue, hints: ValueHints, path: string): Reading<Coerced> {
  const single = singleOf(raw);
  if (!isObject(single)) return buildRefusal('is not a group of values');
  if (field.fields.length === 0) return reading({ value: single, problems: [] });
  const values = new Map<string, JsonValue>();
  const problems: CoercionProblem[] = [];
  for (const inner of field.fields) {
    const own = Object.hasOwn(single, inner.name) ? single[inner.name] : null;
    const made = coerce(inner, own ?? null, hints, `${path}/${escapePointer(inner.name)}`);
    values.set(inner.name, made.value);
    problems.push(...made.problems);
  }
  return reading({ value: Object.fromEntries(values), problems });
}

/** One part of a JSON pointer. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
