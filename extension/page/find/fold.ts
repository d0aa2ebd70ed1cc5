const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-\u007f]*$/;

/** Text as it is compared: without case and diacritics. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return PLAIN.test(lower) ? lower : lower.normalize('NFKD').replace(MARKS, '');
}

/** The words of folded text. */
export const wordsOf = (folded: string): string[] => folded.match(WORD) ?? [];

/** From how many letters on none, one and two of them may be wrong. */
const TYPOS = [0, 4, 8];

/** Whether two words differ by a typing error. */
export function isTypo(one: string, other: string): boolean {
  const most = TYPOS.findLastIndex((length) => Math.min(one.length, other.length) >= length);
  return Math.abs(one.length - other.length) <= most && distance(one, other, most) <= most;
}

/** Letters to insert, remove, replace or swap with the next. */
function distance(one: string, other: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
