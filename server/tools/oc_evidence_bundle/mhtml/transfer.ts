/*
 * Content-Transfer-Encoding (RFC 2045, 6) both ways. Texts of one unit per byte (latin1) represent
 * what is on the wire; buffers are what it means.
 */

/** One way to write bytes as lines of ASCII. */
export interface Transfer {
  decode(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void>;
  encode(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void>;
}

const LINE_UNITS = 75;

/** `=` with less behind it than an escape or a soft break needs. */
const UNFINISHED = /=(?:[0-9A-Fa-f]|\r)?$/;

async function* decodeQuoted(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    const end = UNFINISHED.exec(text)?.index ?? text.length;
    held = text.slice(end);
    const plain = text
      .slice(0, end)
      .replaceAll(/=(?:\r\n|([0-9A-Fa-f]{2}))/g, (_, hex?: string) =>
        hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
      );
    if (plain !== '') yield Buffer.from(plain, 'latin1');
  }
  if (held !== '') yield Buffer.from(held, 'latin1');
}

const quote = (text: string): string =>
  Buffer.from(text, 'latin1').toString('hex').toUpperCase().replaceAll(/../g, '=$&');

/** Bytes that a line cannot hold as they are, lone line breaks, and trailing blanks that would be lost. */
const ESCAPED = /[^\t\n\r -<>-~]+|\r(?!\n)|(?<!\r)\n|[\t ](?=\r\n)/g;

/** Folds lines softly at {@link LINE_UNITS}, never inside an escape. */
class Folder {
  #column = 0;

  push(text: string): string {
    return text
      .split('\r\n')
      .map((line, at) => {
        if (at > 0) this.#column = 0;
        return this.#fold(line);
      })
      .join('\r\n');
  }

  #fold(line: string): string {
    let out = '';
    let from = 0;
    while (this.#column + line.length - from > LINE_UNITS) {
      let end = from + LINE_UNITS - this.#column;
      if (line[end - 1] === '=') end -= 1;
      else if (line[end - 2] === '=') end -= 2;
      if (end > from) {
        out += line.slice(from, end);
        from = end;
      }
      out += '=\r\n';
      this.#column = 0;
    }
    this.#column += line.length - from;
    return out + line.slice(from);
  }
}

async function* encodeQuoted(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const folder = new Folder();
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece.toString('latin1');
    // What a blank or a return means is known with what follows it.
    held = /[\t ]?\r?$/.exec(text)?.[0] ?? '';
    const complete = text.slice(0, text.length - held.length);
    if (complete !== '') yield folder.push(complete.replaceAll(ESCAPED, quote));
  }
  if (held !== '') yield folder.push(quote(held));
}

const QUAD = 4;
const ENCODED_LINE_BYTES = 57;

async function* decodeBase64(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece.replaceAll(/[\r\n\t ]+/g, '');
    const end = text.length - (text.length % QUAD);
    held = text.slice(end);
    if (end > 0) yield Buffer.from(text.slice(0, end), 'base64');
  }
  if (held !== '') yield Buffer.from(held, 'base64');
}

async function* encodeBase64(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let held: Buffer = Buffer.alloc(0);
  const lines = function* (bytes: Buffer): Generator<string, void> {
    for (let from = 0; from < bytes.length; from += ENCODED_LINE_BYTES)
      yield bytes.subarray(from, from + ENCODED_LINE_BYTES).toString('base64');
  };
  let lead = '';
  for await (const piece of pieces) {
    const bytes = Buffer.concat([held, piece]);
    const end = bytes.length - (bytes.length % ENCODED_LINE_BYTES);
    held = bytes.subarray(end);
    if (end === 0) continue;
    yield lead + [...lines(bytes.subarray(0, end))].join('\r\n');
    lead = '\r\n';
  }
  if (held.length > 0) yield lead + [...lines(held)].join('\r\n');
}

export const quotedPrintable: Transfer = { decode: decodeQuoted, encode: encodeQuoted };
export const base64: Transfer = { decode: decodeBase64, encode: encodeBase64 };

/** `7bit`, `8bit` and `binary`: the bytes as they are. */
export const identity: Transfer = {
  async *decode(pieces) {
    for await (const piece of pieces) yield Buffer.from(piece, 'latin1');
  },
  async *encode(pieces) {
    for await (const piece of pieces) yield piece.toString('latin1');
  },
};
