import { expect, it } from 'vitest';
import { tokensOfPicture, tokensOfSize } from '../../../server/meter/pictures.ts';

it.each([
  // What the provider's own documentation gives as examples.
  [1_024, 1_024, 765],
  [2_048, 4_096, 1_105],
  [512, 512, 255],
  [1, 1, 255],
  [1_280, 900, 1_105],
])('a picture of %i × %i pixels takes %i tokens', (width, height, tokens) => {
  expect(tokensOfSize({ width, height })).toBe(tokens);
});

const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(32);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
/** With a profile of 3,000 bytes before its frame. */
const jpeg = (width: number, height: number): Buffer => {
  const profile = Buffer.alloc(3_002);
  profile.writeUInt16BE(0xff_e2, 0);
  profile.writeUInt16BE(3_000, 2);
  const frame = Buffer.alloc(20);
  frame.writeUInt16BE(0xff_c0, 0);
  frame.writeUInt16BE(17, 2);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), profile, frame]);
};
const gif = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
};
const webp = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write('WEBPVP8X', 8, 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
};

it.each([
  ['PNG', png],
  ['JPEG', jpeg],
  ['GIF', gif],
  ['WebP', webp],
])('reads the size of a %s', (_name, make) => {
  expect(tokensOfPicture(make(2_048, 4_096).toString('base64'))).toBe(1_105);
  expect(tokensOfPicture(make(500, 300).toString('base64'))).toBe(255);
});

it.each(['', 'AAAA', png(0, 0).toString('base64'), jpeg(9, 9).subarray(0, 3_010).toString('base64')])(
  'counts a picture whose size cannot be read as one of four tiles',
  (base64) => expect(tokensOfPicture(base64)).toBe(765),
);
