import { isObject, type JsonObject } from '../../shared/json.ts';

/** A member that is an object; an empty one where there is none. */
export function memberOf(value: JsonObject, key: string): JsonObject {
  const member = value[key];
  return isObject(member) ? member : {};
}
