import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { OutputPage } from '../../../shared/core/descriptor.ts';
import { bytesPayload, itemsPayload, jsonPayload, textPayload } from '../../support/payloads.ts';
import type { CleanPayload } from '../../../server/core/result.ts';
import type { FetchRequest } from '../../../server/core/output/index.ts';
import { codeIn, codeOf } from '../../support/code-of.ts';
import { allBytes, pages, setUp } from './support.ts';

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

it('pages give back exactly what was stored for text, at any limit and page size', async () => {
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

it('pages give back exactly what was stored for bytes, in base64, from any offset', async () => {
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

const CallArguments = z.strictObject({
  output_handle: z.string(),
  format: z.literal('bytes'),
  offset: z.number(),
  limit: z.number(),
});
const ReadWith = z.object({
  read_with: z.strictObject({ tool: z.literal('oc_output_fetch'), arguments: CallArguments }),
});

it('pages give back exactly what was stored for items, also those that are larger than a page', async () => {
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
          for (const { index, size_bytes } of page.oversized ?? []) {
            expect(size_bytes).toBeGreaterThan(pageBytes);
            const { arguments: call } = ReadWith.parse(content[index - page.offset]).read_with;
            const bytes = await allBytes(fetch, { ...call, encoding: 'base64' }, 'base64');
            content[index - page.offset] = JSON.parse(bytes.toString('utf8', 0, size_bytes));
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

const utf8 = Buffer.from('é');
it.each<[CleanPayload, Partial<FetchRequest>, unknown]>([
  [jsonPayload({ a: 'é' }), {}, '{"a":"é"}'],
  [bytesPayload(MIME.octets, utf8), {}, 'w6k='],
  [bytesPayload(MIME.octets, utf8), { encoding: 'utf8' }, 'é'],
  [bytesPayload(MIME.octets, Buffer.from([0x41, 0xff])), { encoding: 'utf8' }, 'invalid_format_for_payload'],
  [itemsPayload(['é']), { encoding: 'base64', format: 'bytes' }, Buffer.from('[\n"é"\n]').toString('base64')],
  [jsonPayload({ a: 1 }), { format: 'items' }, 'invalid_format_for_payload'],
])('a page comes as it was asked for, or is refused (%#)', async (payload, how, expected) => {
  const { keep, fetch } = await setUp();
  const page = fetch({ output_handle: await keep(payload), ...how });
  expect(await page.then(({ content }) => content, codeIn)).toEqual(expected);
});

it('a page is refused when a limit holds no character', async () => {
  const { keep, fetch } = await setUp();
  const output_handle = await keep(textPayload(MIME.text, 'abc'));
  expect(await codeOf(fetch({ output_handle, limit: 3 }))).toBe('limit_too_small');
  expect((await fetch({ output_handle, limit: 3, encoding: 'base64' })).returned).toBe(3);
});

it('a page is refused when an offset lies inside a character, naming the nearest boundaries', async () => {
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

const tile = (tileNumber: number) => ({
  tile: tileNumber,
  x: 0,
  y: tileNumber * 60,
  mime_type: 'image/png',
  base64: Buffer.from([tileNumber, 255]).toString('base64'),
});
const signal = new AbortController().signal;
const request = { format: 'image', encoding: 'auto' } as const;

it('a picture out of a handle is the one at the offset, with its place', async () => {
  const { keep, pager } = await setUp();
  const output_handle = await keep(itemsPayload([tile(0), tile(1), tile(2)]));
  const { page, picture, note } = await pager.fetch({ ...request, output_handle, offset: 1 }, signal);
  expect(picture).toEqual({ mimeType: MIME.png, bytes: Buffer.from([1, 255]) });
  expect(page).toMatchObject({ offset: 1, returned: 1, total: 3, next_offset: 2, eof: false });
  expect(page.content).toEqual([{ tile: 1, x: 0, y: 60, mime_type: 'image/png' }]);
  expect(note).toContain('The next: offset 2.');
});

it('an item too large for a page comes with its small fields, whatever its size', async () => {
  const { keep, fetch } = await setUp();
  const page = (letters: number) => ({
    url: 'https://a.test/',
    text: 'Some words. '.repeat(letters),
    depth: 2,
  });
  const large = [3_000, 400_000].map(page);
  const output_handle = await keep(itemsPayload([{ a: 1 }, ...large, ['x'.repeat(40_000)], { a: 2 }]));
  const { content } = await fetch({ output_handle });
  const text = expect.stringMatching(/^Some words\. .{1000,}…$/);
  expect(content).toEqual([
    { a: 1 },
    expect.objectContaining({ url: 'https://a.test/', text, depth: 2, oversized_bytes: 36_045 }),
    // Longer than what is read of an item.
    expect.objectContaining({ url: 'https://a.test/', text, oversized_bytes: 4_800_045 }),
    expect.objectContaining({ begins: expect.any(Array), oversized_bytes: 40_004 }),
    { a: 2 },
  ]);
});
