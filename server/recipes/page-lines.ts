import { cut } from '../../shared/base/cut.ts';
import { jsonIn } from '../../shared/base/json-schema.ts';
import { PAGE_ROLES } from '../../shared/read/page-lines.ts';
import type { ContentBlock } from '../core/result.ts';

/** The text of a block; null for one of another kind. */
export const blockText = (block: ContentBlock): string | null => {
  if (block.type === 'text') return block.text;
  const { text } = block.type === 'foreign' ? block.block : {};
  return typeof text === 'string' ? text : null;
};

/** Enough to find it again when its ref is gone. */
export interface Described {
  readonly role: string;
  readonly name: string;
  /** Its surroundings in the words of `find`: `row "Invoice 7"`, `under "Settings"`. */
  readonly near?: string;
  /** A selector, which decides between several before their places do. */
  readonly selector?: string;
  /** Its position among those with the same role, name and place, and how many there are. */
  readonly nth?: number;
  readonly of?: number;
}

const NAME_UNITS = 200;
/** As `find` shortens its description of a place. */
const PLACE_UNITS = 60;
/** A longer name that ends in an ellipsis was cut: at 100 units, before a word. */
const CUT_UNITS = 40;
const REF = String.raw`(?:f\d+)*e\d+`;
/** `e13 button [pressed] Save · row "Invoice 7"`, in an answer of `find` or by itself in a snapshot. */
const LINE = new RegExp(String.raw`^([\s~+>-]*)(${REF})(?: (.*))?$`);
/** `[e6 Wheat flour]`, `[e6 Wheat flour -> https://…]` or `[e7 button [pressed] Save]` within a text. */
const ITEM = new RegExp(String.raw`\[(${REF})((?: (?:[^[\]]|\[[^[\]]*\]){0,1000})?)\]`, 'g');
const HEADING = /^\s*#{1,6} (.*)$/;
const STATES = /^(?: \[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\])+/;
const PLACE = /^(?:row|item|under) "(?:[^"\\]|\\.)*"$/;
/** In a row of a table; within a text, spaces surround it. */
const BETWEEN_CELLS = /(?<![\\ ])\|(?! )/;

const CHOICES: readonly string[] = ['combobox', 'listbox'];

type Parsed = Described & { readonly ref: string };

/**
 * A line of `find` or of a snapshot; null for one that does not begin with a ref.
 * @param role of every line, if known: the name of a link may begin with a word that is a role elsewhere
 */
export function parseLine(line: string, role?: string): Parsed | null {
  const [, sign, ref, rest = ''] = LINE.exec(line) ?? [];
  if (sign === undefined || ref === undefined) return null;
  const [said, near] = splitPlace(rest);
  return {
    ref,
    ...parseDescription(sign.includes('~') ? said.replace(/ \(was .*\)$/, '') : said, role),
    ...(near === undefined ? {} : { near }),
  };
}

function splitPlace(rest: string): readonly [string, string?] {
  let at = rest.length;
  for (let tries = 0; tries < 8 && at > 0; tries += 1) {
    at = rest.lastIndexOf(' · ', at - 1);
    if (at < 0) break;
    const place = rest.slice(at + 3);
    if (PLACE.test(place)) return [rest.slice(0, at), place];
  }
  return [rest];
}

/** `button [pressed] Save`, or only the name of a link. */
function parseDescription(said: string, known?: string): Described {
  const [word = ''] = said.split(' ', 1);
  const states = STATES.exec(said.slice(word.length))?.[0] ?? '';
  // A link's role appears only with its states.
  const isRole = word === 'link' ? states !== '' : PAGE_ROLES.has(word) && (known ?? word) === word;
  const role = isRole ? word : 'link';
  return { role, name: parseElementName(isRole ? said.slice(word.length + states.length) : said, role) };
}

/** Without a field's value and options, or a link's address. */
function parseElementName(said: string, role: string): string {
  const text = said.replace(/ -> \S*$/, '').trim();
  const [quoted] = /^"(?:[^"\\]|\\.)*"/.exec(text) ?? [];
  const name = quoted === undefined ? text.replace(/(?:^| )= .*$/, '') : String(jsonIn(quoted) ?? text);
  const options = CHOICES.includes(role) && quoted === undefined ? /(?:^| )\([^()]*\|[^()]*\)$/ : /$^/;
  return cut(name.replace(options, '').trim(), NAME_UNITS);
}

/** Whether two names, one of which may be cut, belong to the same element. */
export function isSameName(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [stemOf(one), stemOf(other)];
  return (one !== a && b.startsWith(a)) || (other !== b && a.startsWith(b));
}

/** A short name may itself end this way. */
export const stemOf = (name: string): string =>
  name.length > CUT_UNITS && name.endsWith(' …') ? name.slice(0, -2) : name;

/** Every element in a text with a ref, each with its row, or the heading above if nothing nearer is given. */
export function findDescriptions(text: string): ReadonlyMap<string, Described> {
  const found = new Map<string, Described>();
  let above: { readonly near?: string } = {};
  for (const line of text.split('\n')) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) above = { near: `under ${inQuotes(plain(heading))}` };
    const cells = line.replace(/^ *[~+>-] /, '').split(BETWEEN_CELLS);
    const isRow = cells.length > 1 && !cells.some(isOpen);
    const parts = isRow ? cells.map((cell) => cell.replaceAll(String.raw`\|`, '|')) : [line];
    const [first, second] = isRow ? firstTextsOf(parts) : [];
    for (const [at, part] of parts.entries()) {
      const other = first?.at === at ? second : first;
      const place = other === undefined ? above : { near: `row ${inQuotes(other.text)}` };
      for (const { ref, ...described } of elementsIn(part)) found.set(ref, { ...place, ...described });
    }
  }
  return found;
}

/** Options in parentheses have the same separator; in a cell it is escaped. */
const isOpen = (cell: string): boolean => cell.lastIndexOf('(') > cell.lastIndexOf(')');

/** The element of a line, or the elements within it. */
function elementsIn(line: string): readonly Parsed[] {
  const whole = parseLine(line);
  if (whole !== null) return [whole];
  return [...line.matchAll(ITEM)].map(([, ref = '', said = '']) => ({
    ref,
    ...parseDescription(said.trim()),
  }));
}

/**
 * The first two non-empty cells of a row: if an element is in the first, `find` describes the row by the
 * second.
 */
function firstTextsOf(cells: readonly string[]): readonly { readonly at: number; readonly text: string }[] {
  const found = [];
  for (const [at, cell] of cells.entries()) {
    const text = plain(cell);
    if (text !== '') found.push({ at, text });
    if (found.length === 2) break;
  }
  return found;
}

const inQuotes = (text: string): string => JSON.stringify(cut(text, PLACE_UNITS));
/** The text of a line with only the names of its elements. */
const plain = (text: string): string =>
  (
    parseLine(text)?.name ??
    text.replaceAll(ITEM, (_item, _ref, said: string) => parseDescription(said.trim()).name)
  ).trim();
