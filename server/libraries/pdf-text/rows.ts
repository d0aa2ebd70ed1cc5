/** Pieces on one baseline without a gap as wide as between columns or cells. */
export interface Run {
  text: string;
  readonly left: number;
  right: number;
  readonly y: number;
  readonly size: number;
  /** Place in the content stream. */
  readonly order: number;
  /** It is a whole cell, so a run next to it belongs to another cell. */
  readonly isCell?: boolean;
}

/** The runs of one baseline, left to right. */
export interface PdfRow {
  readonly y: number;
  readonly size: number;
  readonly runs: Run[];
}

/** Lines further apart than this, in units of their size, belong to different paragraphs. */
export const PARAGRAPH_LEADING = 1.75;

/** Scripts that put no space between words, and their punctuation. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3001-\u301f\u30fb\u30fc\uff01-\uff60]$/u;

/** Joins two lines of a paragraph; a divided word becomes whole. */
export function joinWords(text: string, line: string): string {
  if (text.endsWith('\u00ad')) return text.slice(0, -1) + line;
  if (UNSPACED.test(text)) return text + line;
  const head = /(?<before>[\p{L}\p{N}-]*\p{L})[-\u2010]$/u.exec(text)?.groups?.['before'];
  if (head === undefined || !/^\p{Ll}/u.test(line)) return `${text} ${line}`;
  const tail = /^\p{L}+/u.exec(line)?.[0] ?? '';
  // A compound appears with its hyphen elsewhere on the page, or has another hyphen.
  const isCompound = head.includes('-') || text.includes(`${head}-${tail}`);
  return `${isCompound ? text : text.slice(0, -1)}${line}`;
}

const overlaps = (a: Run, b: Run): boolean => a.left < b.right && b.left < a.right;

/** A line of the same column is at the same distance as the others of its paragraph; the next row of a table is further away. */
const LINE_SLACK = 1.1;
/** Of a font's size: how far the middles of two cells of a row may be apart. */
const MIDDLE_SLACK = 0.15;

/** The lines of a cell, from the top. */
type Stack = [Run, ...Run[]];

/**
 * Makes one run of each cell of a row whose cells have different numbers of lines and a common middle. The runs keep
 * the height of the longest cell's first line.
 */
export function joinCentredCells(runs: readonly Run[]): Run[] {
  const stacks = toStacks(runs).toSorted((a, b) => b.length - a.length);
  const joined = new Map<Stack, Run>();
  for (const tallest of stacks) {
    if (tallest.length === 1 || joined.has(tallest)) continue;
    const cells = stacks.filter(
      (stack) => topOf(stack) >= bottomOf(tallest) && bottomOf(stack) <= topOf(tallest),
    );
    if (!areCells(cells, tallest) || !isRowApart(tallest, stacks)) continue;
    for (const cell of cells) joined.set(cell, { ...cell.reduce(joinLine), y: topOf(tallest), isCell: true });
  }
  return stacks.flatMap((stack) => joined.get(stack) ?? stack);
}

const topOf = ([first]: Stack): number => first.y;
const bottomOf = (stack: Stack): number => (stack.at(-1) ?? stack[0]).y;
const middleOf = (stack: Stack): number => (topOf(stack) + bottomOf(stack)) / 2;

const joinLine = (cell: Run, line: Run): Run => ({
  ...cell,
  text: joinWords(cell.text, line.text),
  left: Math.min(cell.left, line.left),
  right: Math.max(cell.right, line.right),
});

/** Runs below one another, each at the same distance. */
function toStacks(runs: readonly Run[]): Stack[] {
  const columns: Stack[] = [];
  for (const run of runs.toSorted((a, b) => b.y - a.y)) {
    const column = columns.findLast((above) => isNextLine(above.at(-1) ?? above[0], run));
    if (column === undefined) columns.push([run]);
    else column.push(run);
  }
  return columns.flatMap(splitRows);
}

function isNextLine(above: Run, run: Run): boolean {
  const gap = above.y - run.y;
  const isNear = gap > 0.5 * run.size && gap < PARAGRAPH_LEADING * run.size;
  return isNear && Math.abs(above.size - run.size) < 0.1 * run.size && overlaps(above, run);
}

/** Splits a column of cells where its lines are further apart than those of a cell. */
function splitRows(column: Stack): Stack[] {
  const gaps = column.slice(1).map((run, at) => (column[at]?.y ?? run.y) - run.y);
  const line = LINE_SLACK * Math.min(...gaps);
  const stacks: Stack[] = [];
  column.forEach((run, at) => {
    if (at === 0 || (gaps[at - 1] ?? 0) > line) stacks.push([run]);
    else stacks.at(-1)?.push(run);
  });
  return stacks;
}

/**
 * Cells have a common middle. Their lines are not separate rows if some are halfway between others, or if the file
 * writes cell by cell.
 */
function areCells(cells: readonly Stack[], tallest: Stack): boolean {
  const slack = MIDDLE_SLACK * tallest[0].size;
  const isCentred = (cell: Stack): boolean =>
    Math.abs(middleOf(cell) - middleOf(tallest)) < slack &&
    !cells.some((other) => other !== cell && other.some((line) => cell.some((each) => overlaps(each, line))));
  const isLong = ({ length }: Stack): boolean => length === tallest.length;
  const isHalfway = cells.flat().some(({ y }) => !tallest.some((line) => Math.abs(line.y - y) < slack));
  const written = isHalfway ? cells.filter(isLong) : cells;
  return (
    !cells.every(isLong) && cells.every(isCentred) && !written.some((cell) => isInterrupted(cell, written))
  );
}

/** Whether the file writes lines of other cells between those of a cell. */
function isInterrupted(cell: Stack, cells: readonly Stack[]): boolean {
  const orders = cell.map(({ order }) => order);
  const [first, last] = [Math.min(...orders), Math.max(...orders)];
  return cells.some((other) => other !== cell && other.some(({ order }) => order > first && order < last));
}

/** No other line is as near to the row as its lines are to one another. */
function isRowApart(tallest: Stack, stacks: readonly Stack[]): boolean {
  const [top, bottom] = [topOf(tallest), bottomOf(tallest)];
  const gap = (LINE_SLACK * (top - bottom)) / (tallest.length - 1);
  return !stacks.flat().some(({ y }) => (y > top && y < top + gap) || (y < bottom && y > bottom - gap));
}
