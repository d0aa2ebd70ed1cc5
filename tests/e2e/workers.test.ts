import { beforeAll, expect, test } from 'vitest';
import { createBridge } from '../../server/bridge/index.ts';
import { executeInOwnBrowser } from '../../server/cli/worker-runs.ts';
import { systemClock as clock } from '../../server/core/services.ts';
import { createRedactor } from '../../server/redact/index.ts';
import { BrowserPool, startWorker } from '../../server/scale/index.ts';
import { silentLogger as logger } from '../support/app-options.ts';
import { atEndOfFile } from '../support/end-of-file.ts';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { startRedis } from '../support/redis.ts';

/* A worker with real private browsers. */

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const page = (name: string, price: number): string =>
  `<!doctype html><title>${name}</title><h1>${name}</h1><p class=price>${price}</p>
   <button onclick="document.title = 'Ordered'">Order</button><a href=/rye>Rye</a>`;

let site: FileSite;
let home: MemoryServer;

beforeAll(async () => {
  const redis = await startRedis();
  const launch = { headless: true, browserPath: null, args: [] };
  const pool = new BrowserPool(1, () => createBridge({ launch, logger, clock }));
  const worker = await startWorker({
    ...{ place: redis, reader: pool.reader, logger, lanes: 2 },
    ...{ redactor: createRedactor({ enabled: true }), jobMs: 30_000, jobBytes: 1_000_000 },
    runs: { execute: executeInOwnBrowser({ logger, launch }), runMs: 60_000 },
  });
  site = await serveFiles({ '/': file(page('Wheat', 3), HTML), '/rye': file(page('Rye', 2), HTML) });
  home = await startMemoryServer({ queue: redis.queue });
  atEndOfFile(async () => {
    await home.close();
    await worker.close();
    await pool.close();
  });
});

test('a private recipe opens a page in a browser of its own, and acts there', async () => {
  const definition = {
    ...{ version: 1, name: 'order', title: 'Order', description: 'Orders.', browser: 'private' },
    parameters: { type: 'object', properties: { url: { type: 'string' } } },
    steps: [
      { id: 'open', tool: 'navigate', args: { url: { $ref: 'params.url' } } },
      {
        id: 'act',
        tool: 'interact',
        args: { steps: [{ do: 'click', target: { role: 'button', name: 'Order' } }] },
      },
      { id: 'read', tool: 'read_page' },
    ],
    output: { text: { $ref: 'steps.read.text' }, title: { $ref: 'steps.read.state.title' } },
  };
  await home.call('recipe_save', { definition });
  const answer = await home.call('recipe_run', { name: 'order', args: { url: site.url('/') } });
  expect(answer.json()).toMatchObject({ text: expect.stringContaining('Wheat'), title: 'Ordered' });
});

test('extract_data reads the pages of a queued crawl on workers', async () => {
  const crawled = await home.call('crawl', { url: site.url('/'), max_pages: 2, async: true });
  const { run_id: run } = crawled.json<{ run_id: string }>();
  const { runs } = home;
  await (await runs()).wait(run, { timeoutMs: 60_000, ...NO_SIGNAL });
  const schema = { type: 'object', properties: { price: { type: 'number' } } };
  const records = await home.call('extract_data', { run, schema, selectors: { price: '.price' } });
  expect(records.json()).toEqual([
    { page: site.url('/'), record: { price: 3 } },
    { page: site.url('/rye'), record: { price: 2 } },
  ]);
});

const NO_SIGNAL = { signal: new AbortController().signal, progress: () => undefined };
