import {
  addTo,
  allIn,
  attrOf,
  childCount,
  childrenOf,
  countEach,
  firstIn,
  tagOf,
  textIn,
} from '../../dom/elements.ts';
import { type RepeatedGroup, shapeOf, similarity, stableClasses } from './groups.ts';
import type { Root, View } from './view.ts';

/** Records that span several siblings each: a row with the title, and one with the rest. */
type Runs = readonly (readonly Element[])[];

const LONGEST = 4;
const FEWEST = 2;
const MAX_PARENTS = 4_000;
const MAX_CHILDREN = 4_000;
/** Siblings this similar are separate records, such as odd and even rows. */
const ALIKE = 0.7;

/** Copies records that span several siblings under one element each. */
export function groupOfRuns(runs: Runs, view: View): RepeatedGroup {
  const origins = new Map(runs.map((rows) => [copyOf(rows, view), rows] as const));
  return { members: [...origins.keys()], origins };
}

/** Splits elements into runs of a length. */
export const runsOf = (all: readonly Element[], length: number): Element[][] =>
  Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
    all.slice(at * length, (at + 1) * length),
  );

/** A copy of the visible parts of the elements. Table cells are named by their headers. */
function copyOf(rows: readonly Element[], view: View): Element {
  const card = view.inert.createElement('div');
  const headers = headersOf(rows);
  for (const row of rows) {
    const copy = view.copyOf(row);
    for (const control of allIn(copy, 'input,select,textarea')) control.remove();
    if (childCount(copy) === headers.length)
      childrenOf(copy).forEach((cell, index) => cell.setAttribute('data-label', headers[index] ?? ''));
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
export function cycleGroups(scope: Root | Element, view: View): RepeatedGroup[] {
  return [scope, ...allIn(scope, 'body,tbody,table,dl,div,section,main,article,ul,ol')]
    .slice(0, MAX_PARENTS)
    .filter((parent) => childCount(parent) >= FEWEST * 2 && childCount(parent) <= MAX_CHILDREN)
    .map((parent) => cycleOf(childrenOf(parent).filter((el) => view.isShown(el) || childCount(el) === 0)))
    .filter((runs) => runs.length > 0)
    .map((runs) => groupOfRuns(runs, view));
}

const getSpanKind = (el: Element): string =>
  `${el.localName}.${stableClasses(el)
    .filter((name) => !/^(?:odd|even|first|last|alt)$/.test(name))
    .sort()
    .join('.')}${cellsOf(el)}${childCount(el) === 0 && textIn(el) === '' ? '!' : ''}`;

/** Rows of a record differ in their cells where they have no classes. */
const cellsOf = (el: Element): string =>
  tagOf(el) === 'tr'
    ? childrenOf(el)
        .map((cell) => `|${attrOf(cell, 'colspan') ?? ''}`)
        .join('')
    : '';

const classesOfCells = (row: Element): string =>
  childrenOf(row)
    .map((cell) => stableClasses(cell).join('.'))
    .join('|');

/** Rows of different forms, or of cells with different classes. */
const areRowsOfOne = (rows: readonly Element[]): boolean =>
  rows.length <= LONGEST && (areParts(rows) || new Set(rows.map(classesOfCells)).size === rows.length);

/** Sections of a table whose rows are parts of one record. */
export function sectionGroups(scope: Root | Element, view: View): RepeatedGroup[] {
  return allIn(scope, 'table').flatMap((table) => {
    const members = childrenOf(table).filter((el) => tagOf(el) === 'tbody' && childCount(el) > 1);
    return members.length >= FEWEST && members.every((el) => areRowsOfOne(childrenOf(el)))
      ? [groupOfRuns(members.map(childrenOf), view)]
      : [];
  });
}

const MAX_NESTED = 2_000;

/** Elements of a kind in each other, such as the replies of a thread: each is a record without those in it. */
export function nestedGroups(scope: Root | Element, view: View): RepeatedGroup[] {
  const kinds = new Map<string, Element[]>();
  for (const el of allIn(scope, 'article,[class]')) {
    const classes = stableClasses(el).map((name) => `.${name}`);
    if (classes.length > 0 || tagOf(el) === 'article') addTo(kinds, tagOf(el) + classes.join(''), el);
  }
  return [...kinds].flatMap(([kind, same]) => {
    if (same.every((el) => firstIn(el, kind) === null)) return [];
    // Also those with more classes, such as a reply to the comment around it.
    const all = allIn(scope, kind);
    if (all.length > MAX_NESTED) return [];
    const group = groupOfRuns(
      all.map((el) => [el]),
      view,
    );
    const shapes = group.members.map((copy) => {
      for (const inner of allIn(copy, `:scope > * ${kind}`)) inner.remove();
      return textIn(copy) === '' ? null : shapeOf(copy);
    });
    const [first] = shapes;
    const areAlike = shapes.every(
      (shape) => shape != null && first != null && similarity(first, shape) >= ALIKE,
    );
    return areAlike ? [group] : [];
  });
}

/** Maximum records; none if the siblings do not repeat. */
function cycleOf(children: readonly Element[]): Runs {
  const kinds = children.map(getSpanKind);
  const counts = countEach(kinds);
  if (counts.size < 2 || counts.size > LONGEST * 4) return [];
  let best: Runs = [];
  for (let start = 0; start < Math.min(children.length, 4); start += 1)
    for (let length = 2; length <= LONGEST; length += 1) {
      const records = recordsFrom(children, kinds, start, length);
      if (records.length < FEWEST || records.length <= best.length) continue;
      if (areParts(records[0] ?? [])) best = records;
    }
  return best;
}

/** Whether siblings are parts of one record, not similar records. */
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

/** Consecutive runs of the same kinds; within a run, the kind that begins it occurs once. */
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
  // The spacer after the last record is often missing.
  const rest = children.length - start - records.length * length;
  const isEnd =
    rest > 0 &&
    rest < length &&
    pattern.slice(0, rest).every((kind, offset) => kinds[start + records.length * length + offset] === kind);
  if (isEnd && rest >= 2) records.push(children.slice(start + records.length * length));
  return records;
}
