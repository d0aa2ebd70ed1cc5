import { expect, it } from 'vitest';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import { RunsStore } from '../../../extension/panel/feed/home-lists.ts';
import { PATIENCE } from '../../support/patience.ts';
import type { Answer } from '../../../extension/panel/feed-protocol.ts';

const runOf = (n: number, rest: object = {}): Answer<'runs'>['runs'][number] => ({
  run_id: `run_${n}`,
  tool: 'crawl',
  status: 'running',
  items: 0,
  size_bytes: 0,
  started_at_ms: n,
  progress: { done: 0, queued: 1, failed: 0, rate_per_second: 0 },
  ended_at_ms: null,
  error: null,
  output_handle: null,
  source: 'https://shop.example/',
  has_arguments: true,
  ...rest,
});

const step = (id: string, items: number): FeedEvent => ({
  type: 'run',
  phase: 'progress',
  ts: '2026-11-20T08:00:00.000Z',
  run_id: id,
  tool: 'crawl',
  progress: { done: items, queued: 3, failed: 1, rate_per_second: 2.5 },
  items,
});
const ended: FeedEvent = {
  type: 'run',
  phase: 'ended',
  line: { id: 'w-1', ts: '2026-11-20T08:00:00.000Z', event: 'run_ended' },
};

it('runs change with each step, and are asked for again when one ends, until it is stored', async () => {
  let reads = 0;
  let run = runOf(1);
  const store = new RunsStore(async () => {
    reads += 1;
    await Promise.resolve();
    return { runs: [run], next_offset: null };
  });
  store.setHomes(['one']);
  await expect.poll(() => store.state.value).toBe('ready');
  store.take([step('run_1', 7), step('run_9', 1)]);
  expect(store.runs.value[0]?.run).toMatchObject({ items: 7, progress: { failed: 1 } });
  expect(reads).toBe(1);
  store.take([{ ...ended, line: { ...ended.line, run_id: 'run_1' } }]);
  await expect.poll(() => reads).toBe(2);
  run = runOf(1, { status: 'completed' });
  await expect.poll(() => store.runs.value[0]?.run.status, PATIENCE).toBe('completed');
});
