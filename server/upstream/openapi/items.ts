import type { JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/json-schema.ts';
import { SpillwayError } from '../../../shared/errors.ts';

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

function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The beginning of a body, and whether it is all of it. What is longer is left unread. */
export async function readStart(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes) return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

const ENTRY_MAX_UNITS = 16 * 1024 * 1024;
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  34, 92, 44, 91, 93, 123, 125,
];

/**
 * The entries of a JSON list, as its text comes. Memory: the longest entry.
 *
 * @throws SpillwayError `upstream_error` for another text, and for one that ends within its list
 */
export async function* readList(chunks: AsyncIterable<string>): AsyncGenerator<JsonValue> {
  const scanner = new ListScanner();
  for await (const chunk of chunks) yield* scanner.push(chunk);
  scanner.end();
}

class ListScanner {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isOver = false;
  #isFirst = true;
  #parts: string[] = [];
  #units = 0;

  *push(chunk: string): Generator<JsonValue> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#isInText) {
        this.#inText(code);
        continue;
      }
      if (this.#depth === 0) {
        from = this.#outside(code, at);
        continue;
      }
      if (code === QUOTE) this.#isInText = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#depth++;
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        if (--this.#depth > 0) continue;
        yield* this.#entry(chunk.slice(from, at), true);
        this.#isOver = true;
      } else if (code === COMMA && this.#depth === 1) {
        yield* this.#entry(chunk.slice(from, at), false);
        from = at + 1;
      }
    }
    if (this.#depth > 0) this.#keep(chunk.slice(from));
  }

  #inText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInText = false;
  }

  end(): void {
    if (!this.#isOver) throw broken('ends within its list');
  }

  #outside(code: number, at: number): number {
    if (code === OPEN_LIST && !this.#isOver) this.#depth = 1;
    else if (code !== 32 && (code < 9 || code > 13) && code !== 0xfeff) throw broken('is not one JSON list');
    return at + 1;
  }

  #keep(part: string): void {
    this.#units += part.length;
    if (this.#units > ENTRY_MAX_UNITS)
      throw broken(`has an entry of more than ${ENTRY_MAX_UNITS} characters`);
    if (part !== '') this.#parts.push(part);
  }

  *#entry(last: string, isEnd: boolean): Generator<JsonValue> {
    this.#keep(last);
    const text = this.#parts.join('');
    this.#parts = [];
    this.#units = 0;
    if (isEnd && this.#isFirst && text.trim() === '') return;
    this.#isFirst = false;
    let value: JsonValue;
    try {
      value = parseExact(text);
    } catch {
      throw broken('has an entry that is not JSON');
    }
    yield value;
  }
}

const broken = (how: string): SpillwayError =>
  new SpillwayError('upstream_error', `The body of the answer ${how}.`, { retryable: false });
