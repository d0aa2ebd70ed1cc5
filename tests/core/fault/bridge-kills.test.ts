import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { readRegistrations } from '../../../server/core/bridge/registrations.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { BridgeRig, coded, endless } from '../../support/bridge-rig.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { sample } from '../../support/depth.ts';
import { within } from '../../support/within.ts';

const MIB = 2 ** 20;
const PROGRAM = await bundleProgram(new URL('../../support/bridge-server.ts', import.meta.url));

vi.mock(import('../../../server/core/bridge/host/note.ts'), () => import('../../support/silent-note.ts'));

vi.setConfig({ testTimeout: 300_000 });

/** The host runs in this process where it is another that ends. */
const HOST_HERE = { isHostHere: true };

let rig: BridgeRig;
const children: ChildProcess[] = [];
beforeEach(() => void (rig = new BridgeRig()));
afterEach(async () => {
  vi.useRealTimers();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rig.close();
});

function spawnServer(sizeBytes: number) {
  const child = spawn(process.execPath, [PROGRAM, rig.directory, String(sizeBytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = on(createInterface({ input: child.stdout }), 'line', { close: ['close'] });
  const printed = async (line: string): Promise<void> => {
    for await (const [text] of lines) if (text === line) return;
    throw new Error(`The server ended before it said "${line}".`);
  };
  return { child, printed };
}

it('a channel whose server does not read is closed alone', async () => {
  const { worker, bridge } = await rig.connected(HOST_HERE);
  const { child, printed } = spawnServer(2_048 * MIB);
  await printed('reading');
  child.kill('SIGSTOP');
  const isClosed = (): boolean => worker.controls.some((control) => control.type === 'close');
  for (let seq = 0; seq < 1_000 && !isClosed(); seq += 1) {
    worker.send(2, { stream: 99, seq, data: 'x'.repeat(100_000) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await worker.control('close')).reason).toContain('slow_consumer');
  expect(await bridge.request('b1', 'bridge.echo', { value: 'unharmed' })).toEqual({ value: 'unharmed' });
});

it('kill -9 of the host fails pending calls immediately, and the next one works', async () => {
  const { handler } = endless();
  const worker = await rig.worker({ instance: 'profile-one', handlers: { 'tabs.get': handler } });
  const bridge = await rig.readyBridge();
  const reader = bridge.stream('b1', 'bridge.flood', { bytes: 512 * MIB });
  const call = coded(bridge.request('b1', 'tabs.get', { tab_id: 1 }));
  await reader.next();
  worker.kill('SIGKILL');
  expect((await within(200_000, call, 'the call to fail')).code).toBe('browser_disconnected');
  const rest = async (): Promise<void> => {
    while ((await reader.next()).done !== true);
  };
  expect((await coded(rest())).code).toBe('browser_disconnected');
  expect(bridge.browsers()[0]?.connected).toBe(false);
  await rig.worker({ instance: 'profile-one' });
  expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
  expect(bridge.browsers()[0]?.reconnects).toBe(1);
});

it.each(sample(['reading', 'ready'], 2))(
  'kill -9 of a server that is %s leaves host and other servers unharmed',
  async (when) => {
    const { worker, bridge } = await rig.connected(HOST_HERE);
    const { child, printed } = spawnServer(2_048 * MIB);
    await printed(when);
    child.kill('SIGKILL');
    expect((await worker.control('close')).channel).toBe(2);
    expect(await bridge.request('b1', 'bridge.echo', { value: 'unharmed' })).toEqual({ value: 'unharmed' });
    await spawnServer(MIB).printed('read 1048576 of 1048576');
    expect(worker.outputError).toBeNull();
  },
);

it('SIGSTOP of the host is noticed by the heartbeat', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { worker, bridge } = await rig.connected();
  worker.kill('SIGSTOP');
  const call = coded(bridge.request('b1', 'bridge.echo', { value: 'lost' }));
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(3 * LIMITS.heartbeatIntervalMs);
  const error = await within(200_000, call, 'the call to fail');
  expect(error).toMatchObject({ code: 'browser_disconnected' });
  expect(error.message).toContain('heartbeat');
  worker.kill('SIGCONT');
  expect(await bridge.request('b1', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
});

it('a host without a proof closes the connection', async () => {
  const worker = await rig.worker(HOST_HERE);
  // Only now: it is also the time that a host gives to its browser.
  vi.stubEnv('SPILLWAY_CONNECT_TIMEOUT_MS', '1000');
  onTestFinished(() => void vi.unstubAllEnvs());
  const [host] = readRegistrations(rig.directory);
  if (host === undefined) throw new Error('The host has not registered.');
  const socket = connect(host.registration.socket);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  await within(200_000, closed, 'the host to give up');
  expect(heard).toContain('host_no_hello');
  expect(worker.controls.some((control) => control.type === 'open')).toBe(false);
});
