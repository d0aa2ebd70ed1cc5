import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundleProgram } from '../support/bundle-program.ts';
import { PATIENCE } from '../support/patience.ts';
import { startRedis } from '../support/redis.ts';
import { startServer } from '../support/stdio-server.ts';
import { testFolder } from '../support/test-folder.ts';

const RECIPES = 50;
const STEPS = ['one', 'two', 'three', 'four'];
/** Marks between two kills. */
const EVERY = 5;
const program = await bundleProgram(new URL('../support/run-worker.ts', import.meta.url));

const RECIPE = {
  ...{ version: 1, name: 'marks', title: 'Marks', description: 'Marks.', browser: 'private' },
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
  steps: STEPS.map((id) => ({ id, tool: 'mark', args: { word: `{{params.word}} ${id}` } })),
};

interface Status {
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

test('fifty recipes at once, through kills of workers, Redis and the home: each act is made once', async () => {
  const folder = testFolder();
  const [home, file] = [join(folder, 'home'), join(folder, 'marks')];
  mkdirSync(join(home, 'recipes'), { mode: 0o700, recursive: true });
  writeFileSync(join(home, 'recipes', 'marks.json'), JSON.stringify(RECIPE), { mode: 0o600 });
  const marks = (): readonly string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const redis = await startRedis();
  const start = (): ChildProcess =>
    spawn(process.execPath, [program, redis.queue, file], { stdio: 'ignore' });
  const workers = [start(), start(), start()];
  onTestFinished(() => workers.forEach((worker) => worker.kill('SIGKILL')));
  const startHome = () => startServer({ home, args: ['--queue', redis.queue, '--tools', 'default,recipes'] });
  let server = await startHome();
  const kills = { home: 0, redis: 0, worker: 0 };
  const killers = [
    async () => {
      kills.worker += 1;
      const at = kills.worker % workers.length;
      const worker = workers[at];
      // None has ended by itself.
      expect(worker?.exitCode).toBeNull();
      if (worker?.kill('SIGKILL') === true) await once(worker, 'exit');
      workers[at] = start();
    },
    async () => {
      kills.redis += 1;
      await redis.restart();
    },
    async () => {
      kills.home += 1;
      process.kill(server.pid, 'SIGKILL');
      await server.close().catch(() => undefined);
      server = await startHome();
    },
  ];

  const begun = await Promise.all(
    Array.from({ length: RECIPES }, (_, at) =>
      server.call('recipe_run', { name: 'marks', args: { word: `r${at}` }, async: true }),
    ),
  );
  const open = new Set(begun.map((answer) => answer.json<{ run_id: string }>().run_id));

  /** As an agent does: it looks whether an act of unknown outcome was made. */
  const goOn = async (run_id: string): Promise<void> => {
    const { status, error } = (await server.call('run_status', { run_id })).json<Status>();
    if (status === 'completed') return void open.delete(run_id);
    if (status !== 'failed' && status !== 'interrupted') return;
    const [, word = ''] = /"word":"([^"]+)"/.exec(error?.message ?? '') ?? [];
    const isUnknown = error?.code === 'outcome_unknown';
    const outcome = marks().includes(word) ? 'skip' : 'retry';
    await server.call('run_resume', { run_id, async: true, ...(isUnknown ? { outcome } : {}) });
  };

  const kill = async (): Promise<void> => {
    for (let next = EVERY; open.size > 0; next = marks().length + EVERY) {
      await vi.waitUntil(() => open.size === 0 || marks().length >= next, PATIENCE);
      await killers[(kills.worker + kills.redis + kills.home) % killers.length]?.();
    }
  };
  const killing = kill();
  while (open.size > 0) {
    // A call may lose its home.
    for (const run_id of open) await goOn(run_id).catch(() => undefined);
    // A home that is closed refuses in the same turn.
    await nextTurn();
  }
  await killing;
  const expected = Array.from({ length: RECIPES }, (_, at) => STEPS.map((id) => `r${at} ${id}`)).flat();
  expect(marks().toSorted()).toEqual(expected.toSorted());
  expect(kills.home + kills.redis + kills.worker).toBeGreaterThanOrEqual(20);
}, 900_000);
