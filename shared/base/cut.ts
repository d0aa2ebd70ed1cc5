/*
 * Text of pages and sites is redacted after it is cut, and half a secret is not recognized. So a cut removes
 * everything it goes through: the word, the quoted value, the groups
 * of a number, the private key. The ellipsis is separate, so that it is part of no value. Code that
 * shortens such a text before it is redacted does it here.
 */

/** Longest text that is kept or answered of a message, a line of a log, or a name, in UTF-16 code units. */
export const SAID_UNITS = 2_000;

/** White space as a reader sees it: without the invisible characters that `\s` includes and redaction removes. */
const SPACE = ' \\t\\n\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const STARTS_WITH_SPACE = new RegExp(`^[${SPACE}]`);
const LAST_WORD = new RegExp(`[^${SPACE}]*$`);
/** Scripts that put no spaces between words, for a character class: a text in one of them is not a single word. */
export const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LAST_RUN = new RegExp(`[^${SPACE}${UNSPACED}]*$`, 'u');
const VALUE_FOLLOWS = /[=:][^\p{L}\p{N}]*$/u;
const SEPARATOR = /[=:]/;
/** A value whose quote does not end, escaped any number of times. */
const OPEN_QUOTE = /[=:][\s*]{0,20}(\\*["'`]|&quot;|&#34;)(?:(?!(?<!\\)\1)[^])*$/;
const OPEN_KEY = /-----BEGIN(?![^]*-----END[ A-Z0-9]*-----)[^]*$/;
/** Card numbers are written in groups. */
const LAST_GROUPS = /(?<!\w)(?:\d{4,6}(?: |$))+$/;

function withoutLastWord(start: string): string {
  const word = LAST_WORD.exec(start)?.[0] ?? '';
  const before = start.slice(0, start.length - word.length);
  if (VALUE_FOLLOWS.test(before)) return before;
  const separator = word.search(SEPARATOR);
  return (before + (separator < 0 ? word : word.slice(0, separator))).replace(LAST_RUN, '');
}

/**
 * Cuts a text so that no part of a secret at the cut remains.
 * @param maxUnits UTF-16 code units of the result, the ellipsis included
 * @param isCutAlready the text is itself the beginning of a longer one
 */
export function cut(text: string, maxUnits: number, isCutAlready = false): string {
  if (text.length <= maxUnits && !isCutAlready) return text;
  const start = text.slice(0, Math.max(0, maxUnits - 2)).toWellFormed();
  let kept = STARTS_WITH_SPACE.test(text.slice(start.length)) ? start : withoutLastWord(start);
  if (/^\s?\d/.test(text.slice(kept.length))) kept = kept.replace(LAST_GROUPS, '');
  kept = kept.replace(OPEN_KEY, '').replace(OPEN_QUOTE, '').trimEnd();
  return kept === '' ? '…' : `${kept} …`;
}

/** Segments that do not look like a secret: words in lower case. */
const PLAIN_SEGMENT = /^(?:[a-z]{1,30}(?:[-_.][a-z]{1,30}){0,5})?$/;
/** The scheme and the host of an address, without credentials between them. */
const ORIGIN =
  /^((?:[a-z][a-z\d+.-]{0,20}:)?\/\/)(?:[^\s\\/?#]*@)?((?:\[[\da-f:.]+\]|[^\s\\/?#@:]*)(?::\d{0,5})?\/)/i;

/** The beginning of a path up to its first segment that is not a plain word. */
function plainStart(path: string, maxUnits: number): string {
  const [origin = '', scheme = '', host = ''] = ORIGIN.exec(path) ?? [];
  let kept = scheme + host;
  if (kept.length >= maxUnits) return '…';
  for (const segment of path.slice(origin.length).split('/').slice(0, -1)) {
    if (!PLAIN_SEGMENT.test(segment) || kept.length + segment.length + 2 > maxUnits) break;
    kept += `${segment}/`;
  }
  return `${kept}…`;
}

/** Inline content: the text after the scheme is not an address. */
const INLINE = /^\s*(?<scheme>data|blob|javascript|vbscript):/i;

/**
 * Cuts an address: its query and fragment are removed, and of a long path the plain part remains.
 * @param maxUnits UTF-16 code units of the result, the ellipsis included; more than 12
 * @param isCutAlready the address is itself the beginning of a longer one
 */
export function cutUrl(address: string, maxUnits: number, isCutAlready = false): string {
  if (address.length <= maxUnits && !isCutAlready) return address;
  const scheme = INLINE.exec(address)?.groups?.['scheme'];
  if (scheme !== undefined) return `${scheme}:…`;
  const path = /^[^?#]*/.exec(address)?.[0] ?? '';
  if (path.length < address.length && path.length + 3 <= maxUnits)
    return `${path}${address.charAt(path.length)} …`;
  return plainStart(path, maxUnits);
}

/** An address without its fragment, which is never sent to servers. */
export function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** The texts whose conditions are true. */
export const textsOf = (...said: readonly (string | false)[]): string[] =>
  said.filter((text) => text !== false);
