import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeLength } from '../../../server/core/bridge/frames.ts';
import { readRefusals, readRegistrations } from '../../../server/core/bridge/registrations.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { rounds, sample } from '../../support/depth.ts';
import { BridgeRig } from '../../support/bridge-rig.ts';
import type { FakeWorker } from '../../support/fake-worker.ts';
import { within } from '../../support/within.ts';

vi.mock(import('../../../server/core/bridge/host/note.ts'), () => import('../../support/silent-note.ts'));

const OWN_PROCESS = { isHostHere: false };

let rig: BridgeRig;
beforeEach(() => void (rig = new BridgeRig({ isHostHere: true })));
afterEach(() => rig.close());

function header(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(4);
  writeLength(bytes, sizeBytes);
  return bytes;
}

function frameOf(text: string): Buffer {
  return Buffer.concat([header(Buffer.byteLength(text)), Buffer.from(text)]);
}

/** The host ended with this exit code and left nothing behind. */
async function expectEnd(worker: FakeWorker, code = 0): Promise<void> {
  expect(await within(50_000, worker.exited, 'the host to end')).toEqual({ code, signal: null });
  expect(worker.outputError).toBeNull();
  expect(rig.leftovers()).toEqual([]);
}

async function expectRefusal(worker: FakeWorker, code: string): Promise<void> {
  expect((await worker.control('refused')).code).toBe(code);
  await expectEnd(worker, 1);
}

describe('a native host', () => {
  it('says hello, registers in private, and leaves nothing when the browser goes', async () => {
    const worker = await rig.worker({ ...OWN_PROCESS, instance: 'instance-0001' });
    const hello = await worker.control('hello');
    expect(hello.pid).toBe(worker.pid);
    const [host] = readRegistrations(rig.directory);
    expect(host?.registration).toMatchObject({ pid: worker.pid, extension_instance: 'instance-0001' });
    expect(host?.isAlive).toBe(true);
    for (const name of [...rig.leftovers(), 'secret'])
      expect(statSync(join(rig.directory, name)).mode & 0o077, name).toBe(0);
    worker.hangUp();
    await expectEnd(worker);
  });

  it('refuses a caller that is not our extension', async () => {
    const worker = rig.silentWorker({
      ...OWN_PROCESS,
      origin: 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/',
    });
    await expectRefusal(worker, 'host_refused');
  });

  it('gives up on a worker that sends no hello', async () => {
    vi.stubEnv('SPILLWAY_CONNECT_TIMEOUT_MS', '1000');
    onTestFinished(() => void vi.unstubAllEnvs());
    const worker = rig.silentWorker();
    await expectRefusal(worker, 'host_no_hello');
  });

  it('leaves a note of an extension of another wire version until it is let in', async () => {
    const newer = rig.silentWorker({ instance: 'instance-0001', wire: { min: 7, max: 8 } });
    newer.sayHello();
    await within(50_000, newer.exited, 'the host to end');
    expect(readRefusals(rig.directory)).toMatchObject([
      { message: expect.stringContaining('update the native host'), host: VERSION },
    ]);
    for (const name of rig.leftovers()) expect(statSync(join(rig.directory, name)).mode & 0o077).toBe(0);
    await rig.worker({ instance: 'instance-0001' });
    expect(readRefusals(rig.directory)).toEqual([]);
  });

  it('registers again when its folder was deleted, and keeps the servers that it has', async () => {
    const worker = await rig.worker();
    const before = await rig.readyBridge();
    const [registered] = readRegistrations(rig.directory);
    rmSync(rig.directory, { recursive: true });
    await expect
      .poll(() => readRegistrations(rig.directory)[0]?.registration.socket ?? registered?.registration.socket)
      .not.toBe(registered?.registration.socket);
    expect(readRegistrations(rig.directory)[0]?.registration.pid).toBe(worker.pid);
    const after = await rig.readyBridge();
    expect([before, after].map((bridge) => bridge.browsers()[0]?.connected)).toEqual([true, true]);
    expect(worker.outputError).toBeNull();
  });

  const broken: readonly (readonly [string, Buffer, string])[] = [
    ['4 GiB announced', header(0xffff_ffff), 'frame_too_large'],
    ['broken JSON', frameOf('{"channel":0,"message":{"type":}}'), 'frame_malformed'],
  ];
  it.each(broken)('ends on %s', async (_what, bytes, code) => {
    const worker = await rig.worker();
    worker.write(bytes);
    await expectRefusal(worker, code);
  });

  it.each(sample(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, 3))('leaves nothing on %s', async (signal) => {
    const worker = await rig.worker(OWN_PROCESS);
    worker.kill(signal);
    await expectEnd(worker);
  });

  it('outlives servers that hang up before they have read its challenge', async () => {
    const worker = await rig.worker();
    const socketPath = readRegistrations(rig.directory)[0]?.registration.socket ?? '';
    for (let round = 0; round < rounds(20, 5); round += 1) {
      const socket = connect(socketPath);
      await once(socket, 'connect');
      socket.destroy();
      // Connections are accepted in order: a challenge proves that the previous one was written to.
      const next = connect(socketPath);
      await within(50_000, once(next, 'data'), 'a challenge');
      next.destroy();
    }
    worker.send(0, { type: 'ping', id: 7 });
    expect((await worker.control('pong', 2)).id).toBe(7);
  });

  it('clears away what a killed host left, and leaves other files and other hosts alone', async () => {
    const killed = await rig.worker(OWN_PROCESS);
    killed.kill('SIGKILL');
    await within(50_000, killed.exited, 'the host to be killed');
    expect(rig.leftovers()).toHaveLength(2);
    writeFileSync(join(rig.directory, 'notes.json'), '{"product":"another"}');
    const other = await rig.worker(OWN_PROCESS);
    const next = await rig.worker();
    const pids = readRegistrations(rig.directory).map((host) => host.registration.pid);
    expect(pids.toSorted()).toEqual([next.pid, other.pid].toSorted());
    expect(readFileSync(join(rig.directory, 'notes.json'), 'utf8')).toContain('another');
    expect(rig.leftovers()).toHaveLength(5);
  });

  it('does not use a directory that is a link', async () => {
    const link = join(rig.directory, 'link');
    symlinkSync(rig.directory, link);
    const worker = rig.silentWorker({ directory: link });
    worker.sayHello();
    expect((await worker.control('refused')).message).toContain('is a symbolic link');
    await within(50_000, worker.exited, 'the host to end');
    expect(existsSync(join(rig.directory, 'secret'))).toBe(false);
  });
});
