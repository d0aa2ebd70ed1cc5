import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { entryAt, type HarEntry } from '../unit/network/replay.ts';
import { launched } from '../support/launched.ts';
import { PATIENCE } from '../support/patience.ts';

const { site, server } = await launched();
let tab = '';

beforeAll(async () => {
  tab = (await server.call('tabs', { action: 'open' })).json<{ opened: string }>().opened;
  const started = await server.call('network', { action: 'start', bodies: 'all' });
  expect(started.json()).toMatchObject({ tab, state: 'capturing', source: 'debugger', bodies: 'all' });
  await server.call('navigate', { url: `${site.url}/network/` });
  await titled('Network: done');
});
/** The page says in its title that it has made its last request. */
function titled(title: string): Promise<void> {
  return vi.waitFor(async () => {
    const { tabs } = (await server.call('tabs')).json<{ tabs: { title: string }[] }>();
    expect(tabs.map((one) => one.title)).toContain(title);
  }, PATIENCE);
}

async function slice(args: Record<string, unknown> = {}): Promise<HarEntry[]> {
  const answer = await server.call('network', { tab, output_inline_limit_bytes: 10_000_000, ...args });
  if (answer.isError) throw new Error(answer.text);
  return answer.json<HarEntry[]>();
}

it('a slice holds every request of the visit, without bodies unless asked', async () => {
  const entries = await slice();
  expect(entries.length).toBeGreaterThanOrEqual(47);
  expect(entries[0]?.request.url).toBe(`${site.url}/network/`);
  expect(entries.filter(({ response }) => response.content.text !== undefined)).toEqual([]);
  const ids = entries.map(({ _id }) => Number(_id.slice(1)));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

it('a slice holds what each kind of worker loads, once', async () => {
  const workers = await slice({ filter: { url: '**/text?by=*worker' } });
  const by = workers.map(({ request }) => new URL(request.url).searchParams.get('by'));
  expect(by.toSorted()).toEqual(['cross-frame-worker', 'service-worker', 'shared-worker', 'worker']);
});

it('secrets are in no answer and in no file of the server', async () => {
  await server.call('navigate', { tab, url: `${site.url}/network/secrets.html` });
  await titled('Secrets: done');
  const all = { tab, bodies: 'all', filter: { since: '1m' } };
  const entries = await slice(all);
  expect(entryAt(entries, 'secrets.html').response.status).toBe(200);
  const seen = entries.filter(({ request }) => !request.url.endsWith('secrets.html'));
  expect(JSON.stringify(seen)).toContain('«redacted:');
  expect(JSON.stringify(seen).match(/.{0,80}s3cret.{0,20}/g)).toBeNull();
  for (const format of ['entries', 'har'])
    await server.call('network', { ...all, format, output_mode: 'handle' });
  const files = await filesBelow(server.home);
  expect(files.length).toBeGreaterThan(3);
  const written = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  // The page itself names its secrets in its script, where they are words and no values.
  const [script] = entries.filter(({ request }) => request.url.endsWith('secrets.html'));
  const inScript = new Set((script?.response.content.text ?? '').match(/s3cret[\w-]*/g));
  for (const text of [...written, server.said()])
    for (const found of text.match(/s3cret[\w-]*/g) ?? []) expect(inScript).toContain(found);
});

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}
