import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defer } from '../../../shared/base/async.ts';
import { CaptureLine } from '../../../shared/network/lines.ts';
import { Outbox } from '../../../extension/network/worker/outbox.ts';

class FakeSink {
  readonly batches: string[] = [];
  opened = Promise.resolve();

  async write(text: string): Promise<void> {
    await this.opened;
    this.batches.push(text);
  }

  async flush(): Promise<void> {
    await Promise.resolve();
  }

  get lines(): CaptureLine[] {
    const texts = this.batches.join('').split('\n');
    expect(texts.pop()).toBe('');
    return texts.map((text) => CaptureLine.parse(JSON.parse(text)));
  }
}

const EVENT = { kind: 'event', session: null, method: 'A.b' } as const;
const event = (at_ms: number, size = 10) => ({ ...EVENT, at_ms, params: { filler: 'x'.repeat(size) } });
const BODY = { kind: 'body', session: null, base64: false } as const;
const body = (request_id: string, size: number): CaptureLine => ({
  ...BODY,
  ...{ request_id, data: 'x'.repeat(size), size_bytes: size },
});
const numbers = (lines: readonly CaptureLine[]): number[] =>
  lines.flatMap((line) => (line.kind === 'event' ? [line.at_ms] : []));

let sink: FakeSink;
let outbox: Outbox;

beforeEach(() => {
  vi.useFakeTimers();
  sink = new FakeSink();
  outbox = new Outbox(sink);
});
afterEach(() => outbox.close());

it('says that it lives when nothing happens, and only then', async () => {
  await vi.advanceTimersByTimeAsync(31_000);
  expect(sink.lines).toEqual([1, 2, 3].map(() => ({ kind: 'mark', mark: 0 })));
  for (let second = 0; second < 30; second += 1) {
    outbox.push(event(second));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(sink.lines.filter(({ kind }) => kind === 'mark')).toHaveLength(3);
});

describe('a reader that does not keep up', () => {
  const limitBytes = 40_000;
  let free = defer<void>();
  beforeEach(async () => {
    outbox = new Outbox(sink, limitBytes);
    free = defer();
    sink.opened = free.promise;
    outbox.push(event(-1));
    await vi.advanceTimersByTimeAsync(50);
  });

  it('loses the oldest lines, counted where they are missing; marks stay', async () => {
    outbox.push({ kind: 'mark', mark: 7 });
    const pushed = 200;
    for (let number = 0; number < pushed; number += 1) outbox.push(event(number, 1_000));
    free.resolve();
    await outbox.drain();
    const [first, ...rest] = sink.lines;
    expect(first).toMatchObject({ at_ms: -1 });
    expect(rest.find((line) => line.kind === 'lost')).toMatchObject({ lines: outbox.lostLines });
    expect(rest.filter((line) => line.kind === 'mark')).toEqual([{ kind: 'mark', mark: 7 }]);
    const kept = numbers(rest);
    expect(kept.at(-1)).toBe(pushed - 1);
    expect(kept).toEqual(kept.map((_, index) => pushed - kept.length + index));
    expect(outbox.lostLines + kept.length).toBe(pushed);
  });

  it('gets every body that had room, whatever events do, and bodies in their order', async () => {
    const order: string[] = [];
    const ask = async (id: string, size: number): Promise<void> => {
      const leave = await outbox.room(size);
      order.push(id);
      outbox.push(body(id, size));
      leave();
    };
    // The first is larger than all that may wait, and gets through alone.
    const asked = [ask('a', limitBytes), ask('b', 2_000), ask('c', 9_000), ask('d', 10)];
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(['a']);
    for (let number = 1; number < 100; number += 1) outbox.push(event(number, 1_000));
    expect(outbox.lostLines).toBeGreaterThan(0);
    free.resolve();
    await vi.advanceTimersByTimeAsync(500);
    await Promise.all(asked);
    await outbox.drain();
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    expect(sink.lines.flatMap((line) => (line.kind === 'body' ? [line.request_id] : []))).toEqual(order);
  });
});
