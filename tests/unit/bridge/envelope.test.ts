import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { openEnvelope, sealedBytes, sealEnvelope } from '../../../server/bridge/envelope.ts';
import { FrameDecoder } from '../../../server/bridge/frames.ts';

const bodyOf = (frame: Buffer): Buffer => frame.subarray(4);
const channels = fc.integer({ min: 0, max: 4_294_967_295 });

describe('envelopes', () => {
  it('give back channel and message as the worker serialised them, also as a frame', () => {
    fc.assert(
      fc.property(channels, fc.jsonValue(), (channel, message) => {
        const opened = openEnvelope(Buffer.from(JSON.stringify({ channel, message })));
        expect(opened.channel).toBe(channel);
        expect(opened.message.toString()).toBe(JSON.stringify(message));
        expect([...new FrameDecoder().push(opened.toFrame())].map(String)).toEqual([JSON.stringify(message)]);
      }),
    );
  });

  it('are sealed so that the worker parses what the server sent', () => {
    fc.assert(
      fc.property(channels, fc.jsonValue(), (channel, message) => {
        const json = Buffer.from(JSON.stringify(message));
        const body = bodyOf(sealEnvelope(channel, json));
        expect(body.length).toBe(sealedBytes(channel, json));
        expect(JSON.parse(body.toString())).toEqual(JSON.parse(JSON.stringify({ channel, message })));
      }),
    );
  });

  it('of any other shape are refused', () => {
    const wrong = [
      '{}',
      '{"channel":1}',
      '{"channel":,"message":{}}',
      '{"channel":-1,"message":{}}',
      '{"channel":1.5,"message":{}}',
      '{"channel":"1","message":{}}',
      '{"channel":12345678901,"message":{}}',
      '{"channel": 1,"message":{}}',
      '{"message":{},"channel":1}',
      '{"channel":1,"message":}',
      '[1,2]',
    ];
    for (const text of wrong) expect(() => openEnvelope(Buffer.from(text)), text).toThrow();
  });

  it('never throw anything uncoded on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          openEnvelope(Buffer.from(bytes));
        } catch (error) {
          expect(error).toHaveProperty('code', 'frame_malformed');
        }
      }),
    );
  });
});
