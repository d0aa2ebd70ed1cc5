import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { whyNoHar } from '../unit/network/har.ts';
import { entryAt, type HarEntry } from '../unit/network/replay.ts';
import { launched } from '../support/launched.ts';
import { PATIENCE } from '../support/patience.ts';

const run = promisify(execFile);

const { site, server } = await launched();
/** The tab that has visited the site of all kinds of requests. */
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

describe('a slice', () => {
  it('holds every request of the visit, without bodies unless asked', async () => {
    const entries = await slice();
    expect(entries.length).toBeGreaterThanOrEqual(47);
    expect(entries[0]?.request.url).toBe(`${site.url}/network/`);
    expect(entries.filter(({ response }) => response.content.text !== undefined)).toEqual([]);
    const ids = entries.map(({ _id }) => Number(_id.slice(1)));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('holds what each kind of worker loads, once', async () => {
    const workers = await slice({ filter: { url: '**/text?by=*worker' } });
    const by = workers.map(({ request }) => new URL(request.url).searchParams.get('by'));
    expect(by.toSorted()).toEqual(['cross-frame-worker', 'service-worker', 'shared-worker', 'worker']);
  });
});

describe('a HAR document', () => {
  it('is valid, with pages and bodies', async () => {
    const args = { tab, format: 'har', bodies: 'all', output_inline_limit_bytes: 10_000_000 };
    const har = (await server.call('network', args)).json<{
      log: { entries: HarEntry[]; pages: object[]; browser: object };
    }>();
    expect(whyNoHar(har)).toBe('');
    expect(har.log.pages).toMatchObject([{ title: `${site.url}/network/` }]);
    expect(har.log.browser).toMatchObject({ name: expect.stringMatching(/chrom/i) as string });
  });
});

describe('curl', () => {
  it('makes the request again', async () => {
    const [entry] = await slice({ filter: { url: 'echo?json' } });
    const answer = await server.call('network', { tab, format: 'curl', filter: { id: entry?._id } });
    const { stdout } = await run('sh', ['-c', `${answer.text.trimEnd()} --silent`]);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      path: '/__/echo?json',
      body: '{"posted":"json"}',
      headers: { 'content-type': 'application/json' },
    });
  });
});

describe('secrets', () => {
  it('are in no answer and in no file of the server', async () => {
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
});

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

describe('captures', () => {
  it('continue without a gap when other bodies are requested', async () => {
    const opened = await server.call('tabs', { action: 'open' });
    const { opened: own } = opened.json<{ opened: string }>();
    await server.call('network', { action: 'start', tab: own, bodies: 'none' });
    await server.call('navigate', { tab: own, url: `${site.url}/__/frame?text=one` });
    await server.call('network', { action: 'start', tab: own, bodies: 'all' });
    await server.call('navigate', { tab: own, url: `${site.url}/__/frame?text=two` });
    const documents = await slice({ tab: own, bodies: 'all', filter: { type: ['document'] } });
    expect(
      documents.map(({ response: { content } }) => [content.comment, content.text?.includes('two')]),
    ).toEqual([
      ['body not kept: not_asked', undefined],
      [undefined, true],
    ]);
    await server.call('tabs', { action: 'close', tab: own });
    const answer = await server.call('network', { tab: own, output_mode: 'handle' });
    expect(answer.notes).toContain(`The capture of tab ${own} ended: tab_closed.`);
  });
});
