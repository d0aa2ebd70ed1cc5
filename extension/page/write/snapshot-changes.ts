import { cut } from '../../../shared/cut.ts';
import { compareLines, firstRef, type LineChange } from './snapshot-diff.ts';

/** One line that says what changed. */
export interface ChangeLine {
  readonly text: string;
  /** Index of the line of the page that it begins with; -1 for what is gone. */
  readonly at: number;
}

/** Headings, regions, tables and frames: every change is below one. */
const CONTEXT = /^(?:#{1,6} |@(?!end of frame))/;
type Drawn = 'same' | 'added' | 'changed' | 'removed' | 'moved' | 'replaced';
/** Lines of one kind in a row that are written one by one; more are written as one line. */
const MOST_SINGLE: Readonly<Record<Drawn, number>> = {
  same: 0,
  added: Infinity,
  changed: Infinity,
  removed: 2,
  moved: 1,
  replaced: 3,
};
const LINE_UNITS = 80;
const END_UNITS = 40;
const WAS_UNITS = 40;
/** A longer word may be a secret that only the words before it give away. */
const WORD_UNITS = 20;
const NAMES_A_VALUE = /[:=]\s*$/;

/**
 * What the line before had in place of the words that changed; empty where nothing was there, or where the words
 * before them are needed to redact it: the value of a field, a text after a colon.
 */
function replacedWords(was: string, is: string): string {
  const [from, to] = [was.split(/(?<=[ |])/), is.split(/(?<=[ |])/)];
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let back = 0;
  while (back < most - start && from.at(-1 - back) === to.at(-1 - back)) back += 1;
  const words = from
    .slice(start, from.length - back)
    .join('')
    .replace(/^[ |]+|[ |]+$/g, '');
  const isLong = words.length > WAS_UNITS || words.split(/[ |]/).some(({ length }) => length > WORD_UNITS);
  const isValue = NAMES_A_VALUE.test(from.slice(0, start).join('')) || /[:=]/.test(words);
  return isLong || isValue ? '' : words;
}

/** Writes what {@link compareLines} found, a line each, with the nearest heading or region before the first change below it. */
class ChangeWriter {
  readonly lines: ChangeLine[] = [];
  readonly #old: readonly string[];
  readonly #now: readonly string[];
  /** Index of the heading or region that the changes are below, and of the last one that was written. */
  #context = -1;
  #written = -1;
  #group: LineChange[] = [];
  #drawn: Drawn = 'same';

  constructor(old: readonly string[], now: readonly string[]) {
    this.#old = old;
    this.#now = now;
  }

  add(change: LineChange): void {
    const drawn = this.#drawnAs(change);
    const isNext = drawn === this.#drawn && drawn !== 'same' && this.#follows(change);
    if (!isNext) {
      this.#flush();
      this.#drawn = drawn;
    }
    if (drawn === 'same') this.#pass(change);
    else this.#group.push(change);
  }

  end(): void {
    this.#flush();
  }

  #drawnAs({ kind, isMoved, before, after }: LineChange): Drawn {
    if (kind === 'same') return isMoved ? 'moved' : 'same';
    if (kind !== 'replaced') return kind;
    // Tables that are written while they are walked may end their rows with more empty cells.
    return firstRef(this.#old[before] ?? '') === firstRef(this.#now[after] ?? '') ? 'same' : 'replaced';
  }

  /** What has moved together, or stood together. */
  #follows({ before }: LineChange): boolean {
    const last = this.#group.at(-1);
    if (last === undefined) return false;
    return this.#drawn === 'added' || this.#drawn === 'changed' || before === last.before + 1;
  }

  #pass({ after }: LineChange): void {
    if (CONTEXT.test(this.#now[after] ?? '')) this.#context = after;
  }

  #flush(): void {
    const group = this.#group;
    if (group.length === 0) return;
    this.#group = [];
    this.#writeContext(group);
    if (group.length > MOST_SINGLE[this.#drawn]) this.#writeGroup(group);
    else for (const change of group) this.#write(change);
    for (const change of group) if (this.#drawn === 'added' || this.#drawn === 'changed') this.#pass(change);
    this.#written = this.#context;
  }

  #writeContext([first]: readonly LineChange[]): void {
    const line = first === undefined ? '' : this.#lineOf(first);
    if (this.#context === this.#written || CONTEXT.test(line)) return;
    this.#written = this.#context;
    this.#say(`  ${cut(this.#now[this.#context] ?? '', LINE_UNITS)}`, this.#context);
  }

  #lineOf({ before, after }: LineChange): string {
    return (after === -1 ? this.#old[before] : this.#now[after]) ?? '';
  }

  #write(change: LineChange): void {
    const { before, after } = change;
    const line = this.#lineOf(change);
    const was = this.#old[before] ?? '';
    if (this.#drawn === 'added') this.#say(`+ ${line}`, after);
    else if (this.#drawn === 'removed') this.#say(`- ${cut(line, LINE_UNITS)}`, -1);
    else if (this.#drawn === 'moved') this.#say(`> ${cut(line, LINE_UNITS)}`, after);
    else {
      const words = this.#drawn === 'replaced' ? firstRef(was) : replacedWords(was, line);
      this.#say(`~ ${line}${words === '' ? '' : ` (was ${words})`}`, after);
    }
  }

  /** Many lines by the first and the last of them. */
  #writeGroup(group: readonly LineChange[]): void {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return;
    const ends = [first, last].map((change) => cut(this.#lineOf(change), END_UNITS)).join(' … ');
    const sign = { removed: '-', moved: '>', replaced: '~', added: '+', changed: '~', same: ' ' }[
      this.#drawn
    ];
    const what = this.#drawn === 'replaced' ? 'lines with new refs' : 'lines';
    this.#say(`${sign} ${group.length} ${what}: ${ends}`, first.after);
  }

  #say(text: string, at: number): void {
    this.lines.push({ text, at });
  }
}

/** How many lines follow all that were there before. */
export function countAdded(old: readonly string[], now: readonly string[]): number {
  const changes = compareLines(old, now);
  return changes.length - 1 - changes.findLastIndex(({ kind }) => kind !== 'added');
}

/**
 * What changed from the lines of one snapshot to those of the next, to be read:
 *
 *     # Player                     the nearest heading or region, indented
 *     + e17 button Log out         added
 *     - e4 textbox User            gone
 *     ~ e9 button Pause (was Play) says something else; its words before
 *     > e5 Terms                   moved here
 *     - 14 lines: e4 textbox User … e9 button Log in
 *
 * @param isOpen the lines before end where the reading did: what follows the last of them is not new
 */
export function describeChanges(
  old: readonly string[],
  now: readonly string[],
  isOpen: boolean,
): ChangeLine[] {
  const changes = compareLines(old, now);
  if (isOpen) while (changes.at(-1)?.kind === 'added') changes.pop();
  const writer = new ChangeWriter(old, now);
  for (const change of changes) writer.add(change);
  writer.end();
  return writer.lines;
}
