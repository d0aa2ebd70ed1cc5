import { lookUp } from '../../shared/json.ts';
import {
  keyMeaning,
  type KeyMeaning,
  isSample,
  isSecretByForm,
  isSecretField,
  isSecretNumber,
  phraseMeaning,
  looksChosen,
  isSecretNamed,
  isTyped,
} from './weigh.ts';
import { execAt, type LineWindow, linesBetween, type ScanWindow, type Span, mergeSpans } from './tally.ts';

/*
 * Names and values that HTML puts next to each other: attributes of one element, in either order, and
 * a label before its value (`<dt>`, `<th>`, `<label>`). Both may be on lines of their own.
 */

/** Text before a line that its fields are read with. */
export const FIELD_CONTEXT_UNITS = 512;
const TAG_UNITS = 400;

const VALUE =
  /=(?<=\b(?:value|content)=)(?:\\{0,3}["'](?<quoted>[^"'<>«»\n\\]{3,})|(?<bare>[^\s"'<>=`«»\\]{3,}))/g;
const NAME =
  /(?:^|[\s"'])(?:name|id|autocomplete|property|itemprop|key|data-name)[ \t]{0,4}=[ \t]{0,4}\\{0,3}["']?(?<name>[\w.:[\]-]{1,64})/gi;
const PASSWORD_TYPE = /\btype[ \t]{0,4}=[ \t]{0,4}\\{0,3}["']?password\b/i;
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  'cc-csc': 'cvv',
  'cc-number': 'cardnumber',
  'one-time-code': 'otp',
  'current-password': 'password',
  'new-password': 'password',
};

/** The attributes of the element around a place, without the rest beyond its line. */
function attributesAround(text: string, start: number, end: number): string | null {
  const before = text.slice(Math.max(0, start - TAG_UNITS), start);
  const open = before.lastIndexOf('<');
  if (open < 0 || before.includes('>', open) || !/[a-z]/i.test(before.charAt(open + 1))) return null;
  const after = /^[^<>\n]*/.exec(text.slice(end, end + TAG_UNITS))?.[0] ?? '';
  return `${before.slice(open)} ${after}`;
}

/** The first name of an element that describes its value. */
function meaningOf(attributes: string): KeyMeaning | null {
  let weak: KeyMeaning | null = null;
  for (let hit = execAt(NAME, attributes, 0); hit !== null; hit = NAME.exec(attributes)) {
    const name = hit.groups?.['name'] ?? '';
    const meaning = keyMeaning(lookUp(AUTOCOMPLETE, name.toLowerCase()) ?? name);
    if (meaning?.strength === 'strong') return meaning;
    weak ??= meaning;
  }
  return PASSWORD_TYPE.test(attributes) ? keyMeaning('password') : weak;
}

/** In an attribute a name counts for more than in running text. */
function isSecretAttribute(value: string, meaning: KeyMeaning): boolean {
  if (isSample(value)) return false;
  if (meaning.strength === 'weak') return isSecretByForm(value, meaning);
  switch (meaning.kind) {
    case 'password':
      return true;
    case 'csrf':
      return value.length >= 8;
    case 'cookie':
      return false;
    default:
      return (
        isSecretNumber(value, meaning) ||
        isSecretField(value, meaning) ||
        (value.length >= 16 && /\d/.test(value) && !/\s/.test(value))
      );
  }
}

function findAttributes({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(VALUE, text, from); hit !== null; hit = VALUE.exec(text)) {
    const value = hit.groups?.['quoted'] ?? hit.groups?.['bare'] ?? '';
    const end = hit.index + hit[0].length;
    const attributes = attributesAround(text, hit.index, end);
    const meaning = attributes === null ? null : meaningOf(attributes);
    if (meaning !== null && isSecretAttribute(value, meaning))
      spans.push({ start: end - value.length, end, kind: meaning.kind });
  }
}

/** The end of a label, the text between it and its value, and the value. */
const LABELLED =
  /<\/(?:dt|th|td|label|strong|b|span|div|h[1-6])>(?<gap>\s{0,80}(?:<(?!input)[a-z][^<>]{0,120}>\s{0,80}){0,3})(?:(?<value>[^<>\s«»][^<>\n«»]{2,})|<input\b[^<>]{0,200}?\bvalue=\\{0,3}["']?(?<field>[^"'<>\s«»\\]{3,}))/g;
const LABEL = />\s{0,20}(?<label>[A-Za-z][\w ./()*-]{0,40}?)\s{0,4}[:*]?\s{0,20}$/;

function findLabels({ text, from }: ScanWindow, spans: Span[]): void {
  LABELLED.lastIndex = Math.max(0, from - FIELD_CONTEXT_UNITS);
  for (let hit = LABELLED.exec(text); hit !== null; hit = LABELLED.exec(text)) {
    const { value, field } = hit.groups ?? {};
    const end = hit.index + hit[0].length;
    const secret = (value ?? field ?? '').trimEnd();
    const start = end - (value ?? field ?? '').length;
    // The value may be the label of the next.
    LABELLED.lastIndex = Math.max(start, hit.index + 1);
    if (start < from) continue;
    const label = LABEL.exec(text.slice(Math.max(0, hit.index - 64), hit.index))?.groups?.['label'];
    const meaning = label === undefined ? null : keyMeaning(label);
    if (meaning !== null && isSecretField(secret, meaning))
      spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** A cell of a Markdown table and the next. */
const CELLS =
  /\|[ \t]{1,4}[*`]{0,3}(?<label>[A-Za-z][\w ./()-]{0,40}?)[:*`]{0,4}[ \t]{1,40}\|[ \t]{1,40}`?(?<value>[^|\s`«»][^|\s«»]{2,200})(?=[ \t]{1,40}\|)/y;

const isBlank = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9;

function findCells({ text, from }: ScanWindow, spans: Span[]): void {
  for (let at = text.indexOf('|', from); at >= 0; at = text.indexOf('|', at + 1)) {
    if (!isBlank(text, at + 1)) continue;
    const hit = execAt(CELLS, text, at);
    if (hit === null) continue;
    const { label = '', value = '' } = hit.groups ?? {};
    const end = at + hit[0].length;
    const secret = value.replace(/`$/, '');
    const meaning = keyMeaning(label);
    const start = end - value.length;
    if (meaning !== null && isSecretField(secret, meaning))
      spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** Fields of forms and labelled values, in text that begins with {@link FIELD_CONTEXT_UNITS} of context. */
export function findFields(window: ScanWindow, spans: Span[]): void {
  findCells(window, spans);
  if (!window.text.includes('<')) return;
  findAttributes(window, spans);
  findLabels(window, spans);
}

/** Rows of comma- or tab-separated values: the first names the columns, and a column may be secret. */

const CELL = /"(?:[^"\n]|"")*"|[^",;\t\n\r]*/y;
/** A header follows nothing, a blank line, a fence, or a line that ends in a colon. */
const BEFORE_HEAD = /^(?:[^A-Za-z0-9]{0,12}|`{3}\w{0,8}|.{0,120}:)[ \t]*\r?\n$/;
const COLON = 58;
const SHORT_UNITS = 14;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
/** Names of columns, and nothing else in the line. */
const HEAD =
  /"?[\w.#() -]{1,48}"?(?<separator>[,;\t])(?:"?[\w.#() -]{0,48}"?\k<separator>){0,199}"?[\w.#() -]{0,48}"?\r?\n/y;
const HEAD_END = /[\w#)"]\s{1,3}$/;
/** A longer line is not a row. */
const ROW_UNITS = 16_384;

function cellsOf(line: string, separator: string) {
  const cells: { readonly start: number; readonly value: string }[] = [];
  for (let at = 0; ; at += 1) {
    const raw = execAt(CELL, line, at)?.[0] ?? '';
    const lead = /^[ "]*/.exec(raw)?.[0].length ?? 0;
    cells.push({ start: at + lead, value: raw.slice(lead).replace(/[ "]+$/, '') });
    at += raw.length;
    if (line.charAt(at) !== separator) return cells;
  }
}

/** Reads a line as a header. Null if it names no secret column. */
function columnsAt(text: string, start: number, end: number) {
  // Most lines are sentences: their ends rule them out at less cost than names would.
  if (end - start > ROW_UNITS || !HEAD_END.test(text.slice(end - 4, end))) return null;
  const separator = execAt(HEAD, text, start)?.groups?.['separator'];
  if (separator === undefined) return null;
  const cells = cellsOf(text.slice(start, end).trimEnd(), separator);
  const secret = new Map<number, KeyMeaning>();
  for (const [index, { value }] of cells.entries()) {
    const meaning = keyMeaning(value);
    if (meaning?.strength === 'strong') secret.set(index, meaning);
  }
  return secret.size === 0 || cells.some(({ value }) => value === '')
    ? null
    : { separator, count: cells.length, secret };
}

/** Follows rows from line to line, wherever the stream is cut between them. */
export class ColumnState {
  #columns: ReturnType<typeof columnsAt> = null;
  /** The next line can be the first row. */
  #isFirst = true;

  /** Adds values from a window's secret columns. */
  apply(window: LineWindow, spans: Span[]): Span[] {
    const found: Span[] = [];
    for (const { start, end, text } of linesBetween(window)) {
      const columns = this.#isFirst ? columnsAt(window.text, start, end) : null;
      if (columns !== null) this.#columns = columns;
      else if (this.#columns !== null) this.#row(text.trimEnd(), start, found);
      const canIntroduce =
        window.text.charCodeAt(end - 2) === COLON ||
        (text.length < SHORT_UNITS && !isLetter(text.charCodeAt(0)));
      this.#isFirst = canIntroduce && BEFORE_HEAD.test(text);
    }
    return found.length === 0 ? spans : mergeSpans([...found, ...spans]);
  }

  #row(line: string, at: number, found: Span[]): void {
    const columns = this.#columns;
    const cells = columns === null ? [] : cellsOf(line, columns.separator);
    if (columns === null || cells.length !== columns.count) {
      this.#columns = null;
      return;
    }
    for (const [index, { kind }] of columns.secret) {
      const { start = 0, value = '' } = cells[index] ?? {};
      if (value !== '' && keyMeaning(value) === null && !/[\s«]/.test(value) && !isSample(value))
        found.push({ start: at + start, end: at + start + value.length, kind });
    }
  }
}

/*
 * Secrets that no sign but words or lines tie to their names: `your token is …`, and a name that has a
 * line to itself, with its value in one of the next two.
 */

/** The words after `is` are examined only if a name precedes it. */
const SENTENCE =
  / (?:[iI][sS]|[wW][aA][sS])(?=[ \t:])(?<=(?:pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|jwt|key|pin|otp|code|cvv|cvc|ssn|credentials?)["'`*_)]{0,3} (?:is|was))(?: now| set to)?:?[ \t]{1,4}(?<quote>["'`*_“]{0,3})(?<value>[^\s"'`“”<>«»]{3,256})/gi;
const NAME_UNITS = 80;
/** Ends a sentence, and is more than a token's value has. */
const SENTENCE_END = /[.,;:!?)\]*_]+$/;

function findSentences({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(SENTENCE, text, from); hit !== null; hit = SENTENCE.exec(text)) {
    const { quote = '', value = '' } = hit.groups ?? {};
    const before = text.slice(Math.max(0, hit.index - NAME_UNITS), hit.index).replace(/["'*`_)]+$/, '');
    const meaning = phraseMeaning(before);
    const secret = /["'`]/.test(quote) ? value : value.replace(SENTENCE_END, '');
    const start = hit.index + hit[0].length - value.length;
    if (meaning === null || (meaning.strength === 'weak' && meaning.kind !== 'pin')) continue;
    const isChosen = quote !== '' && meaning.kind === 'password' && looksChosen(secret);
    if (isChosen || isTyped(secret, meaning) || isSecretNumber(secret, meaning))
      spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** A name on a line of its own, with any marks of lists, headings, quotations and outlines. */
const LABEL_ALONE =
  /^[ \t>*#-]{0,12}(?:(?:text|term|definition|cell|generic|paragraph|strong|label)\b:? )?["'`*_]{0,3}(?<name>[A-Za-z][\w -]{2,40}?)["'`*_:]{0,4}[ \t]{0,4}\r?$/;
const ALONE =
  /^(?<lead>[ \t>*#-]{0,12}(?:(?:text|term|definition|cell|generic|paragraph|strong|label)\b:? )?["'`*_]{0,3})(?<value>[^\s"'`«»<>]{4,256}?)["'`*_]{0,3}[ \t]{0,4}\r?$/;
const LABEL_UNITS = 64;
const VALUE_LINES = 2;

function findBelow({ text, from }: ScanWindow, labelEnd: number, name: string, spans: Span[]): void {
  const meaning = phraseMeaning(name);
  if (meaning === null) return;
  for (let start = labelEnd + 1, count = 0; count < VALUE_LINES && start < text.length; count += 1) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const { lead = '', value = '' } =
      end - start > 300 ? {} : (ALONE.exec(text.slice(start, end))?.groups ?? {});
    if (start >= from && value !== '' && isSecretField(value, meaning)) {
      spans.push({ start: start + lead.length, end: start + lead.length + value.length, kind: meaning.kind });
      return;
    }
    start = end + 1;
  }
}

/** A line that ends with a name: few lines do. */
const NAMED_LINE =
  /(?:pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|jwt|key|pin|otp|code|cvv|cvc|ssn|credentials?|number|session(?:[ _-]?id)?)["'`*_:]{0,4}[ \t]{0,4}\r?$/i;
const NAMED_LINE_UNITS = 24;
/** For every code unit: whether it may occur between a name and the end of its line. */
const IS_MARK = new Uint8Array(65_536);
for (const mark of '"\'`*_: \t\r') IS_MARK[mark.charCodeAt(0)] = 1;
/** The ends of those names, as in {@link endingBefore}: this alone excludes most lines. */
const IS_ENDING = new Uint8Array(32_768);
const ENDINGS =
  'ord,ort,swd,ase,ode,pwd,ret,ken,jwt,key,pin,otp,cvv,cvc,ssn,ial,als,ber,ion,nid,_id,-id, id'.split(',');
for (const ending of ENDINGS) IS_ENDING[endingBefore(ending, 3)] = 1;

/** The three characters before `end`, letters in either case, as one number. */
function endingBefore(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  );
}

/** @param window.text has the lines before `from` too, in which a name may be */
function findLabelLines(window: ScanWindow, spans: Span[]): void {
  const { text } = window;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    let nameEnd = end;
    while (IS_MARK[text.charCodeAt(nameEnd - 1)] === 1) nameEnd -= 1;
    if (IS_ENDING[endingBefore(text, nameEnd)] !== 1) continue;
    if (!NAMED_LINE.test(text.slice(Math.max(0, end - NAMED_LINE_UNITS), end))) continue;
    const line = text.slice(Math.max(0, end - LABEL_UNITS - 1), end);
    const name = LABEL_ALONE.exec(line.slice(line.lastIndexOf('\n') + 1))?.groups?.['name'];
    if (name !== undefined) findBelow(window, end, name, spans);
  }
}

/** Names of HTML are passed over at once. */
const OPENING =
  /<(?!(?:div|span|td|th|tr|li|ul|p|a|img|h\d|b|i|em|strong|br|section|article)[\s>])(?<name>[\w.:-]{3,64})(?:\s[^<>]{0,256})?>(?<gap>\s{0,80})(?:<!\[CDATA\[)?(?<value>[^\s<>«»[\]][^<>\n«»[\]]{0,255})/y;
const ELEMENT_UNITS = 400;
const SLASH = 47;

/** `<password>…</password>`: elements named like secrets; the value may be on its own line. */
function findElements({ text, from }: ScanWindow, spans: Span[]): void {
  let at = text.indexOf('<', Math.max(0, from - ELEMENT_UNITS));
  for (; at >= 0; at = text.indexOf('<', at + 1)) {
    if (text.charCodeAt(at + 1) === SLASH) continue;
    const hit = execAt(OPENING, text, at);
    if (hit === null) continue;
    const { name = '', gap = '', value = '' } = hit.groups ?? {};
    const meaning = keyMeaning(name.replace(/^.*:/, ''));
    const end = hit.index + hit[0].length;
    const start = end - value.length;
    if (meaning === null || start < from) continue;
    if (!gap.includes('\n') && !/^(?:\]\]>)?<\//.test(text.slice(end, end + 5))) continue;
    const secret = value.trimEnd();
    if (meaning.strength === 'strong' ? isSecretNamed(secret, meaning) : isSecretField(secret, meaning))
      spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** All of the above; names may be in the lines of the text before `from`. */
export function findByWords(window: ScanWindow, spans: Span[]): void {
  findSentences(window, spans);
  findLabelLines(window, spans);
  findElements(window, spans);
}
