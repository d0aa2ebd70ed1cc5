import { endianness } from 'node:os';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder, parseFrame } from '../../../server/bridge/frames.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { codeThrown } from '../../support/code-of.ts';

function header(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(4);
  if (endianness() === 'LE') bytes.writeUInt32LE(sizeBytes);
  else bytes.writeUInt32BE(sizeBytes);
  return bytes;
}

function decodeAll(decoder: FrameDecoder, chunks: Iterable<Buffer>): string[] {
  const bodies: string[] = [];
  for (const chunk of chunks) for (const body of decoder.push(chunk)) bodies.push(body.toString());
  return bodies;
}

/** Cuts bytes at the given places, whatever their order. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index] ?? 0, edge));
}

describe('frames', () => {
  it('come back whole whatever the chunks they travel in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.json(), { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (messages, places) => {
          const wire = Buffer.concat(messages.map((message) => encodeFrame(message)));
          const decoder = new FrameDecoder();
          expect(decodeAll(decoder, cut(wire, places))).toEqual(messages);
          decoder.end();
        },
      ),
    );
  });

  it('carry a lone surrogate as an escape', () => {
    const [body] = decodeAll(new FrameDecoder(), [encodeFrame(JSON.stringify('a\ud800'))]);
    expect(JSON.parse(body ?? '')).toBe('a\ud800');
  });

  it('are refused above the limit and when empty, by the header alone', () => {
    for (const sizeBytes of [LIMITS.bridgeFrameBytes + 1, 0xffff_ffff]) {
      expect(codeThrown(() => decodeAll(new FrameDecoder(), [header(sizeBytes)]))).toBe('frame_too_large');
    }
    expect(codeThrown(() => decodeAll(new FrameDecoder(), [header(0)]))).toBe('frame_malformed');
  });

  it('pass at exactly the limit', () => {
    const message = JSON.stringify('x'.repeat(LIMITS.bridgeFrameBytes - 2));
    expect(decodeAll(new FrameDecoder(), [encodeFrame(message)])).toEqual([message]);
    expect(codeThrown(() => encodeFrame(`${message} `))).toBe('frame_too_large');
  });

  it('may not end halfway', () => {
    const wire = encodeFrame('{"a":1}');
    for (let kept = 1; kept < wire.length; kept += 1) {
      const decoder = new FrameDecoder();
      expect(decodeAll(decoder, [wire.subarray(0, kept)])).toEqual([]);
      expect(codeThrown(() => decoder.end())).toBe('frame_malformed');
    }
  });

  it('that come before a broken one are still given out', () => {
    const seen: string[] = [];
    const wire = Buffer.concat([encodeFrame('1'), header(0)]);
    expect(
      codeThrown(() => {
        for (const body of new FrameDecoder().push(wire)) seen.push(body.toString());
      }),
    ).toBe('frame_malformed');
    expect(seen).toEqual(['1']);
  });

  it('copy each byte once: a large frame in many chunks takes linear time', () => {
    const message = JSON.stringify('x'.repeat(LIMITS.bridgeFrameBytes - 2));
    const decoder = new FrameDecoder();
    const wire = encodeFrame(message);
    const bodies: Buffer[] = [];
    for (let at = 0; at < wire.length; at += 7) bodies.push(...decoder.push(wire.subarray(at, at + 7)));
    expect(bodies).toHaveLength(1);
    // The body was allocated once, at its announced size, not grown chunk by chunk.
    expect(bodies[0]?.length).toBe(message.length);
  });

  it('never make the decoder fail otherwise, on any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 }), (chunks) => {
        const decoder = new FrameDecoder(1_000);
        const code = codeThrown(() =>
          decodeAll(
            decoder,
            chunks.map((chunk) => Buffer.from(chunk)),
          ),
        );
        expect(['no error', 'frame_too_large', 'frame_malformed']).toContain(code);
      }),
    );
  });

  it('that are not JSON are malformed', () => {
    for (const text of ['{', 'nope', '{"a":}', '\u0000'])
      expect(codeThrown(() => parseFrame(Buffer.from(text)))).toBe('frame_malformed');
  });
});
