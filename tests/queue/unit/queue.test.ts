import { once } from 'node:events';
import { createServer } from 'node:tls';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { cert, key } from '../../../fixtures/evil-certificate.ts';
import { readCrawlGraph } from '../../../fixtures/crawl-graph.ts';
import { systemClock as clock } from '../../../server/core/services.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { createPageQueue, inspectQueue, startWorker } from '../../../server/queue/index.ts';
import { KEYS, type Answer, type Asked } from '../../../server/queue/wire.ts';
import type { QueueWaits } from '../../../server/queue/connection.ts';
import type { ReadAsked, WorkerOptions } from '../../../server/queue/worker.ts';
import { forAll, readGraph } from '../../support/queue-worker.ts';
import { emptyPage, followHops, type HopSource, type SourceNote } from '../../../server/crawl/source.ts';
import { AddressGuard } from '../../../server/crawl/redirects.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { answerAt } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { GraphSource, SITE } from '../../crawl/unit/graph-source.ts';
import { runCrawl, type Item } from '../../crawl/unit/run-crawl.ts';

const graph = readCrawlGraph();
const redactor = createRedactor({ enabled: true });
let redis: TestRedis;

beforeAll(async () => void (redis = await startRedis()));

async function work(read: ReadAsked, special: Partial<WorkerOptions> = {}) {
  const worker = await startWorker({
    ...{
      place: redis,
      reader: forAll(read),
      redactor,
      logger,
      lanes: 4,
      jobMs: 5_000,
      jobBytes: 1_000_000,
    },
    ...special,
  });
  onTestFinished(() => worker.close());
  return worker;
}

async function open({ place = redis, ...waits }: { place?: { readonly queue: string }; waits?: QueueWaits }) {
  const queue = await createPageQueue({ place, redactor, sites: null, clock, logger, ...waits });
  onTestFinished(() => queue.close());
  return queue;
}

async function home(
  crawl: string,
  { guard = ofSite, ...options }: { guard?: AddressGuard } & Parameters<typeof open>[0] = {},
): Promise<HopSource> {
  const queue = await open(options);
  const pages = { crawl, render: 'never', format: 'markdown', mainContentOnly: false } as const;
  return queue.hops({ ...pages, guard });
}

const ofSite = new AddressGuard([`${SITE}/`]);
const ofTheSite = (items: readonly Item[]) =>
  items
    .map(({ url, depth, status, title, markdown, links, content_hash, error }) => ({
      ...{ url, depth, status, title, markdown, links, content_hash, error },
    }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));

test('three workers read the items that are read in place, and leave nothing in Redis', async () => {
  const here = new GraphSource(graph);
  const inPlace = await runCrawl(
    followHops(
      {
        hop: (href, signal) => here.page(href, signal),
        resource: (request) => here.resource(request),
        release: () => here.release(),
      },
      ofSite,
    ),
  );
  const there = new GraphSource(graph);
  const workers = [await work(readGraph(there)), await work(readGraph(there)), await work(readGraph(there))];
  const queued = await runCrawl(followHops(await home('run_A'), ofSite));
  expect(ofTheSite(queued.items)).toEqual(ofTheSite(inPlace.items));
  expect([...there.asked].sort()).toEqual([...here.asked].sort());
  for (const worker of workers) expect(worker.facts().done).toBeGreaterThan(0);
  expect(await redis.client.keys('spillway:answer:*')).toEqual([]);
});

test.each<[string, ReadAsked]>([
  ['response_timeout', () => new Promise(() => undefined)],
  ['internal_error', () => Promise.reject(new Error('It throws.'))],
])('a poisoned page that ends with %s is a page with that error', async (code, read) => {
  await work(read, { jobMs: 50 });
  const { facts } = await (await home('run_B')).hop(`${SITE}/page`, new AbortController().signal);
  expect(facts.error).toMatchObject({ code });
});

test('addresses and answers hold no secret in Redis, nor does a worker request a private address', async () => {
  const token = `ghp_x7Qm2Kp9Zt4Lw8Rv6Nb3Yc5Hd1Jf0GsAeUi0`;
  const asked: Asked[] = [];
  const source = new GraphSource(graph, { page: async () => ({ title: `Key ${token}` }) });
  await work((given, signal): Promise<Answer> => {
    asked.push(given);
    return readGraph(source)(given, signal);
  });
  const { signal } = new AbortController();
  const hops = await home('run_C');
  expect((await hops.hop(`${SITE}/?key=${token}`, signal)).facts.error).toMatchObject({
    code: 'url_not_allowed',
  });
  expect((await hops.hop(`${SITE}/key`, signal)).facts.title).toMatch(/^Key «redacted:/);
  expect((await hops.hop('http://127.0.0.1:1/', signal)).facts.error).toMatchObject({
    code: 'redirect_refused',
  });
  expect(asked.map(({ href }) => href)).toEqual([`${SITE}/key`]);
});

test('a host is left alone for the longest delay of those that ask, also by the others', async () => {
  const askedAt: number[] = [];
  let isAsked = (): void => undefined;
  const first = new Promise<void>((resolve) => (isAsked = resolve));
  const port = await answerAt((request, response) => {
    if (request.url === '/robots.txt') return void response.end('User-agent: *\nCrawl-delay: 0.15');
    askedAt.push(performance.now());
    isAsked();
    response.end();
  });
  const read: ReadAsked = async ({ kind, href }) => {
    const response = await fetch(href);
    const facts = { final_url: href, status: response.status, content_type: 'text/plain', error: null };
    if (kind === 'resource') return { kind, text: await response.text(), facts };
    const page = emptyPage(href, { code: '', message: '' });
    return { kind, ...page, links: [], content: '', facts: { ...page.facts, ...facts } };
  };
  await Promise.all([work(read), work(read)]);
  const crawl = async (run: string, args: object) => {
    const urls = [1, 2, 3].map((page) => `http://127.0.0.1:${port}/${run}/${page}`);
    const guard = new AddressGuard(urls);
    return runCrawl(followHops(await home(run, { guard }), guard), { urls, ...args });
  };
  const strict = crawl('run_D', {});
  await first;
  await Promise.all([strict, crawl('run_E', { respect_robots: false }), crawl('run_F', { delay_ms: 100 })]);
  const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
  expect(gaps).toHaveLength(8);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(150);
});

const { timeout: startMs } = PATIENCE;
const FEW = { startMs, awayMs: startMs, noWorkerMs: 300, lookMs: 20 };

test('a Redis that cannot be used is named, with the next step, by the home and by a worker', async () => {
  const locked = await startRedis();
  await locked.client.config('SET', 'requirepass', 'right');
  const secure = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  onTestFinished(() => void secure.close());
  const portOf = z.object({ port: z.int() }).parse(secure.address()).port;
  const rows = [
    [locked.queue, /WRONGPASS/, /--queue-password-file/, FEW],
    [`rediss://127.0.0.1:${portOf}`, /self-signed/, /NODE_EXTRA_CA_CERTS/, FEW],
    [
      'redis://127.0.0.1:1',
      /could not be reached for 0\.3 s: connect ECONNREFUSED/,
      /Check Redis/,
      { ...FEW, startMs: 300 },
    ],
  ] as const;
  vi.stubEnv('SPILLWAY_QUEUE_PASSWORD', 'wrong');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [queue, why, next, waits] of rows) {
    const place = { queue };
    const expected = {
      code: 'queue_unavailable',
      message: expect.stringMatching(new RegExp(`^Redis at ${queue.split('/')[2]} .*${why.source}`)),
      hint: expect.stringMatching(next),
    };
    await expect(home('run_G', { place, waits })).rejects.toMatchObject(expected);
    await expect(work(() => new Promise(() => undefined), { place, waits })).rejects.toMatchObject(expected);
  }
});

test('a page that no worker takes fails with no_worker, and can be asked again', async () => {
  const place = await startRedis();
  const hops = await home('run_G', { place, waits: FEW });
  const ask = () => hops.hop(`${SITE}/`, new AbortController().signal);
  await expect(ask()).rejects.toMatchObject({ code: 'no_worker', retryable: true });
  await work(readGraph(new GraphSource(graph)), { place });
  await expect.poll(() => ask().catch(() => null)).toMatchObject({ facts: { status: 200 } });
});

test('a Redis that stays away fails the page with queue_unavailable, and can be asked again', async () => {
  const place = await startRedis();
  const hops = await home('run_H', { place, waits: { ...FEW, awayMs: 300 } });
  await place.end();
  const ask = () => hops.hop(`${SITE}/`, new AbortController().signal);
  await expect(ask()).rejects.toMatchObject({
    code: 'queue_unavailable',
    message: expect.stringMatching(/127\.0\.0\.1:\d+ has not answered for 0\.3 s/),
  });
  await place.restart();
  await work(readGraph(new GraphSource(graph)), { place });
  await expect.poll(() => ask().catch(() => null)).toMatchObject({ facts: { status: 200 } });
});

test('doctor and run_status name the workers, and those of another version', async () => {
  const beat = { wire: 1, version: '9.9.9', lanes: 3, active: 0 };
  await redis.client.sadd(KEYS.workers, 'other');
  await redis.client.set(KEYS.worker('other'), JSON.stringify(beat));
  onTestFinished(async () => void (await redis.client.del(KEYS.worker('other'))));
  const other = expect.stringContaining('9.9.9');
  expect(await inspectQueue(redis)).toEqual({ evidence: ['workers: 0, lanes: 0'], warnings: [lone, other] });
  await work(readGraph(new GraphSource(graph)));
  const notes: SourceNote[] = [];
  (await home('run_F')).onNote?.((note) => notes.push(note));
  await expect.poll(() => notes).toContainEqual({ workers: { count: 1, lanes: 4, slowest: [] } });
  expect(await inspectQueue(redis)).toEqual({ evidence: ['workers: 1, lanes: 4'], warnings: [other] });
});

const lone = 'No worker of this version is there: start `spillway worker`.';
