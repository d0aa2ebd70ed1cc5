import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wideGraph } from '../../../fixtures/crawl-graph.ts';
import { systemClock as clock } from '../../../server/core/services.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { delay } from '../../../shared/base/async.ts';
import { createPageQueue, startWorker } from '../../../server/queue/index.ts';
import { followHops } from '../../../server/crawl/source.ts';
import { AddressGuard } from '../../../server/crawl/redirects.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { PATIENCE } from '../../support/patience.ts';
import { forAll, readGraph } from '../../support/queue-worker.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { GraphSource, SITE } from '../../crawl/unit/graph-source.ts';
import { Killed, MemoryDisk } from '../../crawl/unit/memory-run.ts';
import { runCrawl, type Item } from '../../crawl/unit/run-crawl.ts';

const SIZE = 750;
const HOME_EVERY = 10;
const OTHER_EVERY = 5;
const WIDE = { max_pages: SIZE, max_depth: 1_000, concurrency: 12 };
const program = await bundleProgram(new URL('../../support/queue-worker.ts', import.meta.url));
const guard = new AddressGuard([`${SITE}/`]);
const redactor = createRedactor({ enabled: true });

const sound = (items: readonly Item[]) =>
  items
    .map(({ url, status, title, markdown, links, error }) => ({ url, status, title, markdown, links, error }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));

test('200 kills of workers, Redis and the home: every page is there, and there once', async () => {
  const redis = await startRedis();
  const start = (): ChildProcess =>
    spawn(process.execPath, [program, redis.queue, `${SIZE}`], { stdio: 'ignore' });
  const workers = [start(), start(), start()];
  onTestFinished(() => workers.forEach((worker) => worker.kill('SIGKILL')));
  const disk = new MemoryDisk();
  const kills = { home: 0, redis: 0, worker: 0 };
  let isDone = false;
  let killedAt = 0;

  const killOthers = async (): Promise<void> => {
    for (let next = OTHER_EVERY; !isDone; next += OTHER_EVERY) {
      await vi.waitUntil(() => isDone || disk.items.length >= next, PATIENCE);
      killedAt = next;
      if ((next / OTHER_EVERY) % 3 === 0) {
        kills.redis += 1;
        await redis.restart();
        continue;
      }
      kills.worker += 1;
      const at = kills.worker % workers.length;
      workers[at]?.kill('SIGKILL');
      if (workers[at] !== undefined) await once(workers[at], 'exit');
      workers[at] = start();
    }
  };

  /** Crawls until its process would be killed, again and again. */
  const crawl = async (): Promise<readonly Item[]> => {
    for (;;) {
      const queue = await createPageQueue({ place: redis, redactor, sites: null, clock, logger });
      const pages = { crawl: 'run_A', render: 'never', format: 'markdown', mainContentOnly: false } as const;
      const source = followHops(queue.hops({ ...pages, guard }), guard);
      try {
        return (await runCrawl(source, WIDE, { disk, killAfter: disk.commits + HOME_EVERY })).items;
      } catch (thrown) {
        expect(thrown).toHaveProperty('cause', expect.any(Killed));
        kills.home += 1;
      } finally {
        await queue.close();
        // A quick crawl would be over before the kills.
        await vi.waitUntil(() => killedAt > disk.items.length - 2 * OTHER_EVERY, PATIENCE);
      }
    }
  };

  const killing = killOthers();
  const items = await crawl().finally(() => (isDone = true));
  await killing;
  const undisturbed = await runCrawl(new GraphSource(wideGraph(SIZE, 4)), WIDE);
  expect(sound(items)).toEqual(sound(undisturbed.items));
  expect(kills.home + kills.redis + kills.worker).toBeGreaterThanOrEqual(200);
}, 900_000);

const FEW = 150;
const few = wideGraph(FEW, 4);

test.each<[string, (redis: TestRedis) => Promise<unknown>]>([
  ['emptied', ({ client }) => client.flushall()],
  ['slow', ({ client }) => client.call('CLIENT', 'PAUSE', '2000', 'ALL')],
  [
    'full',
    async ({ client }) => {
      await client.config('SET', 'maxmemory', '1');
      await vi.waitUntil(async () => (await client.info('errorstats')).includes('OOM'), PATIENCE);
      await client.config('SET', 'maxmemory', '0');
    },
  ],
])('a crawl whose Redis is %s reads every page, and makes one item of it', async (_name, disturb) => {
  const redis = await startRedis();
  const slow = new GraphSource(few, { page: () => delay(10).then(() => null) });
  const worker = await startWorker({
    ...{ place: redis, reader: forAll(readGraph(slow)), redactor, logger },
    ...{ lanes: 8, jobMs: 60_000, jobBytes: 1_000_000 },
  });
  const queue = await createPageQueue({ place: redis, redactor, sites: null, clock, logger });
  const pages = { crawl: 'run_B', render: 'never', format: 'markdown', mainContentOnly: false } as const;
  const disk = new MemoryDisk();
  const crawling = runCrawl(followHops(queue.hops({ ...pages, guard }), guard), WIDE, { disk });
  await vi.waitUntil(() => disk.items.length > FEW / 5, PATIENCE);
  await disturb(redis);
  const { items } = await crawling;
  expect(sound(items)).toEqual(sound((await runCrawl(new GraphSource(few), WIDE)).items));
  await Promise.all([queue.close(), worker.close()]);
});
