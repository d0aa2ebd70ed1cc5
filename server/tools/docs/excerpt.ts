/** Characters of an excerpt, at most. */
const EXCERPT_CHARACTERS = 280;

/**
 * The stretch of a section where the matched words are closest together, on one line, between
 * words; `…` where it was cut.
 */
export function excerptOf(markdown: string, terms: readonly string[]): string {
  const text = markdown
    .replace(/^#{1,6}\s.*$/m, '')
    .replace(/^\|?[\s:|-]{6,}\|?$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= EXCERPT_CHARACTERS) return text;
  const begin = bestBegin(text.toLowerCase(), terms);
  const from = begin === 0 ? 0 : text.indexOf(' ', begin) + 1;
  const end = from + EXCERPT_CHARACTERS;
  const to = end >= text.length ? text.length : Math.max(text.lastIndexOf(' ', end), from + 1);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`.toWellFormed();
}

/** Where a window begins that holds the most of the words. */
function bestBegin(text: string, terms: readonly string[]): number {
  const places = terms
    .flatMap((term) => [...placesOf(text, term)].map((at) => ({ at, term })))
    .sort((a, b) => a.at - b.at);
  let best = { at: 0, count: 0 };
  for (const { at } of places) {
    const inside = places.filter((other) => other.at >= at && other.at < at + EXCERPT_CHARACTERS);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > best.count) best = { at, count };
  }
  // A little of what leads up to it.
  return Math.max(0, best.at - 60);
}

/** For a word that occurs everywhere, the first hundred places suffice. */
function* placesOf(text: string, term: string): Generator<number> {
  let at = text.indexOf(term);
  for (let count = 0; at >= 0 && count < 100; count += 1) {
    yield at;
    at = text.indexOf(term, at + term.length);
  }
}
