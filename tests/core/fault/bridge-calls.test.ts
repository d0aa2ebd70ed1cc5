import { withResult } from '../../../shared/base/queue.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { interruptible } from '../../../extension/core/link/interrupt.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { BridgeRig, coded, endless } from '../../support/bridge-rig.ts';
import { within } from '../../support/within.ts';

vi.mock(import('../../../server/core/bridge/host/note.ts'), () => import('../../support/silent-note.ts'));

const MIB = 2 ** 20;

let rig: BridgeRig;
beforeEach(() => void (rig = new BridgeRig({ isHostHere: true })));
afterEach(() => rig.close());

async function countAll(chunks: AsyncIterable<string>): Promise<number> {
  let units = 0;
  for await (const chunk of chunks) units += chunk.length;
  return units;
}

describe('a call', () => {
  it('crosses both legs with any text', async () => {
    const { bridge } = await rig.connected();
    for (const value of ['', 'é😀\u0000\u2028', 'a\ud800b', 'x'.repeat(400_000)])
      expect(await bridge.request('b1', 'bridge.echo', { value })).toEqual({ value });
  });

  it('that does not fit into a frame fails alone', async () => {
    const { bridge } = await rig.connected();
    const value = 'x'.repeat(LIMITS.bridgeFrameBytes);
    expect((await coded(bridge.request('b1', 'bridge.echo', { value }))).code).toBe('frame_too_large');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('keeps the code, message and hint of the extension', async () => {
    const hint = 'Look again.';
    const failing = (): never => {
      throw new SpillwayError('tab_not_found', 'There is no tab 7.', { hint });
    };
    const { bridge } = await rig.connected({ handlers: { 'tabs.get': failing } });
    const error = await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }));
    expect(error).toMatchObject({ code: 'tab_not_found', message: 'There is no tab 7.', hint });
  });

  it('fails when the answer breaks its schema', async () => {
    const { bridge } = await rig.connected({
      tamper: (message) => ('result' in message ? { ...message, result: { tabs: 'none' } } : message),
    });
    const error = await coded(bridge.request('b1', 'bridge.echo', { value: '' }));
    expect(error).toMatchObject({ code: 'internal_error' });
    expect(error.message).toContain('bridge.echo');
  });

  it.each(['its signal', 'its idle time'])('ends with %s, and the extension is notified', async (what) => {
    const { handler, cancelled } = endless();
    const { bridge } = await rig.connected({ handlers: { 'tabs.get': handler } });
    const controller = new AbortController();
    const options = what === 'its signal' ? { signal: controller.signal } : { idleTimeoutMs: 60 };
    const call = coded(bridge.request('b1', 'tabs.get', { tab_id: 1 }, options));
    await bridge.request('b1', 'bridge.echo', { value: 'the call is active' });
    controller.abort(new SpillwayError('cancelled', 'The client changed its mind.'));
    expect((await call).code).toBe(what === 'its signal' ? 'cancelled' : 'timeout');
    await within(50_000, cancelled, 'the extension to be notified');
  });

  it('whose answer comes too late does not disturb the next', async () => {
    let answer: (() => void) | undefined;
    const answers: object[] = [];
    const { worker, bridge } = await rig.connected({
      handlers: { 'tabs.list': () => new Promise((resolve) => (answer = () => resolve({ tabs: [] }))) },
      tamper: (message) => {
        if ('id' in message) answers.push(message);
        return message;
      },
    });
    expect((await coded(bridge.request('b1', 'tabs.list', {}, { idleTimeoutMs: 60 }))).code).toBe('timeout');
    // The call may reach the extension only after the server gave it up.
    await worker.until(() => answer !== undefined, 'call');
    answer?.();
    await worker.until(() => answers.length > 0, 'late answer');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('survives messages that are neither answers nor streams: the bridge reconnects', async () => {
    const { worker, bridge } = await rig.connected();
    const gone = new Promise((resolve) => bridge.onChange((event) => resolve(event)));
    worker.send(1, { dance: true });
    expect(await within(50_000, gone, 'the connection to be given up')).toBe('disconnected');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });
});

describe('a stream', () => {
  it('arrives whole', async () => {
    const { bridge } = await rig.connected();
    for (const bytes of [0, 65_537, 5 * MIB + 5]) {
      const stream = bridge.stream('b1', 'bridge.flood', { bytes });
      const { values, result } = withResult(stream);
      expect(await countAll(values)).toBe(bytes);
      expect(result()).toEqual({ bytes });
    }
  });

  it('holds the sender back to one window without a reader', async () => {
    let sentBytes = 0;
    const { worker, bridge } = await rig.connected({
      tamper: (message) => {
        if ('data' in message) sentBytes += Buffer.byteLength(String(message.data));
        return message;
      },
    });
    const reader = bridge.stream('b1', 'bridge.flood', { bytes: 40 * MIB });
    await reader.next();
    const fullBytes = LIMITS.streamWindowBytes - 2 * LIMITS.streamChunkUnits;
    await worker.until(() => sentBytes > fullBytes, 'full window');
    await bridge.request('b1', 'bridge.echo', { value: 'other calls go on' });
    expect(sentBytes).toBeLessThanOrEqual(LIMITS.streamWindowBytes);
    await reader.return?.();
  });

  it.each([
    ['its reader leaves', 'cancelled'],
    ['a guard ends its call', 'agent_stopped'],
  ] as const)('is cancelled at both ends when %s', async (what, code) => {
    const notified = defer<void>();
    let stop: (error: SpillwayError) => void = () => undefined;
    const { bridge } = await rig.connected({
      handlers: {
        'bridge.flood': async ({ bytes }, _context, sink) => {
          const flood = async (): Promise<never> => {
            for (;;) await sink.write('x'.repeat(bytes));
          };
          return flood().finally(notified.resolve);
        },
      },
      guard: ({ run, signal }) => interruptible(signal, run, (end) => ((stop = end), () => undefined)),
    });
    const reader = bridge.stream('b1', 'bridge.flood', { bytes: 100_000 });
    await reader.next();
    if (what === 'its reader leaves') await reader.return?.();
    else stop(new SpillwayError(code, 'It was stopped.'));
    await within(50_000, notified.promise, 'the extension to be notified');
    if (code === 'agent_stopped') expect((await coded(countAll(reader))).code).toBe(code);
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it.each<[string, (chunk: { seq: number; end?: object }) => boolean]>([
    ['a lost chunk', ({ seq }) => seq === 3],
    ['an answer before the end', ({ end }) => end !== undefined],
  ])('with %s is corrupt', async (_what, isLost) => {
    const { bridge } = await rig.connected({
      tamper: (message) => ('seq' in message && isLost(message as { seq: number }) ? null : message),
    });
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 8 * MIB });
    expect((await coded(countAll(stream))).code).toBe('stream_corrupt');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });
});
