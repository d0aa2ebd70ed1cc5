import { endianness } from 'node:os';
import fc from '../../../support/property.ts';
import { expect, it } from 'vitest';
import { encodeFrame, FrameDecoder, openEnvelope } from '../../../../server/core/bridge/frames.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';
import { codeThrown } from '../../../support/code-of.ts';

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

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index] ?? 0, edge));
}

it('frames come back whole whatever the chunks they travel in', () => {
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

it('frames are refused above the limit and when empty, by the header alone', () => {
  for (const sizeBytes of [LIMITS.bridgeFrameBytes + 1, 0xffff_ffff]) {
    expect(codeThrown(() => decodeAll(new FrameDecoder(), [header(sizeBytes)]))).toBe('frame_too_large');
  }
  expect(codeThrown(() => decodeAll(new FrameDecoder(), [header(0)]))).toBe('frame_malformed');
});

it('frames pass at exactly the limit', () => {
  const message = JSON.stringify('x'.repeat(LIMITS.bridgeFrameBytes - 2));
  expect(decodeAll(new FrameDecoder(), [encodeFrame(message)])).toEqual([message]);
  expect(codeThrown(() => encodeFrame(`${message} `))).toBe('frame_too_large');
});

const channels = fc.integer({ min: 0, max: 4_294_967_295 });

it('envelopes give back channel and message as the worker serialised them, also as a frame', () => {
  fc.assert(
    fc.property(channels, fc.jsonValue(), (channel, message) => {
      const opened = openEnvelope(Buffer.from(JSON.stringify({ channel, message })));
      expect(opened.channel).toBe(channel);
      expect(opened.message.toString()).toBe(JSON.stringify(message));
      expect([...new FrameDecoder().push(opened.toFrame())].map(String)).toEqual([JSON.stringify(message)]);
    }),
  );
});

it('envelopes of any other shape are refused', () => {
  const channels = ['', '-1', '1.5', '"1"', '12345678901'];
  const wrong = [
    ...channels.map((channel) => `{"channel":${channel},"message":{}}`),
    ...['{}', '{"channel":1}', '{"channel": 1,"message":{}}', '{"message":{},"channel":1}'],
    ...['{"channel":1,"message":}', '[1,2]'],
  ];
  for (const text of wrong) expect(() => openEnvelope(Buffer.from(text)), text).toThrow();
});
