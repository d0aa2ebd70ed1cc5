import { gzipSync } from 'node:zlib';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../../extension/offscreen/body.ts';
import { charsetOf } from '../../../shared/charset.ts';
import { pageKindOf } from '../../../shared/tools/crawl/content-type.ts';
import { retryAfterMs, robotsOfHeader } from '../../../shared/tools/crawl/headers.ts';
import { unzip } from '../../../extension/offscreen/unzip.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const never = new AbortController().signal;

describe('the encoding of a page', () => {
  it.each([
    ['a mark before a header', bytes([0xff, 0xfe], 'a\0'), 'text/html; charset=utf-8', 'utf-16le', 'bom'],
    ['the header before meta', bytes('<meta charset=koi8-r>'), 'text/html;charset="GBK"', 'gbk', 'header'],
    ['a meta that cannot be true', bytes('<meta charset=utf-16>'), null, 'utf-8', 'meta'],
    ['a meta in a comment', bytes('<!-- <meta charset=big5> -->ä'), null, 'utf-8', 'utf8'],
    ['a meta that comes too late', bytes(' '.repeat(1_100), '<meta charset=big5>'), null, 'utf-8', 'utf8'],
    ['UTF-8 that was cut off', bytes('ä', [0xc3]), null, 'utf-8', 'utf8'],
  ])('%s', (_name, body, contentType, label, source) => {
    expect(charsetOf(body, contentType)).toEqual({ label, source });
  });
});

describe('what an answer is', () => {
  it.each([
    ['text/html; charset=utf-8', null, 'html'],
    ['text/html', 'attachment; filename=x', 'none'],
    ['application/xhtml+xml', null, 'xml'],
    [null, null, null],
  ])('%s, %s: %s', (type, disposition, kind) => expect(pageKindOf(type, disposition)).toBe(kind));
});

describe('headers', () => {
  it.each([
    [null, []],
    ['noindex, NOFOLLOW', ['noindex', 'nofollow']],
    ['noarchive, googlebot: noindex, nofollow', ['noarchive']],
  ])('X-Robots-Tag %s', (header, expected) => expect(robotsOfHeader(header)).toEqual(expected));

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 30_000],
    ['soon', null],
  ])('Retry-After %s', (header, expected) => expect(retryAfterMs(header, 30_000)).toBe(expected));
});

describe('a body', () => {
  const respond = (body: Uint8Array<ArrayBuffer>): Response => new Response(new Blob([body]).stream());

  it('is kept up to its bound, whole or cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 500 }),
        fc.integer({ min: 1, max: 600 }),
        async (body, max) => {
          const { bytes: read, cut } = await readBody(respond(Uint8Array.from(body)), max, never);
          expect(Buffer.from(read)).toEqual(Buffer.from(body.subarray(0, max)));
          expect(cut).toBe(body.length > max ? 'too_large' : null);
        },
      ),
      { numRuns: rounds(50, 15) },
    );
  });

  it.each([
    [AbortSignal.abort(), 'timeout'],
    [never, 'broken'],
  ])('that fails keeps what was received', async (deadline, cut) => {
    let pulls = 0;
    const stream = new ReadableStream({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new Uint8Array([1, 2]));
        else controller.error(new Error('gone'));
      },
    });
    const body = await readBody(new Response(stream), 10, deadline);
    expect({ read: [...body.bytes], cut: body.cut }).toEqual({ read: [1, 2], cut });
  });

  it('that is gzip is unpacked, one that is not stays', async () => {
    const packed = Uint8Array.from(gzipSync('x'.repeat(1_000)));
    expect((await unzip({ bytes: packed, cut: null }, 2_000, never)).bytes).toHaveLength(1_000);
    expect(await unzip({ bytes: packed, cut: null }, 10, never)).toMatchObject({ cut: 'too_large' });
    const half = { bytes: packed.slice(0, 15), cut: 'too_large' } as const;
    expect(await unzip(half, 2_000, never)).toMatchObject({ cut: 'too_large' });
    const plain = { bytes: Uint8Array.from([1, 2, 3]), cut: null };
    expect(await unzip(plain, 2_000, never)).toBe(plain);
  });
});
