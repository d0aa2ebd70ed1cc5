import { describe, expect, it } from 'vitest';
import { MIME } from '../../../shared/mime.ts';
import { bytesPayload, itemsPayload, produce, textPayload } from '../../support/payloads.ts';
import { codeOf } from '../../support/code-of.ts';
import { deliverOptions, setUp } from './support.ts';

const tile = (tileNumber: number) => ({
  tile: tileNumber,
  x: 0,
  y: tileNumber * 60,
  mime_type: 'image/png',
  base64: Buffer.from([tileNumber, 255]).toString('base64'),
});
const signal = new AbortController().signal;
const request = { format: 'image', encoding: 'auto' } as const;

describe('a picture out of a handle', () => {
  it('is the one at the offset, with its place', async () => {
    const { keep, pager } = await setUp();
    const output_handle = await keep(itemsPayload([tile(0), tile(1), tile(2)]));
    const { page, picture, note } = await pager.fetch({ ...request, output_handle, offset: 1 }, signal);
    expect(picture).toEqual({ mimeType: MIME.png, bytes: Buffer.from([1, 255]) });
    expect(page).toMatchObject({ offset: 1, returned: 1, total: 3, next_offset: 2, eof: false });
    expect(page.content).toEqual([{ tile: 1, x: 0, y: 60, mime_type: 'image/png' }]);
    expect(note).toContain('The next: offset 2.');
  });

  it('is the one that the handle holds', async () => {
    const { keep, pager } = await setUp();
    const output_handle = await keep(bytesPayload(MIME.webp, Buffer.from([1, 2, 3])));
    const { page, picture } = await pager.fetch({ ...request, output_handle, offset: 0 }, signal);
    expect(picture).toEqual({ mimeType: MIME.webp, bytes: Buffer.from([1, 2, 3]) });
    expect(page).toMatchObject({ returned: 1, total: 1, next_offset: null, eof: true });
  });

  it('is refused beyond the last picture, and for an output without pictures', async () => {
    const { keep, pager } = await setUp();
    const fetchAt = (output_handle: string, offset: number) =>
      codeOf(pager.fetch({ ...request, output_handle, offset }, signal));
    expect(await fetchAt(await keep(itemsPayload([tile(0)])), 1)).toBe('invalid_argument');
    expect(await fetchAt(await keep(itemsPayload([{ a: 1 }])), 0)).toBe('invalid_format_for_payload');
    expect(await fetchAt(await keep(textPayload(MIME.text, 'words')), 0)).toBe('invalid_format_for_payload');
    expect(await fetchAt(await keep(bytesPayload(MIME.gzip, Buffer.from([1]))), 0)).toBe(
      'invalid_format_for_payload',
    );
  });

  it('is not previewed in its descriptor', async () => {
    const { policy } = await setUp();
    const produced = { ...produce(itemsPayload([tile(0)])), isOpaque: true };
    const { descriptor } = await policy.deliver(produced, deliverOptions({ mode: 'handle' }));
    expect(descriptor).toMatchObject({ item_count: 1, preview: null });
  });
});
