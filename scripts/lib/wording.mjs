/**
 * Phrases that the project does not use, each with what to write instead. They are matched in any
 * case; a blank also matches the line break of a comment.
 * @type {readonly { readonly phrase: RegExp, readonly instead: string }[]}
 */
const PHRASES = [
  { phrase: /\bwhoever\b/, instead: 'the caller, the owner, any X that …' },
  { phrase: /\bwhat is (?:no|none)\b/, instead: 'an invalid X, anything that is not an X' },
  { phrase: /\b(?:is|are|was|were|be|been|being) told\b(?! apart)/, instead: 'is notified, is reported' },
  { phrase: /\bstands?\b(?! (?:for|in)\b|-)/, instead: 'is, appears' },
  { phrase: /\b(?:goes|went) on\b/, instead: 'continues, resumes, is active' },
  { phrase: /\bunder way\b/, instead: 'active, pending, in progress' },
  { phrase: /\ball the same\b/, instead: 'still, anyway' },
  {
    phrase: /\bcosts? (?:itself|nobody|no other)\b/,
    instead: 'an invalid X is skipped; the others are unaffected',
  },
  { phrase: /\banswers? how to\b/, instead: 'returns a function that …' },
  { phrase: /\bfor want of\b/, instead: 'because there is no' },
  { phrase: /\bheed(?:s|ed)?\b/, instead: 'obeys' },
  { phrase: /\bas it were\b/, instead: 'nothing: leave it out' },
  { phrase: /\bthe word of\b/, instead: 'relies on' },
  { phrase: /\bbeside\b/, instead: 'next to, in addition to, concurrently with' },
  { phrase: /\banew\b/, instead: 'again, or a verb with re-' },
  { phrase: /\bfor ever\b/, instead: 'never ends, has no timeout' },
  { phrase: /\blets? go of\b/, instead: 'releases' },
  { phrase: /\btold (?:of|when|what|each)\b/, instead: 'called with, called when' },
  {
    phrase:
      /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|other|closer|further|less|better|such)\b)/,
    instead: 'is not a X',
  },
  { phrase: /\bthat (?:is|are) none\b|\bnone by its\b/, instead: 'is not a X' },
  { phrase: /\ban own\b/, instead: 'its own, a separate' },
  { phrase: /\bwhat it is of\b/, instead: 'which part of X it is' },
  {
    phrase:
      /\b(?:one|a) (?:JSON value|JSON object|item|line|row|stream|ring|method|sentence|column|message|fact|text|page|file|class|port) an? (?:tool|step|record|field|client|call|session|request|item|element|document|tab|decision|mode|home|language)\b/,
    instead: 'one X per Y',
  },
];

/** Parts of exported names that the project does not use. */
const NAMES = [
  { phrase: /^or(?:Left|Late|After|Aborted)$/, instead: 'abortable, withTimeout' },
  { phrase: /^meet$|^loosened$|^nudge$|^lazily$|^forgetAhead$/, instead: 'a standard verb' },
  { phrase: /UnderWay/, instead: 'Pending, InFlight' },
  {
    phrase: /^(?:Leave|Bell|Patience|Workshop|Mood|Eyes|Sight|Claimant|Trail|Survey)$/,
    instead: 'a standard noun',
  },
  { phrase: /Twin/, instead: 'Internal' },
  { phrase: /^(?:forth|hereOf|noRoom|Judged|Welcome|Greeting)$/, instead: 'what it does or holds' },
];

/** Local names that hide their meaning. */
const VAGUE =
  /^ *(?:export )?(?:const|let|(?:async )?function) \{? ?(?<name>said|told|letGo|patience|goesOn|forLong)\b/gm;

/** A comment that begins this way repeats the name below it, or hides its subject. */
const OPENING = /^ *\/\*\* (?<found>What) [^\n]*\*\/$/gm;

const EXPORT =
  /^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:const|let|class|interface|type|enum|function\*?) (?<name>[\w$]+)/gm;

/** A phrase that may be broken over two lines of a text or a comment. */
const acrossLines = ({ source }) =>
  new RegExp(source.replaceAll(' ', String.raw`\s+(?:(?:\*|//)\s+)?`), 'gi');

/** Only prose: names such as `BESIDE` or `goesOn` do not count. */
const isProse = ({ 0: found }) => !/[A-Z]/.test(found.slice(1));

/**
 * Phrases and names of a text that the project does not use.
 * @param {string} text a source file or a page
 * @returns {{ line: number, found: string, instead: string }[]} in order of the phrases; lines count from 1
 */
export function findWording(text) {
  const lineOf = (index) => text.slice(0, index).split('\n').length;
  const phrases = PHRASES.flatMap(({ phrase, instead }) =>
    [...text.matchAll(acrossLines(phrase))].filter(isProse).map(({ 0: found, index }) => ({
      line: lineOf(index),
      found: found.replaceAll(/\s+(?:(?:\*|\/\/)\s+)?/g, ' '),
      instead,
    })),
  );
  const names = [...text.matchAll(EXPORT)].flatMap(({ groups: { name }, index }) =>
    NAMES.filter(({ phrase }) => phrase.test(name)).map(({ instead }) => ({
      line: lineOf(index),
      found: name,
      instead,
    })),
  );
  const locals = [...text.matchAll(VAGUE)].map(({ groups: { name }, index }) => ({
    line: lineOf(index),
    found: name,
    instead: 'what the value is: reason, message, release, timeouts',
  }));
  const openings = [...text.matchAll(OPENING)].map(({ groups: { found }, index }) => ({
    line: lineOf(index),
    found,
    instead: 'the subject itself, or no comment',
  }));
  return [...phrases, ...names, ...locals, ...openings];
}
