import big5Added from 'iconv-lite/encodings/tables/big5-added.json' with { type: 'json' };
import { valueIn } from '../../shared/base/maps.ts';

/*
 * Decoders of the Encoding Standard, as browsers have them. Node's are those of ICU: in some encodings they lack
 * characters, read them as others or swallow the ASCII that follows an invalid byte.
 */

/** As a `TextDecoder`. */
export interface Decoder {
  /** @throws TypeError for invalid bytes, if it is fatal */
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

interface Options {
  /** Invalid bytes are an error, not U+FFFD. */
  readonly fatal?: boolean;
  /** A byte order mark is part of the text. */
  readonly ignoreBOM?: boolean;
}

/** @throws RangeError for an unknown label */
export function decoderOf(label: string, options: Options = {}): Decoder {
  const icu = new TextDecoder(label, options);
  const { encoding } = icu;
  // The Standard decodes both alike.
  if (encoding === 'gbk') return new TextDecoder('gb18030', options);
  if (Object.hasOwn(CHARACTERS, encoding)) return new TableDecoder(tableOf(encoding), options);
  return icu;
}

/** The whole text of bytes. @throws as {@link decoderOf} and {@link Decoder.decode} */
export function decodeAs(bytes: Uint8Array, label: string, options?: Options): string {
  const decoder = decoderOf(label, options);
  // In one part, Node 20.18 and later decode windows-1252 as if it were Latin 1 (nodejs/node#56542).
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

const INVALID = '\ufffd';

interface Table {
  /** Decodes a code of one or two bytes. Null for a code without a character. */
  read(code: number): string | null;
  /** By byte, whether another follows. */
  readonly leads: readonly boolean[];
}

/** Reads bytes one or two at a time: the Standard's decoders of Big5, EUC-KR, Shift_JIS and of single bytes. */
class TableDecoder implements Decoder {
  #lead = 0;

  constructor(
    private readonly table: Table,
    private readonly options: Options,
  ) {}

  decode(bytes: Uint8Array = new Uint8Array(), { stream = false } = {}): string {
    let text = '';
    for (let at = 0; at < bytes.length;) {
      const ascii = this.#lead === 0 ? asciiAt(bytes, at) : '';
      at += ascii.length;
      text += ascii;
      const byte = bytes[at++];
      if (byte !== undefined) text += this.#next(byte);
    }
    if (stream || this.#lead === 0) return text;
    this.#lead = 0;
    return text + this.#invalid();
  }

  #next(byte: number): string {
    const lead = this.#lead;
    if (lead === 0 && this.table.leads[byte] === true) {
      this.#lead = byte;
      return '';
    }
    this.#lead = 0;
    const read = this.table.read(lead * 256 + byte);
    if (read !== null) return read;
    return this.#invalid() + (byte < 0x80 ? String.fromCharCode(byte) : '');
  }

  #invalid(): string {
    if (this.options.fatal === true) throw new TypeError('The bytes are not of this encoding.');
    return INVALID;
  }
}

function asciiAt(bytes: Uint8Array, from: number): string {
  let to = from;
  while ((bytes[to] ?? 0xff) < 0x80) to += 1;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
}

/** Characters, by their bytes as a number, that ICU lacks or reads as others. */
const CHARACTERS: Readonly<Record<string, () => Iterable<readonly [number, string]>>> = {
  big5: listBig5Additions,
  'euc-kr': listEucKrAdditions,
  shift_jis: () => [[0x80, '\u0080']],
  'koi8-u': () => [
    [0xae, 'ў'],
    [0xbe, 'Ў'],
  ],
  'windows-1255': () => [[0xca, '\u05ba']],
};

/** First of two bytes. */
const LEADS: Readonly<Record<string, RegExp>> = {
  big5: /[\x81-\xfe]/,
  'euc-kr': /[\x81-\xfe]/,
  shift_jis: /[\x81-\x9f\xe0-\xfc]/,
};

const tables = new Map<string, Table>();

function tableOf(encoding: string): Table {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const icu = new TextDecoder(encoding);
  const characters = new Map<number, string | null>(CHARACTERS[encoding]?.());
  const lead = LEADS[encoding];
  const table: Table = {
    leads: Array.from({ length: 256 }, (_, byte) => lead?.test(String.fromCharCode(byte)) === true),
    read: (asked) =>
      valueIn(characters, asked, (code) => {
        const text = icu.decode(Uint8Array.from(code > 0xff ? [code >> 8, code & 0xff] : [code]));
        const isOne = [...text].length === 1 && text !== INVALID;
        // ICU passes single bytes through, and gives private characters to codes that have none.
        const isReal =
          encoding === 'shift_jis' || lead === undefined || (code > 0xff && !/\p{Co}/u.test(text));
        return isOne && isReal ? text : null;
      }),
  };
  tables.set(encoding, table);
  return table;
}

/** A character that stands for two follows this mark in the table. */
const PAIR = '\u0fff';

/** The rows of iconv-lite's table: the code of the first character, then characters or how many follow on the last. */
function* listBig5Additions(): Generator<readonly [number, string]> {
  for (const [start, ...parts] of big5Added) {
    let code = Number.parseInt(String(start), 16);
    let last = '';
    for (const part of parts) {
      const run =
        typeof part === 'number' ? Array.from({ length: part }, () => null) : [...part.matchAll(SPLIT)];
      for (const one of run) {
        last = one === null ? String.fromCodePoint((last.codePointAt(0) ?? 0) + 1) : one[0].replace(PAIR, '');
        yield [code++, last];
      }
    }
  }
}

const SPLIT = new RegExp(`${PAIR}..|.`, 'gsu');

/** The syllables that KS X 1001 lacks, in Unicode's order in the codes that it leaves free (Unified Hangul Code). */
function* listEucKrAdditions(): Generator<readonly [number, string]> {
  yield [0xa2e6, '€'];
  yield [0xa2e7, '®'];
  const standard = Array.from({ length: 25 * 94 }, (_, at) => [0xb0 + Math.floor(at / 94), 0xa1 + (at % 94)]);
  const has = new Set(new TextDecoder('euc-kr').decode(Uint8Array.from(standard.flat())));
  let syllable = 0xabff;
  for (let code = 0x8141; syllable < 0xd7a3; code += 1) {
    const [lead, trail] = [code >> 8, code & 0xff];
    const isFree =
      trail <= (lead > 0xa0 ? 0xa0 : 0xfe) && /[A-Za-z\x81-\xfe]/.test(String.fromCharCode(trail));
    if (!isFree) continue;
    do syllable += 1;
    while (has.has(String.fromCharCode(syllable)));
    if (syllable <= 0xd7a3) yield [code, String.fromCharCode(syllable)];
  }
}
