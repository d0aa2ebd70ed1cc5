import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/* Reads answers for faces: a server of another version may have sent them, so any member may be missing. */

export const asText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const asNumber = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const asList = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonList(value) ? value : [];

export const asRecords = (value: JsonValue | undefined): readonly JsonObject[] =>
  asList(value).filter(isObject);

/** An object, or an empty one. */
export const asRecord = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** A JSON time in milliseconds; null for any other text. */
export function asTime(value: JsonValue | undefined): number | null {
  const text = asText(value);
  const at = text === null ? NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

export const textIn = (value: JsonValue | undefined, key: string): string | null =>
  asText(asRecord(value)[key]);

export const numberIn = (value: JsonValue | undefined, key: string): number | null =>
  asNumber(asRecord(value)[key]);

export const isSet = (value: JsonValue | undefined, key: string): boolean => asRecord(value)[key] === true;

/** The list of that name, or an empty one. */
export const listIn = (value: JsonValue | undefined, key: string): readonly JsonValue[] =>
  asList(asRecord(value)[key]);

/** A list, or the items of an object; null for anything else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const { items } = asRecord(value);
  return isJsonList(items) ? items : null;
}

/** The texts of a list. */
export const textsIn = (value: JsonValue | undefined, key: string): readonly string[] =>
  listIn(value, key).filter((one) => typeof one === 'string');
