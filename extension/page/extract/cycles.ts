import { allIn, childCount, tagOf, textIn } from '../dom.ts';
import { shapeOf, stableClasses, type RepeatedGroup } from './groups.ts';
import { similarity } from './similarity.ts';
import type { Root, View } from './view.ts';

/** Records that are several siblings each: a row with the title, and one with the rest. */
interface Cycle {
  /** The elements of each record. */
  readonly records: readonly (readonly Element[])[];
}

const LONGEST = 4;
const FEWEST = 2;
const MOST_PARENTS = 4_000;
const MOST_CHILDREN = 4_000;
/** Siblings that are so alike are records of their own, such as odd and even rows. */
const ALIKE = 0.7;

/** Groups of records that are several siblings each, as copies under one element. */
export const cycleGroups = (scope: Root | Element, view: View): RepeatedGroup[] =>
  findCycles(scope, view).map(({ records }) => groupOfRuns(records, view));

export function groupOfRuns(runs: Cycle['records'], view: View): RepeatedGroup {
  const origins = new Map(runs.map((rows) => [copyOf(rows, view), rows] as const));
  return { members: [...origins.keys()], key: null, origins };
}

/** Elements, so many a run. */
export const runsOf = (all: readonly Element[], length: number): Element[][] =>
  Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
    all.slice(at * length, (at + 1) * length),
  );

/** A copy of what is shown of the elements. Cells of a table are named by its header. */
function copyOf(rows: readonly Element[], view: View): Element {
  const card = view.inert.createElement('div');
  const headers = headersOf(rows);
  for (const row of rows) {
    const copy = view.inert.importNode(row, true);
    if (!('querySelectorAll' in copy)) continue;
    const originals = allIn(row, '*');
    allIn(copy, '*').forEach((el, index) => {
      const original = originals[index];
      const isControl = /^(?:input|select|textarea)$/.test(tagOf(el));
      if (original === undefined || isControl || !view.isShown(original)) el.remove();
    });
    if (childCount(copy) === headers.length)
      [...copy.children].forEach((cell, index) => cell.setAttribute('data-label', headers[index] ?? ''));
    card.append(copy);
  }
  return card;
}

function headersOf([first]: readonly Element[]): string[] {
  const head = first?.closest('table')?.querySelector('tr');
  if (head == null || first?.localName !== 'tr' || head === first) return [];
  const cells = [...head.children];
  return cells.every(({ localName }) => localName === 'th') ? cells.map((cell) => textIn(cell)) : [];
}

/** Siblings that repeat in a fixed order, such as `tr.title, tr.details, tr.spacer`. */
function findCycles(scope: Root | Element, view: View): Cycle[] {
  const cycles: Cycle[] = [];
  let left = MOST_PARENTS;
  for (const parent of [scope, ...allIn(scope, 'tbody,table,dl,div,section,main,article,ul,ol')]) {
    if ((left -= 1) < 0) break;
    if (childCount(parent) < FEWEST * 2 || childCount(parent) > MOST_CHILDREN) continue;
    const cycle = cycleOf([...parent.children].filter((el) => view.isShown(el) || childCount(el) === 0));
    if (cycle !== null) cycles.push(cycle);
  }
  return cycles;
}

const kindOf = (el: Element): string =>
  `${el.localName}.${stableClasses(el)
    .filter((name) => !/^(?:odd|even|first|last|alt)$/.test(name))
    .sort()
    .join('.')}${childCount(el) === 0 && textIn(el) === '' ? '!' : ''}`;

function cycleOf(children: readonly Element[]): Cycle | null {
  const kinds = children.map(kindOf);
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (counts.size < 2 || counts.size > LONGEST * 4) return null;
  let best: Cycle | null = null;
  for (let start = 0; start < Math.min(children.length, 4); start += 1)
    for (let length = 2; length <= LONGEST; length += 1) {
      const records = recordsFrom(children, kinds, start, length);
      if (records.length < FEWEST || records.length <= (best?.records.length ?? 0)) continue;
      if (areParts(records[0] ?? [])) best = { records };
    }
  return best;
}

/** Whether siblings are parts of one record, and not records that look alike. */
function areParts(rows: readonly Element[]): boolean {
  const filled = rows.filter((el) => textIn(el) !== '');
  return (
    filled.length > 1 &&
    filled.every((a, index) =>
      filled
        .slice(index + 1)
        .every((b) => childCount(a) !== childCount(b) || similarity(shapeOf(a), shapeOf(b)) < ALIKE),
    )
  );
}

/** As many runs of the same kinds as follow each other; one run holds each kind that begins it once. */
function recordsFrom(
  children: readonly Element[],
  kinds: readonly string[],
  start: number,
  length: number,
): Element[][] {
  const pattern = kinds.slice(start, start + length);
  const isOneKind = pattern.every((kind) => kind === pattern[0]);
  if (pattern.length < length || isOneKind || pattern.indexOf(pattern[0] ?? '', 1) > 0) return [];
  const records: Element[][] = [];
  for (let at = start; at + length <= children.length; at += length) {
    if (!pattern.every((kind, offset) => kinds[at + offset] === kind)) break;
    records.push(children.slice(at, at + length));
  }
  // The spacer after the last record is often left out.
  const rest = children.length - start - records.length * length;
  const isEnd =
    rest > 0 &&
    rest < length &&
    pattern.slice(0, rest).every((kind, offset) => kinds[start + records.length * length + offset] === kind);
  if (isEnd && rest >= 2) records.push(children.slice(start + records.length * length));
  return records;
}
