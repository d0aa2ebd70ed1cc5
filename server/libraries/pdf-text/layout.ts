import { restoreCharacters } from './characters.ts';
import { PARAGRAPH_LEADING, joinCentredCells, joinWords, type PdfRow, type Run } from './rows.ts';

/** A piece of text as a PDF places it. Units of the page; y grows upwards. */
export interface TextPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Size of the font. */
  readonly size: number;
}

/** Gaps in units of the font's size: between letters of a word, and between words. */
const WORD_GAP = 0.15;
const CELL_GAP = 1.2;
const ACCENT_GAP = 0.7;
/** Pieces this close to a baseline still belong to it: superscripts, indices. */
const BASELINE_SLACK = 0.5;
/** A gutter between columns, in units of the font's size. */
const GUTTER = 0.8;
/** With fewer rows, a gap shared by all is a coincidence. */
const COLUMN_ROWS = 4;
/** Cells of a table are shorter than lines of a column. */
const COLUMN_LINE_UNITS = 12;
/**
 * The text of a page in reading order: wrapped lines are joined to paragraphs, columns follow one another,
 * and the cells of a table stay in their rows, separated by tabs.
 */
export function layOut(pieces: readonly TextPiece[]): string {
  const isBack = isRtl(joinParts(pieces));
  const rows = toRows(toRuns(pieces, isBack));
  return joinLines(readingOrder(rows, isBack), isBack).trim();
}

/** Letters that are written from right to left. */
const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const RTL_LETTERS = new RegExp(RTL, 'gu');

/**
 * Whether most letters are written from right to left.
 * @param isBack those of the page are: then a line with any is, however long the foreign words in it
 */
function isRtl(text: string, isBack = false): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const fromRight = text.match(RTL_LETTERS)?.length ?? 0;
  return isBack ? letters === 0 || fromRight > 0 : fromRight * 2 > letters;
}

const joinParts = (parts: readonly { readonly text: string }[]): string =>
  parts.map(({ text }) => text).join(' ');

function toRuns(pieces: readonly TextPiece[], isBack: boolean): Run[] {
  const runs = pieces.some(({ text }) => RTL.test(text)) ? toRunsByLine(pieces, isBack) : join(pieces);
  for (const run of runs) run.text = restoreCharacters(run.text.replaceAll(/\s+/g, ' ').trim());
  return runs;
}

/** The same for a page with lines from right to left. */
function toRunsByLine(pieces: readonly TextPiece[], isBack: boolean): Run[] {
  const lines: TextPiece[][] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    const [first] = line ?? [];
    if (first !== undefined && isOnBaseline(piece, first.y, Math.max(piece.size, first.size)))
      line?.push(piece);
    else lines.push([piece]);
  }
  let next = 0;
  return lines.flatMap((line) => {
    const first = next;
    next += line.length;
    return isRtl(joinParts(line), isBack) ? joinFromRight(line, first) : join(line, first);
  });
}

/**
 * Producers write such a line from either end. Numbers and foreign words in it are from left to right, and are joined
 * first.
 */
function joinFromRight(line: readonly TextPiece[], first: number): Run[] {
  const mirrored = join(
    line.toSorted((a, b) => a.x - b.x),
    first,
    isForeign,
  )
    .map(({ left, right, ...run }) => ({ ...run, x: -right, width: right - left }))
    .sort((a, b) => a.x - b.x);
  return join(mirrored, first).map((run) => ({ ...run, left: -run.right, right: -run.left }));
}

const isForeign = (text: string): boolean => !RTL.test(text) && /[\p{L}\p{N}]/u.test(text);

const isOnBaseline = ({ y }: TextPiece, of: number, em: number): boolean =>
  Math.abs(y - of) < BASELINE_SLACK * em;

/**
 * Joins pieces that follow one another on one baseline.
 * @param first the place of the first piece in the content stream
 */
function join(pieces: readonly TextPiece[], first = 0, mayJoin = (_text: string): boolean => true): Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  pieces.forEach((piece, index) => {
    const { text, x, y, width, size } = piece;
    if (text.trim() === '') return;
    const em = Math.max(size, last?.size ?? 0);
    const gap = last === undefined ? 0 : x - last.right;
    const follows =
      last !== undefined &&
      isOnBaseline(piece, last.y, em) &&
      gap > -ACCENT_GAP * em &&
      gap < CELL_GAP * em &&
      [text, last.text].every(mayJoin);
    if (follows && last !== undefined) {
      const isSpaced = gap > WORD_GAP * em || /\s$/.test(last.text) || /^\s/.test(text);
      last.text = `${last.text.trimEnd()}${isSpaced ? ' ' : ''}${text.trimStart()}`;
      last.right = x + width;
      // A trailing space of the text counts as a gap for the next piece.
      if (/\s$/.test(text)) last.text += ' ';
      return;
    }
    last = { text, left: x, right: x + width, y, size, order: first + index };
    runs.push(last);
  });
  return runs;
}

/** Runs by baseline, from the top. */
function toRows(runs: readonly Run[]): PdfRow[] {
  const rows: PdfRow[] = [];
  for (const run of joinCentredCells(runs).sort((a, b) => b.y - a.y || a.left - b.left)) {
    const row = rows.at(-1);
    const isSame =
      row !== undefined && Math.abs(row.y - run.y) < BASELINE_SLACK * Math.min(row.size, run.size);
    if (isSame) row.runs.push(run);
    else rows.push({ y: run.y, size: run.size, runs: [run] });
  }
  for (const { runs: cells } of rows) cells.sort((a, b) => a.left - b.left);
  return rows;
}

interface Gap {
  readonly left: number;
  readonly right: number;
}

/** Rows from the top; if rows form columns, the columns from the left, or `isBack` from the right. */
function readingOrder(rows: readonly PdfRow[], isBack: boolean): PdfRow[] {
  const ordered: PdfRow[] = [];
  for (let from = 0; from < rows.length;) {
    const band = findColumns(rows, from);
    const rest = rows.slice(from, band.end);
    if (band.gutter === null) ordered.push(...rest);
    else {
      const { gutter } = band;
      for (const isSecond of [isBack, !isBack])
        ordered.push(
          ...readingOrder(
            side(rest, (run) => run.right > gutter.right === isSecond),
            isBack,
          ),
        );
    }
    from = band.end;
  }
  return ordered;
}

const side = (rows: readonly PdfRow[], isOn: (run: Run) => boolean): PdfRow[] =>
  rows.map((row) => ({ ...row, runs: row.runs.filter(isOn) })).filter(({ runs }) => runs.length > 0);

/** The longest band of rows from `from` that a gutter divides into columns; one row without. */
function findColumns(rows: readonly PdfRow[], from: number): { end: number; gutter: Gap | null } {
  const first = rows[from];
  if (first === undefined) return { end: from + 1, gutter: null };
  const page = extentOf(rows);
  let gaps = gapsOf(first, page);
  let end = from + 1;
  for (; end < rows.length; end += 1) {
    const row = rows[end];
    if (row === undefined) break;
    const shared = intersect(gaps, gapsOf(row, page), GUTTER * row.size);
    if (shared.length === 0) break;
    gaps = shared;
  }
  const band = rows.slice(from, end);
  const gutter = gaps.find((gap) => isGutter(band, gap)) ?? null;
  // Without columns only the first row is final: a band may begin with the next one.
  return gutter === null ? { end: from + 1, gutter } : { end, gutter };
}

const extentOf = (rows: readonly PdfRow[]): Gap => ({
  left: Math.min(...rows.map(({ runs }) => runs[0]?.left ?? Infinity)),
  right: Math.max(...rows.map(({ runs }) => Math.max(...runs.map(({ right }) => right)))),
});

function gapsOf({ runs }: PdfRow, page: Gap): Gap[] {
  const gaps: Gap[] = [];
  let left = page.left;
  for (const run of runs) {
    if (run.left > left) gaps.push({ left, right: run.left });
    left = Math.max(left, run.right);
  }
  if (page.right > left) gaps.push({ left, right: page.right });
  return gaps;
}

function intersect(some: readonly Gap[], others: readonly Gap[], least: number): Gap[] {
  return some.flatMap((a) =>
    others.flatMap((b) => {
      const gap = { left: Math.max(a.left, b.left), right: Math.min(a.right, b.right) };
      return gap.right - gap.left >= least ? [gap] : [];
    }),
  );
}

/**
 * Whether a gap that all rows share separates columns of text rather than the cells of a table: each side has
 * lines of some length, and sentences that run from line to line, or a page writes one column before it begins the next.
 */
function isGutter(band: readonly PdfRow[], gap: Gap): boolean {
  const [left, right] = [
    side(band, ({ right: end }) => end <= gap.right),
    side(band, ({ right: end }) => end > gap.right),
  ];
  if (left.length < COLUMN_ROWS || right.length < COLUMN_ROWS) return false;
  if (medianUnits(left) < COLUMN_LINE_UNITS || medianUnits(right) < COLUMN_LINE_UNITS) return false;
  if (areRunning(left, right)) return true;
  const inOrder = band.flatMap(({ runs }) => runs).sort((a, b) => a.order - b.order);
  let crossings = 0;
  inOrder.forEach((run, index) => {
    const before = inOrder[index - 1];
    if (before !== undefined && before.right <= gap.right !== run.right <= gap.right) crossings += 1;
  });
  return crossings <= Math.max(1, Math.min(left.length, right.length) / 3);
}

/** Whether sentences run down both sides. The cells of a table begin side by side, row after row. */
function areRunning(left: readonly PdfRow[], right: readonly PdfRow[]): boolean {
  const [starts, others] = [startsOf(left), startsOf(right)];
  const together = [...starts].filter((y) => others.has(y)).length;
  const isRunning = starts.size * 2 <= left.length && others.size * 2 <= right.length;
  return isRunning && together <= 1 + left.length / 10;
}

/** The baselines of lines that do not continue a sentence of the line above. */
function startsOf(rows: readonly PdfRow[]): ReadonlySet<number> {
  const starts = rows.filter((row, index) => {
    const before = rows[index - 1];
    if (before === undefined || hasCells(before) || isNewParagraph(before, row)) return true;
    const end = before.runs.at(-1)?.text ?? '';
    const isEnded = /[.!?:;。！？：；…]["'”’»)]*$/u.test(end);
    return isEnded || !/^(?:\p{Ll}|\p{Lo})/u.test(row.runs[0]?.text ?? '');
  });
  return new Set(starts.map(({ y }) => y));
}

function medianUnits(rows: readonly PdfRow[]): number {
  const sizes = rows
    .map(({ runs }) => runs.reduce((sum, { text }) => sum + text.length, 0))
    .sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? 0;
}

const mirror = (row: PdfRow): PdfRow => ({
  ...row,
  runs: row.runs.map((run) => ({ ...run, left: -run.right, right: -run.left })).reverse(),
});

/** Rows as text: wrapped lines joined to paragraphs. Lines from right to left end at the left. */
function joinLines(given: readonly PdfRow[], isBack: boolean): string {
  const rows = isBack ? given.map(mirror) : given;
  const right = edges(rows);
  let text = '';
  rows.forEach((row, index) => {
    const line = lineOf(row, isBack);
    const before = rows[index - 1];
    if (before === undefined) text = line;
    else if (isWrapped(before, row, right.get(before) ?? 0)) text = joinWords(text, line);
    else text += `${isNewParagraph(before, row) ? '\n\n' : '\n'}${line}`;
  });
  return text;
}

const isCellGap = (before: Run, run: Run, size: number): boolean =>
  before.isCell === true || run.left - before.right >= CELL_GAP * size;

const hasCells = ({ runs, size }: PdfRow): boolean =>
  runs.some((run, index) => {
    const before = runs[index - 1];
    return before !== undefined && isCellGap(before, run, size);
  });

/** Tabs separate cells; a space separates closer pieces, such as a footnote's mark. */
function lineOf({ runs, size }: PdfRow, isBack: boolean): string {
  const texts = runs.map((run, index) => {
    const before = runs[index - 1];
    return [before === undefined ? '' : isCellGap(before, run, size) ? '\t' : ' ', run.text];
  });
  const parts = texts.flat();
  return (isRtl(joinParts(runs), isBack) === isBack ? parts : parts.reverse()).join('');
}

/** The right edge of each row's column, by the rows around it: a title may be wider. */
function edges(rows: readonly PdfRow[]): Map<PdfRow, number> {
  const found = new Map<PdfRow, number>();
  let block: PdfRow[] = [];
  const settle = (): void => {
    // Lines that hang over the edge are few.
    const ends = block.map(rightOf).sort((a, b) => a - b);
    const edge = ends[Math.ceil((ends.length - 1) * 0.8)] ?? 0;
    for (const row of block) found.set(row, edge);
    block = [];
  };
  for (const row of rows) {
    const last = block.at(-1);
    if (last !== undefined && isNewParagraph(last, row)) settle();
    block.push(row);
  }
  if (block.length > 0) settle();
  return found;
}

const leftOf = ({ runs }: PdfRow): number => runs[0]?.left ?? 0;
const rightOf = ({ runs }: PdfRow): number => runs.at(-1)?.right ?? 0;

/** The next line of the same column. */
const isBelow = (before: PdfRow, row: PdfRow): boolean =>
  row.y < before.y && leftOf(row) < rightOf(before) && leftOf(before) < rightOf(row);

const isNewParagraph = (before: PdfRow, row: PdfRow): boolean =>
  !isBelow(before, row) || before.y - row.y > PARAGRAPH_LEADING * Math.max(before.size, row.size);

/** A line was wrapped if the first word of the next one would not have fitted into it. */
function isWrapped(before: PdfRow, row: PdfRow, edge: number): boolean {
  if (hasCells(before) || hasCells(row)) return false;
  if (isNewParagraph(before, row)) return false;
  if (Math.abs(before.size - row.size) > 0.1 * before.size) return false;
  const [run] = row.runs;
  if (run === undefined || STARTS_ITEM.test(run.text)) return false;
  const word = /^\S+/.exec(run.text)?.[0] ?? '';
  const unit = (run.right - run.left) / Math.max(1, run.text.length);
  return rightOf(before) + unit * (word.length + 1) > edge - row.size / 2;
}

/** A list's marker: its line is not a continuation. */
const STARTS_ITEM = /^(?:[•◦▪‣·–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/i;
