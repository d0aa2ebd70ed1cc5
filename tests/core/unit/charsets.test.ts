import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { each } from '../../../shared/base/queue.ts';
import { charsetOf } from '../../../shared/base/mime.ts';
import { decodeAs, decoderOf } from '../../../server/core/charsets.ts';
import { decodeText, fileTypeOf } from '../../../server/core/file-stream.ts';

/** Each byte from 0x80, and each followed by one from 0x30. Chromium misreads four codes of Big5 for two characters. */
function* sequences(): Generator<string> {
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    yield lead.toString(16);
    for (let trail = 0x30; trail <= 0xff; trail += 1) yield (lead * 256 + trail).toString(16);
  }
}
const MISREAD = ['8862', '8864', '88a3', '88a5'];

it.each([
  ['big5', 'ba11b0d79512590e'],
  ['euc-kr', 'dcc7ff4251248157'],
  ['gbk', '5ec3ad363c881ba5'],
  ['gb18030', '5ec3ad363c881ba5'],
  ['shift_jis', '623d8a7ca39d734c'],
  ['koi8-u', '0ed03e3abb23d680'],
  ['windows-1255', '71ec5e30be943be0'],
])('all codes of one and two bytes in %s are read as Chromium reads them', (label, digest) => {
  const hash = createHash('sha256');
  const decoder = decoderOf(label);
  const read = (hex: string) => decoder.decode(Buffer.from(hex, 'hex'), { stream: true }) + decoder.decode();
  for (const hex of sequences())
    if (label !== 'big5' || !MISREAD.includes(hex)) hash.update(`${read(hex)}\n`);
  expect(hash.digest('hex').slice(0, 16)).toBe(digest);
});

it.each([
  ['big5', '8862a44088a5', 'Ê̄一ê̌'],
  ['big5', 'a4ff3c', '\ufffd<'],
  ['euc-kr', '8141c652a2e6', '갂힣€'],
  ['ks_c_5601-1987', '81', '\ufffd'],
  ['gb2312', '80a1a18139ee39', '€　㐀'],
  ['koi8-u', 'aebe', 'ўЎ'],
  ['shift_jis', '82a080b1', 'あ\u0080ｱ'],
  ['iso-8859-1', '9335208094', '“5 €”'],
])('%s %s, in one part or bytes', async (label, hex, text) => {
  const bytes = Buffer.from(hex, 'hex');
  expect(decodeAs(bytes, label)).toBe(text);
  const parts = [...bytes].map((byte) => Uint8Array.of(byte));
  let streamed = '';
  for await (const part of decodeText(each(parts), charsetOf(bytes, `text/plain; charset=${label}`)))
    streamed += part;
  expect(streamed).toBe(text);
});

it('a file of an undeclared type is text if all its bytes are of its encoding', () => {
  const kindOf = (hex: string) => fileTypeOf('application/x-a; charset=euc-kr', Buffer.from(hex, 'hex')).kind;
  expect([kindOf('8141'), kindOf('ff41')]).toEqual(['text', 'bytes']);
  expect(() => decoderOf('no-such')).toThrow(RangeError);
});
