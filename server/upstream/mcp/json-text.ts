const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** What follows a backslash, and the byte that it stands for. */
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
);
const NO_CHARACTER = 0xfffd;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Value of a hexadecimal digit; -1 for another byte. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

/** Writes a code point as UTF-8. Returns where the next byte goes. */
function writePoint(point: number, out: Buffer, at: number): number {
  if (point < 0x80) out[at++] = point;
  else if (point < 0x800) {
    out[at++] = 0xc0 | (point >> 6);
    out[at++] = 0x80 | (point & 63);
  } else if (point < 0x10000) {
    out[at++] = 0xe0 | (point >> 12);
    out[at++] = 0x80 | ((point >> 6) & 63);
    out[at++] = 0x80 | (point & 63);
  } else {
    out[at++] = 0xf0 | (point >> 18);
    out[at++] = 0x80 | ((point >> 12) & 63);
    out[at++] = 0x80 | ((point >> 6) & 63);
    out[at++] = 0x80 | (point & 63);
  }
  return at;
}

/** What is between the quotes of a JSON string, in any chunks, as the UTF-8 that it stands for. Half a surrogate pair becomes U+FFFD. */
export class JsonTextDecoder {
  /** A high half that waits for its low one; 0 for none. */
  #high = 0;
  #isEscaped = false;
  /** Digits of `\u` that are still to come. */
  #digits = 0;
  #unit = 0;
  #isBroken = false;
  #out: Buffer = Buffer.alloc(0);

  /** It had an escape that JSON does not know. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** What it gives is valid until the next call. @param chunk without the quotes */
  push(chunk: Uint8Array): Buffer {
    // What an escape stands for is never longer than the escape; a half that waits may become three bytes.
    if (this.#out.length < chunk.length + 6) this.#out = Buffer.allocUnsafeSlow(chunk.length + 6);
    const out = this.#out;
    let at = 0;
    for (const byte of chunk) {
      if (this.#digits > 0) at = this.#digit(byte, out, at);
      else if (this.#isEscaped) at = this.#escape(byte, out, at);
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else {
        if (this.#high !== 0) at = this.#loneHalf(out, at);
        out[at++] = byte;
      }
    }
    return out.subarray(0, at);
  }

  /** What was held back. */
  end(): Buffer {
    if (this.#isEscaped || this.#digits > 0) this.#isBroken = true;
    const out = Buffer.alloc(3);
    return out.subarray(0, this.#high === 0 ? 0 : this.#loneHalf(out, 0));
  }

  #escape(byte: number, out: Buffer, at: number): number {
    this.#isEscaped = false;
    if (byte === LETTER_U) {
      this.#digits = 4;
      this.#unit = 0;
      return at;
    }
    const meant = ESCAPES.get(byte);
    if (meant === undefined) this.#isBroken = true;
    const next = this.#high === 0 ? at : this.#loneHalf(out, at);
    out[next] = meant ?? QUOTE;
    return next + 1;
  }

  #digit(byte: number, out: Buffer, at: number): number {
    const digit = digitOf(byte);
    if (digit === -1) this.#isBroken = true;
    this.#unit = (this.#unit << 4) | (digit & 15);
    this.#digits -= 1;
    return this.#digits === 0 ? this.#codeUnit(this.#unit, out, at) : at;
  }

  #codeUnit(unit: number, out: Buffer, at: number): number {
    const high = this.#high;
    if (high !== 0 && isLow(unit)) {
      this.#high = 0;
      return writePoint(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00), out, at);
    }
    const next = high === 0 ? at : this.#loneHalf(out, at);
    if (!isHigh(unit)) return writePoint(isLow(unit) ? NO_CHARACTER : unit, out, next);
    this.#high = unit;
    return next;
  }

  #loneHalf(out: Buffer, at: number): number {
    this.#high = 0;
    return writePoint(NO_CHARACTER, out, at);
  }
}
