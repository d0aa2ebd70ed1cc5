/** Pieces on one baseline without a gap as wide as between columns or cells. */
export interface Run {
  text: string;
  readonly left: number;
  right: number;
  readonly y: number;
  readonly size: number;
  /** Place in the content stream. */
  readonly order: number;
}

/** The runs of one baseline, left to right. */
export interface Row {
  readonly y: number;
  readonly size: number;
  readonly runs: Run[];
}

/** Lines further apart than this, in units of their size, belong to different paragraphs. */
export const PARAGRAPH_LEADING = 1.75;

/** Scripts that put no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

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

/** A cell of two lines is one run if the others of its row are centred next to it, between the two. */
export function joinAroundCentred(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const [upper, centred, lower] = rows.slice(at, at + 3);
    if (upper === undefined) break;
    const isCell =
      centred !== undefined &&
      lower !== undefined &&
      isBetween(upper, centred, lower) &&
      [rows[at - 1], rows[at + 3]].every((other) => other === undefined || isApart(centred, other));
    joined.push(isCell ? { ...upper, runs: [...upper.runs.map(withLine(lower)), ...centred.runs] } : upper);
    if (isCell) at += 2;
  }
  return joined;
}

const withLine =
  ({ runs }: Row) =>
  (run: Run): Run => {
    const below = runs.find((each) => overlaps(each, run));
    if (below === undefined) return run;
    return { ...run, text: joinWords(run.text, below.text), right: Math.max(run.right, below.right) };
  };

function isBetween(upper: Row, centred: Row, lower: Row): boolean {
  const isHalfway = Math.abs((upper.y + lower.y) / 2 - centred.y) < 0.15 * upper.size;
  if (!isHalfway || upper.y - lower.y > PARAGRAPH_LEADING * upper.size) return false;
  const isAside = (run: Run): boolean => ![...upper.runs, ...lower.runs].some((each) => overlaps(each, run));
  return (
    centred.runs.every(isAside) && lower.runs.every((run) => upper.runs.some((each) => overlaps(each, run)))
  );
}

/** No line of the same column is as near as those of a paragraph. */
const isApart = ({ runs, y, size }: Row, other: Row): boolean =>
  Math.abs(other.y - y) > PARAGRAPH_LEADING * size ||
  !other.runs.some((run) => runs.some((each) => overlaps(each, run)));
