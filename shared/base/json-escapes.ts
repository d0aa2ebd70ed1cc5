import { MIME, type MimeType } from './mime.ts';

const SLASH = 47;
const LETTER_U = 117;
const ESCAPE_UNITS = '\\uXXXX'.length;
const ESCAPES = /(?:\\u[\da-f]{4})+/iy;
const HIGH_HALF = /^\\ud[89ab]/i;

/** Whether backslashes in a text of this type occur only in JSON strings. */
export const isJsonText = (mimeType: MimeType): boolean => mimeType === MIME.json || mimeType === MIME.ndjson;

/**
 * Writes JSON strings as `JSON.stringify` does: unneeded escapes are removed, so that rules for text see the
 * characters. The value stays the same, and the output does not depend on where the text was cut. Unknown
 * escapes stay.
 */
export class JsonEscapes {
  /** An incomplete escape, or the first half of a surrogate pair: a few characters. */
  #held = '';

  push(chunk: string): string {
    return this.#take(chunk, false);
  }

  /** Returns the held text. */
  flush(): string {
    return this.#take('', true);
  }

  #take(chunk: string, isEnd: boolean): string {
    // Most texts have neither of them, and searching costs next to nothing.
    const isPlain = !chunk.includes('\\u') && !chunk.includes('\\/') && !chunk.endsWith('\\');
    if (isPlain && this.#held === '') return chunk;
    const text = this.#held + chunk;
    this.#held = '';
    let out = '';
    let done = 0;
    for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
      const next = text.charCodeAt(at + 1);
      if (next === LETTER_U || Number.isNaN(next)) {
        const { whole, isOpen } = escapesAt(text, at, isEnd);
        if (whole !== '') out += text.slice(done, at) + unescape(whole);
        if (whole !== '') done = at + whole.length;
        if (isOpen) this.#held = text.slice(at + whole.length);
        if (isOpen) break;
        at += Math.max(2, whole.length);
      } else {
        if (next === SLASH) out += text.slice(done, at);
        if (next === SLASH) done = at + 1;
        at += 2;
      }
    }
    return out + text.slice(done, text.length - this.#held.length);
  }
}

/** A whole text as {@link JsonEscapes} writes it. */
export function withoutEscapes(text: string): string {
  const escapes = new JsonEscapes();
  return escapes.push(text) + escapes.flush();
}

/** The escapes of a text from a position on. `isOpen`: the rest is to be read again with the next part. */
function escapesAt(
  text: string,
  at: number,
  isEnd: boolean,
): { readonly whole: string; readonly isOpen: boolean } {
  ESCAPES.lastIndex = at;
  const all = ESCAPES.exec(text)?.[0] ?? '';
  if (isEnd || text.length - at - all.length >= ESCAPE_UNITS) return { whole: all, isOpen: false };
  if (all === '') return { whole: '', isOpen: true };
  const isHalf = HIGH_HALF.test(all.slice(-ESCAPE_UNITS));
  return { whole: isHalf ? all.slice(0, -ESCAPE_UNITS) : all, isOpen: isHalf };
}

const unescape = (escapes: string): string => JSON.stringify(JSON.parse(`"${escapes}"`)).slice(1, -1);
