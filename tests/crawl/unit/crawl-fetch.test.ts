import { expect, it } from 'vitest';
import { charsetOf } from '../../../shared/base/mime.ts';
import { retryAfterMs, robotsOfHeader } from '../../../shared/core/page-headers.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

it.each([
  ['a mark before a header', bytes([0xff, 0xfe], 'a\0'), 'text/html; charset=utf-8', 'utf-16le'],
  ['the header before meta', bytes('<meta charset=koi8-r>'), 'text/html;charset="GBK"', 'gbk'],
  ['the content of a meta', bytes('<meta content="text/html;charset=gb2312">'), 'text/html', 'gbk'],
  ['a meta that cannot be true', bytes('<meta charset=utf-16>', [0x80]), null, 'utf-8'],
  ['a meta in a comment', bytes('<!-- <meta charset=big5> -->ä'), null, 'utf-8'],
  ['a meta late in the head', bytes(' '.repeat(1_100), '<meta charset=big5>'), null, 'big5'],
  ['a meta in the body', bytes('<body>', ' '.repeat(1_100), '<meta charset=big5>'), null, 'utf-8'],
  ['a meta in a script', bytes('<script>"<meta charset=big5>"</script>'), null, 'utf-8'],
  ['UTF-8 that was cut off', bytes('ä', [0xc3]), null, 'utf-8'],
])('the encoding of a page %s', (_name, body, contentType, label) =>
  expect(charsetOf(body, contentType)).toBe(label),
);

it.each([
  ['noindex, NOFOLLOW', ['noindex', 'nofollow']],
  ['noarchive, googlebot: noindex, nofollow', ['noarchive']],
])('headers X-Robots-Tag %s', (header, expected) => expect(robotsOfHeader(header)).toEqual(expected));

it.each([
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 30_000],
  ['soon', null],
])('headers Retry-After %s', (header, expected) => expect(retryAfterMs(header, 30_000)).toBe(expected));
