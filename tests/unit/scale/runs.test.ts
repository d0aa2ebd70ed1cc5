import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { executeInOwnBrowser } from '../../../server/cli/worker-runs.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { startWorker } from '../../../server/scale/index.ts';
import type { RunWork } from '../../../server/scale/run-worker.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

/* Private recipes and programs, which a home has a worker execute. */

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});

const marks: string[] = [];
const mark = testTool({
  name: 'mark',
  kind: 'direct',
  run: async (args) => {
    marks.push(JSON.stringify(args));
    return { payload: { kind: 'json', mimeType: 'application/json', value: args }, done: DONE };
  },
});
const DONE = Promise.resolve({ state: {}, coverage: [] });
const parts = { providers: [testProvider('marks', [mark])] };
const launch = { headless: true, browserPath: null, args: [] };

async function work(runs: Partial<RunWork> = {}) {
  const worker = await startWorker({
    ...{ place: redis, reader: () => Promise.reject(new Error('It reads no pages.')), logger },
    ...{ redactor: createRedactor({ enabled: true }), lanes: 4, jobMs: 5_000, jobBytes: 100_000 },
    runs: { execute: executeInOwnBrowser({ logger, launch }, parts), runMs: 20_000, ...runs },
  });
  onTestFinished(() => worker.close());
  return worker;
}

const STEPS = {
  version: 1,
  name: 'two_marks',
  title: 'Two marks',
  description: 'Makes two marks.',
  browser: 'private',
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
  steps: [
    { id: 'one', tool: 'mark', args: { word: '{{params.word}} one' } },
    { id: 'two', tool: 'mark', args: { word: '{{params.word}} two' } },
  ],
  output: { said: { $ref: 'steps.two.structured.word' } },
};
const CODE = `for (const n of [1, 2, 3]) emit(await tools.mark({ word: input + n }));`;
const SCRIPT = { code: CODE, input: 'item ', browser: 'private' };

test('a private recipe and a private program have the same answer on a worker as in place', async () => {
  const inPlace = await startMemoryServer({}, parts);
  const home = await startMemoryServer({ queue: redis.queue });
  const worker = await work();
  for (const server of [inPlace, home]) await server.call('recipe_save', { definition: STEPS });
  const run = { name: 'two_marks', args: { word: 'say' } };
  expect((await home.call('recipe_run', run)).json()).toEqual((await inPlace.call('recipe_run', run)).json());
  expect((await home.call('script', SCRIPT)).json()).toEqual((await inPlace.call('script', SCRIPT)).json());
  expect(worker.facts().done).toBe(2);
  expect(marks).toHaveLength(10);
  expect(await redis.client.keys('spillway:run:*:said')).toEqual([]);
});
