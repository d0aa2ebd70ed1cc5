import { expect, it } from 'vitest';
import { tokensOfPicture } from '../../../server/activity/meter.ts';

/** A file of so many bytes with texts, and numbers of 16 or 32 bits, in their places. */
function fileOf(length: number, texts: Record<number, string>, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, text] of Object.entries(texts)) bytes.write(text, Number(at), 'latin1');
  write(bytes);
  return bytes;
}
const png = (width: number, height: number): Buffer =>
  fileOf(32, { 0: '\x89PNG\r\n\x1a\n', 12: 'IHDR' }, (bytes) => {
    for (const [value, at] of [
      [13, 8],
      [width, 16],
      [height, 20],
    ] as const)
      bytes.writeUInt32BE(value, at);
  });
const jpeg = (width: number, height: number): Buffer =>
  fileOf(3_024, { 0: '\xff\xd8\xff\xe2', 3_004: '\xff\xc0' }, (bytes) => {
    for (const [value, at] of [
      [3_000, 4],
      [17, 3_006],
      [height, 3_009],
      [width, 3_011],
    ] as const)
      bytes.writeUInt16BE(value, at);
  });
const gif = (width: number, height: number): Buffer =>
  fileOf(16, { 0: 'GIF89a' }, (bytes) => bytes.writeUInt16LE(height, bytes.writeUInt16LE(width, 6)));
const webp = (width: number, height: number): Buffer =>
  fileOf(40, { 0: 'RIFF', 8: 'WEBPVP8X' }, (bytes) => {
    bytes.writeUIntLE(height - 1, bytes.writeUIntLE(width - 1, 24, 3), 3);
  });

it.each([
  ['PNG', png],
  ['JPEG', jpeg],
  ['GIF', gif],
  ['WebP', webp],
])('reads the size of a %s', (_name, make) => {
  expect(tokensOfPicture(make(2_048, 4_096).toString('base64'))).toBe(1_105);
  expect(tokensOfPicture(make(500, 300).toString('base64'))).toBe(255);
});
