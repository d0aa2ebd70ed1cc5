import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { MAPPED_HOST } from '../../support/browser.ts';
import { calling, servePages } from '../../support/calling.ts';
import { redirect } from '../../support/file-site.ts';
import { lendContext } from '../../support/lent-browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer } from '../../support/stdio-server.ts';

/* A person may look at any page; every tool refuses the pages that an agent may not see. */
const OWN = `chrome-extension://${EXTENSION_ID}/install/popup/popup.html`;

const site = await servePages(
  { mill: '<title>Mill</title><h1>hello</h1><script>console.log("of the site")</script>' },
  { '/away': redirect(OWN) },
);
const MILL = site.url('/mill', MAPPED_HOST);
const { context, serverEnv: env } = await lendContext();
const server = await startServer({ env });
const { ok } = calling(() => server);
const page = await context.newPage();
beforeEach(() => page.goto(MILL));

async function tabAt(url: string): Promise<string> {
  const list = (await server.call('tabs')).json<{ tabs: { tab: string; url: string }[] }>();
  return list.tabs.find((tab) => tab.url === url)?.tab ?? '';
}

const TOOLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['read_page', { format: 'text' }],
  ['read_page', { format: 'snapshot' }],
  ['screenshot', {}],
  ['console', {}],
  ['interact', { steps: ['click css=body'] }],
  ['extract_data', { schema: { type: 'object', properties: { a: { type: 'string' } } } }],
  ['oc_evidence_bundle', {}],
];

describe.each(['chrome://version/', OWN])('%s', (url) => {
  it.each(sample(TOOLS, url === OWN ? 7 : 4))('is kept from %s %j', async (tool, args) => {
    await page.goto(url);
    const answer = await server.call(tool, { ...args, tab: await tabAt(url) });
    expect(answer.isError, answer.text.slice(0, 300)).toBe(true);
    expect(answer.code(), answer.text).toBe('page_forbidden');
  });

  it('is opened by no tool', async () => {
    for (const tool of ['navigate', 'tabs', 'fetch', 'crawl']) {
      const args = tool === 'tabs' ? { action: 'open', url } : { url };
      expect((await server.call(tool, args)).code(), tool).toBe('url_not_allowed');
    }
  });
});

it.each(sample(['chrome://version/', OWN], 2))(
  '%s ends the capture of a tab that comes to it, and nothing of it is captured',
  async (url) => {
    const tab = await tabAt(MILL);
    await ok('network', { action: 'start', tab });
    await page.goto(url);
    await vi.waitFor(async () => expect(await tabAt(url)).toBe(tab), PATIENCE);
    expect((await server.call('console', { tab })).code()).toBe('page_forbidden');
    await page.reload();
    const slice = await server.call('network', { action: 'slice', tab });
    expect(slice.text).not.toContain('popup');
    expect(slice.text).not.toContain('chrome://');
  },
);

it('a site leads no tool there by a redirect', async () => {
  const url = site.url('/away', MAPPED_HOST);
  const answer = await server.call('navigate', { url, tab: await tabAt(MILL) });
  expect(answer.isError).toBe(true);
  expect((await server.call('read_page', { format: 'text' })).text).not.toContain('Spillway');
});
