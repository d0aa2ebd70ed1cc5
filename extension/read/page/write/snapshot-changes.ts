import { addTo, countBefore } from '../../../dom/elements.ts';
import { cut } from '../../../../shared/base/cut.ts';
import { PAGE_ROLES } from '../../../../shared/read/page-lines.ts';

export interface ChangeLine {
  readonly text: string;
  /** Index of its first line in the page; -1 if it is gone. */
  readonly at: number;
}

/** Headings, regions, tables and frames: every change is below one. */
const CONTEXT = /^(?:#{1,6} |@(?!end of frame))/;
type Drawn = 'same' | 'added' | 'changed' | 'removed' | 'moved' | 'replaced';
/** Consecutive lines of one kind that are written singly; more are written as one line. */
const MAX_SINGLE: Readonly<Record<Drawn, number>> = {
  same: 0,
  added: Infinity,
  changed: Infinity,
  removed: 2,
  moved: 1,
  replaced: 3,
};
const SIGNS = { removed: '-', moved: '>', replaced: '~', added: '+', changed: '~', same: ' ' } as const;
const LINE_UNITS = 80;
const END_UNITS = 40;
const WAS_UNITS = 40;
/** A longer word may be a secret that only the words before it reveal. */
const WORD_UNITS = 20;
const NAMES_A_VALUE = /[:=]\s*$/;

/** How many parts two texts share at their beginnings, and then at their ends. */
function sharedEnds(from: readonly string[], to: readonly string[]): readonly [number, number] {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let back = 0;
  while (back < most - start && from.at(-1 - back) === to.at(-1 - back)) back += 1;
  return [start, back];
}

/** A number and the states of an element say enough by themselves. */
const SELF_CONTAINED = /^(?:[-+]?[\d.,%\p{Sc}]+|(?:\[[^\]]*\] ?)+)$/u;
/** In front of the name of an element, or of a text. */
const LEAD = new RegExp(
  String.raw`^(?:#{1,6} )?(?:(?:f\d+)*e\d+ )?(?:(?:${[...PAGE_ROLES].join('|')}) )?(?:\[[^\]]*\] )*`,
);

/**
 * The earlier name, text or cell of a changed line. Empty if it was only given a value, an address or options, or if
 * redaction needs the words before it: the value of a field, a text after a colon. Always whole, as the page had it.
 */
function replacedWords(was: string, is: string): string {
  const [from, to] = [was.split(/(?<=[ |])/), is.split(/(?<=[ |])/)];
  const [start, back] = sharedEnds(from, to);
  const before = from.slice(0, start).join('');
  const changed = from.slice(start, from.length - back).join('');
  const part = changed.replace(/^[ |]+|[ |]+$/g, '');
  if (part === '' || NAMES_A_VALUE.test(before)) return '';
  const name = part.replace(LEAD, '').replace(/[\]|].*/, '');
  if (/^ (?:= |-> |\()/.test(is.slice(before.length).replace(LEAD, '').replace(name, ''))) return '';
  const words = SELF_CONTAINED.test(part) ? part : wholeOf(was, before.length, changed);
  const isLong = words.length > WAS_UNITS || words.split(/[ |]/).some(({ length }) => length > WORD_UNITS);
  return isLong || /[:=]/.test(words) ? '' : words;
}

/** The cells of a line in which a part is, or the line, without what leads to its name. */
function wholeOf(line: string, at: number, part: string): string {
  const first = line.lastIndexOf('|', at - 1) + 1;
  const last = line.indexOf('|', at + part.trimEnd().replace(/\|$/, '').length);
  const whole = line.slice(first, last < 0 ? line.length : last);
  const [lead = ''] = LEAD.exec(whole) ?? [];
  return whole.slice(Math.min(lead.length, at - first)).trim();
}

/**
 * Writes the result of {@link compareLines}, one line per change, with the nearest heading or region before the first
 * change below it.
 */
class ChangeWriter {
  readonly lines: ChangeLine[] = [];
  /** Index of the current heading or region, and of the last one written. */
  #context = -1;
  #written = -1;
  #group: LineChange[] = [];
  #drawn: Drawn = 'same';

  constructor(
    private readonly old: readonly string[],
    private readonly now: readonly string[],
  ) {}

  add(change: LineChange): void {
    const drawn = this.#drawnAs(change);
    const isNext = drawn === this.#drawn && drawn !== 'same' && this.#follows(change);
    if (!isNext) {
      this.flush();
      this.#drawn = drawn;
    }
    if (drawn === 'same') this.#pass(change);
    else this.#group.push(change);
  }

  #drawnAs({ kind, isMoved, before, after }: LineChange): Drawn {
    if (kind === 'same') return isMoved ? 'moved' : 'same';
    if (kind !== 'replaced') return kind;
    // Rows of tables written during the walk may end with additional empty cells.
    return firstRef(this.old[before] ?? '') === firstRef(this.now[after] ?? '') ? 'same' : 'replaced';
  }

  #follows({ before }: LineChange): boolean {
    const last = this.#group.at(-1);
    if (last === undefined) return false;
    return this.#drawn === 'added' || this.#drawn === 'changed' || before === last.before + 1;
  }

  #pass({ after }: LineChange): void {
    if (CONTEXT.test(this.now[after] ?? '')) this.#context = after;
  }

  /** Writes delayed lines, once their number is known. */
  flush(): void {
    const group = this.#group;
    if (group.length === 0) return;
    this.#group = [];
    this.#writeContext(group);
    if (group.length > MAX_SINGLE[this.#drawn]) this.#writeGroup(group);
    else for (const change of group) this.#write(change);
    for (const change of group) if (this.#drawn === 'added' || this.#drawn === 'changed') this.#pass(change);
    this.#written = this.#context;
  }

  #writeContext([first]: readonly LineChange[]): void {
    const line = first === undefined ? '' : this.#lineOf(first);
    if (this.#context === this.#written || CONTEXT.test(line)) return;
    this.#written = this.#context;
    this.#say(`  ${cut(this.now[this.#context] ?? '', LINE_UNITS)}`, this.#context);
  }

  #lineOf({ before, after }: LineChange): string {
    return (after === -1 ? this.old[before] : this.now[after]) ?? '';
  }

  #write(change: LineChange): void {
    const { before, after } = change;
    const line = this.#lineOf(change);
    const was = this.old[before] ?? '';
    if (this.#drawn === 'added') this.#say(`+ ${line}`, after);
    else if (this.#drawn === 'removed' || this.#drawn === 'moved')
      this.#say(`${SIGNS[this.#drawn]} ${cut(line, LINE_UNITS)}`, after);
    else {
      const words = this.#drawn === 'replaced' ? firstRef(was) : replacedWords(was, line);
      this.#say(`~ ${line}${words === '' ? '' : ` (was ${words})`}`, after);
    }
  }

  /** Writes many lines as one: the first and the last of them. */
  #writeGroup(group: readonly LineChange[]): void {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return;
    const ends = [first, last].map((change) => cut(this.#lineOf(change), END_UNITS)).join(' … ');
    const what = this.#drawn === 'replaced' ? 'lines with new refs' : 'lines';
    this.#say(`${SIGNS[this.#drawn]} ${group.length} ${what}: ${ends}`, first.after);
  }

  #say(text: string, at: number): void {
    this.lines.push({ text, at });
  }
}

/** How many new lines follow all the old ones. */
export function countAdded(old: readonly string[], now: readonly string[]): number {
  const changes = compareLines(old, now);
  return changes.length - 1 - changes.findLastIndex(({ kind }) => kind !== 'added');
}

/**
 * The changes between two snapshots, for a model:
 *
 *     # Player                     the nearest heading or region, indented
 *     + e17 button Log out         added
 *     - e4 textbox User            gone
 *     ~ e9 button Pause (was Play) changed; its words before
 *     > e5 Terms                   moved here
 *     - 14 lines: e4 textbox User … e9 button Log in
 *
 * @param isOpen the earlier lines ended where the reading did: lines after the last of them are not new
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
  writer.flush();
  return writer.lines;
}

interface LineChange {
  /** `replaced`: the same but for its refs. */
  readonly kind: 'same' | 'changed' | 'replaced' | 'added' | 'removed';
  /** Index among the earlier lines; -1 for an added one. */
  readonly before: number;
  /** Index among the present lines; -1 for a removed one. */
  readonly after: number;
  readonly isMoved: boolean;
}

/** At the beginning of a line, of an item in brackets, or of a cell. */
const REF = /(^|(?<!\\)[[|])((?:f\d+)*e\d+)(?=[ \]|]|$)/;
const REFS = new RegExp(REF, 'g');

/** A line without its refs and trailing empty cells. */
export const withoutRefs = (line: string): string => line.replace(REFS, '$1').replace(/\|+$/, '');

/** The first ref in a line; empty for none. */
export function firstRef(line: string): string {
  return REF.exec(line)?.[2] ?? '';
}

/** Maps earlier lines to present ones, both ways. */
class Matching {
  /** The earlier line of each present one, or -1. */
  readonly before: Int32Array;
  /** The present line of each earlier one, or -1. */
  readonly after: Int32Array;

  constructor(
    readonly old: readonly string[],
    readonly now: readonly string[],
  ) {
    this.before = new Int32Array(now.length).fill(-1);
    this.after = new Int32Array(old.length).fill(-1);
  }

  pair(before: number, after: number): void {
    this.before[after] = before;
    this.after[before] = after;
  }

  isFree(before: number, after: number): boolean {
    return this.after[before] === -1 && this.before[after] === -1;
  }

  trim(): void {
    const { old, now } = this;
    const [start, back] = sharedEnds(old, now);
    for (let at = 0; at < start; at += 1) this.pair(at, at);
    for (let at = 1; at <= back; at += 1) this.pair(old.length - at, now.length - at);
  }

  /** Pairs lines whose key occurs once on each side among the remaining ones. Lines with an empty key are skipped. */
  pairUnique(keyOf: (line: string) => string): void {
    const olds = this.#placesOf(this.old, this.after, keyOf);
    for (const [key, after] of this.#placesOf(this.now, this.before, keyOf)) {
      const before = olds.get(key) ?? -1;
      if (after >= 0 && before >= 0) this.pair(before, after);
    }
  }

  /** The position of each key; -1 for several. */
  #placesOf(
    lines: readonly string[],
    matched: Int32Array,
    keyOf: (line: string) => string,
  ): Map<string, number> {
    const places = new Map<string, number>();
    for (let at = 0; at < lines.length; at += 1) {
      if (matched[at] !== -1) continue;
      const key = keyOf(lines[at] ?? '');
      if (key !== '') places.set(key, places.has(key) ? -1 : at);
    }
    return places;
  }

  /** Pairs equal neighbours of pairs, so that their surroundings tell frequent lines apart. */
  grow(keyOf: (line: string) => string): void {
    const { old, now, before } = this;
    const step = (at: number, by: 1 | -1): void => {
      const neighbour = before[at - by] ?? -1;
      if (neighbour === -1) return;
      const there = neighbour + by;
      const [was, is] = [old[there], now[at]];
      if (was === undefined || is === undefined || !this.isFree(there, at)) return;
      if (keyOf(was) === keyOf(is)) this.pair(there, at);
    };
    for (let at = 1; at < now.length; at += 1) if (before[at] === -1) step(at, 1);
    for (let at = now.length - 2; at >= 0; at -= 1) if (before[at] === -1) step(at, -1);
  }

  /** Pairs remaining lines with equal keys in order. */
  pairInOrder(keyOf: (line: string) => string): void {
    const left = new Map<string, number[]>();
    for (let at = this.old.length - 1; at >= 0; at -= 1) {
      if (this.after[at] !== -1) continue;
      addTo(left, keyOf(this.old[at] ?? ''), at);
    }
    for (let at = 0; at < this.now.length; at += 1) {
      if (this.before[at] !== -1) continue;
      const place = left.get(keyOf(this.now[at] ?? ''))?.pop();
      if (place !== undefined) this.pair(place, at);
    }
  }

  /** Pairs texts at the same place between pairs that share a part. */
  pairEdited(): void {
    const { old, now, before, after } = this;
    for (let at = 0; at < now.length; at += 1) {
      if (before[at] !== -1) continue;
      const place = at === 0 ? 0 : (before[at - 1] ?? -1) + 1;
      if (at > 0 && place === 0) continue;
      const [was, is] = [old[place], now[at]];
      if (was === undefined || is === undefined || after[place] !== -1) continue;
      if (firstRef(was) === '' && firstRef(is) === '' && isEdited(was, is)) this.pair(place, at);
    }
  }
}

function isEdited(was: string, is: string): boolean {
  const [from, to] = [was.split(/[ |]/), is.split(/[ |]/)];
  const [start, back] = sharedEnds(from, to);
  return (start + back) * 2 >= Math.min(from.length, to.length);
}

/** The first position in `ends` whose earlier line does not come before `value`. */
function placeAmong(ends: readonly number[], before: Int32Array, value: number): number {
  const comesBefore = (place: number): boolean => (before[ends[place] ?? 0] ?? -1) < value;
  // Most lines keep their order.
  if (ends.length === 0 || comesBefore(ends.length - 1)) return ends.length;
  return countBefore(ends.length, comesBefore);
}

/** The largest set of pairs in order (longest increasing subsequence): all others have moved. */
function stayingPairs(before: Int32Array): Uint8Array {
  const stays = new Uint8Array(before.length);
  const ends: number[] = [];
  const previous = new Int32Array(before.length).fill(-1);
  for (let at = 0; at < before.length; at += 1) {
    const value = before[at] ?? -1;
    if (value === -1) continue;
    const place = placeAmong(ends, before, value);
    previous[at] = ends[place - 1] ?? -1;
    ends[place] = at;
  }
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) stays[at] = 1;
  return stays;
}

function matchLines(old: readonly string[], now: readonly string[]): Matching {
  const matching = new Matching(old, now);
  const same = (line: string): string => line;
  const replaceable = (line: string): string => (firstRef(line) === '' ? '' : withoutRefs(line));
  matching.trim();
  matching.pairUnique(same);
  matching.grow(same);
  matching.pairInOrder(same);
  // The same element, with changed words.
  matching.pairUnique(firstRef);
  // Another element with the same words.
  matching.pairUnique(replaceable);
  matching.grow(withoutRefs);
  matching.pairInOrder(withoutRefs);
  matching.pairEdited();
  return matching;
}

function getChangeKind(was: string, is: string): LineChange['kind'] {
  if (was === is) return 'same';
  return withoutRefs(was) === withoutRefs(is) ? 'replaced' : 'changed';
}

/**
 * Compares the lines of two snapshots of one page, in time that grows only with their number: first equal lines, then
 * elements with changed words, then elements that replaced equal ones. Changes come in the order of the present lines;
 * removed lines at their former places.
 */
export function compareLines(old: readonly string[], now: readonly string[]): LineChange[] {
  const { before, after } = matchLines(old, now);
  const stays = stayingPairs(before);
  const changes: LineChange[] = [];
  let next = 0;
  const passRemoved = (until: number): void => {
    for (; next < until; next += 1)
      if (after[next] === -1) changes.push({ kind: 'removed', before: next, after: -1, isMoved: false });
  };
  for (let at = 0; at < now.length; at += 1) {
    const from = before[at] ?? -1;
    const isMoved = from !== -1 && stays[at] === 0;
    if (from !== -1 && !isMoved) {
      passRemoved(from);
      next = from + 1;
    }
    const kind = from === -1 ? 'added' : getChangeKind(old[from] ?? '', now[at] ?? '');
    changes.push({ kind, before: from, after: at, isMoved });
  }
  passRemoved(old.length);
  return changes;
}
