import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { built, SERVER } from '../../../scripts/lib/server-process.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { answerAt } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startRedis } from '../../support/redis.ts';
import { startServer } from '../../support/stdio-server.ts';
import { testFolder } from '../../support/test-folder.ts';
import { itDeep } from '../../support/depth.ts';

type Item = { readonly url: string; readonly markdown?: string; readonly error?: { readonly code: string } };

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly progress: { readonly workers?: object };
}

const grow = (more: string): string => `<script>const all = []; for (;;) all.push(${more})</script>`;
const GROWS: Readonly<Record<string, string>> = {
  '/grows': grow('new Array(1e6).fill(all.length + 0.5)'),
  '/buffers': grow('new Uint8Array(2e7).fill(1)'),
};
const asked: { readonly path: string; readonly cookie: string }[] = [];
const held: (() => void)[] = [];
let isHeld = true;

const port = await answerAt(({ url: path = '', headers: { cookie = '' } }, response) => {
  if (path === '/robots.txt') return void response.writeHead(404).end();
  asked.push({ path, cookie });
  response
    .setHeader('content-type', 'text/html')
    .setHeader('set-cookie', `of${path.split('/')[1]}=1; path=/`);
  const links = path.endsWith('/') ? [1, 2, 3, 'held'].map((to) => `<a href="${path}${to}">${to}</a>`) : [];
  const page = `<title>Page</title><h1>Text of ${path}</h1>${links.join('')}`;
  const answer = (): void => void response.end(GROWS[path] ?? page);
  if (path.endsWith('/held') && isHeld) held.push(answer);
  else answer();
});
const site = `http://127.0.0.1:${port}`;
const release = (): void => held.splice(0).forEach((answer) => answer());
const redis = await startRedis();
const socketPath = join(testFolder(), 'health.sock');

function startWorker(env: NodeJS.ProcessEnv = {}) {
  const limits = '--lanes 3 --job-megabytes 1 --log-level info'.split(' ');
  const flags = ['--queue', redis.queue, '--health-socket', socketPath, ...limits];
  const child = spawn(process.execPath, [built(SERVER), 'worker', ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  atEndOfFile(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // Its exit may be reported before its last words are read.
  return { child, exited: once(child, 'close'), stderr: () => stderr };
}

const health = async (): Promise<unknown> => {
  const [response] = await once(request({ socketPath }).end(), 'response');
  return { status: response.statusCode, ...JSON.parse(await text(response)) };
};

const worker = startWorker();
const { call } = await startServer({ args: ['--queue', redis.queue, '--sync-wait-ms', '55000'] });
await vi.waitUntil(() => health().catch(() => null), PATIENCE);

const start = async (args: object): Promise<string> =>
  (await call('crawl', { ...args, async: true })).json<Run>().run_id;
const run = async (run_id: string): Promise<Run> => (await call('run_status', { run_id })).json<Run>();
const items = async (run_id: string): Promise<readonly Item[]> =>
  (await call('run_output', { run_id, offset: 0 })).json<{ content: Item[] }>().content;
const crawl = async (args: object): Promise<readonly Item[]> =>
  (await call('crawl', { ...args, output_mode: 'inline' })).json();

test('a crawl is read by a worker: progress, cancel and resume, and no cookie of another crawl', async () => {
  expect(await health()).toMatchObject({ status: 200, isConnected: true, active: 0 });
  expect(statSync(socketPath).mode & 0o777).toBe(0o600);
  const run_id = await start({ url: `${site}/a/` });
  await expect.poll(() => held).toHaveLength(1);
  const slowest = [{ host: `127.0.0.1:${port}`, mean_ms: expect.any(Number) }];
  await expect
    .poll(async () => (await run(run_id)).progress.workers)
    .toEqual({ count: 1, lanes: 3, slowest });
  expect((await call('run_cancel', { run_id })).json<Run>().status).toBe('cancelled');
  isHeld = false;
  release();
  const texts = (items: readonly Item[]) => items.map(({ markdown }) => markdown?.trim()).sort();
  const of = (name: string) =>
    ['', '1', '2', '3', 'held'].map((page) => expect.stringContaining(`# Text of /${name}/${page}`));
  expect(texts(await crawl({ url: `${site}/b/` }))).toEqual(of('b'));
  await call('run_resume', { run_id });
  await expect.poll(async () => (await run(run_id)).status).toBe('completed');
  expect(texts(await items(run_id))).toEqual(of('a'));
  const cookies = (name: string) =>
    new Set(asked.filter(({ path }) => path.startsWith(`/${name}/`)).map(({ cookie }) => cookie));
  expect(cookies('a')).toEqual(new Set(['', 'ofa=1']));
  expect(cookies('b')).toEqual(new Set(['', 'ofb=1']));
});

itDeep('pages that grow without end crash, and cost the crawl no other page', async () => {
  const urls = [...Object.keys(GROWS), '/c/1', '/c/2'].map((path) => `${site}${path}`);
  const run_id = await start({ urls, max_depth: 0, render: 'always' });
  await expect.poll(() => run(run_id)).toMatchObject({ status: 'failed', error: { code: 'page_crashed' } });
  expect((await items(run_id)).map(({ error }) => error)).toEqual([undefined, undefined]);
  await expect.poll(worker.stderr).toContain('a page grew too large');
});

itDeep('extract_data reads the pages of a queued crawl on workers', async () => {
  const crawled = await start({ url: `${site}/g/`, max_pages: 2 });
  await expect.poll(async () => (await run(crawled)).status).toBe('completed');
  const schema = { type: 'object', properties: { text: { type: 'string' } } };
  const records = await call('extract_data', { run: crawled, schema, selectors: { text: 'h1' } });
  const of = (path: string) => ({ page: `${site}${path}`, record: { text: `Text of ${path}` } });
  expect(records.json()).toEqual([of('/g/'), of('/g/1')]);
});

itDeep('a worker that ends takes nothing more, and ends what it has begun', async () => {
  isHeld = true;
  const run_id = await start({ url: `${site}/d/`, concurrency: 1 });
  onTestFinished(async () => void (await call('run_cancel', { run_id })));
  await expect.poll(() => held).toHaveLength(1);
  worker.child.kill('SIGTERM');
  await expect.poll(worker.stderr).toContain('takes no more pages');
  await start({ url: `${site}/e/` });
  release();
  expect(await worker.exited).toEqual([0, null]);
  // The home fetches the answer from Redis, whether the worker is there or not.
  await expect
    .poll(async () => (await items(run_id)).map(({ markdown }) => markdown))
    .toContainEqual(expect.stringContaining('Text of /d/held'));
  expect(asked.filter(({ path }) => path.startsWith('/e/'))).toEqual([]);
});

test('a wrong password ends a worker, and is logged by a home that starts', async () => {
  await redis.client.config('SET', 'requirepass', 'right');
  const env = { SPILLWAY_QUEUE_PASSWORD: 'wrong' };
  const { exited, stderr } = startWorker(env);
  expect(await exited).toEqual([1, null]);
  expect(stderr()).toMatch(/WRONGPASS.*--queue-password-file.*queue_unavailable/s);
  const server = await startServer({ args: ['--queue', redis.queue], env });
  await expect.poll(server.said).toMatch(/queue_unavailable.*--queue-password-file.*WRONGPASS/s);
});
