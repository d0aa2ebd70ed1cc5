import { cut } from '../../../shared/cut.ts';
import { withoutRefs } from './snapshot-diff.ts';
import type { LinePlace } from './snapshot-places.ts';
import { estimateTokens } from './snapshot-tokens.ts';

/** A line of a snapshot, and where it begins in the page; null for one that is not of the page. */
export interface PlacedLine {
  readonly text: string;
  readonly place: LinePlace | null;
}

/** Where an item in brackets begins, or one that fills a cell. */
const ITEM = /(?<!\\)(?:\[|(?<=\|))(?=(?:f\d+)*e\d+(?:[ \]|]|$))/g;
const SOLE = /^(?:f\d+)*e\d+(?: |$)/;
const HEADING = /^#{1,6} /;
const UNUSABLE = /^(?:f\d+)*e\d+ (?:meter|progressbar|progress)(?: |$)/;
/** A longer text does not name what is next to it. */
const LEAD_UNITS = 60;
const SHOWN_LEAD_UNITS = 40;

/** The items of a line, with what they hold; the whole line where it is one. */
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
  /** The text that tells the items from equal ones. */
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
 * Keeps what can be acted on, with the headings and regions above it. Text stays where it tells items of one name
 * apart below one heading: that of their row, or the line before.
 */
export class InteractiveLines {
  #kept: Kept[] = [];
  /** Headings and regions that nothing to act on has followed yet. */
  #pending: PlacedLine[] = [];
  #before = '';
  #frames: string[] = [];
  readonly #alike = new Map<string, Kept | null>();

  /** Takes a line. Returns the tokens that all kept lines take more. */
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

  /** The lines that were kept, without those that were taken before. */
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

const tokensOfLine = (text: string): number => estimateTokens(`${text}\n`);
