/*
 * JSON with comments and trailing commas, as clients keep their settings. An edit changes the text around one entry, so
 * that comments, order and spaces of a person stay.
 */

interface Member {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

interface JsonObject {
  readonly start: number;
  readonly members: readonly Member[];
  readonly close: number;
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const OPENED = /"[^"\\\n]*/y;
const ESCAPE = /\\.[^"\\\n]*/y;
const OTHER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function match(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw new SyntaxError(`unexpected ${text[at] ?? 'end'} in line ${lineOf(text, at)}`);
  return at + found[0].length;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const skipSpace = (text: string, at: number): number => match(text, SPACE, at);

/** A pattern for the whole text would overflow the stack: clients keep megabytes in one. */
function skipText(text: string, start: number): number {
  let at = match(text, OPENED, start);
  while (text[at] === '\\') at = match(text, ESCAPE, at);
  return match(text, /"/y, at);
}

/** Where the value at `at` ends. */
function skipValue(text: string, at: number): number {
  if (text[at] === '{') return readObject(text, at).close + 1;
  if (text[at] === '[') return skipItems(text, at, ']', (item) => skipValue(text, item));
  return text[at] === '"' ? skipText(text, at) : match(text, OTHER, at);
}

/** Skips the items from a bracket to its `close`; returns the position after it. */
function skipItems(text: string, open: number, close: string, skipItem: (at: number) => number): number {
  let at = skipSpace(text, open + 1);
  while (text[at] !== close) {
    at = skipSpace(text, skipItem(at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== close) throw new SyntaxError(`a comma is missing in line ${lineOf(text, at)}`);
  }
  return at + 1;
}

function readObject(text: string, start: number): JsonObject {
  match(text, /\{/y, start);
  const members: Member[] = [];
  const end = skipItems(text, start, '}', (at) => {
    const afterKey = skipText(text, at);
    const colon = match(text, /:/y, skipSpace(text, afterKey));
    const valueStart = skipSpace(text, colon);
    const valueEnd = skipValue(text, valueStart);
    members.push({ key: String(JSON.parse(text.slice(at, afterKey))), start: at, valueStart, end: valueEnd });
    return valueEnd;
  });
  return { start, members, close: end - 1 };
}

/** The one object in a text. @throws SyntaxError that names the line */
function readRoot(text: string): JsonObject {
  const root = readObject(text, skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0));
  const end = skipSpace(text, root.close + 1);
  if (end < text.length) throw new SyntaxError(`unexpected ${text[end]} in line ${lineOf(text, end)}`);
  return root;
}

const memberOf = ({ members }: JsonObject, key: string): Member | undefined =>
  members.findLast((member) => member.key === key);

const splice = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

function addMember(
  text: string,
  object: JsonObject,
  { key, value, depth }: { readonly key: string; readonly value: unknown; readonly depth: number },
): string {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = newLine + unit.repeat(depth);
  const written = `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit).replaceAll('\n', indent)}`;
  const last = object.members.at(-1);
  if (last !== undefined) return splice(text, last.end, last.end, `,${indent}${written}`);
  const after = object.start + 1;
  const rest = text.slice(after, object.close).trim() === '' ? object.close : after;
  return splice(text, after, rest, `${indent}${written}${newLine}${unit.repeat(depth - 1)}`);
}

/**
 * The text with `value` at `path`, creating missing parts of the path; undefined removes what is there.
 * @throws SyntaxError unless the text, and the values on the path, are objects
 */
export function setIn(text: string, path: readonly string[], value: unknown): string {
  const whole = text.trim() === '' && value !== undefined ? '{}\n' : text;
  if (whole === '') return whole;
  let object = readRoot(whole);
  for (const [depth, key] of path.entries()) {
    const member = memberOf(object, key);
    const inner = path.slice(depth + 1);
    if (member === undefined) {
      if (value === undefined) return whole;
      const nested = inner.reduceRight<unknown>((content, name) => ({ [name]: content }), value);
      return addMember(whole, object, { key, value: nested, depth: depth + 1 });
    }
    if (inner.length === 0)
      return value === undefined ? removeMember(whole, object, member) : replaceValue(whole, member, value);
    object = readObject(whole, member.valueStart);
  }
  return whole;
}

function replaceValue(text: string, { valueStart, end }: Member, value: unknown): string {
  const wanted = JSON.stringify(value);
  // The same except for spaces.
  const is = text.slice(valueStart, end).replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  return is === wanted ? text : splice(text, valueStart, end, wanted);
}

function removeMember(text: string, { members, start }: JsonObject, entry: Member): string {
  const index = members.indexOf(entry);
  const previous = members[index - 1];
  if (previous !== undefined) return splice(text, previous.end, entry.end, '');
  const next = members[index + 1];
  if (next !== undefined) return splice(text, entry.start, next.start, '');
  const comma = skipSpace(text, entry.end);
  const end = text[comma] === ',' ? comma + 1 : entry.end;
  return splice(text, text.slice(start + 1, entry.start).trim() === '' ? start + 1 : entry.start, end, '');
}
