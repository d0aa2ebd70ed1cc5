import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createRedactor } from '../../../server/redact/index.ts';
import { QueueConnection } from '../../../server/scale/connection.ts';
import { RUN_KEYS } from '../../../server/scale/run-wire.ts';
import { performRun } from '../../../server/scale/run-worker.ts';
import { QueueKey } from '../../../server/scale/key.ts';
import { openJob, pack, queueName } from '../../../server/scale/wire.ts';
import { runProgram } from '../../../server/toolkit/programs/program.ts';
import { forgetPage } from '../../../server/toolkit/programs/record.ts';
import { onAbort } from '../../../shared/async.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { type Marking, markTool, SHORT_LEASE_MS, startMarking } from '../../support/run-worker.ts';
import { testProvider } from '../../support/test-provider.ts';
import { PATIENCE } from '../../support/patience.ts';
import { MemoryDisk, MemoryScope } from '../crawl/memory-run.ts';
import { itDeep } from '../../support/depth.ts';

/* Private recipes and programs, which a home has a worker execute. */

vi.mock(import('../../../server/scale/run-wire.ts'), async (original) => ({
  ...(await original()),
  LISTEN_SECONDS: Number(0.1) as 5,
}));

let redis: TestRedis;
let key: QueueKey;
let QUEUE: string;
beforeAll(async () => {
  redis = await startRedis();
  key = QueueKey.read({});
  QUEUE = queueName(key);
});

const marks: string[] = [];
let stopped = '';
beforeEach(() => void marks.splice(0));

const mark = markTool(async (word, signal) => {
  marks.push(word);
  if (word.endsWith('held'))
    await new Promise<void>((resolve) => {
      onAbort(signal, () => resolve());
    }).then(() => (stopped = word));
});

async function work(runs: Marking = {}) {
  const worker = await startMarking(redis, mark, runs);
  onTestFinished(() => worker.close());
  return worker;
}

const STEPS = {
  ...{ version: 1, name: 'two_marks', title: 'Two marks', description: 'Marks.', browser: 'private' },
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
  steps: [
    { id: 'one', tool: 'mark', args: { word: '{{params.word}} one' } },
    { id: 'two', tool: 'mark', args: { word: '{{params.word}} two' } },
  ],
  output: { said: { $ref: 'steps.two.structured.word' } },
};
const marksOf = (word: string) => [`${word} one`, `${word} two`];
const script = (code: string) => ({ code, input: 'item ', browser: 'private' });
const THREE = script(`for (const n of [1, 2, 3]) emit(await tools.mark({ word: input + n }));`);
const recipe = (word: string) => ({ name: 'two_marks', args: { word } });

async function startHome() {
  const home = await startMemoryServer({ queue: redis.queue });
  onTestFinished(() => home.close());
  await home.call('recipe_save', { definition: STEPS });
  return home;
}

async function startInPlace(options: { readonly home?: string } = {}) {
  const inPlace = await startMemoryServer(options, { providers: [testProvider('marks', [mark])] });
  onTestFinished(() => inPlace.close());
  return inPlace;
}

const redactor = createRedactor({ enabled: true });
/** As a worker reports it. */
const say = async (run: string, said: JsonObject) =>
  redis.client.rpush(RUN_KEYS.said(run), await key.seal(['said', run], await pack(redactor.value(said))));

/** Starts a program, and tells how far it is. */
async function begin(home: Awaited<ReturnType<typeof startHome>>, args: JsonObject) {
  const started = await home.call('script', { ...args, async: true });
  const { run_id } = started.json<{ run_id: string }>();
  return { run_id, status: async () => (await home.call('run_status', { run_id })).json() };
}

/** The only job, which no worker has taken. */
async function nextJob(): Promise<{ readonly id: string; readonly data: string | null }> {
  const list = `bull:${QUEUE}:wait`;
  await expect.poll(() => redis.client.llen(list)).toBe(1);
  const [id = ''] = await redis.client.lrange(list, 0, 0);
  return { id, data: await redis.client.hget(`bull:${QUEUE}:${id}`, 'data') };
}

test('a private recipe and a private program have the same answer on a worker as in place', async () => {
  const inPlace = await startInPlace();
  await inPlace.call('recipe_save', { definition: STEPS });
  const home = await startHome();
  const worker = await work();
  for (const [tool, args] of [['recipe_run', recipe('say')] as const, ['script', THREE] as const])
    expect((await home.call(tool, args)).json()).toEqual((await inPlace.call(tool, args)).json());
  expect(worker.facts().done).toBe(2);
  expect(await redis.client.keys('spillway:run:*:said')).toEqual([]);
});

itDeep('recipes that start at once are done once each, by all workers', async () => {
  const home = await startHome();
  const workers = [await work({ lanes: 1 }), await work({ lanes: 1 })];
  const words = ['a', 'b', 'c', 'd', 'e'];
  const answers = await Promise.all(words.map((word) => home.call('recipe_run', recipe(word))));
  expect(answers.map((answer) => answer.json())).toEqual(words.map((word) => ({ said: `${word} two` })));
  expect(marks.toSorted()).toEqual(words.flatMap(marksOf));
  for (const worker of workers) expect(worker.facts().done).toBeGreaterThan(0);
});

test.each([
  ['a key', 'ghp_x7Qm2Kp9Zt4Lw8Rv6Nb3Yc5Hd1Jf0GsAeUi0'],
  ['the name of a secret', 'secret:MILL'],
])('a recipe whose arguments have %s enters no queue', async (_name, word) => {
  const home = await startHome();
  const jobs = () => redis.client.get(`bull:${QUEUE}:id`);
  const before = await jobs();
  expect((await home.call('recipe_run', recipe(word))).code()).toBe('queue_secret_refused');
  expect(await jobs()).toBe(before);
});

test('a Stop ends what a worker executes, and lets nothing start or go on', async () => {
  const home = await startHome();
  const worker = await work();
  home.bridge.addBrowser();
  const held = script(`for (const word of ['quick', 'stop held']) await tools.mark({ word });`);
  const { run_id, status } = await begin(home, held);
  await expect.poll(() => marks).toEqual(['quick', 'stop held']);
  await expect.poll(status).toMatchObject({ progress: { done: 1, queued: 1 } });
  home.bridge.answer({
    'crawl.begin': () => Promise.reject(new SpillwayError('agent_stopped', 'The person stopped it.')),
  });
  for (const [tool, args] of [['recipe_run', recipe('say')] as const, ['script', THREE] as const])
    expect((await home.call(tool, args)).code()).toBe('agent_stopped');
  await expect.poll(() => stopped).toBe('stop held');
  await expect.poll(() => worker.facts().active).toBe(0);
  expect((await home.call('run_resume', { run_id })).code()).toBe('agent_stopped');
  expect(marks).toEqual(['quick', 'stop held']);
});

test('a program may touch the private hosts that it names, and no others', async () => {
  const home = await startHome();
  const code =
    "const at = ['http://localhost:3000/', 'https://mill.example/', `https://${input}/`]; // (http://10.0.0.7)";
  const { run_id } = await begin(home, script(code));
  const { id, data } = await nextJob();
  const opened = await openJob(QueueKey.read({}), { id, data: JSON.parse(data ?? '') });
  expect(opened?.asked).toMatchObject({ private_sites: ['localhost', '10.0.0.7'] });
  await home.call('run_cancel', { run_id });
});

test('a program that throws or grows fails alone, and one that hangs in its time', async () => {
  const home = await startHome();
  const worker = await work();
  const grown = script(`emit('x'.repeat(200_000));`);
  const [sound, ...poisoned] = await Promise.all(
    [THREE, script(`throw new Error('poison');`), grown].map((args) => home.call('script', args)),
  );
  expect(sound?.isError).toBe(false);
  expect(poisoned.map((answer) => answer.code())).toEqual(['program_failed', 'program_limit']);
  await worker.close();
  await work({ runMs: 300 });
  expect((await home.call('script', script(`await sleep(50_000);`))).code()).toBe('timeout');
});

test('what a worker repeats is in Redis once, and what its home answers too; an unreadable report ends the run', async () => {
  const connection = await QueueConnection.open(redis);
  onTestFinished(() => connection.close());
  const execute = () => Promise.reject(new Error('No home lets it begin.'));
  const sites = { allowed_sites: null, denied_sites: [], private_sites: [] };
  const asked = { kind: 'run', run: 'run_AWAY', tool: 'script', args: {}, recipe: null, ...sites } as const;
  const work = { connection, key, redactor, execute, job: 'A', runMs: 60_000, stepBytes: 1_000, awayMs: 350 };
  await performRun(asked, work);
  expect(await redis.client.llen(RUN_KEYS.said('run_AWAY'))).toBe(1);
  expect(await redis.client.ttl(RUN_KEYS.said('run_AWAY'))).toBeGreaterThan(0);
  // An attempt after the end leaves without waiting for the home.
  await redis.client.set(RUN_KEYS.over('A'), await key.seal(['over', 'A'], new Uint8Array()));
  await performRun(asked, { ...work, awayMs: Infinity });
  const home = await startHome();
  const { run_id, status } = await begin(home, THREE);
  const { id: job } = await nextJob();
  for (let copy = 0; copy < 2; copy += 1)
    await say(run_id, { kind: 'began', job, attempt: 'A', version: '1' });
  await redis.client.rpush(
    RUN_KEYS.said(run_id),
    await key.seal(['said', run_id], Buffer.from('unreadable')),
  );
  await expect.poll(status).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
  // The record, and that it has ended.
  expect(await redis.client.llen(RUN_KEYS.told(run_id, 'A'))).toBe(2);
});

test('what an attempt said before another began is not taken again', async () => {
  const home = await startHome();
  const { run_id, status } = await begin(home, THREE);
  const { id: job } = await nextJob();
  for (const attempt of ['A', 'B', 'A']) {
    await say(run_id, { kind: 'began', job, attempt, version: '1' });
    const step = { kind: 'step', seq: 1, changes: [], is_durable: true } as const;
    await say(run_id, { ...step, attempt, items: [attempt] });
  }
  await expect.poll(() => redis.client.llen(RUN_KEYS.said(run_id))).toBe(0);
  await say(run_id, { kind: 'progress', attempt: 'B', progress: { done: 7, queued: 0, failed: 0 } });
  await expect.poll(status).toMatchObject({ items: 2, progress: { done: 7 } });
  await home.call('run_cancel', { run_id });
});

itDeep('a worker whose browser does not start leaves the run to another, and counts as gone', async () => {
  const home = await startHome();
  await work({ execute: () => Promise.reject(new SpillwayError('browser_launch_failed', 'It has none.')) });
  await expect.poll(() => redis.client.keys('spillway:worker*')).toHaveLength(2);
  const answer = home.call('script', THREE);
  await expect.poll(() => redis.client.keys('spillway:worker*')).toEqual([]);
  await work();
  expect((await answer).isError).toBe(false);
});

itDeep(
  'run_cancel ends the call that a worker makes, and no server without the queue continues it',
  async () => {
    const home = await startHome();
    const worker = await work();
    const { run_id } = await begin(home, script(`await tools.mark({ word: 'held' });`));
    await expect.poll(() => marks).toEqual(['held']);
    expect((await home.call('run_cancel', { run_id })).json()).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => stopped).toBe('held');
    await expect.poll(() => worker.facts().active).toBe(0);
    expect(await redis.client.keys(RUN_KEYS.over('*'))).not.toEqual([]);
    const inPlace = await startInPlace({ home: home.home });
    expect((await inPlace.call('run_resume', { run_id })).code()).toBe('queue_unavailable');
    expect((await inPlace.call('run_status', { run_id })).json()).toMatchObject({ status: 'cancelled' });
    expect(marks).toEqual(['held']);
  },
);

test('an act of a worker that is gone is unknown, and made once: another one continues as the agent decides', async () => {
  const home = await startHome();
  const lease = { lanes: 1, leaseMs: SHORT_LEASE_MS };
  const gone = await work(lease);
  const code = `for (const word of ['one', 'held', 'two']) emit((await tools.mark({ word })).word);`;
  const { run_id, status } = await begin(home, script(code));
  await expect.poll(() => marks).toEqual(['one', 'held']);
  // It has none any more if this process was stopped for long.
  await redis.client.del('none', ...(await redis.client.keys('bull:*:lock')));
  const next = await work(lease);
  await expect
    .poll(status, PATIENCE)
    .toMatchObject({ status: 'failed', items: 1, error: { code: 'outcome_unknown' } });
  await expect.poll(() => stopped).toBe('held');
  await Promise.all([gone.close(), next.close()]);
  const resumed = home.call('run_resume', { run_id, outcome: 'skip', result: { word: 'skipped' } });
  // Neither a worker of before, nor one that dies after its first step, uses up the decision.
  const { id: job } = await nextJob();
  await say(run_id, { kind: 'began', job: 'before', attempt: 'A', version: '1' });
  await say(run_id, { kind: 'began', job, attempt: 'B', version: '1' });
  const changes = [[['failure']], [['end', 1]]];
  await say(run_id, { kind: 'step', attempt: 'B', seq: 1, items: [], changes, is_durable: true });
  await work();
  expect((await resumed).json()).toEqual(['one', 'skipped', 'two']);
  expect(marks).toEqual(['one', 'held', 'two']);
  const { lines } = (await home.call('run_log', { run_id })).json<{
    lines: { event: string; call?: number }[];
  }>();
  expect(lines.filter(({ event }) => event === 'call_on_worker').map(({ call }) => call)).toEqual([1, 2, 3]);
});

const failure = (id: number, code = 'timeout') => ({ id, code, place: id - 1 });
test.each<[string, string, ReturnType<typeof failure> | null, string, readonly number[]]>([
  ['what only read is made again', 'navigate read_page', null, '', []],
  ['from the last page on', 'navigate read_page navigate read_page', null, '', [1, 2]],
  ['but not after an act', 'navigate interact read_page', null, '', [1, 2, 3]],
  ['nor if the act may have been done', 'navigate ?interact', null, '', [1, 2]],
  ['unless it is to be made again', 'navigate ?interact', failure(2, 'outcome_unknown'), 'retry', []],
  ['or has failed', 'navigate interact', failure(2), '', []],
  ['without a page, nothing', 'read_page read_page', null, '', [1, 2]],
  ['nor once it has returned', 'navigate read_page returned', null, '', [1, 2]],
])('a new browser: %s', async (_name, calls, failed, decision, left) => {
  const scope = new MemoryScope(new MemoryDisk());
  await scope.commit({
    change({ put }) {
      calls.split(' ').forEach((call, at) => {
        if (call === 'returned') return put(['returned'], true);
        const name = call.replace('?', '');
        const begun = { kind: 'tool', name, hash: '', args: { url: 'https://mill.example/' } };
        put(['begun', at + 1], scope.redact(begun));
        if (call === name) put(['end', at], scope.redact({ id: at + 1, at: 0, isError: false }));
      });
      if (failed !== null) put(['failure'], scope.redact(failed));
    },
  });
  const onlyReads = (name: string): boolean => name !== 'interact';
  const decided = decision === '' ? null : { do: decision };
  await scope.commit({ change: (change) => forgetPage(change, { onlyReads, decision: decided }) });
  const ids = [...scope.state.range({ start: ['begun'], end: ['begun', Infinity] })].map(({ key }) => key[1]);
  expect(ids).toEqual(left);
});

test.each(['return [1, 2];', 'emit(1); emit(2);'])(
  'a program whose end is lost has its items once: %s',
  async (code) => {
    const disk = new MemoryDisk();
    const registry = { find: () => undefined, all: () => [], isExpected: () => false };
    const services = { registry, now: () => 0, call: () => Promise.reject(new Error('It makes no calls.')) };
    for (const scope of [new MemoryScope(disk), new MemoryScope(disk)])
      await runProgram({ code, input: null }, scope, { services });
    expect(disk.items).toEqual([1, 2]);
  },
);
