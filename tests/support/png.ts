import { inflateSync } from 'node:zlib';

/** A decoded PNG: red, green, blue and alpha of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const SIGNATURE_BYTES = 8;

/** Decodes the PNGs that browsers write: 8 bits a channel, RGB or RGBA, not interlaced. */
export function decodePng(png: Buffer): Pixels {
  let header: Buffer = Buffer.alloc(0);
  const packed: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') packed.push(body);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  if (header[8] !== 8 || (header[9] !== 2 && header[9] !== 6) || header[12] !== 0)
    throw new Error('The PNG is of a kind that browsers do not write.');
  return {
    width,
    height,
    data: toRgba(unfilter(inflateSync(Buffer.concat(packed)), width, height, channels), channels),
  };
}

const GUESSES: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const toLeft = Math.abs(above - corner);
    const toAbove = Math.abs(left - corner);
    const toCorner = Math.abs(left + above - 2 * corner);
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

/** Undoes the filter of each row (PNG specification, section 9). */
function unfilter(rows: Buffer, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels;
  const plain = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1) + 1;
    const to = row * stride;
    const guess = GUESSES[rows[from - 1] ?? 0];
    if (guess === undefined) throw new Error('The PNG has an unknown filter.');
    for (let at = 0; at < stride; at += 1) {
      const left = at < channels ? 0 : (plain[to + at - channels] ?? 0);
      const above = row === 0 ? 0 : (plain[to + at - stride] ?? 0);
      const corner = row === 0 || at < channels ? 0 : (plain[to + at - stride - channels] ?? 0);
      plain[to + at] = (rows[from + at] ?? 0) + guess(left, above, corner);
    }
  }
  return plain;
}

function toRgba(plain: Uint8Array, channels: number): Uint8Array {
  if (channels === 4) return plain;
  const data = new Uint8Array((plain.length / 3) * 4).fill(255);
  for (let pixel = 0; pixel < plain.length / 3; pixel += 1)
    data.set(plain.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  return data;
}
