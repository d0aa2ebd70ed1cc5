/*
 * Characters that a reader does not see, or that change the order in which others are read: controls, formats
 * (among them the bidirectional ones, zero-width spaces and tags), what is private or unassigned, blanks of unusual
 * widths, and letters that have no shape.
 */
export const UNSEEN =
  /(?<!\p{Extended_Pictographic})\ufe0f|[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f\u205f\u2800\u3164\ufe00-\ufe0e\uffa0\u{1d159}\u{e0100}-\u{e01ef}]/gu;
/** More combining marks than any script stacks on a letter would paint over the lines around it. */
export const STACKED = /(\p{M}{4})\p{M}+/gu;

const NAMES: Readonly<Record<string, string>> = { '\n': '⏎', '\r': '␍', '\t': '⇥' };

/** A text whose invisible characters are written as `⟨U+202E⟩`; keeps its line breaks and tabs. */
export const writeOut = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(UNSEEN, (char) => (Object.hasOwn(NAMES, char) ? char : `⟨U+${codeOf(char)}⟩`))
    .replaceAll(STACKED, '$1⟨…⟩');

/**
 * The same on one line. For texts of pages and agents on which a person bases a decision.
 */
export const reveal = (text: string): string =>
  writeOut(text).replaceAll(/[\n\r\t]/g, (char) => NAMES[char] ?? char);

/**
 * Two names that look the same are the same agent to a person, and redaction removes invisible characters
 * from names.
 */
export const visibleName = (name: string): string => name.toWellFormed().replaceAll(UNSEEN, '');

const codeOf = (char: string): string =>
  (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
