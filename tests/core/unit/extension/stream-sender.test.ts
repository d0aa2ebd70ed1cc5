import { expect, it } from 'vitest';
import { StreamSender } from '../../../../extension/core/link/stream-sender.ts';
import { StreamChunk } from '../../../../shared/core/bridge/streams.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';

type Run = { readonly chunks: StreamChunk[]; readonly sender: StreamSender; readonly abort: AbortController };

function begin(credit: number): Run {
  const chunks: StreamChunk[] = [];
  const abort = new AbortController();
  const sender: StreamSender = new StreamSender({
    stream: 5,
    credit,
    signal: abort.signal,
    send: (chunk) => void chunks.push(StreamChunk.parse(structuredClone(chunk))),
  });
  return { chunks, sender, abort };
}

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
