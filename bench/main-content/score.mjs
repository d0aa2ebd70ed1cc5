const NGRAM = 4;

/**
 * Words as Python's `\w+` finds them in text.
 * @param {string} text
 */
const tokenize = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

const countOf = (words) => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/**
 * Every run of four words, with how often it occurs; a shorter text is one run.
 * @param {string} text
 * @returns {Map<string, number>}
 */
export function shinglesOf(text) {
  const tokens = tokenize(text);
  const runs = tokens.length === 0 ? 0 : Math.max(1, tokens.length - NGRAM + 1);
  return countOf(Array.from({ length: runs }, (_, at) => tokens.slice(at, at + NGRAM).join(' ')));
}

/** How many counted parts are in both texts, only in the answer, only in the gold text. */
function compare(wanted, found) {
  let [both, extra, missed] = [0, 0, 0];
  for (const key of new Set([...wanted.keys(), ...found.keys()])) {
    const [want, have] = [wanted.get(key) ?? 0, found.get(key) ?? 0];
    both += Math.min(want, have);
    extra += Math.max(0, have - want);
    missed += Math.max(0, want - have);
  }
  return { both, extra, missed };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Precision and recall of one page; null where it is not counted.
 * @param {string} gold
 * @param {string} answer
 */
export function scorePage(gold, answer) {
  const { both, extra, missed } = compare(shinglesOf(gold), shinglesOf(answer));
  return {
    precision: both + extra === 0 ? null : both / (both + extra),
    recall: both + missed === 0 ? null : both / (both + missed),
  };
}

/**
 * The metric of WCXB (`word_f1` in its `evaluate.py`): words in any order and letter case.
 * @param {string} gold
 * @param {string} answer
 */
export function scoreWords(gold, answer) {
  const [wanted, found] = [gold, answer].map((text) => countOf(tokenize(text.toLowerCase())));
  const { both, extra, missed } = compare(wanted, found);
  if (both === 0) {
    const share = wanted.size === 0 && found.size === 0 ? 1 : 0;
    return { f1: share, precision: share, recall: share };
  }
  return {
    f1: (2 * both) / (2 * both + extra + missed),
    precision: both / (both + extra),
    recall: both / (both + missed),
  };
}

/**
 * The metric of scrapinghub's article-extraction-benchmark (`evaluate.py`): means of precision and
 * recall over the pages, and F1 of the two means.
 * @param {readonly { precision: number | null, recall: number | null }[]} pages
 */
export function summarizeScores(pages) {
  const isCounted = (value) => value !== null;
  const precision = mean(pages.map((page) => page.precision).filter(isCounted));
  const recall = mean(pages.map((page) => page.recall).filter(isCounted));
  return { f1: (2 * precision * recall) / (precision + recall), precision, recall };
}
