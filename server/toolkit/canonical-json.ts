import { isJsonList, isObject, type JsonValue } from '../../shared/json.ts';

/**
 * The one text of a value, whatever the order of its members: the JSON Canonicalization Scheme
 * (RFC 8785). Members without a value are left out, as in JSON.
 */
export function canonicalJson(value: JsonValue): string {
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter((member): member is [string, JsonValue] => member[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
