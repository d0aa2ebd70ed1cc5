const SPECIAL = /[\\`*_[\]<>&~|$]/;
/** Markdown syntax at the start of a line: headings, quotes, lists, rules, setext underlines, table delimiters. */
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$|[-:| ])|=(?=[=\s]*$)|:(?=[ -])|\d{1,9}[.)](?=\s|$)|>)/;
const WORD = /[\p{L}\p{N}_]/u;

/** Addresses that GitHub's Markdown turns into links: an escape inside one would be part of it. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<]+/gi;
const ADDRESS_END = /[?!.,:;*_~'")\]]+$/;

/**
 * TeX between its delimiters, as pages have it before a script draws it. Dollars may be prices: formulas have signs of
 * TeX, no space inside their delimiters, and no digit after them.
 */
const TEX =
  /\\\([^\n]{1,2000}?\\\)|\\\[[^]{1,2000}?\\\]|\\begin\{(\w+\*?)\}[^]{1,4000}?\\end\{\1\}|\$\$(?=[^$]*[\\^_{=])[^$]{1,2000}(?<!\\)\$\$|(?<![\\$\w])\$(?=[^\s$])(?=[^$\n]*[\\^_{])[^$\n]{1,500}(?<![\s\\])\$(?![\d$])/;
const SIGNS = new RegExp(`${TEX.source}|[\\\\\`*_[<&~|]`, 'g');

/**
 * Escapes text for Markdown's inline content, no more than needed.
 * @param before the character before it on the same line, empty at the line's start
 * @param after the character after it, empty at the end
 * @param isLabel in square brackets: a bracket would end them, and addresses are not links
 */
export function escapeMarkdown(text: string, before: string, after = '', isLabel = false): string {
  const hasAddress = !isLabel && /https?:\/\/|www\./i.test(text);
  let escaped = hasAddress ? escapeAround(text, before, after) : escapeInline(text, before, after);
  if (isLabel && escaped.includes(']')) escaped = escaped.replaceAll(']', '\\]');
  if (before === ']' && /^[(:]/.test(escaped)) return `\\${escaped}`;
  if (before !== '') return escaped;
  return LINE_START.test(escaped) ? escapeLineStart(escaped) : escaped;
}

/** Escapes text with addresses. */
function escapeAround(text: string, before: string, after: string): string {
  let escaped = '';
  let done = 0;
  const escapeTo = (to: number, next: string): string =>
    escapeInline(text.slice(done, to), done === 0 ? before : text.charAt(done - 1), next);
  const charAt = (at: number): string => (at === text.length ? after : text.charAt(at));
  for (const found of text.matchAll(ADDRESS)) {
    const from = found.index;
    const end = from + found[0].length;
    const next = charAt(end);
    // A backslash before a line break would be part of the address, and so would signs of emphasis. In a cell, so would
    // the backslash of a pipe; and a bracket would end the brackets around the address.
    const isPlain = !/[|>]/.test(found[0]);
    const isFree = isPlain && (from > 0 || before === '') && (end < text.length || after === '');
    if (isFree && next !== '<' && escapeInline(found[0], 'a', next) === found[0]) continue;
    const address = found[0].replace(ADDRESS_END, '');
    const to = from + address.length;
    const isBracketed = isPlain && (isFree || next === '\n') && /^https?:/i.test(address);
    escaped += escapeTo(from, isBracketed ? '<' : 'h');
    escaped += isBracketed ? `<${address}>` : breakAddress(address, charAt(to));
    done = to;
  }
  return escaped + escapeTo(text.length, after);
}

/** An address that no longer links itself is ordinary text. */
const breakAddress = (address: string, after: string): string =>
  escapeInline(address, 'a', after).replace(/(?<=https?)(?=:\/\/)|(?<=www)(?=\.)/gi, '\\');

function escapeInline(text: string, before: string, after: string): string {
  const escaped = SPECIAL.test(text) ? text.replace(SIGNS, escapeFound(before, after)) : text;
  // An image would begin here.
  return after === '[' && escaped.endsWith('!') ? `${escaped.slice(0, -1)}\\!` : escaped;
}

/** TeX stays as it is, but may not begin an element. */
function escapeFound(before: string, after: string) {
  const escape = escapeAt(before, after);
  return (found: string, _name: string | undefined, at: number, whole: string): string =>
    found.length > 1 ? found.replace(/<(?=[A-Za-z/!?])/g, '\\<') : escape(found, at, whole);
}

function escapeAt(before: string, after: string): (found: string, at: number, whole: string) => string {
  return (found, at, whole) => {
    const previous = at === 0 ? before : whole.charAt(at - 1);
    const next = at === whole.length - 1 ? after : whole.charAt(at + 1);
    switch (found) {
      case '_':
        return isInWord(previous, next) ? found : '\\_';
      case '<':
        return next === '' || /[A-Za-z/!?]/.test(next) ? '\\<' : found;
      case '&':
        return isReference(whole.slice(at, at + 40), after) ? '\\&' : found;
      case '|':
        // Only a line that begins with a pipe could be a table row; cells escape the rest.
        return previous === '' ? '\\|' : found;
      case '\\':
        return next === '' || /[!-/:-@[-`{-~\n]/.test(next) ? '\\\\' : found;
      default:
        return `\\${found}`;
    }
  };
}

/** A character reference, or one together with the text after it. */
function isReference(text: string, after: string): boolean {
  if (/^&#?[\da-z]*$/i.test(text) && text.length < 40) return text !== '&' || /^[#a-z]/i.test(after);
  return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.test(text);
}

/** An underscore within a word is literal. */
function isInWord(previous: string, next: string): boolean {
  return WORD.test(previous) && WORD.test(next) && next !== '_' && previous !== '_';
}

function escapeLineStart(text: string): string {
  const digits = /^\d+/.exec(text)?.[0];
  return digits === undefined ? `\\${text}` : `${digits}\\${text.slice(digits.length)}`;
}

/** Pipes anywhere in a cell: GFM splits cells before it reads anything else. */
export function escapePipes(text: string): string {
  if (!text.includes('|')) return text;
  // After an odd number of backslashes the pipe is already escaped.
  return text.replace(/(\\*)\|/g, (all, slashes: string) =>
    slashes.length % 2 === 1 ? all : `${slashes}\\|`,
  );
}

/** A link's destination: in angle brackets if spaces or parentheses would end it. */
export function linkDestination(url: string): string {
  if (url === '') return '';
  url = url.replace(/&(?=#?[\da-z]+;)/gi, '&amp;');
  if (/[\s<>]/.test(url)) return `<${url.replace(/[<>\n\r]/g, (c) => encodeURIComponent(c))}>`;
  return /[()\\]/.test(url) ? url.replace(/[()\\]/g, (c) => `\\${c}`) : url;
}

/** A run of backticks longer than any inside. */
export function fenceFor(code: string, atLeast: number): string {
  let longest = 0;
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(atLeast, longest + 1));
}

/** Inline code, padded if it begins or ends with a backtick or space. */
export function inlineCode(code: string): string {
  const runs = new Set((code.match(/`+/g) ?? []).map((run) => run.length));
  // The shortest run of backticks that does not occur inside.
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = '`'.repeat(length);
  const pad = /^`|`$|^ .*[^ ].* $/.test(code) ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}
