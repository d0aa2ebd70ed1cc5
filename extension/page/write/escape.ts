/** What needs a second look before it goes into Markdown. */
const SPECIAL = /[\\`*_[\]<>&~|$]/;
/** At the start of a line: headings, quotes, lists, rules, setext underlines, table delimiters. */
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$|[-:| ])|=(?=[=\s]*$)|:(?=[ -])|\d{1,9}[.)](?=\s|$)|>)/;
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Escapes text for Markdown's inline content, as little as keeps it text.
 *
 * @param before the character before it on the same line, empty at the line's start
 */
export function escapeMarkdown(text: string, before: string): string {
  const escaped = SPECIAL.test(text) ? text.replace(/\\|`|\*|_|\[|<|&|~|\|/g, escapeAt(before)) : text;
  if (before !== '') return escaped;
  return LINE_START.test(escaped) ? escapeLineStart(escaped) : escaped;
}

function escapeAt(before: string): (found: string, at: number, whole: string) => string {
  return (found, at, whole) => {
    const previous = at === 0 ? before : whole.charAt(at - 1);
    const next = whole.charAt(at + 1);
    switch (found) {
      case '_':
        return isInWord(previous, next) ? found : '\\_';
      case '<':
        return next === '' || /[A-Za-z/!?]/.test(next) ? '\\<' : found;
      case '&':
        return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/i.test(whole.slice(at, at + 40))
          ? '\\&'
          : found;
      case '|':
        // Only a line that begins with a pipe can be taken for a table's; cells escape the rest.
        return previous === '' ? '\\|' : found;
      case '\\':
        return next === '' || /[!-/:-@[-`{-~]/.test(next) ? '\\\\' : found;
      default:
        return `\\${found}`;
    }
  };
}

/** Within a word an underscore is only an underscore. */
function isInWord(previous: string, next: string): boolean {
  return WORD.test(previous) && WORD.test(next) && next !== '_' && previous !== '_';
}

function escapeLineStart(text: string): string {
  const digits = /^\d+/.exec(text)?.[0];
  return digits === undefined ? `\\${text}` : `${digits}\\${text.slice(digits.length)}`;
}

/** Pipes anywhere in a cell: GFM splits cells before it reads anything else. */
export function escapePipes(text: string): string {
  return text.includes('|') ? text.replace(/(\\*)\|/g, (_all, slashes: string) => pipe(slashes)) : text;
}

/** An odd number of backslashes has escaped the pipe already. */
function pipe(slashes: string): string {
  return slashes.length % 2 === 1 ? `${slashes}|` : `${slashes}\\|`;
}

/** A link's destination: in angle brackets where spaces or parentheses would end it. */
export function linkDestination(url: string): string {
  if (url === '') return '';
  if (/[\s<>]/.test(url)) return `<${url.replace(/[<>\n\r]/g, (c) => encodeURIComponent(c))}>`;
  return /[()\\]/.test(url) ? url.replace(/[()\\]/g, (c) => `\\${c}`) : url;
}

/** A run of backticks longer than any inside. */
export function fenceFor(code: string, atLeast: number): string {
  let longest = 0;
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(atLeast, longest + 1));
}

/** Inline code with a fence of its own, padded where it begins or ends with a backtick or blank. */
export function inlineCode(code: string): string {
  const fence = longestFree(code);
  const pad = /^`|`$|^ .*[^ ].* $/.test(code) ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** The shortest run of backticks that does not occur inside. */
function longestFree(code: string): string {
  const runs = new Set((code.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  return '`'.repeat(length);
}
