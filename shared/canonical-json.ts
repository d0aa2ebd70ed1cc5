import { isJsonList, isObject, type JsonValue } from './json.ts';

/**
 * JSON in which equal values have equal texts: members in the order of their names (by UTF-16 code units), no blanks,
 * numbers and strings as `JSON.stringify` writes them (RFC 8785). Both ends hash the arguments of a call in this form, and the ledger its lines.
 */
export function canonicalJson(value: JsonValue): string {
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`];
    });
  return `{${members.join(',')}}`;
}
