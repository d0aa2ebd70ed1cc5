import { JsonEscapes, withoutEscapes } from '../../shared/json-escapes.ts';
import { parseJson } from '../../shared/json-schema.ts';
import type { Spooled } from './spool.ts';

const [QUOTE, BACKSLASH, SLASH, LETTER_U] = [34, 92, 47, 117];
const OPEN: readonly number[] = [91, 123];
const CLOSE: readonly number[] = [93, 125];
const BLANK: readonly number[] = [9, 10, 13, 32];
/** By byte: what is around the strings of JSON, and what may follow a backslash in them. */
const AROUND = new Uint8Array(256);
for (const char of ' \t\n\r[]{},:+-.0123456789eEtrufalsn') AROUND[char.charCodeAt(0)] = 1;
/** What is in strings and ends or begins nothing. */
const IS_PLAIN = new Uint8Array(256).fill(1, 32);
for (const char of '"\\') IS_PLAIN[char.charCodeAt(0)] = 0;
const ESCAPED = new Uint8Array(256);
for (const char of '"\\/bfnrtu') ESCAPED[char.charCodeAt(0)] = 1;

/** A text without the escapes that it does not need, if it is JSON: they could hide a secret from the rules for text. */
export function plainText(text: string): string {
  if (!/\\[u/]/.test(text) || !/^\s*[[{"]/.test(text)) return text;
  try {
    parseJson(text);
  } catch {
    return text;
  }
  return withoutEscapes(text);
}

/** A large text as {@link plainText}, in chunks. One that may be JSON is read twice. */
export async function* plainChunks(spooled: Pick<Spooled, 'bytes' | 'text'>): AsyncGenerator<string, void> {
  if (!(await hasEscapedJson(spooled.bytes()))) return yield* spooled.text();
  const escapes = new JsonEscapes();
  for await (const chunk of spooled.text()) yield escapes.push(chunk);
  yield escapes.flush();
}

/** Whether bytes have the form of a JSON list or object, in whose strings there are escapes that it may not need. */
async function hasEscapedJson(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const form = new JsonForm();
  for await (const chunk of chunks) if (!form.take(chunk)) return false;
  return form.isWhole && form.hasEscapes;
}

/**
 * Looks at strings and levels, and not at the order of values: another text that passes means the same with the escapes of its
 * strings written otherwise in every language that has such strings.
 */
class JsonForm {
  hasEscapes = false;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isOver = false;

  get isWhole(): boolean {
    return this.#isOver;
  }

  /** False once it cannot be JSON any longer. */
  take(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInText && !this.#isEscaped) while (IS_PLAIN[chunk[at] ?? 0] === 1) at += 1;
      const byte = chunk[at];
      if (byte === undefined) break;
      if (!(this.#isInText ? this.#inText(byte) : this.#around(byte))) return false;
    }
    return true;
  }

  #inText(byte: number): boolean {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.hasEscapes ||= byte === LETTER_U || byte === SLASH;
      return ESCAPED[byte] === 1;
    }
    if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
    return byte >= 32;
  }

  #around(byte: number): boolean {
    if (BLANK.includes(byte)) return true;
    if (OPEN.includes(byte) && !this.#isOver) {
      this.#depth += 1;
      return true;
    }
    if (this.#depth === 0) return false;
    if (byte === QUOTE) {
      this.#isInText = true;
      return true;
    }
    if (CLOSE.includes(byte)) {
      this.#depth -= 1;
      this.#isOver = this.#depth === 0;
    }
    return AROUND[byte] === 1;
  }
}
