// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-\u007f]*$/;
/** Characters that nobody sees: answers lack them. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]/gu;
const DASHES = /[\p{Dash_Punctuation}\u02d7\u2212]/gu;
const APOSTROPHES = /[\u00b4\u02b9\u02bb\u02bc\u02c8\u2018-\u201b\u2032\u2035\uff07]/g;
const QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u301d-\u301f]/g;

/**
 * A text without what cannot be seen, with one form of each character: full and half width, composed accents, dashes and
 * quotes. White space and case stay.
 */
export const foldForms = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .replace(UNSEEN, '')
        .replace(DASHES, '-')
        .replace(APOSTROPHES, "'")
        .replace(QUOTES, '"')
        .normalize('NFKC');

/** A text as people read it, case included: folded, white space collapsed. */
export const readable = (text: string): string => foldForms(text).replace(/\s+/g, ' ').trim();

/** The form in which two texts are compared. */
export const comparable = (text: string): string => readable(text).toLowerCase();
