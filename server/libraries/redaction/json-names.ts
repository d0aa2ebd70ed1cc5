import {
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
  stringOrEmpty,
} from '../../../shared/base/json.ts';
import { JsonEscapes } from '../../../shared/base/json-escapes.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import { Columns, TableWalk, isSecretCell } from './columns.ts';
import { nameEnds } from './neighbours.ts';
import { isSecretField, keyMeaning, type KeyMeaning } from './weigh.ts';
import { execAt, type Span, type Tally } from './tally.ts';
import { ANSWER_VALUES_MAX, hasMoreValues, piecesOf, type Work } from '../../core/slices.ts';

/** Names that are not the key of their value. */

type Meaning = KeyMeaning | null;
const leafText = (value: JsonValue | undefined): string =>
  typeof value === 'number' ? String(value) : stringOrEmpty(value);

/** Facts about a value that the containers around it have. */
export interface Context {
  /** The meaning of the value, or of every leaf of a cell. */
  readonly own: Meaning;
  /** The columns of the rows in the value, or of the cells of this row. */
  readonly columns?: Columns;
  /** The value is a row. */
  readonly isRow?: true;
  /** The value is a cell: its members have its meaning. */
  readonly isCell?: true;
  /** The meaning of an element's text. */
  readonly text?: KeyMeaning;
}
export const NOTHING: Context = { own: null };

const COLUMN_KEY = /^(?:columns?|cols|headers?|fields|head|keys|names|(?:column|field)_?names|header_?row)$/i;
const COLUMN_NAMES = [
  'name',
  'field',
  'key',
  'label',
  'title',
  'id',
  'header',
  'column',
  'accessor',
  'columnName',
];

const getColumnName = (column: JsonValue): string =>
  isObject(column)
    ? stringOrEmpty(COLUMN_NAMES.map((key) => column[key]).find((name) => typeof name === 'string'))
    : stringOrEmpty(column);

const isColumn = (column: JsonValue): boolean =>
  typeof column === 'string' || (isObject(column) && getColumnName(column) !== '' && !('value' in column));

/** The columns that a member of an object names for the rows in the others. */
function columnsIn(object: JsonObject, keys: readonly string[]): Columns | null {
  for (const key of keys) {
    const member = COLUMN_KEY.test(key) ? object[key] : undefined;
    if (isJsonList(member) && member.every(isColumn)) return Columns.of(member.map(getColumnName), true);
  }
  const { schema } = object;
  return isObject(schema) ? columnsIn(schema, Object.keys(schema)) : null;
}

/** A list of lists, or of objects around one. */
const areRows = (value: JsonValue): value is readonly JsonValue[] =>
  isJsonList(value) &&
  value.length > 0 &&
  value.every(
    (row) => isJsonList(row) || (isObject(row) && Object.values(row).filter(isJsonList).length === 1),
  );

/** The columns that the first of several rows names. */
function readColumns(list: readonly JsonValue[]): Columns | null {
  const [head] = list;
  if (head === undefined || !isJsonList(head) || head.length < 2 || list.length < 2) return null;
  const isTable = list.every((row) => isJsonList(row) && row.length === head.length);
  if (!isTable || !head.every((name) => typeof name === 'string' && /^[\w .:/()#-]{1,48}$/.test(name)))
    return null;
  return Columns.of(head.map(stringOrEmpty), false);
}

/** Contexts of the members of a list, in their order. */
export function contextsOf(list: readonly JsonValue[], context: Context): (member: JsonValue) => Context {
  const { columns } = context;
  if (columns !== undefined && context.isRow === true) return cellsOf(list, columns);
  if (columns !== undefined) return () => ({ own: null, columns, isRow: true });
  if (context.own !== null) return () => context;
  if (list.length === 2 && typeof list[0] === 'string') return pairOf(list, context);
  if (isNode(list[0])) {
    const names = new NodeNames();
    return (member) => names.contextOf(member);
  }
  const head = readColumns(list);
  if (head === null) return () => NOTHING;
  let at = 0;
  return () => (at++ === 0 ? NOTHING : { own: null, columns: head, isRow: true });
}

function cellsOf(row: readonly JsonValue[], columns: Columns): (member: JsonValue) => Context {
  let at = 0;
  const texts = row.map(leafText);
  return (member) => {
    const index = at++;
    const meaning = columns.meaningAt(index, texts);
    const isLeaf = typeof member === 'string' || typeof member === 'number';
    if (meaning === null || (isLeaf && columns.kindAt(index, texts, true) === null)) return NOTHING;
    return { own: meaning, isCell: true };
  };
}

function pairOf(pair: readonly JsonValue[], context: Context): (member: JsonValue) => Context {
  let at = 0;
  const meaning = keyMeaning(stringOrEmpty(pair[0]));
  const isSecret = meaning !== null && isSecretField(leafText(pair[1]), meaning);
  return () => (at++ === 1 && isSecret ? { own: meaning } : context);
}

const NAME_KEY =
  /^(?:label|field|title|param(?:eter)?|property|variable|option|setting|attribute|id|k|name|key|header)$/i;
const VALUE_KEY = /^(?:value|val|v|content|text|data|answer|default(?:Value)?)$/i;

/** The meanings of the names of a field of a form, or of an element with attributes. */
function meaningsOf(object: JsonObject, keys: readonly string[]): readonly KeyMeaning[] {
  const names = keys.map((key) => (NAME_KEY.test(key) ? stringOrEmpty(object[key]) : ''));
  const { attributes } = object;
  if (isObject(attributes)) {
    const { name, id, autocomplete, type, placeholder } = attributes;
    names.push(...[name, id, autocomplete, placeholder].map(stringOrEmpty), type === 'password' ? type : '');
  }
  const meanings = names.map((name) => (name === '' ? null : keyMeaning(name)));
  return [...new Set(meanings.filter((meaning) => meaning !== null))];
}

/** The contexts of an object's members: {@link NOTHING} for those whose names are their keys. */
export function namedMembers(
  object: JsonObject,
  context: Context,
  keys: readonly string[],
): (key: string, value: JsonValue) => Context {
  // A row may be an object around the list of its cells, and a cell one around its value.
  if (context.isRow === true || context.isCell === true) return () => context;
  const columns = columnsIn(object, keys);
  const { text } = context;
  /** Known from the first member that is a value. */
  let meanings: readonly KeyMeaning[] | undefined;
  return (key, value) => {
    if (columns !== null && areRows(value)) return { own: null, columns };
    if (text !== undefined && value === object['text']) return { own: text };
    const leaf = leafText(value);
    if (leaf === '' || !VALUE_KEY.test(key)) return NOTHING;
    meanings ??= meaningsOf(object, keys);
    const own = meanings.find((meaning) => isSecretCell(leaf, meaning, false));
    return own === undefined ? NOTHING : { own };
  };
}

const LEVELS = 200;
export const startsJson = (text: string): boolean => /^\s{0,40}[[{]/.test(text);

/** Of a name and what follows it. */
const NAME_UNITS = 256;
const STRING_END = /[^"\n]{0,12}"\s{0,40}[,\]}]/y;
/** A key before its value, of which the name is the end. */
const KEY_BEFORE = /"(?<key>[^"\\]{1,48})"\s{0,40}:\s{0,40}"[^"\n]{0,80}$/;
const NAMING = new Set(['autocomplete', 'placeholder', ...COLUMN_NAMES.map((name) => name.toLowerCase())]);
const TYPE_UNITS = 200;

/** True if a name that ends here is that of a secret in a string of JSON: not a key, nor under one that names nothing. */
export function isNameInString(text: string, end: number): boolean {
  if (execAt(STRING_END, text, end) === null) return false;
  const before = text.slice(Math.max(0, end - TYPE_UNITS), end);
  const key = KEY_BEFORE.exec(before)?.groups?.['key'];
  if (key === undefined || NAME_KEY.test(key) || NAMING.has(key.toLowerCase())) return true;
  return key === 'type' && before.endsWith('"password');
}

/** False for JSON in which no string is the name of a secret: reading it would find nothing. */
const namesInStrings = (text: string): boolean => nameEnds(text, 0).some((end) => isNameInString(text, end));

/** The same for JSON of any size, by parts that overlap. A list of cookies is one of names, too. */
export function* namesAmong(text: string): Work<boolean> {
  const escapes = new JsonEscapes();
  let before = '';
  for (const piece of piecesOf(text)) {
    const part = before + escapes.push(piece);
    if (namesInStrings(part) || /"cookies"\s{0,40}:\s{0,40}\[/i.test(part)) return true;
    before = part.slice(-NAME_UNITS);
    yield;
  }
  return false;
}

/** The secret texts of a value whose names are not their keys, each with its kind. */
function secretsNamedIn(value: JsonValue | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (value !== undefined) collect(value, NOTHING, found, 0);
  return found;
}

function collect(value: JsonValue, context: Context, found: Map<string, string>, level: number): void {
  if (level > LEVELS) return;
  if (isJsonList(value)) {
    const next = contextsOf(value, context);
    for (const member of value) collect(member, next(member), found, level + 1);
  } else if (isObject(value)) {
    const members = namedMembers(value, context, Object.keys(value));
    for (const [key, member] of Object.entries(value))
      if (member !== undefined) collect(member, members(key, member), found, level + 1);
  } else if (typeof value === 'string' && value !== '' && context.own !== null && !value.includes('«'))
    found.set(value, context.own.kind);
}

/** A longer text is only read as text; so is one of more values, unless it is short. */
export const JSON_UNITS = 16_777_216;
const SHORT_UNITS = 1_048_576;
const LITERAL = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

const readLiteral = (literal: string): JsonValue | undefined =>
  literal.includes('\\') ? jsonIn(literal) : literal.slice(1, -1);

/**
 * Cleans what JSON names, in a text whose other secrets have been replaced; all else stays byte by byte.
 * @param read cleans a string that has lines, quotes or other escapes, in which the text above found no names
 */
export function* cleanByNames(
  text: string,
  tally: Tally,
  read: (text: string, tally: Tally) => Work<string>,
): Work<string> {
  if (text.length > JSON_UNITS || !startsJson(text)) return text;
  if (text.length > SHORT_UNITS && hasMoreValues(text, ANSWER_VALUES_MAX)) return text;
  yield;
  const names = nameEnds(text, 0);
  const isNamed = names.some((end) => isNameInString(text, end));
  if (!isNamed && (names.length === 0 || !text.includes('\\'))) return text;
  yield;
  const value = isNamed ? jsonIn(text) : undefined;
  yield;
  const kinds = secretsNamedIn(value);
  yield;
  let [out, from] = ['', 0];
  for (const { 0: literal, index } of text.matchAll(LITERAL)) {
    const string = readLiteral(literal);
    if (typeof string !== 'string') continue;
    const kind = kinds.get(string);
    const cleaned =
      kind !== undefined ? tally.secret(kind) : literal.includes('\\') ? yield* read(string, tally) : string;
    yield;
    if (cleaned === string) continue;
    out += text.slice(from, index) + JSON.stringify(cleaned);
    from = index + literal.length;
  }
  return out + text.slice(from);
}

/** Places of the secret texts in a line of JSON whose names are not their keys. */
export function findByNames(line: string, at: number, spans: Span[]): void {
  if (!namesInStrings(line)) return;
  const kinds = secretsNamedIn(jsonIn(line));
  for (const { 0: literal, index } of line.matchAll(LITERAL)) {
    const value = readLiteral(literal);
    if (typeof value !== 'string') continue;
    const [start, kind] = [at + index + 1, kinds.get(value)];
    if (kind !== undefined) spans.push({ start, end: start + literal.length - 2, kind });
    else if (startsJson(value)) findWithin(literal, value, start - 1, spans);
  }
}

/** The same in JSON that is a text of the line, with its escapes. */
function findWithin(literal: string, inner: string, at: number, spans: Span[]): void {
  for (const [value, kind] of secretsNamedIn(jsonIn(inner))) {
    const written = JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1);
    for (
      let start = literal.indexOf(written);
      start >= 0;
      start = literal.indexOf(written, start + written.length)
    )
      spans.push({ start: at + start, end: at + start + written.length, kind });
  }
}

type Box = readonly [left: number, top: number, width: number, height: number];

function boxOf(node: JsonObject): Box | null {
  const { box } = node;
  if (!isJsonList(box) || box.length !== 4) return null;
  const [left, top, width, height] = box.map(Number);
  return [left ?? 0, top ?? 0, width ?? 0, height ?? 0];
}

const NO_BOX: Box = [0, 0, 0, 0];
const isWithin = (inner: Box, outer: Box): boolean =>
  inner[0] >= outer[0] - 1 &&
  inner[1] >= outer[1] - 1 &&
  inner[0] + inner[2] <= outer[0] + outer[2] + 1 &&
  inner[1] + inner[3] <= outer[1] + outer[3] + 1;

const PARTS: Readonly<Record<string, string>> = {
  table: 'table',
  grid: 'table',
  treegrid: 'table',
  row: 'tr',
  columnheader: 'th',
  rowheader: 'th',
  cell: 'td',
  gridcell: 'td',
  term: 'dt',
  definition: 'dd',
};

const isNode = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && typeof value['tag'] === 'string' && boxOf(value) !== null;

/** Follows the elements that `read_page` writes as nodes: a cell or a definition is named by another element. */
export class NodeNames {
  readonly #walk = new TableWalk();
  #part = '';
  #box: Box | null = null;
  #term = '';

  /** Reads an element, or another value, of which it says nothing. */
  contextOf(node: JsonValue): Context {
    const kind = isNode(node) ? this.#kindOf(node) : null;
    return kind === null ? NOTHING : { own: null, text: { kind, strength: 'strong' } };
  }

  #kindOf(node: JsonObject): string | null {
    const [box, text] = [boxOf(node) ?? NO_BOX, stringOrEmpty(node['text'])];
    const part = PARTS[stringOrEmpty(node['role'])] ?? '';
    if (part !== '') this.#enter(part, node, box);
    else if (this.#box === null || !isWithin(box, this.#box)) this.#part = '';
    if (text === '') return null;
    switch (this.#part) {
      case 'th':
      case 'td':
        return this.#walk.text(text);
      case 'dt':
        this.#term = `${this.#term} ${text}`.trim();
        return null;
      case 'dd':
        return this.#inDefinition(text);
      default:
        return null;
    }
  }

  #enter(part: string, node: JsonObject, box: Box): void {
    this.#part = part;
    this.#box = box;
    const { attributes } = node;
    const span = (name: string): number => (isObject(attributes) ? Number(attributes[name] ?? 1) : 1);
    if (part === 'table') this.#walk.table();
    if (part === 'tr') this.#walk.row();
    if (part === 'th' || part === 'td') this.#walk.cell(part === 'th', span('colspan'), span('rowspan'));
    if (part === 'dt') this.#term = '';
  }

  #inDefinition(text: string): string | null {
    const meaning = keyMeaning(this.#term.replace(/:$/, ''));
    return meaning !== null && isSecretCell(text, meaning, false) ? meaning.kind : null;
  }
}
