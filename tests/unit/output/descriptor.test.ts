import { vouch } from '../../support/clean.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { MIME } from '../../../shared/mime.ts';
import { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { itemsPayload, produce, textPayload } from '../../support/payloads.ts';
import { jsonPieces } from '../../../server/output/serialise.ts';
import { createHandle, formatSeconds } from '../../../server/output/layout.ts';
import { deliverOptions, setUp } from './support.ts';

const REQUEST_ID = 'request-1234567890';

/** A response as Streamable HTTP sends it: one event of a stream, with an id to resume from. */
const bodyOf = (content: unknown): string =>
  `event: message\nid: 0b9d5a52-4d3c-4a3e-9c3a-5d1e8f1b2c3d_1763624000000_abcdefgh\ndata: ${JSON.stringify({
    result: { content },
    jsonrpc: '2.0',
    id: REQUEST_ID,
  })}\n\n`;
const ENVELOPE_BYTES = Buffer.byteLength(bodyOf([])) - '[]'.length;

/** Characters that cost one to fourteen bytes after they were escaped twice. */
const hardText = fc
  .array(
    fc.tuple(
      fc.constantFrom('"', '\\', '\u0001', '\n', 'a', 'é', '漢', '👩‍👩‍👧', '\u2028', '</script>', '\ufffd'),
      fc.integer({ min: 1, max: 3000 }),
    ),
    { maxLength: 6 },
  )
  .map((runs) => runs.map(([character, times]) => character.repeat(times)).join(''));

describe('the whole response body stays within 4,096 bytes', () => {
  it('whatever the characters, with and without notes', async () => {
    const { policy } = await setUp();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(hardText, fc.string({ unit: 'binary', maxLength: 4000 })),
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), hardText), { maxLength: 4 }),
        fc.boolean(),
        async (text, notes, isItems) => {
          const payload = isItems ? itemsPayload([text]) : textPayload(MIME.markdown, text);
          const { content, descriptor } = await policy.deliver(
            produce(payload),
            deliverOptions({
              mode: 'handle',
              envelopeBytes: ENVELOPE_BYTES,
              notes: () => notes.map((note) => vouch(note)),
              canQuery: true,
            }),
          );
          expect(Buffer.byteLength(bodyOf(content))).toBeLessThanOrEqual(4096);
          const stored = isItems ? `[\n${JSON.stringify(text)}\n]` : Buffer.from(text).toString();
          const preview = OutputDescriptor.parse(descriptor).preview ?? '-';
          expect(stored.startsWith(preview)).toBe(true);
          expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(2048);
          const [first] = content;
          expect(JSON.parse(first.type === 'text' ? first.text : '')).toEqual(descriptor);
        },
      ),
      { numRuns: rounds(150, 30) },
    );
  });

  it('and the preview is as long as it can be', async () => {
    const { policy } = await setUp();
    const preview = async (text: string) => {
      const options = deliverOptions({ mode: 'handle', envelopeBytes: ENVELOPE_BYTES });
      const { content, descriptor } = await policy.deliver(produce(textPayload(MIME.text, text)), options);
      return { text: descriptor?.preview ?? '', body: Buffer.byteLength(bodyOf(content)) };
    };
    expect((await preview('a'.repeat(5000))).text).toHaveLength(2048);
    expect((await preview('a' + '𝕏'.repeat(5000))).text).toBe('a' + '𝕏'.repeat(511));
    expect((await preview('"'.repeat(5000))).body).toBeGreaterThan(4096 - 4);
    expect((await preview('\u0001'.repeat(5000))).body).toBeGreaterThan(4096 - 7);
  });

  it('keeps the first notes and counts the others when all do not fit', async () => {
    const { policy } = await setUp();
    const notes = Array.from({ length: 30 }, (_, index) => `${index}: ${'n'.repeat(80)}`);
    const { content } = await policy.deliver(
      produce(textPayload(MIME.text, 'x'.repeat(9000))),
      deliverOptions({
        mode: 'handle',
        envelopeBytes: ENVELOPE_BYTES,
        notes: () => notes.map((note) => vouch(note)),
      }),
    );
    const [, block] = content;
    const lines = block?.type === 'text' ? block.text.split('\n') : [];
    expect(lines[0]).toBe(notes[0]);
    expect(lines.at(-1)).toBe(`${30 - (lines.length - 1)} more notes were omitted.`);
  });
});

it('handles are 60 bits in base32', () => {
  const handles = Array.from({ length: 2000 }, createHandle);
  expect(handles.every((handle) => /^oh_[A-Z2-7]{12}$/.test(handle))).toBe(true);
  expect(new Set(handles).size).toBe(handles.length);
  expect(new Set(handles.join('').replaceAll('oh_', '')).size).toBe(32);
});

it('times are UTC in whole seconds, also of clocks that are far off', () => {
  expect(formatSeconds(Date.UTC(2026, 4, 19, 12, 34, 56, 999))).toBe('2026-05-19T12:34:56Z');
  expect(formatSeconds(-5e12)).toBe('1970-01-01T00:00:00Z');
  expect(formatSeconds(Number.MAX_VALUE)).toBe('9999-12-31T23:59:59Z');
});

it('JSON is written in pieces that join to JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const json = JSON.parse(JSON.stringify(value));
      expect([...jsonPieces(json)].join('')).toBe(JSON.stringify(value));
    }),
  );
  expect([...jsonPieces({ a: undefined, b: [{ c: undefined }] })].join('')).toBe('{"b":[{}]}');
});

describe('the schema of a descriptor', () => {
  const good = {
    output_handle: 'oh_ABCDEFGHJKLM',
    mime_type: 'application/json',
    size_bytes: 184_320,
    item_count: 142,
    preview: '漢'.repeat(682),
    expires_at: '2028-02-29T12:34:56Z',
    fetch_with: 'oc_output_fetch',
  };

  it.each([
    { item_count: null },
    { preview: null, mime_type: 'application/gzip' },
    { preview: 'a'.repeat(2048), mime_type: 'text/markdown' },
  ])('takes %j', (change) => {
    expect(OutputDescriptor.safeParse({ ...good, ...change }).error).toBeUndefined();
  });

  it.each([
    ['mime_type', 'banana'],
    ['mime_type', 'toString'],
    ['preview', '漢'.repeat(683)],
    ['expires_at', '2026-02-30T12:34:56Z'],
    ['expires_at', '2026-01-01T00:00:00.000Z'],
    ['output_handle', 'oh_abc'],
    ['size_bytes', -1],
    ['fetch_with', 'cat'],
    ['extra', 1],
  ])('refuses %s: %s', (key, value) => {
    expect(OutputDescriptor.safeParse({ ...good, [key]: value }).success).toBe(false);
  });
});
