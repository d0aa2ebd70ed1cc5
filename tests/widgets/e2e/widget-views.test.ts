import { beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Frame } from 'playwright';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { itDeep, sample } from '../../support/depth.ts';
import { axeIn, launchBrowser, type OpenOptions, type OpenWidget } from '../../support/widget-hosts/open.ts';
import { useBench } from '../../support/widget-hosts/use-bench.ts';
import { longPage, SAMPLE_PAGE } from '../../support/widget-hosts/sample-page.ts';
import { saveRecipes } from '../../support/widget-hosts/sample-recipes.ts';
import { harEntry, product } from '../../support/widget-hosts/sample-records.ts';
import { pageItems } from '../../support/widget-hosts/scripted-crawl.ts';

/* The widgets of pages, of records and of recipes, with the whole server behind them. */

let browser: Browser;
beforeAll(async () => (browser = await launchBrowser()));

const LOOKS = (['light', 'dark'] as const).flatMap((theme) =>
  (['en', 'zh-CN'] as const).flatMap((locale) => [320, 1_200].map((widthPx) => ({ theme, locale, widthPx }))),
);
/** In the gate light, English and narrow; records dark, Chinese and wide too. */
const SHOWN_LOOKS = sample(LOOKS, 8);

async function expectAccessible(frame: Frame): Promise<void> {
  expect(await axeIn(frame)).toEqual([]);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await frame.evaluate(overflow)).toBe(0);
}

describe.each(sample(['apps', 'openai'] as const, 2))('a page in a host of %s', (kind) => {
  const { bench, open } = useBench(() => browser, kind, { tool: 'read_page' });

  async function read(text: string, options: OpenOptions = {}, args: object = {}): Promise<OpenWidget> {
    bench().write(text);
    const shown = await open({ tool: 'read_page', ...options });
    await shown.sendInput({ tab: 'b1:1', ...args });
    await shown.sendResult(await bench().call('read_page', { tab: 'b1:1', ...args }));
    return shown;
  }

  it('is shown with its title and address, and what tries to be markup is text', async () => {
    const shown = await read(SAMPLE_PAGE);
    const { frame } = shown;
    await frame.getByRole('heading', { level: 1, name: 'Streams with credits' }).waitFor();
    await frame.locator('header').getByText('docs.example.org').waitFor();
    expect(await frame.locator('.c-markdown').textContent()).toContain('<script>alert(2)</script>');
    expect(await frame.locator('img, .c-markdown script').count()).toBe(0);
    expect(await frame.locator('.c-chip').allTextContents()).toEqual(['A diagram of two ends']);
    // Only http and https links, opened by the host.
    expect(await frame.getByRole('link').allTextContents()).toEqual(['the guide']);
    // By key: just after a host has resized a frame, Chromium may press the page around it.
    await frame.getByRole('link', { name: 'the guide' }).press('Enter');
    await expect.poll(async () => (await shown.report()).links).toEqual(['https://docs.example.org/guide']);
    await frame.getByText('invoicefdp.exe').waitFor();
    await frame.getByText('Removed 1 invisible characters.').waitFor();
    const levels = await frame.evaluate(() =>
      [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => tagName),
    );
    // No level is skipped, though the page skips one; its title is above.
    expect(levels).toEqual(['H1', 'H2', 'H3', 'H3']);
  });

  if (kind === 'openai') return;

  it('is searched by keyboard alone, in parts that were not shown too', async () => {
    const { frame, page } = await read(longPage(60_000));
    await frame.getByRole('heading', { level: 1, name: 'A long page' }).waitFor();
    expect(await frame.getByText('Paragraph 300 says').count()).toBe(0);
    await frame.getByRole('searchbox').focus();
    await page.keyboard.type('paragraph 300 says');
    await frame.getByText('1 of 1', { exact: true }).waitFor();
    await frame.getByText('Paragraph 300 says').waitFor();
    const found = (): Promise<string> =>
      frame.evaluate(() => [...(CSS.highlights.get('found-here') ?? [])].map(String).join());
    await expect.poll(found).toBe('Paragraph 300 says');
    await frame.getByRole('searchbox').fill('page 12');
    await frame.getByText(/^1 of \d+$/).waitFor();
    await page.keyboard.press('Enter');
    await frame.getByText(/^2 of \d+$/).waitFor();
    await page.keyboard.press('Shift+Enter');
    await frame.getByText(/^1 of \d+$/).waitFor();
  });

  it.each(SHOWN_LOOKS)('is accessible and fits: %j', async (look) => {
    const { frame } = await read(SAMPLE_PAGE, look);
    await frame.locator('.c-markdown table').waitFor();
    await expectAccessible(frame);
  });
});

describe('records', () => {
  const { bench, open } = useBench(() => browser, 'apps', { tool: 'oc_output_fetch' });

  const listOf = (items: readonly object[], ...notes: readonly string[]): CallToolResult => ({
    content: [JSON.stringify(items), ...notes].map((text) => ({ type: 'text', text })),
    structuredContent: { items: [...items] },
  });
  const products = (count: number) => listOf(Array.from({ length: count }, (_, at) => product(at)));
  const requests = (count: number) => listOf(Array.from({ length: count }, (_, at) => harEntry(at)));

  async function show(result: CallToolResult, options: OpenOptions = {}): Promise<OpenWidget> {
    const shown = await open({ tool: 'extract_data', ...options });
    await shown.sendResult(result);
    return shown;
  }

  it('of a stored output are asked for where it is stored, page by page', async () => {
    const script = bench().script();
    const { structuredContent } = await bench().call('crawl', { url: 'https://docs.example.org/' });
    script.read(pageItems(0, 24), 0);
    script.end();
    const run_id = structuredContent?.['run_id'];
    const run = async () =>
      (await bench().server.call('run_status_internal', { run_id })).raw.structuredContent;
    await expect.poll(async () => (await run())?.['status']).toBe('completed');
    const output_handle = String((await run())?.['output_handle']);
    const { frame } = await show(
      await bench().call('oc_output_fetch', { output_handle, offset: 10, limit: 5 }),
      { tool: 'oc_output_fetch' },
    );
    await frame.getByText('11–20 of 24', { exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Next' }).press('Enter');
    await frame.getByText('21–24 of 24', { exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Previous' }).press('Enter');
    await frame.getByText('11–20 of 24', { exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Previous' }).press('Enter');
    await frame.getByText('1–10 of 24', { exact: true }).waitFor();
    // A page of a crawl is opened as it is read.
    await frame.getByRole('button', { name: 'Getting started', exact: true }).press('Enter');
    await frame.locator('.c-detail .c-markdown strong').getByText('more').waitFor();
    // A descriptor alone is shown with its items, not only with their place.
    const descriptor = {
      output_handle,
      mime_type: 'application/json',
      size_bytes: 9_000,
      item_count: 24,
      preview: '[{"url":',
      expires_at: '2026-03-03T09:41:00Z',
      fetch_with: 'oc_output_fetch',
    };
    const other = await show({ content: [], structuredContent: descriptor });
    await other.frame.getByText('1–10 of 24', { exact: true }).waitFor();
    await other.frame.getByText(output_handle).first().waitFor();
  });

  it('are a table that a screen reader can read, whose rows and pages keys open', async () => {
    const { frame, page } = await show(
      listOf(
        Array.from({ length: 13 }, (_, at) => ({
          name: `Lamp ${at + 1}`,
          price: at * 1.5,
          url: `https://shop.test/${at}`,
        })),
        'One frame was closed.',
      ),
    );
    await frame.getByRole('table', { name: /^Items/ }).waitFor();
    expect(await frame.getByRole('columnheader').allTextContents()).toEqual(['#', 'name', 'price', 'url']);
    await expect.poll(() => frame.getByRole('rowheader').count()).toBe(10);
    expect(await frame.getByRole('row').nth(2).getByRole('cell').allTextContents()).toEqual([
      ...['Lamp 2', '1.5', 'shop.test/1'],
    ]);
    await frame.getByRole('button', { name: 'Item 9', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await frame.getByRole('region', { name: 'Item 10' }).getByRole('link', { name: 'shop.test/9' }).waitFor();
    await frame.getByRole('button', { name: 'Next', exact: true }).press('Enter');
    await frame.getByText('11–13 of 13', { exact: true }).waitFor();
    expect(await frame.getByRole('region', { name: /^Item \d/ }).count()).toBe(0);
    expect(await frame.getByText('One frame was closed.').isVisible()).toBe(true);
  });

  itDeep.each(LOOKS)('are accessible and fit: %j', async (look) => {
    for (const result of [products(12), requests(3)]) {
      const { frame } = await show(result, look);
      await frame.locator('.c-opener').first().press('Enter');
      await frame.locator('.c-detail').waitFor();
      await expectAccessible(frame);
    }
  });
});

describe('recipes', () => {
  const { bench, open } = useBench(() => browser, 'openai', { tool: 'recipe_search' }, saveRecipes);

  async function show(
    tool: 'recipe_search' | 'recipe_get',
    args: Record<string, unknown> = {},
    options: OpenOptions = {},
  ): Promise<OpenWidget> {
    const shown = await open({ tool, ...options });
    await shown.sendInput(args);
    await shown.sendResult(await bench().call(tool, args));
    return shown;
  }

  it('are cards that are searched and opened with the keyboard', async () => {
    const { frame } = await show('recipe_search', { query: 'order the same' });
    await frame.getByRole('heading', { name: 'Recipes' }).waitFor();
    const field = frame.getByRole('searchbox');
    await field.fill('report of the week');
    await field.press('Enter');
    await frame.getByRole('button', { name: 'Download the weekly report' }).waitFor();
    await field.fill('');
    await frame.getByRole('button', { name: 'Search', exact: true }).press('Enter');
    await frame.getByText('3 recipes', { exact: true }).waitFor();
    const order = frame.getByRole('button', { name: 'Order the same again' });
    await order.press('Enter');
    const details = frame.getByRole('region', { name: 'Order the same again' });
    await details.getByText('Address of the shop').waitFor();
    expect(await details.getByRole('listitem').filter({ hasText: 'required' }).count()).toBe(1);
    expect(await details.locator('.c-steps').first().innerText()).toMatch(
      /navigate[^]*read_page[^]*continues after a failure[^]*If steps\.look\.text contains Accept cookies[^]*else nothing[^]*interact/,
    );
    await order.press('Enter');
    await details.waitFor({ state: 'detached' });
  });

  itDeep.each(LOOKS)('are accessible and fit: %j', async (look) => {
    const { frame } = await show('recipe_search', {}, look);
    await frame.locator('.c-opener').nth(1).press('Enter');
    await frame.locator('.c-steps').first().waitFor();
    await expectAccessible(frame);
  });
});
