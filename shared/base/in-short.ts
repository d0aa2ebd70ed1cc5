import { cut } from './cut.ts';
import { jsonIn } from './json-schema.ts';
import { isJsonList, type JsonObject, type JsonValue } from './json.ts';

/** Punctuation around a value. */
const MARK_UNITS = 4;
/** In less room, a part says nothing. */
const MIN_UNITS = 24;

interface Room {
  /** All texts and members together, in UTF-16 code units. */
  readonly units: number;
  /** Longest single text; default: no bound of its own. */
  readonly textUnits?: number;
}

/** Units of a value; counts no further once there are more than `max`. */
function measureUpTo(value: JsonValue | undefined, max: number): number {
  if (typeof value === 'string') return value.length + MARK_UNITS;
  if (typeof value !== 'object' || value === null) return String(value).length + MARK_UNITS;
  let size = MARK_UNITS;
  const add = (name: string, part: JsonValue | undefined): boolean => {
    size += name.length + measureUpTo(part, max - size);
    return size <= max;
  };
  if (isJsonList(value)) value.every((part) => add('', part));
  else for (const name in value) if (!add(name, value[name])) break;
  return size;
}

/**
 * A value with its small members whole and its long ones cut. A list that was cut ends with `… 12 more`, and members
 * that are left out are counted under the name `…`.
 */
export function inShort(value: string, room: Room): string;
export function inShort(value: JsonObject, room: Room): JsonObject;
export function inShort(value: JsonValue, room: Room): JsonValue;
export function inShort(value: JsonValue, room: Room): JsonValue {
  const { units, textUnits = units } = room;
  if (typeof value === 'string') return cut(value, Math.min(units, textUnits));
  if (typeof value !== 'object' || value === null) return value;
  return isJsonList(value)
    ? listInShort(value, { units, textUnits })
    : recordInShort(value, { units, textUnits });
}

function listInShort(list: readonly JsonValue[], { units, textUnits }: Required<Room>): JsonValue {
  const isWhole = measureUpTo(list, units) <= units;
  const kept: JsonValue[] = [];
  let left = units - MARK_UNITS;
  for (const part of list) {
    if (left < MIN_UNITS && !isWhole) break;
    // A long part leaves room for others.
    const short = inShort(part, { units: isWhole ? left : Math.max(MIN_UNITS, left >>> 1), textUnits });
    kept.push(short);
    left -= measureUpTo(short, left);
  }
  const gone = list.length - kept.length;
  return gone === 0 ? kept : [...kept, `… ${gone} more`];
}

/** The smallest members take their room first; the others share the rest. */
function recordInShort(record: JsonObject, { units, textUnits }: Required<Room>): JsonObject {
  const members = Object.entries(record).map(([name, value = null], at) => {
    return { name, value, at, size: name.length + measureUpTo(value, units) };
  });
  const kept: { readonly at: number; readonly entry: readonly [string, JsonValue] }[] = [];
  let room = units - MARK_UNITS;
  let left = members.length;
  for (const { name, value, at, size } of members.toSorted((a, b) => a.size - b.size)) {
    const share = Math.floor(room / left);
    left -= 1;
    if (size > share && share < MIN_UNITS) continue;
    const key = cut(name, Math.min(textUnits, share));
    const short = inShort(value, { units: Math.max(MIN_UNITS, share - key.length), textUnits });
    room -= key.length + measureUpTo(short, room);
    kept.push({ at, entry: [key, short] });
  }
  const gone = members.length - kept.length;
  const entries = kept.toSorted((a, b) => a.at - b.at).map(({ entry }) => entry);
  return Object.fromEntries(gone === 0 ? entries : [...entries, ['…', `${gone} more`]]);
}

/** The value of a JSON text, or as much of it as there is before its end was cut off; null if there is nothing. */
export function parseStart(text: string): JsonValue {
  const closers: string[] = [];
  let whole = { end: 0, closers: '' };
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && isText) at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '{' || character === '[') closers.unshift(character === '{' ? '}' : ']');
    else if (character === '}' || character === ']') closers.shift();
    else if (character === ',') whole = { end: at, closers: closers.join('') };
  }
  // A text without the escape that was cut off, or else all before the last comma.
  const open = text.replace(/\\(?:u[\da-f]{0,3})?$/i, '');
  return (
    jsonIn(text) ??
    jsonIn(`${open}"${closers.join('')}`) ??
    jsonIn(text.slice(0, whole.end) + whole.closers) ??
    null
  );
}
