import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { defer } from '../../../shared/base/async.ts';
import { findBundledProgram } from '../../../server/core/bundled.ts';
import { loadSandbox } from '../../../server/programs/sandbox.ts';
import { SandboxMessage, type ProgramEvents } from '../../../server/programs/protocol.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const DATA = { input: '{}', now: 1, seed: 1 };
const ignore = (): void => undefined;
async function open(code: string, events: Partial<ProgramEvents> = {}) {
  const openSandbox = await loadSandbox();
  return openSandbox(
    { ...DATA, code },
    { call: ignore, emit: async () => undefined, log: ignore, rests: ignore, ...events },
  );
}

it('gives a program its recorded results, however soon they arrive', async () => {
  const quickjs = brotliDecompressSync(readFileSync(findBundledProgram('quickjs.wasm.br')));
  const workerData = await WebAssembly.compile(quickjs);
  const thread = new Worker(findBundledProgram('program-worker.js'), { workerData });
  const start = (): void => {
    thread.postMessage({ ...DATA, code: 'return tools.echo({})' });
    thread.postMessage([{ id: 1, isError: false, text: '"kept"', now: 2 }]);
  };
  const done = defer<void>();
  let left = 6;
  thread.on('message', (message) => {
    if (SandboxMessage.parse(message).type !== 'returned') return;
    left -= 1;
    if (left > 0) start();
    else done.resolve();
  });
  start();
  await done.promise;
  await thread.terminate();
});

it('starts no program in a thread that has just been ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await (
    await open('return 1')
  ).ended;
  vi.advanceTimersByTime(60_000);
  expect(await (await open('return 2')).ended).toEqual({ type: 'returned', text: '2' });
});

it('does not count what the rest of the process computes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  let spent = 0;
  const usage = (since?: NodeJS.CpuUsage) => ({ user: spent - (since?.user ?? 0), system: 0 });
  vi.spyOn(process, 'cpuUsage').mockImplementation(usage);
  const begun = defer<void>();
  const sandbox = await open('log("on"); for (;;);', { log: () => begun.resolve() });
  await begun.promise;
  vi.advanceTimersByTime(1_000);
  spent = 20_000_000;
  vi.advanceTimersByTime(1_000);
  expect(
    await Promise.race([sandbox.ended, new Promise<void>((resolve) => setImmediate(resolve))]),
  ).toBeUndefined();
  await sandbox.close(null);
});
