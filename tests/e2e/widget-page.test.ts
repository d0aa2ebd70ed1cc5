import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import { readWidget } from '../../server/widget-files.ts';
import { axeIn } from '../support/widget-hosts/axe.ts';
import { startBench, type WidgetBench } from '../support/widget-hosts/bench.ts';
import { launchBrowser, type OpenOptions, type OpenWidget } from '../support/widget-hosts/open.ts';
import { longPage, SAMPLE_PAGE } from '../support/widget-hosts/sample-page.ts';

/* The widget of a page that was read, with the whole server behind it. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

it('is one file of less than 400 kB', async () => {
  for (const name of ['run', 'page', 'records', 'recipes'])
    expect(Buffer.byteLength(await readWidget(name))).toBeLessThan(400_000);
});

describe.each(['apps', 'openai'] as const)('in a host of %s', (kind) => {
  let bench: WidgetBench;
  let shown: OpenWidget;
  beforeAll(async () => {
    bench = await startBench(kind, browser, { tool: 'read_page' });
  });
  afterEach(async () => {
    const { requests, complaints } = shown;
    await shown.close();
    expect([...requests, ...complaints]).toEqual([]);
  });
  afterAll(() => bench.close());

  async function read(text: string, options: OpenOptions = {}, args: object = {}): Promise<OpenWidget> {
    bench.write(text);
    shown = await bench.open({ tool: 'read_page', ...options });
    await shown.sendResult(await bench.call('read_page', { tab: 'b1:1', ...args }));
    return shown;
  }

  it('shows the page, its title and address, and takes what tries to be markup as text', async () => {
    const { frame } = await read(SAMPLE_PAGE);
    await frame.getByRole('heading', { level: 1, name: 'Streams with credits' }).waitFor();
    await frame.locator('header').getByText('docs.example.org').waitFor();
    expect(await frame.locator('.c-markdown').textContent()).toContain('<script>alert(2)</script>');
    expect(await frame.locator('img, .c-markdown script').count()).toBe(0);
    expect(await frame.locator('.c-chip').allTextContents()).toEqual(['A diagram of two ends']);
    // Links of http and https alone, and the host opens them.
    expect(await frame.getByRole('link').allTextContents()).toEqual(['the guide']);
    await frame.getByRole('link', { name: 'the guide' }).click();
    await expect.poll(async () => (await shown.report()).links).toEqual(['https://docs.example.org/guide']);
    expect(await frame.getByRole('columnheader').allTextContents()).toEqual([
      'option',
      'default',
      'what it does',
    ]);
    await frame.getByText('invoicefdp.exe').waitFor();
    await frame.getByText('Removed 1 invisible characters.').waitFor();
    const levels = await frame.evaluate(() =>
      [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => tagName),
    );
    // No level is jumped over, though the page does; its title is above it.
    expect(levels).toEqual(['H1', 'H2', 'H3', 'H3']);
    expect(await axeIn(frame)).toEqual([]);
  });

  it('finds a text by keyboard alone, in parts that were not shown too', async () => {
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
    await frame.getByRole('searchbox').fill('not in it');
    await frame.getByText('Not found').waitFor();
  });

  it('shows other formats as they are, and finds a text that is further down', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `e${at} button Grind ${at}`).join('\n');
    const args = { format: 'snapshot' };
    bench.write(lines);
    shown = await bench.open({ tool: 'read_page' });
    await shown.sendInput({ tab: 'b1:1', ...args });
    await shown.sendResult(await bench.call('read_page', { tab: 'b1:1', ...args }));
    const { frame, page } = shown;
    await frame.locator('.f-ref').first().waitFor();
    expect(await frame.getByText('Grind 299').count()).toBe(0);
    await frame.getByRole('searchbox').focus();
    await page.keyboard.type('grind 299');
    await frame.getByText('1 of 1', { exact: true }).waitFor();
    await frame.getByText('Grind 299').waitFor();
  });

  it('shows a long page part by part, and moves the focus to the next', async () => {
    const { frame, page } = await read(longPage(40_000));
    const more = frame.getByRole('button', { name: /^Show part 2 of/ });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => frame.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^Part 2 of/);
    expect(await axeIn(frame)).toEqual([]);
  });

  it('shows a page that is long, and pages that are nested or marked without end, as far as it can', async () => {
    const { frame } = await read(longPage(400_000));
    await frame.getByRole('button', { name: /^Show part 2 of \d\d$/ }).waitFor();
    for (const text of ['*a_'.repeat(3_000), '['.repeat(9_000), '> '.repeat(4_000), '- '.repeat(4_000)]) {
      await shown.close();
      const { frame: hostile } = await read(`# Hostile\n\n${text}\n\nlast words`);
      await hostile.getByText('last words').waitFor();
      expect(await hostile.locator('.c-markdown em').count()).toBe(0);
    }
  });

  it('reads a stored page from where it is stored, and the rest when asked to', async () => {
    const { frame } = await read(longPage(150_000), {}, { output_mode: 'handle' });
    await frame.getByRole('heading', { level: 1, name: 'A long page' }).waitFor();
    await frame.getByText(/^oh_/).waitFor();
    await frame.getByRole('button', { name: /^Read on, .* left$/ }).waitFor();
    // Part after part: while one is on its way, its button does nothing.
    const isWhole = (): Promise<boolean> =>
      frame.evaluate(() => {
        const button = document.querySelector<HTMLButtonElement>('.card > .c-button');
        button?.click();
        return button === null;
      });
    await expect.poll(isWhole).toBe(true);
    await frame.getByRole('searchbox').fill('section 1,000');
    await frame.getByText('Not found').waitFor();
  });

  it.each([
    [{ locale: 'zh-TW' }, 'zh-CN', '在页面中查找'],
    [{ locale: null, browserLocale: 'zh-CN' }, 'zh-CN', '在页面中查找'],
    [{ locale: 'en-GB', browserLocale: 'zh-CN' }, 'en', 'Search in the page'],
    [{ locale: 'not a locale', browserLocale: 'zh-CN' }, 'en', 'Search in the page'],
  ])('speaks the language of the host, else of the browser: %j', async (options, lang, label) => {
    const { frame } = await read(SAMPLE_PAGE, options);
    await frame.getByRole('searchbox', { name: label }).waitFor();
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe(lang);
  });

  it.each([320, 1_200])('has nothing that axe finds, at %d pixels', async (widthPx) => {
    for (const theme of ['light', 'dark'] as const)
      for (const locale of ['en', 'zh-CN']) {
        await shown.close();
        const { frame } = await read(SAMPLE_PAGE, { theme, locale, widthPx });
        await frame.locator('.c-markdown table').waitFor();
        expect(await axeIn(frame), `${theme} ${locale}`).toEqual([]);
        expect(
          await frame.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBe(0);
      }
  });
});
