import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from '../../../support/property.ts';
import { expect, it } from 'vitest';
import { StreamSender } from '../../../../extension/core/link/stream-sender.ts';
import { StreamReceiver } from '../../../../server/core/bridge/stream-receiver.ts';
import type { StreamChunk } from '../../../../shared/core/bridge/streams.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';
import { rounds } from '../../../support/depth.ts';
import { codeThrown } from '../../../support/code-of.ts';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** Chunks as a faithful sender numbers and seals them. */
function chunksOf(texts: readonly string[]): StreamChunk[] {
  const seal = {
    chunks: texts.length,
    size_bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    sha256: sha256(Buffer.concat(texts.map(sha256))).toString('hex'),
  };
  return texts.map((data, seq) => ({
    stream: 1,
    seq,
    data,
    ...(seq === texts.length - 1 ? { end: seal } : {}),
  }));
}

function receiver(windowBytes: number = LIMITS.streamWindowBytes): StreamReceiver {
  return new StreamReceiver({ windowBytes, grant: () => undefined, onTaken: () => undefined });
}

async function readAll(from: StreamReceiver): Promise<string> {
  let text = '';
  for await (const chunk of from.read()) text += chunk;
  return text;
}

const text = fc.string({ unit: 'binary', maxLength: 200 });

it('a stream arrives whole between the extension’s sender and this receiver, whatever window and writes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 30 }),
      fc.integer({ min: 16, max: 2_000 }),
      async (writes, windowBytes) => {
        let largest = 0;
        let outstanding = 0;
        const receiving: StreamReceiver = new StreamReceiver({
          windowBytes,
          onTaken: () => undefined,
          grant: (credit) => {
            outstanding -= credit;
            sender.grant(credit);
          },
        });
        const sender: StreamSender = new StreamSender({
          stream: 1,
          credit: windowBytes,
          signal: new AbortController().signal,
          send: (chunk) => {
            outstanding += Buffer.byteLength(chunk.data);
            largest = Math.max(largest, outstanding);
            receiving.accept(chunk);
          },
        });
        const sending = (async () => {
          for (const write of writes) await sender.write(write);
          await sender.end();
        })();
        expect(await readAll(receiving)).toBe(writes.join('').toWellFormed());
        await sending;
        expect(receiving.isComplete).toBe(true);
        expect(largest).toBeLessThanOrEqual(windowBytes);
      },
    ),
    { numRuns: rounds(200, 50) },
  );
});

it('a stream is refused when any one chunk is lost, repeated, swapped or changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 2, maxLength: 12 }),
      fc.nat(),
      fc.constantFrom('lost', 'repeated', 'swapped', 'changed'),
      async (texts, where, how) => {
        const chunks = chunksOf(texts);
        const at = where % (chunks.length - 1);
        const [here, next] = [chunks[at], chunks[at + 1]];
        if (here === undefined || next === undefined) throw new Error('There are two chunks at least.');
        if (how === 'lost') chunks.splice(at, 1);
        else if (how === 'repeated') chunks.splice(at, 0, here);
        else if (how === 'swapped') chunks.splice(at, 2, next, here);
        else chunks.splice(at, 1, { ...here, data: `${here.data}!` });
        const receiving = receiver();
        expect(codeThrown(() => chunks.forEach((chunk) => receiving.accept(chunk)))).toBe('stream_corrupt');
        expect(receiving.isComplete).toBe(false);
      },
    ),
  );
});

it('a stream is refused when its seal does not fit', () => {
  const [only] = chunksOf(['text']);
  if (only?.end === undefined) throw new Error('The only chunk has the seal.');
  for (const change of [{ chunks: 2 }, { size_bytes: 5 }, { sha256: '0'.repeat(64) }]) {
    const chunk = { ...only, end: { ...only.end, ...change } };
    expect(codeThrown(() => receiver().accept(chunk))).toBe('stream_corrupt');
  }
  expect(codeThrown(() => receiver().accept(only))).toBe('no error');
});

it('a stream is refused beyond its window, after its end, and with half a character', () => {
  const full = receiver(10);
  full.accept({ stream: 1, seq: 0, data: 'x'.repeat(10) });
  expect(codeThrown(() => full.accept({ stream: 1, seq: 1, data: 'x' }))).toBe('stream_corrupt');
  const ended = receiver();
  for (const chunk of chunksOf(['a'])) ended.accept(chunk);
  expect(codeThrown(() => ended.accept({ stream: 1, seq: 1, data: 'b' }))).toBe('stream_corrupt');
  expect(codeThrown(() => receiver().accept({ stream: 1, seq: 0, data: '\ud83d' }))).toBe('stream_corrupt');
});

it('releases what was read, also when its reader never catches up', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const chunkUnits = 64 * 1024;
  const chunk = (seq: number): StreamChunk => ({
    stream: 1,
    seq,
    data: Buffer.alloc(chunkUnits, String(seq % 10)).toString('latin1'),
  });
  const from = receiver();
  const reading = from.read();
  from.accept(chunk(0));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let seq = 1; seq <= 1_000; seq += 1) {
    from.accept(chunk(seq));
    await reading.next();
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * chunkUnits);
});
