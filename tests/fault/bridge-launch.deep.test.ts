import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BridgeClient } from '../../server/bridge/index.ts';
import { BridgeRig, coded } from '../support/bridge-rig.ts';
import { findProcesses, waitForNoProcess } from '../support/processes.ts';
import { within } from '../support/within.ts';

/** A browser starts as fast as the machine is. */
vi.mock(import('../../shared/limits.ts'), async (original) => {
  const { LIMITS } = await original();
  return { LIMITS: { ...LIMITS, launchTimeoutMs: 300_000 as typeof LIMITS.launchTimeoutMs } };
});

/** A temporary folder of this test alone: whatever is started in it can be found by its name. */
let temporary: string;
let rig: BridgeRig;
const before = process.env['TMPDIR'];
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'spl-'));
  process.env['TMPDIR'] = temporary;
  rig = new BridgeRig();
});
afterEach(async () => {
  await rig.close();
  process.env['TMPDIR'] = before ?? '/tmp';
  await waitForNoProcess(temporary);
  rmSync(temporary, { recursive: true, force: true });
});

const launchFolders = (): string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('spillway-browser-'));

async function launchingBridge(): Promise<BridgeClient> {
  const bridge = rig.bridge({ launch: { headless: true } });
  await bridge.ready();
  return bridge;
}

/** The pid of the browser's main process: the one that has the profile and no type. */
function browserPid(): number {
  const found = findProcesses(temporary).find(
    ({ command }) => command.includes('--user-data-dir') && !command.includes('--type='),
  );
  if (found === undefined) throw new Error('No browser is running.');
  return found.pid;
}

describe('a private browser', () => {
  it('that is killed fails its calls at once, and the next call has a new one', async () => {
    const bridge = await launchingBridge();
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: 2 ** 31 });
    const reader = stream.chunks[Symbol.asyncIterator]();
    await reader.next();
    process.kill(browserPid(), 'SIGKILL');
    const rest = async (): Promise<void> => {
      while ((await reader.next()).done !== true);
    };
    const failure = await within(200_000, coded(rest()), 'the stream to fail');
    expect(['browser_disconnected', 'stream_corrupt']).toContain(failure.code);
    await bridge.ready();
    const [lost, fresh] = bridge.browsers();
    expect(lost).toMatchObject({ id: 'b1', connected: false });
    expect(fresh).toMatchObject({ id: 'b2', connected: true });
    expect(await bridge.request('b2', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
    expect((await coded(bridge.request('b1', 'bridge.echo', { value: '' }))).code).toBe(
      'browser_disconnected',
    );
  });

  it('does not outlive a server that is killed, and the next launch clears its profile away', async () => {
    const script = join(import.meta.dirname, '../support/launch-server.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const ready = new Promise((resolve) => lines.once('line', resolve));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    expect(await within(300_000, ready, 'the server to be ready')).toBe('ready');
    child.kill('SIGKILL');
    await exited;
    await waitForNoProcess(join(temporary, 'spillway-browser-'));
    const left = launchFolders();
    expect(left).toHaveLength(1);
    await launchingBridge();
    expect(launchFolders()).toHaveLength(1);
    expect(launchFolders()).not.toEqual(left);
  });
});
