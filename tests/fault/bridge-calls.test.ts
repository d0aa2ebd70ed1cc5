import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRegistrations } from '../../server/bridge/registrations.ts';
import type { Bridge } from '../../server/core/services.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { BridgeRig, coded } from '../support/bridge-rig.ts';
import { within } from '../support/within.ts';

const MIB = 2 ** 20;

let rig: BridgeRig;
const children: ChildProcess[] = [];
beforeEach(() => {
  rig = new BridgeRig();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rig.close();
});

async function readyBridge(): Promise<Bridge> {
  const bridge = rig.bridge();
  await bridge.ready();
  return bridge;
}

async function countAll(chunks: AsyncIterable<string>): Promise<number> {
  let units = 0;
  for await (const chunk of chunks) units += chunk.length;
  return units;
}

/** A handler that waits for its cancellation and tells of it. */
function endless(): {
  handler: (_: object, context: { signal: AbortSignal }) => Promise<never>;
  cancelled: Promise<void>;
} {
  let tell = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => (tell = resolve));
  const handler = (_: object, { signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        tell();
        reject(signal.reason);
      });
    });
  return { handler, cancelled };
}

/** A server in a process of its own, and the lines that it says. */
function spawnServer(sizeBytes: number): { child: ChildProcess; line: (text: RegExp) => Promise<string> } {
  const script = join(import.meta.dirname, '../support/bridge-server.ts');
  const args = ['--import', 'tsx', script, rig.directory, String(sizeBytes)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const said: string[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (text) => {
      said.push(text);
      for (const wake of waiting) wake();
    });
  const line = async (pattern: RegExp): Promise<string> => {
    const find = async (): Promise<string> => {
      for (;;) {
        const found = said.find((text) => pattern.test(text));
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    };
    return within(20_000, find(), `the server to say ${String(pattern)}`);
  };
  return { child, line };
}

describe('a call', () => {
  it('crosses both legs with any text', async () => {
    await rig.worker();
    const bridge = await readyBridge();
    for (const value of ['', 'é😀\u0000\u2028', 'a\ud800b', 'x'.repeat(400_000)])
      expect(await bridge.request('b1', 'bridge.echo', { value })).toEqual({ value });
  });

  it('that does not fit into a frame fails alone', async () => {
    await rig.worker();
    const bridge = await readyBridge();
    const value = 'x'.repeat(LIMITS.bridgeFrameBytes);
    expect((await coded(bridge.request('b1', 'bridge.echo', { value }))).code).toBe('frame_too_large');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('keeps the code, message and hint of the extension', async () => {
    const hint = 'Look again.';
    const failing = (): never => {
      throw new SpillwayError('tab_not_found', 'There is no tab 7.', { hint });
    };
    await rig.worker({ handlers: { 'tabs.get': failing } });
    const error = await coded((await readyBridge()).request('b1', 'tabs.get', { tab_id: 7 }));
    expect(error).toMatchObject({ code: 'tab_not_found', message: 'There is no tab 7.', hint });
  });

  it('fails when the answer breaks its schema', async () => {
    await rig.worker({
      tamper: (message) => ('result' in message ? { ...message, result: { tabs: 'none' } } : message),
    });
    const error = await coded((await readyBridge()).request('b1', 'bridge.echo', { value: '' }));
    expect(error).toMatchObject({ code: 'internal_error' });
    expect(error.message).toContain('bridge.echo');
  });

  it('ends with its signal, and the extension is told', async () => {
    const { handler, cancelled } = endless();
    await rig.worker({ handlers: { 'tabs.get': handler } });
    const bridge = await readyBridge();
    const controller = new AbortController();
    const call = coded(bridge.request('b1', 'tabs.get', { tab_id: 1 }, { signal: controller.signal }));
    await bridge.request('b1', 'bridge.echo', { value: 'the call is under way' });
    controller.abort(new SpillwayError('cancelled', 'The client changed its mind.'));
    expect((await call).message).toBe('The client changed its mind.');
    await within(5_000, cancelled, 'the extension to be told');
  });

  it('ends after its idle time, and the extension is told', async () => {
    const { handler, cancelled } = endless();
    await rig.worker({ handlers: { 'tabs.get': handler } });
    const bridge = await readyBridge();
    const error = await coded(bridge.request('b1', 'tabs.get', { tab_id: 1 }, { idleTimeoutMs: 60 }));
    expect(error.code).toBe('timeout');
    await within(5_000, cancelled, 'the extension to be told');
  });

  it('whose answer comes too late does not disturb the next', async () => {
    let answer = (): void => undefined;
    const answers: object[] = [];
    const worker = await rig.worker({
      handlers: { 'tabs.list': () => new Promise((resolve) => (answer = () => resolve({ tabs: [] }))) },
      tamper: (message) => {
        if ('id' in message) answers.push(message);
        return message;
      },
    });
    const bridge = await readyBridge();
    expect((await coded(bridge.request('b1', 'tabs.list', {}, { idleTimeoutMs: 60 }))).code).toBe('timeout');
    answer();
    await worker.until(() => answers.length > 0, 'late answer');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('fails at once when the server leaves', async () => {
    const { handler } = endless();
    await rig.worker({ handlers: { 'tabs.get': handler } });
    const bridge = await readyBridge();
    const call = coded(bridge.request('b1', 'tabs.get', { tab_id: 1 }));
    await bridge.request('b1', 'bridge.echo', { value: 'the call is under way' });
    await bridge.close();
    expect((await call).code).toBe('cancelled');
    expect((await coded(bridge.ready())).code).toBe('cancelled');
  });

  it('survives what is neither an answer nor a stream: the bridge connects anew', async () => {
    const worker = await rig.worker();
    const bridge = await readyBridge();
    const gone = new Promise((resolve) => bridge.onChange((event) => resolve(event)));
    worker.send(1, { dance: true });
    expect(await within(5_000, gone, 'the connection to be given up')).toBe('disconnected');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });
});

describe('a stream', () => {
  it('arrives whole', async () => {
    await rig.worker();
    const bridge = await readyBridge();
    for (const bytes of [0, 1, 65_536, 65_537, 20 * MIB + 5]) {
      const stream = bridge.stream('b1', 'bridge.flood', { bytes });
      expect(await countAll(stream.chunks)).toBe(bytes);
      expect(await stream.done).toEqual({ bytes });
    }
  });

  it('sends nothing before it is wanted', async () => {
    let calls = 0;
    const worker = await rig.worker({
      handlers: {
        'bridge.flood': ({ bytes }) => {
          calls += 1;
          return Promise.resolve({ bytes });
        },
      },
    });
    const bridge = await readyBridge();
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 9 });
    await bridge.request('b1', 'bridge.echo', { value: 'a round trip later' });
    expect(calls).toBe(0);
    expect(await stream.done).toEqual({ bytes: 9 });
    expect(calls).toBe(1);
    expect(worker.outputError).toBeNull();
  });

  it('holds the sender back to one window while nobody reads', async () => {
    let sentBytes = 0;
    const worker = await rig.worker({
      tamper: (message) => {
        if ('data' in message) sentBytes += Buffer.byteLength(String(message.data));
        return message;
      },
    });
    const bridge = await readyBridge();
    const { chunks } = bridge.stream('b1', 'bridge.flood', { bytes: 40 * MIB });
    const reader = chunks[Symbol.asyncIterator]();
    await reader.next();
    await worker.until(
      () => sentBytes > LIMITS.streamWindowBytes - 2 * LIMITS.streamChunkUnits,
      'full window',
    );
    await bridge.request('b1', 'bridge.echo', { value: 'other calls go on' });
    expect(sentBytes).toBeLessThanOrEqual(LIMITS.streamWindowBytes);
    await reader.return?.();
  });

  it('is cancelled at both ends when its reader leaves', async () => {
    let cancelled = (): void => undefined;
    const told = new Promise<void>((resolve) => (cancelled = resolve));
    await rig.worker({
      handlers: {
        'bridge.flood': async ({ bytes }, { signal }, sink) => {
          signal.addEventListener('abort', () => cancelled());
          for (;;) await sink.write('x'.repeat(bytes));
        },
      },
    });
    const bridge = await readyBridge();
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 100_000 });
    for await (const chunk of stream.chunks) if (chunk.length > 0) break;
    await within(5_000, told, 'the extension to be told');
    expect((await coded(stream.done)).code).toBe('cancelled');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('fails with the same error for its reader and for its result', async () => {
    await rig.worker({
      handlers: {
        'bridge.flood': async (_params, _context, sink) => {
          await sink.write('some text');
          throw new SpillwayError('page_changed', 'The page navigated.');
        },
      },
    });
    const stream = (await readyBridge()).stream('b1', 'bridge.flood', { bytes: 1 });
    const read = await coded(countAll(stream.chunks));
    expect(read.code).toBe('page_changed');
    expect(await coded(stream.done)).toBe(read);
  });

  it('gives up on a reader that stops, and frees the sender', async () => {
    await rig.worker();
    const bridge = await readyBridge();
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 40 * MIB }, { idleTimeoutMs: 300 });
    await stream.chunks[Symbol.asyncIterator]().next();
    expect((await coded(stream.done)).code).toBe('slow_consumer');
  });

  it('does not count the time that its reader takes as silence', async () => {
    await rig.worker();
    const bridge = await readyBridge();
    const idleTimeoutMs = 700;
    const bytes = LIMITS.streamWindowBytes + MIB;
    const stream = bridge.stream('b1', 'bridge.flood', { bytes }, { idleTimeoutMs });
    let units = 0;
    for await (const chunk of stream.chunks) {
      // Longer than the idle time, shorter than a reader may take.
      if (units === 0) await new Promise((resolve) => setTimeout(resolve, idleTimeoutMs * 1.5));
      units += chunk.length;
    }
    expect(units).toBe(bytes);
  });

  type Tamper = (chunk: { seq: number; data: string; end?: { sha256: string } }) => object | null;
  const corruptions: readonly (readonly [string, Tamper])[] = [
    ['a lost chunk', (chunk) => (chunk.seq === 3 ? null : chunk)],
    ['a repeated number', (chunk) => ({ ...chunk, seq: Math.min(chunk.seq, 3) })],
    [
      'a changed letter',
      (chunk) => (chunk.seq === 2 ? { ...chunk, data: `X${chunk.data.slice(1)}` } : chunk),
    ],
    ['half a character', (chunk) => ({ ...chunk, data: `\ud800${chunk.data.slice(1)}` })],
    [
      'a wrong hash',
      (chunk) =>
        chunk.end === undefined ? chunk : { ...chunk, end: { ...chunk.end, sha256: '0'.repeat(64) } },
    ],
    [
      'an early end',
      (chunk) =>
        chunk.seq === 4 ? { ...chunk, end: { chunks: 9, size_bytes: 9, sha256: '0'.repeat(64) } } : chunk,
    ],
    ['more than was granted', (chunk) => ({ ...chunk, data: 'x'.repeat(500_000) })],
    ['an answer before the end', (chunk) => (chunk.end === undefined ? chunk : null)],
  ];
  it.each(corruptions)('with %s is corrupt', async (_what, tamper) => {
    await rig.worker({
      tamper: (message) => ('seq' in message ? tamper(message as Parameters<Tamper>[0]) : message),
    });
    const bridge = await readyBridge();
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 8 * MIB });
    expect((await coded(countAll(stream.chunks))).code).toBe('stream_corrupt');
    expect((await coded(stream.done)).code).toBe('stream_corrupt');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('from a flooding sender that heeds no credit fails, and the next call works', async () => {
    const worker = await rig.worker();
    const bridge = await readyBridge();
    await bridge.request('b1', 'bridge.echo', { value: 'channel 1 is open' });
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 64 * MIB });
    const failure = coded(stream.done);
    for (let seq = 0; seq < 200; seq += 1) worker.send(1, { stream: 1, seq, data: 'x'.repeat(60_000) });
    expect((await failure).code).toBe('stream_corrupt');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });
});

describe('a channel whose server does not read', () => {
  it('is closed alone', async () => {
    const worker = await rig.worker();
    const bridge = await readyBridge();
    const { child, line } = spawnServer(2_048 * MIB);
    await line(/^reading$/);
    child.kill('SIGSTOP');
    const isClosed = (): boolean => worker.controls.some((control) => control.type === 'close');
    for (let seq = 0; seq < 1_000 && !isClosed(); seq += 1) {
      worker.send(2, { stream: 99, seq, data: 'x'.repeat(100_000) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await worker.control('close')).reason).toContain('slow_consumer');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'unharmed' })).toEqual({ value: 'unharmed' });
  });
});

describe('kill -9', () => {
  it('of the host fails the calls under way at once, and the next one works', async () => {
    const { handler } = endless();
    const worker = await rig.worker({ instance: 'profile-one', handlers: { 'tabs.get': handler } });
    const bridge = await readyBridge();
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 512 * MIB });
    const call = coded(bridge.request('b1', 'tabs.get', { tab_id: 1 }));
    const reader = stream.chunks[Symbol.asyncIterator]();
    await reader.next();
    worker.kill('SIGKILL');
    expect((await within(2_000, call, 'the call to fail')).code).toBe('browser_disconnected');
    const rest = async (): Promise<void> => {
      while ((await reader.next()).done !== true);
    };
    expect((await coded(rest())).code).toBe('browser_disconnected');
    expect((await coded(stream.done)).code).toBe('browser_disconnected');
    expect(bridge.browsers()[0]?.connected).toBe(false);
    await rig.worker({ instance: 'profile-one' });
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
    expect(bridge.browsers()[0]?.reconnects).toBe(1);
  });

  it('of the host between calls is named to the next', async () => {
    const worker = await rig.worker();
    const bridge = await readyBridge();
    const gone = new Promise((resolve) => bridge.onChange((event) => resolve(event)));
    worker.kill('SIGKILL');
    await within(5_000, gone, 'the loss to be noticed');
    const error = await coded(bridge.ready({ timeoutMs: 300 }));
    expect(error.message).toContain('has died');
  });

  it.each(['ready', 'reading'])(
    'of a server that is %s leaves host and other servers unharmed',
    async (when) => {
      const worker = await rig.worker();
      const bridge = await readyBridge();
      const { child, line } = spawnServer(2_048 * MIB);
      await line(new RegExp(`^${when}$`));
      child.kill('SIGKILL');
      expect((await worker.control('close')).channel).toBe(2);
      expect(await bridge.request('b1', 'bridge.echo', { value: 'unharmed' })).toEqual({ value: 'unharmed' });
      const next = spawnServer(MIB);
      await next.line(/^read 1048576 of 1048576$/);
      expect(worker.outputError).toBeNull();
    },
  );
});

describe('SIGSTOP', () => {
  it('of the host lets calls time out, and SIGCONT lets the next one work', async () => {
    const worker = await rig.worker();
    const bridge = await readyBridge();
    worker.kill('SIGSTOP');
    const call = bridge.request('b1', 'bridge.echo', { value: 'lost' }, { idleTimeoutMs: 150 });
    expect((await coded(call)).code).toBe('timeout');
    worker.kill('SIGCONT');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('of the host is noticed by the heartbeat', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const worker = await rig.worker();
    const bridge = await readyBridge();
    worker.kill('SIGSTOP');
    const call = coded(bridge.request('b1', 'bridge.echo', { value: 'lost' }));
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(3 * LIMITS.heartbeatIntervalMs);
    const error = await within(5_000, call, 'the call to fail');
    expect(error).toMatchObject({ code: 'browser_disconnected' });
    expect(error.message).toContain('heartbeat');
    worker.kill('SIGCONT');
    expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  });

  it('of a server in the middle of a transfer costs nothing', async () => {
    const worker = await rig.worker();
    const bridge = await readyBridge();
    const { child, line } = spawnServer(256 * MIB);
    await line(/^reading$/);
    child.kill('SIGSTOP');
    await bridge.request('b1', 'bridge.echo', { value: 'unharmed' });
    child.kill('SIGCONT');
    await line(/^read 268435456 of 268435456$/);
    expect(worker.controls.filter((control) => control.type === 'close')).toHaveLength(
      child.exitCode === null ? 0 : 1,
    );
  });
});

describe('a host', () => {
  it('that nobody proves himself to closes the connection', async () => {
    const worker = await rig.worker();
    const [host] = readRegistrations(rig.directory);
    if (host === undefined) throw new Error('The host has not registered.');
    const socket = connect(host.registration.socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    await within(6_000, closed, 'the host to give up');
    expect(heard).toContain('host_no_hello');
    expect(worker.controls.some((control) => control.type === 'open')).toBe(false);
  });
});
