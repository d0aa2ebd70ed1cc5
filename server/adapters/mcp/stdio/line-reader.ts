import { isObject } from '../../../../shared/json.ts';

const [LINE_BREAK, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c];
const OPENING: readonly number[] = [0x7b, 0x5b];
const CLOSING: readonly number[] = [0x7d, 0x5d];
/** The members of a request besides its params have far less. */
const OUTLINE_BYTES = 4_096;

/** A line that is too long to be kept. */
export interface LongLine {
  /** Of the JSON object in it, as far as the kept beginning shows it. */
  readonly id: unknown;
}

/**
 * Cuts bytes into lines without joining them more than once. Of a line beyond `maxBytes` only the `id` is kept, so
 * that it can be answered and the next one is read.
 */
export class LineReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #outline: Outline | null = null;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end in a chunk, without their breaks. */
  *push(chunk: Buffer): Generator<string | LongLine, void> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      yield this.#take();
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#bytes <= this.maxBytes) return;
    this.#outline ??= new Outline();
    for (const kept of this.#pieces) this.#outline.push(kept);
    this.#pieces = [];
  }

  #take(): string | LongLine {
    const line = this.#outline?.end() ?? Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    this.#outline = null;
    return line;
  }
}

/** The members of a JSON object with null for each that is an object or a list. */
class Outline {
  readonly #kept: number[] = [];
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  push(piece: Buffer): void {
    for (const byte of piece) {
      if (this.#isText) this.#inText(byte);
      else this.#between(byte);
    }
  }

  end(): LongLine {
    try {
      const value: unknown = JSON.parse(Buffer.from(this.#kept).toString('utf8'));
      return { id: isObject(value) ? value['id'] : undefined };
    } catch {
      return { id: undefined };
    }
  }

  #inText(byte: number): void {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #between(byte: number): void {
    if (CLOSING.includes(byte)) this.#depth -= 1;
    if (this.#depth === 1 && OPENING.includes(byte)) this.#keep(...Buffer.from('null'));
    else if (this.#depth !== 1 || !CLOSING.includes(byte)) this.#keep(byte);
    if (OPENING.includes(byte)) this.#depth += 1;
    this.#isText = byte === QUOTE;
  }

  #keep(...bytes: number[]): void {
    const isOutside = this.#depth === 0;
    if ((isOutside || this.#depth === 1) && this.#kept.length < OUTLINE_BYTES) this.#kept.push(...bytes);
  }
}
