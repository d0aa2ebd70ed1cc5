import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';

type Container = JsonObject | readonly JsonValue[];

export interface JsonMapping<Context> {
  /** What is known of each member of a list or an object; the key is null in a list. */
  members(container: Container, context: Context): (key: string | null, value: JsonValue) => Context;
  /** A text, a number, a boolean or null. */
  leaf(value: JsonValue, context: Context): JsonValue;
  /** The key of an object. No two become one, and one that stays keeps its name. */
  key(name: string): string;
  /** What stands for a list or an object that is nested too deep to be mapped. */
  tooDeep(): JsonValue;
}

/** Only a page that wants to exhaust the stack nests deeper: what it has there is replaced. */
const LEVELS_MAX = 1_000;

/**
 * Maps the texts of a value; structure and order stay, and what needs no change is given back as the same object.
 *
 * @throws TypeError for a value that holds itself
 */
export function mapJson<Context>(
  value: JsonValue,
  context: Context,
  mapping: JsonMapping<Context>,
  within: readonly Container[] = [],
): JsonValue {
  if (typeof value !== 'object' || value === null) return mapping.leaf(value, context);
  if (within.includes(value)) throw new TypeError('A value that contains itself is not JSON.');
  if (within.length === LEVELS_MAX) return mapping.tooDeep();
  const contextOf = mapping.members(value, context);
  const inner = [...within, value];
  const map = (key: string | null, member: JsonValue): JsonValue =>
    mapJson(member, contextOf(key, member), mapping, inner);
  return isJsonList(value) ? mapList(value, map) : mapObject(value, map, mapping);
}

type MapMember = (key: string | null, member: JsonValue) => JsonValue;

function mapList(list: readonly JsonValue[], map: MapMember): JsonValue {
  const mapped = list.map((member) => map(null, member));
  return mapped.some((member, at) => member !== list[at]) ? mapped : list;
}

function mapObject(
  object: JsonObject,
  map: MapMember,
  { key: nameOf }: { key(name: string): string },
): JsonValue {
  const taken = new Set(Object.keys(object));
  let hasChanged = false;
  const members = Object.entries(object).map(([key, member]): [string, JsonValue | undefined] => {
    const wanted = nameOf(key);
    let name = wanted;
    if (wanted !== key) for (let count = 2; taken.has(name); count += 1) name = `${wanted}#${count}`;
    taken.add(name);
    const mapped = member === undefined ? member : map(key, member);
    hasChanged ||= name !== key || mapped !== member;
    return [name, mapped];
  });
  // Object.fromEntries defines properties, so a key `__proto__` stays data.
  return hasChanged ? Object.fromEntries(members) : object;
}
