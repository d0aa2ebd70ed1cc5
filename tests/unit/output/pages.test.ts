import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { OutputPage } from '../../../shared/output/page.ts';
import { bytesPayload, itemsPayload, jsonPayload, textPayload } from '../../support/payloads.ts';
import { codeOf } from '../../support/code-of.ts';
import { allBytes, allItems, pages, setUp } from './support.ts';

/** Text of every byte length, with characters that join, escape, or lie outside the basic plane. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('👩‍👩‍👧', 'e\u0301', '\u0000', '"\\', '\n', '\ufeff', '𝕏', '漢', 'نمی\u200cخواهم'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const serialisedContent = (content: string | readonly JsonValue[]): number =>
  Buffer.byteLength(JSON.stringify(content)) - 2;

describe('pages give back exactly what was stored', () => {
  it('for text, at any limit and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 4, max: 64 }),
        fc.integer({ min: 6, max: 80 }),
        async (text, limit, pageBytes) => {
          const { keep, fetch } = await setUp({ pageBytes });
          const output_handle = await keep(textPayload(MIME.markdown, text));
          let joined = '';
          for await (const page of pages(fetch, { output_handle, limit })) {
            OutputPage.parse(page);
            expect(serialisedContent(page.content)).toBeLessThanOrEqual(pageBytes);
            expect(Buffer.byteLength(String(page.content))).toBe(page.returned);
            joined += page.content;
          }
          expect(joined).toBe(text);
        },
      ),
      { numRuns: rounds(60, 20) },
    );
  });

  it('for bytes, in base64, from any offset', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 1, max: 64 }),
        fc.nat(500),
        async (bytes, limit, offset) => {
          const { keep, fetch } = await setUp({ pageBytes: 40 });
          const output_handle = await keep(bytesPayload(MIME.octets, bytes));
          const joined = await allBytes(fetch, { output_handle, limit, offset }, 'base64');
          expect(joined.equals(Buffer.from(bytes).subarray(offset))).toBe(true);
        },
      ),
      { numRuns: rounds(60, 20) },
    );
  });

  it('for items, also those that are larger than a page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 10, max: 400 }),
        async (values, limit, pageBytes) => {
          const items: JsonValue[] = JSON.parse(JSON.stringify(values));
          const { keep, fetch } = await setUp({ pageBytes });
          const output_handle = await keep(itemsPayload(items));
          const joined: JsonValue[] = [];
          for await (const page of pages(fetch, { output_handle, limit })) {
            if (typeof page.content === 'string') throw new Error('text');
            expect(page.returned).toBe(page.content.length);
            if (page.returned > 1) expect(serialisedContent(page.content)).toBeLessThanOrEqual(pageBytes);
            const content = [...page.content];
            for (const { index, byte_offset, size_bytes } of page.oversized ?? []) {
              expect(size_bytes).toBeGreaterThan(pageBytes);
              expect(content[index - page.offset]).toBeNull();
              const end = byte_offset + size_bytes;
              const bytes = await allBytes(
                fetch,
                { output_handle, offset: byte_offset, encoding: 'base64' },
                'base64',
              );
              content[index - page.offset] = JSON.parse(bytes.toString('utf8', 0, end - byte_offset));
            }
            joined.push(...content);
          }
          expect(joined).toEqual(items);
          const file = await allBytes(fetch, { output_handle }, 'utf8');
          expect(JSON.parse(file.toString('utf8'))).toEqual(items);
        },
      ),
      { numRuns: rounds(60, 20) },
    );
  });

  it('across the blocks in which files are checked', async () => {
    const { keep, fetch } = await setUp();
    const text = '0123456789é漢𝕏'.repeat(20_000);
    const output_handle = await keep(textPayload(MIME.text, text));
    expect((await allBytes(fetch, { output_handle }, 'utf8')).toString()).toBe(text);
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    const list = await keep(itemsPayload(items));
    expect(await allItems(fetch, list, 10_000)).toEqual(items);
    const late = await fetch({ output_handle: list, offset: 43_689, limit: 5 });
    expect(late.content).toEqual(items.slice(43_689, 43_694));
  });
});

describe('a page', () => {
  it('has the limits of the contract by default', async () => {
    const { keep, fetch } = await setUp();
    const list = await keep(itemsPayload(Array.from({ length: 1420 }, (_, index) => index)));
    expect(await fetch({ output_handle: list })).toMatchObject({
      offset: 0,
      limit: 200,
      returned: 200,
      total: 1420,
      next_offset: 200,
      eof: false,
    });
    const text = await keep(textPayload(MIME.text, 'x'.repeat(70_000)));
    expect(await fetch({ output_handle: text })).toMatchObject({
      limit: 32_768,
      returned: 32_768,
      total: 70_000,
      next_offset: 32_768,
    });
  });

  it.each([
    ['items', itemsPayload([1, 2]), []],
    ['text', textPayload(MIME.text, 'ab'), ''],
    ['bytes', bytesPayload(MIME.gzip, Buffer.from('ab')), ''],
  ] as const)('past the end is empty and the last (%s)', async (_kind, payload, content) => {
    const { keep, fetch } = await setUp();
    const output_handle = await keep(payload);
    for (const offset of [output_handle.length, 10_000_000_000, Number.MAX_SAFE_INTEGER])
      expect(await fetch({ output_handle, offset })).toMatchObject({
        offset,
        returned: 0,
        next_offset: null,
        content,
        eof: true,
      });
  });

  it('stops where its serialised content is full', async () => {
    const { keep, fetch } = await setUp({ pageBytes: 100 });
    const quotes = await keep(textPayload(MIME.text, '"'.repeat(500)));
    expect((await fetch({ output_handle: quotes })).returned).toBe(50);
    const controls = await keep(textPayload(MIME.text, '\u0001'.repeat(500)));
    expect((await fetch({ output_handle: controls })).returned).toBe(16);
    const bytes = await keep(bytesPayload(MIME.octets, Buffer.alloc(500)));
    expect((await fetch({ output_handle: bytes })).returned).toBe(75);
    const items = await keep(itemsPayload(Array.from({ length: 20 }, () => 'x'.repeat(30))));
    expect((await fetch({ output_handle: items })).returned).toBe(3);
  });

  it('bounds the list of oversized items too', async () => {
    const { keep, fetch } = await setUp({ pageBytes: 1000 });
    const output_handle = await keep(itemsPayload(Array.from({ length: 200 }, () => 'x'.repeat(1001))));
    const sizes = [];
    for await (const page of pages(fetch, { output_handle })) sizes.push(JSON.stringify(page).length);
    expect(Math.max(...sizes)).toBeLessThan(1300);
  });

  it('comes in the encoding that was asked for', async () => {
    const { keep, fetch } = await setUp();
    const json = await keep(jsonPayload({ a: 'é' }));
    expect((await fetch({ output_handle: json })).content).toBe('{"a":"é"}');
    expect((await fetch({ output_handle: json, encoding: 'base64' })).content).toBe('eyJhIjoiw6kifQ==');
    const text = await keep(bytesPayload(MIME.octets, Buffer.from('é')));
    expect((await fetch({ output_handle: text })).content).toBe('w6k=');
    expect((await fetch({ output_handle: text, encoding: 'utf8' })).content).toBe('é');
    const binary = await keep(bytesPayload(MIME.octets, Buffer.from([0x41, 0xff])));
    expect(await codeOf(fetch({ output_handle: binary, encoding: 'utf8' }))).toBe(
      'invalid_format_for_payload',
    );
    const items = await keep(itemsPayload(['é']));
    expect((await fetch({ output_handle: items, encoding: 'base64' })).content).toEqual(['é']);
    const raw = await fetch({ output_handle: items, encoding: 'base64', format: 'bytes' });
    expect(raw.content).toBe(Buffer.from('[\n"é"\n]').toString('base64'));
  });
});

describe('a page is refused', () => {
  it('when a limit holds no character', async () => {
    const { keep, fetch } = await setUp();
    const output_handle = await keep(textPayload(MIME.text, 'abc'));
    expect(await codeOf(fetch({ output_handle, limit: 3 }))).toBe('limit_too_small');
    expect((await fetch({ output_handle, limit: 3, encoding: 'base64' })).returned).toBe(3);
  });

  it('when an offset lies inside a character, naming the nearest boundaries', async () => {
    const { keep, fetch } = await setUp();
    const output_handle = await keep(textPayload(MIME.text, 'ab𝕏cd'));
    for (const offset of [3, 4, 5])
      await expect(fetch({ output_handle, offset })).rejects.toMatchObject({
        code: 'invalid_offset',
        message: expect.stringContaining('the nearest offsets are 2 and 6'),
      });
    expect((await fetch({ output_handle, offset: 6 })).content).toBe('cd');
    expect((await fetch({ output_handle, offset: 3, encoding: 'base64' })).returned).toBe(5);
  });

  it('when items are requested of output without items', async () => {
    const { keep, fetch } = await setUp();
    const output_handle = await keep(jsonPayload({ a: 1 }));
    expect(await codeOf(fetch({ output_handle, format: 'items' }))).toBe('invalid_format_for_payload');
  });

  it.each([
    'oh_DEADBEEF0000',
    'oh_AAAAAAAAAAAA',
    'oh_aaaaaaaaaaaa',
    '../../../../etc/passwd',
    'oh_AAAAAAAAAAAA/../x',
    'oh_AAAAAAAAAAAA\n',
    '',
    'x'.repeat(10_000),
    '\u0000',
  ])('when the handle is unknown or malformed (%j)', async (output_handle) => {
    const { fetch, keep } = await setUp();
    await keep(jsonPayload(1));
    expect(await codeOf(fetch({ output_handle }))).toBe('output_handle_not_found');
  });
});
