import type { JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/json-schema.ts';

const LARGE = /\d{16}/;
const INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON. An integer beyond 2^53 becomes a text: as a number it would lose digits, and an id would name something else.
 *
 * @throws SyntaxError
 */
export const parseExact = (text: string): JsonValue =>
  parseJson(LARGE.test(text) ? withLargeQuoted(text) : text);

function withLargeQuoted(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replaceAll(INTEGER, quoted));
    at = endOfText(text, start);
    parts.push(text.slice(start, at));
  }
  return parts.join('');
}

const quoted = (integer: string): string =>
  Number.isSafeInteger(Number(integer)) ? integer : `"${integer}"`;

/** Where the text that begins with a quote ends. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}
