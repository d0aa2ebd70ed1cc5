import { isJsonList, isObject, type JsonValue } from '../json.ts';
import { isoDay, readDate, readTime } from './dates.ts';
import { normaliseName } from './names.ts';
import { readBound, reading, readNumber, refused, type NumberHints, type Reading } from './numbers.ts';
import type { FieldPlan, FieldType } from './plan.ts';

/** Below this, a field is null despite a match, with a problem that says so. */
export const LEAST_SURE = 0.45;

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
export function coerce(field: FieldPlan, raw: JsonValue, hints: NumberHints, path = ''): Coerced {
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
const MOST_RATING = 100;

/** Whether a field's schema could accept a value in the page's form. */
export function isPlausible(field: FieldPlan, raw: JsonValue, hints: NumberHints): boolean {
  if (raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0)) return false;
  const { value, problems } = coerce(field, raw, hints);
  if (value === null || (Array.isArray(value) && value.length === 0)) return false;
  const isScale = field.form === 'rating' && field.types[0] === 'number';
  if (isScale && typeof value === 'number' && value > MOST_RATING) return false;
  if (field.choices.length > 0 && isScalar(value)) return field.choices.includes(value);
  return problems.length === 0 || typeof value === 'object';
}

const isScalar = (value: JsonValue): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

function coerceTo(
  type: FieldType,
  field: FieldPlan,
  raw: JsonValue,
  hints: NumberHints,
  path: string,
): Reading<Coerced> {
  if (type === 'array') return reading(toArray(field, raw, hints, path));
  if (type === 'object') return toObject(field, raw, hints, path);
  const scalar = singleOf(raw);
  if (typeof scalar === 'object') return refused(`is ${scalar === null ? 'empty' : 'a group of values'}`);
  const made = toScalar(type, field, scalar, hints);
  return made.ok ? reading({ value: made.value, problems: [] }) : made;
}

const singleOf = (raw: JsonValue): JsonValue => (isJsonList(raw) ? (raw[0] ?? null) : raw);

function toScalar(
  type: Exclude<FieldType, 'array' | 'object'>,
  field: FieldPlan,
  raw: string | number | boolean,
  hints: NumberHints,
): Reading<string | number | boolean> {
  if (type === 'boolean') return toBoolean(raw);
  if (type === 'string') return toText(field, raw, hints);
  if (typeof raw === 'boolean') return refused('is not a number');
  const number = typeof raw === 'number' ? reading(raw) : numberOf(field, raw, hints);
  if (!number.ok || type === 'number' || Number.isSafeInteger(number.value)) return number;
  return refused('is not an integer');
}

const FREE =
  /^(?:(?:entry|admission|entrance)\s*:?\s*)?(?:free|gratis|kostenlos|kostenfrei|gratuite?|gratuito|grátis|бесплатно|免费|無料|무료)(?:\s+(?:entry|admission|of charge|event|of cost))?[.!]?$/iu;

/** `40 % off` is not a price. */
const SHARE = /^\D*\d[\d.,]*\s?%\D*$/;

function numberOf(field: FieldPlan, raw: string, hints: NumberHints): Reading<number> {
  if (field.form === 'money' && FREE.test(raw.trim())) return reading(0);
  if (field.form === 'money' && SHARE.test(raw)) return refused('is a percentage');
  return field.bound === null ? readNumber(raw, hints) : readBound(raw, field.bound, hints);
}

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
  return refused('is neither yes nor no');
}

/** `https://schema.org/InStock` is `InStock`. */
const tailOf = (text: string): string =>
  /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)([A-Za-z]+)\/?$/.exec(text)?.[1] ?? text;

function toText(
  field: FieldPlan,
  raw: string | number | boolean,
  hints: NumberHints,
): Reading<string | number> {
  const text = String(raw).trim();
  if (field.choices.length > 0) return reading(chooseAmong(field.choices, text));
  switch (field.format) {
    case 'date': {
      const date = readDate(text, hints.lang);
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
      return /^\S+@\S+$/.test(address) ? reading(address) : refused('is not an email address');
    }
    default:
      return reading(text);
  }
}

/** From here on, a number means milliseconds since 1970, not seconds. */
const MILLISECONDS_FROM = 1e11;

function toInstant(raw: string | number | boolean, text: string, hints: NumberHints): Reading<string> {
  const date = readDate(text, hints.lang);
  if (!date.ok && /^\d{9,14}$/.test(text) && typeof raw !== 'boolean') {
    const stamp = Number(text);
    return reading(new Date(stamp < MILLISECONDS_FROM ? stamp * 1000 : stamp).toISOString());
  }
  if (!date.ok) return date;
  const { time } = date.value;
  if (time === null) return refused('has a day but no time');
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

function toArray(field: FieldPlan, raw: JsonValue, hints: NumberHints, path: string): Coerced {
  const values: readonly JsonValue[] = Array.isArray(raw) ? raw : [raw];
  const { item } = field;
  if (item === null) return { value: values, problems: [] };
  const made = values.map((value, index) => coerce(item, value, hints, `${path}/${index}`));
  return {
    value: made.map(({ value }) => value).filter((value) => value !== null),
    problems: made.flatMap(({ problems }) => problems),
  };
}

function toObject(field: FieldPlan, raw: JsonValue, hints: NumberHints, path: string): Reading<Coerced> {
  const single = singleOf(raw);
  if (!isObject(single)) return refused('is not a group of values');
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
