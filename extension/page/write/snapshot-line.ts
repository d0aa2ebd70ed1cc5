import { squash } from '../dom.ts';
import { scriptSigns } from './inline.ts';
import { cut } from '../../../shared/cut.ts';
import { withoutRefs } from './snapshot-changes.ts';
import type { LinePlace } from './out.ts';
import { estimateTokens } from '../../../shared/tokens.ts';

const BLANKS = /[ \t\n\r\f\u00a0]+/g;
const HAS_BLANKS = /[\t\n\r\f\u00a0]| {2}/;
/** Page text that could be mistaken for structure. */
const LIKE_REF = /\[(?=(?:f\d+)*e\d+[ \]]|img )/g;
const LIKE_LINE = /^(?:(?:f\d+)*e\d+(?=\s|$)|#{1,6}\s|@[a-z]|\\)/;

/** Items inside a name stay as they are. */
const LIKE_ITEM = /\[(?:(?:f\d+)*e\d+|img)[ \]]/;

/** A name, as a JSON string if it could be mistaken for states or a value. */
export function quoteName(name: string): string {
  const text = squash(name);
  return text.startsWith('[') || text.startsWith('"') || / (?:=|->) /.test(text)
    ? JSON.stringify(text)
    : text;
}

/** Assembles one line of a snapshot. */
export class SnapshotLine {
  #prefix = '';
  #text = '';
  #content = 0;
  #space = false;
  /** Open names. They get their brackets when they close. */
  #open = 0;
  /** The line is exactly one item, which is written without its brackets. */
  #isSole = false;
  /** The line begins with text of the page. */
  #isText = false;
  hasText = false;
  #deletions = 0;
  #isStruck = false;
  /** A raised or lowered part just written without brackets. */
  #script: { readonly sign: string; readonly at: number; readonly content: string } | null = null;
  /** The line before was a table row: pipes in this one are escaped. */
  afterTable = false;

  constructor(private readonly emit: (line: string) => void) {}

  begin(prefix: string): void {
    this.#prefix = prefix;
  }

  text(data: string): void {
    let text = HAS_BLANKS.test(data) ? data.replace(BLANKS, ' ') : data;
    if (text.includes('[')) text = text.replace(LIKE_REF, '\\[');
    if (text.startsWith(' ')) {
      this.#space = true;
      text = text.slice(1);
    }
    if (text === '') return;
    const endsBlank = text.endsWith(' ');
    if (endsBlank) text = text.slice(0, -1);
    if (text === '') return;
    if (this.#text === '' && this.#prefix === '' && this.#open === 0) this.#isText = true;
    this.#append(text);
    this.#space = endsBlank;
    if (this.#open === 0) this.hasText = true;
  }

  #append(text: string): void {
    this.#endScript(text);
    if (this.#deletions === 0) this.#endStrike();
    this.#writeSpace();
    if (this.#deletions > 0 && !this.#isStruck) {
      this.#text += '~~';
      this.#isStruck = true;
    }
    this.#text += text;
    this.#content += 2;
    if (this.#open === 0) this.#isSole = false;
  }

  #writeSpace(): void {
    if (this.#space && this.#text !== '' && !this.#text.endsWith(' ')) this.#text += ' ';
    this.#space = false;
  }

  #endStrike(): void {
    if (this.#isStruck) this.#text += '~~';
    this.#isStruck = false;
  }

  /** Strikes the following content through, until {@link endDeletion}. */
  beginDeletion(): void {
    this.#deletions += 1;
  }

  endDeletion(): void {
    this.#deletions -= 1;
  }

  /** Begins a raised (`^`) or lowered (`_`) part; returns its position. */
  beginScript(): number {
    if (this.#deletions === 0) this.#endStrike();
    this.#writeSpace();
    return this.#text.length;
  }

  endScript(sign: string, at: number): void {
    const content = this.#text.slice(at).trim();
    if (content !== '') this.#putScript({ sign, at, content }, '');
  }

  #putScript(
    script: { readonly sign: string; readonly at: number; readonly content: string },
    after: string,
  ): void {
    const { sign, at, content } = script;
    const base = this.#text.slice(0, at);
    const { open, close } = scriptSigns(sign, content, { base: base.at(-1) ?? '', after });
    this.#text = `${base}${open}${content}${close}`;
    this.#script = script;
  }

  #endScript(text: string): void {
    if (this.#script !== null && !this.#space && this.#text.length >= this.#script.at)
      this.#putScript(this.#script, text.charAt(0));
    this.#script = null;
  }

  space(): void {
    this.#space = true;
  }

  /** Text that is already in the syntax of a line. */
  raw(text: string): void {
    if (text === '') return;
    this.#space = true;
    this.#append(text);
    this.#space = true;
  }

  /** A whole item: `[e13 button Save]`. */
  bracket(item: string): void {
    const isFirst = this.#text === '';
    this.#space = true;
    this.#append(`[${item}]`);
    this.#space = true;
    this.#isSole = isFirst && this.#open === 0;
  }

  /** Begins an item that the following text names; returns its position. */
  open(): number {
    this.#endStrike();
    this.#writeSpace();
    this.#script = null;
    this.#open += 1;
    return this.#text.length;
  }

  get isNaming(): boolean {
    return this.#open > 0;
  }

  /** The length of the line so far. */
  get content(): number {
    return this.#content + (this.#prefix === '' ? 0 : 1) + this.#open;
  }

  isEmptySince(at: number): boolean {
    return this.#text.length <= at;
  }

  /** @param tail the text after the name, with its space */
  close(at: number, head: string, fallback: string, tail = ''): void {
    this.#endStrike();
    this.#script = null;
    this.#open -= 1;
    this.#content += 2;
    const own = this.#text.slice(at).trim();
    const name = LIKE_ITEM.test(own) ? own : quoteName(own === '' ? fallback : own);
    this.#text = `${this.#text.slice(0, at)}[${name === '' ? head : `${head} ${name}`}${tail}]`;
    this.#isSole = at === 0 && this.#open === 0;
  }

  drop(at: number): void {
    this.#open -= 1;
    this.#text = this.#text.slice(0, at);
  }

  end(): void {
    this.#endStrike();
    this.#script = null;
    let text = this.#text;
    if (text !== '') {
      if (this.#isSole && this.#prefix === '') text = text.slice(1, -1);
      else if (this.#isText && LIKE_LINE.test(text)) text = `\\${text}`;
      if (this.afterTable) text = text.replaceAll('|', '\\|');
      this.afterTable = false;
      this.emit(this.#prefix + text);
    }
    this.#text = '';
    this.#prefix = '';
    this.#content = 0;
    this.#space = false;
    this.#isSole = false;
    this.#isText = false;
    this.hasText = false;
  }
}

/** A line of a snapshot with its place in the page; null if it is not of the page. */
export interface PlacedLine {
  readonly text: string;
  readonly place: LinePlace | null;
}

const ITEM = /(?<!\\)(?:\[|(?<=\|))(?=(?:f\d+)*e\d+(?:[ \]|]|$))/g;
const SOLE = /^(?:f\d+)*e\d+(?: |$)/;
const HEADING = /^#{1,6} /;
const UNUSABLE = /^(?:f\d+)*e\d+ (?:meter|progressbar|progress)(?: |$)/;
/** A longer text does not name its neighbours. */
const LEAD_UNITS = 60;
const SHOWN_LEAD_UNITS = 40;

/** The items of a line, which may be an item itself. */
function itemsOf(line: string): { readonly lead: string; readonly items: string[] } {
  if (SOLE.test(line)) return { lead: '', items: UNUSABLE.test(line) ? [] : [line] };
  const items: string[] = [];
  let lead = line;
  let end = 0;
  for (const { index } of line.matchAll(ITEM)) {
    if (index < end) continue;
    if (items.length === 0) lead = line.slice(0, index);
    const isBracketed = line[index] === '[';
    end = isBracketed ? endOfItem(line, index) : endOfCell(line, index);
    const item = isBracketed ? line.slice(index + 1, end - 1) : line.slice(index, end);
    if (!UNUSABLE.test(item)) items.push(item);
  }
  return { lead: lead.replace(/[\s|:]+$/, ''), items };
}

function endOfItem(line: string, start: number): number {
  let depth = 0;
  for (let at = start; at < line.length; at += 1) {
    const char = line[at];
    if (char === '\\') at += 1;
    else if (char === '[') depth += 1;
    else if (char === ']' && (depth -= 1) === 0) return at + 1;
  }
  return line.length;
}

function endOfCell(line: string, start: number): number {
  const length = line.slice(start).search(/(?<!\\)\|/);
  return length === -1 ? line.length : start + length;
}

interface Kept {
  readonly items: readonly string[];
  /** Text that tells items of one name apart. */
  readonly lead: string;
  readonly place: LinePlace | null;
  isLed: boolean;
}

const textOf = ({ items, lead, isLed }: Kept): string => {
  const hasLead = isLed && lead !== '';
  const [only] = items;
  if (items.length === 1 && only !== undefined && !hasLead) return only;
  const listed = items
    .map((item) => (HEADING.test(item) || item.startsWith('@') ? item : `[${item}]`))
    .join(' ');
  return hasLead ? `${cut(lead, SHOWN_LEAD_UNITS)} ${listed}` : listed;
};

/**
 * Keeps controls, with the headings and regions above them. Text stays if it tells items of one name below one heading
 * apart: that of their row, or the line before.
 */
export class InteractiveLines {
  #kept: Kept[] = [];
  /** Headings and regions without a control so far. */
  #pending: PlacedLine[] = [];
  #before = '';
  #frames: string[] = [];
  readonly #alike = new Map<string, Kept | null>();

  /** Adds a line. Returns the additional tokens of all kept lines. */
  add(line: PlacedLine): number {
    const { text, place } = line;
    if (text.startsWith('@end of frame ')) return this.#leaveFrame(line);
    const { lead, items } = itemsOf(text);
    if (HEADING.test(text) || (text.startsWith('@') && items.length === 0)) {
      this.#before = '';
      this.#replacePending(line);
      return items.length === 0 ? 0 : this.#usePending();
    }
    if (items.length === 0) {
      this.#before = text.length <= LEAD_UNITS ? text : '';
      return 0;
    }
    const tokens = this.#usePending();
    const ownLead = SOLE.test(text) ? this.#before : lead;
    return (
      tokens + this.#keep({ items, lead: ownLead.length <= LEAD_UNITS ? ownLead : '', place, isLed: false })
    );
  }

  /** The kept lines that were not taken before. */
  take(): PlacedLine[] {
    const lines = this.#kept.map((kept) => ({ text: textOf(kept), place: kept.place }));
    this.#kept = [];
    for (const key of this.#alike.keys()) this.#alike.set(key, null);
    return lines;
  }

  /** One heading and one region at a time; frames until they end. */
  #replacePending(line: PlacedLine): void {
    const isHeading = HEADING.test(line.text);
    const isFrame = line.text.startsWith('@frame ');
    this.#pending = this.#pending.filter(
      ({ text }) => text.startsWith('@frame ') || (!isFrame && isHeading !== HEADING.test(text)),
    );
    this.#pending.push(line);
  }

  #leaveFrame(line: PlacedLine): number {
    const at = this.#pending.findLastIndex(({ text }) => text.startsWith('@frame '));
    if (at !== -1) {
      this.#pending.splice(at);
      return 0;
    }
    this.#pending = [];
    return this.#frames.pop() === undefined ? 0 : this.#put(line);
  }

  #usePending(): number {
    let tokens = 0;
    for (const line of this.#pending) {
      tokens += this.#put(line);
      if (line.text.startsWith('@frame ')) this.#frames.push(line.text);
      this.#alike.clear();
    }
    this.#pending = [];
    return tokens;
  }

  #put({ text, place }: PlacedLine): number {
    this.#kept.push({ items: [text], lead: '', place, isLed: false });
    return tokensOfLine(text);
  }

  #keep(kept: Kept): number {
    const key = kept.items.map(withoutRefs).join('\n');
    const equal = this.#alike.get(key);
    let more = 0;
    if (equal === undefined) this.#alike.set(key, kept);
    else {
      kept.isLed = true;
      if (equal !== null && !equal.isLed) {
        more = -tokensOfLine(textOf(equal));
        equal.isLed = true;
        more += tokensOfLine(textOf(equal));
      }
    }
    this.#before = '';
    this.#kept.push(kept);
    return more + tokensOfLine(textOf(kept));
  }
}

const MARGIN = 1.25;

/** Maximum tokens that a line may need. */
export const tokensOfLine = (text: string): number => estimateTokens(`${text}\n`) * MARGIN;
