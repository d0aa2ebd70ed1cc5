import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';

/** Longest text of a line: an address, a name. */
const TEXT_UNITS = 1_000;
/** Longest list of a line. */
const LIST_MAX = 100;

function bounded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.slice(0, TEXT_UNITS).toWellFormed();
  if (isJsonList(value)) return value.slice(0, LIST_MAX).map(bounded);
  return isObject(value) ? boundedRecord(value) : value;
}

/** The facts of a line, with long texts cut. */
export function boundedRecord(value: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, bounded(member)] as const],
  );
  return Object.fromEntries(members);
}
