import { expect, it, onTestFinished } from 'vitest';
import type { FeedEvent } from '../../../shared/core/feed.ts';
import { CallsOfProgram, ResultsStore, RunItemsStore } from '../../../extension/ui/frame/results-store.ts';
import type { FeedAnswer } from '../../../extension/ui/frame/feed-port.ts';
import { UpstreamsStore } from '../../../extension/ui/frame/panel-feed.ts';
import { defer } from '../../../shared/base/async.ts';
import { RunsStore } from '../../../extension/ui/frame/home-lists.ts';
import { PATIENCE } from '../../support/patience.ts';

const ANSWER = { ok: true, value: 'tea', picture: null, state: {}, error: null, stored: null, notes: [] };

it('a call’s answer is read once, when it is opened, and one that comes late changes nothing', async () => {
  const late = defer<FeedAnswer<'call.result'>>();
  const read = [late.promise, Promise.resolve({ answer: ANSWER })];
  const store = new ResultsStore(() => read.shift() ?? Promise.reject(new Error('Not asked.')));
  const { answer, again } = store.of('home', 'c1');
  expect([answer.value, store.of('home', 'c1').answer]).toEqual(['reading', answer]);
  await again();
  late.resolve({ answer: null });
  await new Promise(setImmediate);
  expect(answer.value).toEqual(ANSWER);
});

it('a slow page of a program’s calls is shown though it continues meanwhile, and a read that succeeds ends a failure', async () => {
  const slow = defer<FeedAnswer<'runs.calls'>>();
  const asked: unknown[] = [];
  const ask = async ({ from }: { readonly from?: number | undefined }) => {
    if (asked.push(from) === 2) throw new Error('It has gone.');
    return from === undefined ? slow.promise : { calls: [], before: 1, after: null };
  };
  const calls = new CallsOfProgram(ask, { home: 'home', run_id: 'run_1' });
  const ended = [calls.refresh(), calls.refresh(), calls.refresh()];
  slow.resolve({ calls: [], before: null, after: 7 });
  await Promise.all(ended);
  expect([calls.page.value?.after, calls.failure.value?.message]).toEqual([7, 'It has gone.']);
  await calls.turn(7);
  expect([calls.page.value?.before, calls.failure.value]).toEqual([1, null]);
  expect(asked).toEqual([undefined, undefined, 7]);
});

const listOf = (...ids: readonly string[]): FeedAnswer<'upstreams.list'> => ({
  upstreams: ids.map((id) => ({ id, target: 'run', state: 'ready', problem: null, tools: 1, unaccepted: 0 })),
});

it('an answer that comes after a later one changes nothing', async () => {
  const early = defer<FeedAnswer<'upstreams.list'>>();
  const answers = [early.promise, Promise.resolve(listOf('new'))];
  const store = new UpstreamsStore(() => answers.shift() ?? Promise.reject(new Error('Not asked.')));
  onTestFinished(() => store.setServers([]));
  store.setServers(['s1']);
  await store.reload();
  early.resolve(listOf('old'));
  await early.promise;
  await new Promise(setImmediate);
  expect(store.all.value.map(({ id }) => id)).toEqual(['new']);
});

const NOT_ENDED = { ended_at_ms: null, error: null, output_handle: null };
const FACTS = { run_id: 'run_1', tool: 'crawl', source: 'https://shop.example/', has_arguments: true };
const progress = { done: 0, queued: 1, failed: 0, rate_per_second: 0 };
const RUN = { ...FACTS, ...NOT_ENDED, items: 0, size_bytes: 0, started_at_ms: 1, progress };
const step = (id: string, items: number): FeedEvent => ({
  type: 'run',
  phase: 'progress',
  ...{ ts: '2026-11-20T08:00:00.000Z', run_id: id, tool: 'crawl', items },
  progress: { done: items, queued: 3, failed: 1, rate_per_second: 2.5 },
});
const LINE = { id: 'w-1', ts: '2026-11-20T08:00:00.000Z', event: 'run_ended', run_id: 'run_1' };
const runEnded: FeedEvent = { type: 'run', phase: 'ended', line: LINE };

it('runs change with each step, and are asked for again when one ends, until it is stored', async () => {
  let reads = 0;
  let run: FeedAnswer<'runs.list'>['runs'][number] = { ...RUN, status: 'running' };
  const store = new RunsStore(async () => {
    reads += 1;
    await Promise.resolve();
    return { runs: [run], total: 1, next_offset: null };
  });
  store.setHomes(['one']);
  await expect.poll(() => store.state.value).toBe('ready');
  store.take([step('run_1', 7), step('run_9', 1)]);
  expect(store.rows.value[0]?.run).toMatchObject({ items: 7, progress: { failed: 1 } });
  expect(reads).toBe(1);
  store.take([runEnded]);
  await expect.poll(() => reads).toBe(2);
  run = { ...RUN, status: 'completed' };
  await expect.poll(() => store.rows.value[0]?.run.status, PATIENCE).toBe('completed');
});

/** A run of two items, of which a page has at most `pageMax`. */
class FakeRun {
  count = 2;
  pageMax = Infinity;
  readonly asked: string[] = [];
  readonly store = new RunItemsStore(async ({ offset = 0, limit = 100 }) => {
    this.asked.push(`${offset}+${limit}`);
    await Promise.resolve();
    const length = Math.max(0, Math.min(limit, this.count - offset, this.pageMax));
    return { items: upTo(length, offset), total: this.count, next_offset: offset + length };
  });

  get run() {
    return this.store.of('home', 'run_1');
  }

  step(): void {
    this.store.take('home', [step('run_1', this.count)]);
  }
}

const upTo = (length: number, from = 0): number[] => Array.from({ length }, (_, at) => from + at);

it('items of a run come as they are committed, where the last ones are shown', async () => {
  const fake = new FakeRun();
  await expect.poll(() => fake.run.items.value).toEqual([0, 1]);
  fake.count = 5;
  fake.store.take('other', [step('run_1', 5)]);
  fake.store.take('home', [step('run_2', 5)]);
  expect(fake.asked).toHaveLength(1);
  fake.step();
  await expect.poll(() => fake.run.items.value).toEqual(upTo(5));
  fake.pageMax = 10;
  fake.count = 45;
  fake.step();
  await expect.poll(() => fake.run.items.value).toEqual(upTo(45));
  // Items that arrive during a read are read afterwards, and the last ones at the end.
  const asked = fake.asked.length;
  for (fake.count = 46; fake.count < 55; fake.count += 1) fake.step();
  fake.store.take('home', [runEnded]);
  await expect.poll(() => fake.run.items.value).toEqual(upTo(55));
  expect(fake.asked.length - asked).toBeLessThan(6);
});
