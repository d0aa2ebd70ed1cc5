import { createHash } from 'node:crypto';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { StreamSender } from '../../../extension/background/stream-sender.ts';
import { StreamChunk } from '../../../shared/bridge/streams.ts';
import { LIMITS } from '../../../shared/limits.ts';

interface Run {
  readonly chunks: StreamChunk[];
  readonly sender: StreamSender;
  readonly abort: AbortController;
}

function begin(credit: number, onChunk?: (chunk: StreamChunk, sender: StreamSender) => void): Run {
  const chunks: StreamChunk[] = [];
  const abort = new AbortController();
  const sender: StreamSender = new StreamSender({
    stream: 5,
    credit,
    signal: abort.signal,
    send: (chunk) => {
      chunks.push(StreamChunk.parse(structuredClone(chunk)));
      onChunk?.(chunk, sender);
    },
  });
  return { chunks, sender, abort };
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

function expectSealed(chunks: readonly StreamChunk[], text: string): void {
  expect(chunks.map(({ data }) => data).join('')).toBe(text);
  expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_chunk, index) => index));
  expect(chunks.slice(0, -1).every(({ end }) => end === undefined)).toBe(true);
  expect(chunks.at(-1)?.end).toEqual({
    chunks: chunks.length,
    size_bytes: Buffer.byteLength(text),
    sha256: sha256(Buffer.concat(chunks.map(({ data }) => sha256(data)))).toString('hex'),
  });
}

it('StreamSender seals whatever is written, in whatever pieces, within whatever credit', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.integer({ min: 4, max: 100 }), async (writes, credit) => {
      let left = credit;
      const { chunks, sender } = begin(credit, (chunk, self) => {
        const size = Buffer.byteLength(chunk.data);
        left -= size;
        expect(left).toBeGreaterThanOrEqual(0);
        queueMicrotask(() => {
          left += size;
          if (size > 0) self.grant(size);
        });
      });
      for (const write of writes) await sender.write(write);
      await sender.end();
      expectSealed(chunks, writes.join(''));
    }),
    { numRuns: rounds(50, 15) },
  );
});

it('StreamSender keeps every frame below its limit, escaped six-fold', async () => {
  const { chunks, sender } = begin(LIMITS.streamWindowBytes);
  await sender.write('\u0001'.repeat(LIMITS.streamChunkUnits * 3));
  await sender.end();
  for (const chunk of chunks)
    expect(Buffer.byteLength(JSON.stringify({ channel: 1, message: chunk }))).toBeLessThan(
      LIMITS.bridgeFrameBytes,
    );
});

it('StreamSender waits for credit, and ends with the signal while it waits', async () => {
  const { chunks, sender, abort } = begin(12);
  const written = sender.write('abcd'.repeat(20));
  await new Promise(setImmediate);
  expect(chunks.map(({ data }) => data)).toEqual(['abcd', 'abcd', 'abcd']);
  sender.grant(4);
  await new Promise(setImmediate);
  expect(chunks.length).toBe(4);
  abort.abort(new Error('No longer wanted.'));
  await expect(written).rejects.toThrow('No longer wanted.');
  await expect(sender.write('more')).rejects.toThrow('No longer wanted.');
  await expect(sender.end()).rejects.toThrow('No longer wanted.');
  expect(chunks.length).toBe(4);
});
