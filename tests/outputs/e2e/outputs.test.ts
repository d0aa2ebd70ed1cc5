import type { Page } from 'playwright';
import { beforeAll, expect, it, vi } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { expectAccessible, killWorker, openPanelTab } from '../../support/panel-rig.ts';
import { itDeep } from '../../support/depth.ts';

/* Agents' stored outputs, opened by a person in a tab: a real server, a real store and real calls. */

/** Several pages of text with a search term in each fiftieth line. */
const TEXT = Array.from({ length: 4_000 }, (_, at) =>
  at % 1_000 === 999 ? `line ${at}: Die Nadel im Heuhaufen — 针` : `line ${at}: <b>茶</b> und Kaffee`,
).join('\n');

let browser: TestContext;
let site: FileSite;
let server: StdioServer;
let page: Page;

/** A call during the worker's end fails, and its error suggests calling again. */
const store = (path: string): Promise<string> =>
  vi.waitFor(async () => {
    const answer = await server.call('fetch', { url: site.url(path), output_mode: 'handle' });
    expect(answer.text).toContain('"output_handle"');
    return answer.json<{ output_handle: string }>().output_handle;
  }, PATIENCE);
const rows = (): ReturnType<Page['locator']> => page.locator('.row.two');
const open = async (handle: string): Promise<void> => {
  await page.locator('.row.two', { hasText: handle }).click();
  await page.locator('#output-title', { hasText: handle }).waitFor();
};

beforeAll(async () => {
  browser = await launchContext();
  site = await serveFiles({
    '/long.txt': file(TEXT, { 'content-type': 'text/plain; charset=utf-8' }),
    '/records.json': file('[{"sku":"T-0","title":"<i>Tea</i> 0"}]', { 'content-type': 'application/json' }),
  });
  page = await openPanelTab(browser.context);
  await page.click('#tab-outputs');
});

const marked = (name: string): Promise<readonly string[]> =>
  page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map(String), name);

let text = '';

it('says that no agent is connected or nothing is stored, and shows what is stored then, newest first, as a list that is filtered', async () => {
  const empty = () => page.locator('#part .empty').textContent();
  await expect.poll(empty).toBe('No agent is connected.');
  server = await startServer({ env: browser.serverEnv, clientName: 'storing-agent' });
  await server.call('tabs');
  await expect.poll(empty).toMatch(/^Nothing is stored/);
  text = await store('/long.txt');
  await expect.poll(() => rows().count()).toBe(1);
  await killWorker(page);
  const records = await store('/records.json');
  await expect.poll(() => rows().count()).toBe(2);
  expect(await rows().first().textContent()).toContain(records);
  await page.getByLabel('Handle, tool or type').fill(text.toLowerCase());
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByLabel('Handle, tool or type').fill('');
  await expect.poll(() => rows().count()).toBe(2);
  await open(records);
  await expect.poll(() => page.locator('.opened').textContent()).toContain('<i>Tea</i> 0');
  expect(await page.locator('.opened i').count()).toBe(0);
  await page.keyboard.press('Escape');
  const left = page.locator('.list:focus [aria-selected=true]');
  await expect.poll(() => left.textContent()).toContain(records);
});

it('shows a long text page by page, and markup in it stays text', async () => {
  await open(text);
  await expectAccessible(page);
  const code = page.locator('.opened pre');
  await expect.poll(() => code.textContent()).toMatch(/^line 0: <b>茶<\/b>/);
  expect(await page.locator('.opened pre b').count()).toBe(0);
  const next = page.getByRole('button', { name: 'Next page' });
  await next.click();
  await expect.poll(() => code.textContent()).not.toMatch(/^line 0:/);
  expect(await next.evaluate((button) => document.activeElement === button)).toBe(true);
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect.poll(() => code.textContent()).toMatch(/^line 0:/);
});

itDeep('finds a text in it, marks each place, and goes to the next, the last and the first', async () => {
  const status = (): Promise<string | null> => page.locator('.output-search [role=status]').textContent();
  const search = page.getByLabel('Search in it');
  await search.fill('die nadel');
  await search.press('Enter');
  await expect.poll(status).toBe('1 of 4');
  expect(await page.locator('.match mark').textContent()).toBe('Die Nadel');
  await expect.poll(() => page.locator('.opened pre').textContent()).toMatch(/^Die Nadel im Heuhaufen — 针/);
  await expect.poll(() => marked('output-match-shown')).toEqual(['Die Nadel']);
  await search.press('Shift+Enter');
  await expect.poll(status).toBe('4 of 4');
  await search.fill('<B>茶</B> UND');
  await search.press('Enter');
  await expect.poll(() => marked('output-match-shown')).toEqual(['<b>茶</b> und']);
  expect(new Set(await marked('output-match'))).toEqual(new Set(['<b>茶</b> und']));
  expect(await page.locator('.opened pre mark').count()).toBe(0);
  await search.fill('no such thing');
  await search.press('Enter');
  await expect.poll(status).toBe('Not found');
  await expect.poll(() => marked('output-match-shown')).toEqual([]);
  await search.fill('');
  await expect.poll(status).toBe('');
});
