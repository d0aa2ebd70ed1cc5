import { execAt, type LineWindow, type Span } from './tally.ts';
import { TableWalk } from './columns.ts';

const HAS_ROLE = /\brole="(?:table|(?:tree)?grid)"/i;
const ROLE_TABLE = /<[a-z][^<>]{0,400}\brole="(?:table|(?:tree)?grid)"/gi;
const ROW_UNITS = 4_096;

/** A table whose first row is whole, and has cells but no name of a secret. */
function isPlain(text: string, at: number, names: readonly number[]): boolean {
  const end = text.indexOf('</tr>', at);
  if (end < 0 || end - at > ROW_UNITS || names.some((name) => name > at && name < end)) return false;
  return /<t[hd]\b[^]*<t[hd]\b/i.test(text.slice(at, end));
}

const TAG = /<(?<close>\/)?(?<name>[a-z][\w-]*)(?<attributes>[^<>]{0,2000})>?/iy;
const ROLE = /\brole="(?<role>table|grid|treegrid|row|columnheader|rowheader|cell|gridcell)"/i;
const ROLES: Readonly<Record<string, string>> = {
  grid: 'table',
  treegrid: 'table',
  row: 'tr',
  columnheader: 'th',
  rowheader: 'th',
  cell: 'td',
  gridcell: 'td',
};
const VOID: ReadonlySet<string> = new Set('area br col hr img input link meta source track wbr'.split(' '));
const spanOf = (attributes: string, name: string): number =>
  Number(new RegExp(`\\b${name}="?(\\d{1,4})`, 'i').exec(attributes)?.[1] ?? 1);

/** The next table, or the last: where nothing has a name, only that can still be waiting for one. */
function nextTag(text: string, from: number, isLast: boolean): number {
  let found = text.indexOf('<table', from);
  for (let at = found; isLast && at >= 0; at = text.indexOf('<table', at + 1)) found = at;
  return found < 0 ? Infinity : found;
}

/** The part of a table that an element is, by its role or its name. */
function getTablePart(name: string, attributes: string): string {
  const role = ROLE.exec(attributes)?.groups?.['role']?.toLowerCase();
  return role === undefined ? name : (ROLES[role] ?? role);
}

/** Finds the values of secret columns of HTML tables, whatever the lines that they are on. */
export class HtmlTables {
  readonly #walk = new TableWalk();
  #isOpen = false;
  /** Open elements within the cell that is read; 0 outside of cells. */
  #depth = 0;
  /** Units after the last window that belong to what was read in it, and whether they are a secret's. */
  #ahead = 0;
  #kind: string | null = null;

  /** @param names where names of secrets end in the text */
  find({ text, from, to }: LineWindow, names: readonly number[], found: Span[]): void {
    let at = Math.min(from + this.#ahead, text.length);
    if (this.#kind !== null && at > from)
      found.push({ start: from, end: at, kind: this.#kind, isRest: true });
    this.#kind = null;
    let byRole = HAS_ROLE.test(text) ? -1 : Infinity;
    while (at < to) {
      if (!this.#isOpen) {
        if (byRole < at) byRole = execAt(ROLE_TABLE, text, at)?.index ?? Infinity;
        const byTag = nextTag(text, at, names.length === 0);
        const next = Math.min(byRole, byTag);
        if (next >= to) break;
        this.#isOpen = !isPlain(text, next, names);
        at = this.#isOpen ? next : next + 1;
        if (!this.#isOpen) continue;
      }
      at = this.#step(text, at, found);
    }
    const last = found.at(-1);
    this.#ahead = Math.max(0, at - to);
    if (last !== undefined && last.end > to) this.#kind = last.kind;
  }

  /** Reads a tag, or the text before one; returns its end. */
  #step(text: string, at: number, found: Span[]): number {
    if (text.charCodeAt(at) !== 60) {
      const next = text.indexOf('<', at);
      const end = next < 0 ? text.length : next;
      if (this.#depth > 0) this.#text(text.slice(at, end), at, found);
      return end;
    }
    const tag = execAt(TAG, text, at);
    if (tag === null) return at + 1;
    const { close, name = '', attributes = '' } = tag.groups ?? {};
    this.#tag(name.toLowerCase(), close !== undefined, attributes);
    return at + tag[0].length;
  }

  #text(text: string, at: number, found: Span[]): void {
    const value = text.trim();
    if (value === '') return;
    const kind = this.#walk.text(value);
    const start = at + text.indexOf(value);
    if (kind !== null) found.push({ start, end: start + value.length, kind });
  }

  #tag(name: string, isClose: boolean, attributes: string): void {
    const part = getTablePart(name, attributes);
    if (isClose) {
      if (name === 'table') this.#isOpen = false;
      this.#depth = Math.max(0, this.#depth - 1);
    } else if (part === 'td' || part === 'th') {
      this.#walk.cell(part === 'th', spanOf(attributes, 'colspan'), spanOf(attributes, 'rowspan'));
      this.#depth = 1;
    } else if (part === 'table' || part === 'tr') {
      if (part === 'table') this.#walk.table();
      else this.#isOpen = this.#walk.row();
      this.#depth = 0;
    } else if (this.#depth > 0 && !VOID.has(name) && !attributes.endsWith('/')) this.#depth += 1;
  }
}
