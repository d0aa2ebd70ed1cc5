import { vouch } from '../../support/clean.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { MIME } from '../../../shared/mime.ts';
import { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { itemsPayload, produce, textPayload } from '../../support/payloads.ts';
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
});
