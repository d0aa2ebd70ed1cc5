import { squash } from '../../../dom/elements.ts';
import { writeInline, type Atom, type LineStyle, type Mark } from './inline.ts';
import { Line } from './line.ts';
import { cut } from '../../../../shared/base/cut.ts';
import { withoutRefs } from './snapshot-changes.ts';
import type { LinePlace } from './out.ts';
import { estimateTokens } from '../../../../shared/base/tokens.ts';

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

const STYLE: LineStyle = {
  escape: (text) => (text.includes('[') ? text.replace(LIKE_REF, '\\[') : text),
  code: (text) => text,
  flanks: false,
  lineBreak: null,
  indents: false,
  joiner: '',
};
const DELETION: Mark = { kind: 'emphasis', open: '~~', close: '~~' };

/** The parts of a line before an open name. */
interface Outer {
  readonly atoms: Atom[];
  readonly before: string;
}

/** Assembles one line of a snapshot. */
export class SnapshotLine extends Line {
  #prefix = '';
  #content = 0;
  /** Around the open names, outermost first. These get their brackets when they close. */
  readonly #outer: Outer[] = [];
  /** The line is exactly one item, which is written without its brackets. */
  #isSole = false;
  /** The line begins with text of the page. */
  #isText = false;
  hasText = false;
  /** The line before was a table row: pipes in this one are escaped. */
  afterTable = false;

  constructor(private readonly emit: (line: string) => void) {
    super(STYLE);
  }

  begin(prefix: string): void {
    this.#prefix = prefix;
  }

  protected override add(kind: Atom['kind'], data: string): void {
    if (kind === 'text' && !this.isNaming) {
      this.#isText ||= this.atoms.length === 0 && this.#prefix === '';
      this.hasText = true;
    }
    super.add(kind, data);
    this.#content += 2;
    if (!this.isNaming) this.#isSole = false;
  }

  /** Strikes the following content through, until {@link close}. */
  beginDeletion(): void {
    this.open(DELETION);
  }

  /** Text that is already in the syntax of a line. */
  override raw(text: string): void {
    this.space();
    super.raw(text);
    this.space();
  }

  /** A whole item: `[e13 button Save]`. */
  bracket(item: string): void {
    const isFirst = this.atoms.length === 0 && !this.isNaming;
    this.raw(`[${item}]`);
    this.#isSole = isFirst;
  }

  /** Begins an item that the following text names. */
  openName(): void {
    const before = this.hasSpace && this.atoms.length > 0 ? ' ' : '';
    this.#outer.push({ atoms: this.atoms, before });
    this.atoms = [];
    this.hasSpace = false;
  }

  get isNaming(): boolean {
    return this.#outer.length > 0;
  }

  /** The length of the line so far. */
  get content(): number {
    return this.#content + (this.#prefix === '' ? 0 : 1) + this.#outer.length;
  }

  get isNameEmpty(): boolean {
    return this.atoms.length === 0;
  }

  /** @param tail the text after the name, with its space */
  closeName(head: string, fallback: string, tail = ''): void {
    const own = this.#nameText();
    const before = this.#leaveName();
    this.#content += 2;
    const name = LIKE_ITEM.test(own) ? own : quoteName(own === '' ? fallback : own);
    this.#isSole = this.atoms.length === 0 && !this.isNaming;
    const data = `[${name === '' ? head : `${head} ${name}`}${tail}]`;
    this.atoms.push({ kind: 'raw', data, marks: [], before, breaks: 0 });
  }

  #nameText(): string {
    return this.isNameEmpty ? '' : writeInline(this.atoms, STYLE, '').trim();
  }

  dropName(): void {
    const before = this.#leaveName();
    this.hasSpace ||= before !== '';
  }

  #leaveName(): string {
    const outer = this.#outer.pop();
    this.atoms = outer?.atoms ?? [];
    return outer?.before ?? '';
  }

  end(): void {
    let text = this.take();
    if (text !== '') {
      if (this.#isSole && this.#prefix === '') text = text.slice(1, -1);
      else if (this.#isText && LIKE_LINE.test(text)) text = `\\${text}`;
      if (this.afterTable) text = text.replaceAll('|', '\\|');
      this.afterTable = false;
      this.emit(this.#prefix + text);
    }
    this.#prefix = '';
    this.#content = 0;
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

interface KeptLine {
  readonly items: readonly string[];
  /** Text that tells items of one name apart. */
  readonly lead: string;
  readonly place: LinePlace | null;
  isLed: boolean;
}

const writeKept = ({ items, lead, isLed }: KeptLine): string => {
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
  #kept: KeptLine[] = [];
  /** Headings and regions without a control so far. */
  #pending: PlacedLine[] = [];
  #before = '';
  #frames: string[] = [];
  readonly #alike = new Map<string, KeptLine | null>();

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
    const lines = this.#kept.map((kept) => ({ text: writeKept(kept), place: kept.place }));
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

  #keep(kept: KeptLine): number {
    const key = kept.items.map(withoutRefs).join('\n');
    const equal = this.#alike.get(key);
    let more = 0;
    if (equal === undefined) this.#alike.set(key, kept);
    else {
      kept.isLed = true;
      if (equal !== null && !equal.isLed) {
        more = -tokensOfLine(writeKept(equal));
        equal.isLed = true;
        more += tokensOfLine(writeKept(equal));
      }
    }
    this.#before = '';
    this.#kept.push(kept);
    return more + tokensOfLine(writeKept(kept));
  }
}

const MARGIN = 1.25;

/** Maximum tokens that a line may need. */
export const tokensOfLine = (text: string): number => estimateTokens(`${text}\n`) * MARGIN;
