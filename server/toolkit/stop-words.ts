/** Words that occur in every text or every question. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a all an and are as at be by can do does for from how i in is it its me my not of on one or that the these this to use what when where which with you your'.split(
    ' ',
  ),
);

/** A word as a full-text index keeps it; null for words that occur in every text or every question. */
export function toTerm(word: string): string | null {
  const term = word.toLowerCase();
  return STOP_WORDS.has(term) ? null : term;
}
