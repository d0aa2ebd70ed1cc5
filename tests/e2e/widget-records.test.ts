import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { SpillwayError } from '../../shared/errors.ts';
import { auditWidget } from '../support/widget-hosts/audit.ts';
import { axeIn } from '../support/widget-hosts/axe.ts';
import { startBench, type WidgetBench } from '../support/widget-hosts/bench.ts';
import { launchBrowser, type OpenOptions, type OpenWidget } from '../support/widget-hosts/open.ts';
import { harEntry, product } from '../support/widget-hosts/sample-records.ts';
import { pageItems } from '../support/widget-hosts/scripted-crawl.ts';

/* The widget of records, with the whole server behind it. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const listOf = (items: readonly object[]): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(items) }],
  structuredContent: { items: [...items] },
});

describe.each(['apps', 'openai'] as const)('in a host of %s', (kind) => {
  let bench: WidgetBench;
  let shown: OpenWidget;
  beforeAll(async () => {
    bench = await startBench(kind, browser, { tool: 'oc_output_fetch' });
  });
  afterEach(async () => {
    const { requests, complaints } = shown;
    await shown.close();
    expect([...requests, ...complaints]).toEqual([]);
  });
  afterAll(() => bench.close());

  async function show(result: CallToolResult, options: OpenOptions = {}): Promise<OpenWidget> {
    shown = await bench.open({ tool: 'extract_data', ...options });
    await shown.sendResult(result);
    return shown;
  }

  /** A crawl whose 24 items are stored. */
  async function storedItems(): Promise<string> {
    const script = bench.script();
    script.read(pageItems(0, 24), 0);
    script.end();
    const { structuredContent } = await bench.call('crawl', { url: 'https://docs.example.org/' });
    const run_id = structuredContent?.['run_id'];
    let handle: unknown;
    await expect
      .poll(async () => {
        const run = (await bench.server.call('run_status_internal', { run_id })).raw.structuredContent;
        handle = run?.['output_handle'];
        return run?.['status'];
      })
      .toBe('completed');
    return String(handle);
  }

  it('shows a page of a stored output, and asks for the others where it is stored', async () => {
    const handle = await storedItems();
    const { frame } = await show(
      await bench.call('oc_output_fetch', { output_handle: handle, offset: 10, limit: 5 }),
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
    expect(await auditWidget(frame)).toEqual([]);
  });

  it('shows the items of a descriptor, not only where they are', async () => {
    const handle = await storedItems();
    const descriptor = {
      output_handle: handle,
      mime_type: 'application/json',
      size_bytes: 9_000,
      item_count: 24,
      preview: '[{"url":',
      expires_at: '2026-03-03T09:41:00Z',
      fetch_with: 'oc_output_fetch',
    };
    const { frame } = await show({
      content: [{ type: 'text', text: JSON.stringify(descriptor) }],
      structuredContent: descriptor,
    });
    await frame.getByText('1–10 of 24', { exact: true }).waitFor();
    await frame.getByText(handle).first().waitFor();
  });

  it('shows what a failed extraction of two pages had committed', async () => {
    const script = bench.script();
    script.read(pageItems(0, 2), 5);
    script.fail(new SpillwayError('page_crashed', 'The page crashed.'));
    const { frame } = await show(
      await bench.call('crawl', { url: 'https://docs.example.org/', async: false }),
    );
    await frame.locator('.f-part .c-badge').getByText('Failed').waitFor();
    await frame.getByText('page_crashed').first().waitFor();
    await frame.getByText('1–2 of 2', { exact: true }).waitFor();
  });

  it('shows requests of the network by what tells them apart, and each with all its fields', async () => {
    const { frame } = await show(listOf(Array.from({ length: 12 }, (_, at) => harEntry(at))), {
      tool: 'network',
    });
    expect(await frame.getByRole('columnheader').allTextContents()).toEqual([
      'Name',
      'Status',
      'Type',
      'Size',
      'Time',
      'Waterfall',
    ]);
    await frame.getByRole('cell', { name: '404' }).waitFor();
    await frame.getByRole('button', { name: 'POST 3?page=3' }).press('Enter');
    await frame.getByText('Response body').waitFor();
    await frame.getByRole('button', { name: 'Next' }).press('Enter');
    await frame.getByText('11–12 of 12', { exact: true }).waitFor();
    expect(await auditWidget(frame)).toEqual([]);
  });

  it('copies the items that it shows, and no formula among them', async () => {
    const { frame } = await show(listOf([{ name: '=HYPERLINK("x")', note: 'a, b' }, { name: 'Desk' }]));
    // The host's frame has no permission of the clipboard: what is copied is what the event of the copy has.
    await frame.evaluate(() => {
      addEventListener('copy', (event) => {
        document.body.dataset['copied'] = event.clipboardData?.getData('text/plain') ?? '';
      });
    });
    await frame.getByRole('button', { name: 'Copy as CSV' }).click();
    await frame.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await frame.evaluate(() => document.body.dataset['copied']);
    expect(copied).toBe(`name,note\r\n"'=HYPERLINK(""x"")","a, b"\r\nDesk,\r\n`);
  });

  it.each([320, 1_200])('has nothing that axe finds, at %d pixels', async (widthPx) => {
    const results = [
      listOf(Array.from({ length: 12 }, (_, at) => product(at))),
      listOf(Array.from({ length: 3 }, (_, at) => harEntry(at))),
    ];
    for (const theme of ['light', 'dark'] as const)
      for (const locale of ['en', 'zh-CN'])
        for (const result of results) {
          await shown.close();
          const { frame } = await show(result, { theme, locale, widthPx });
          await frame.locator('.c-opener').first().press('Enter');
          await frame.locator('.c-detail').waitFor();
          expect(await axeIn(frame), `${theme} ${locale}`).toEqual([]);
          expect(
            await frame.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            ),
          ).toBe(0);
        }
  });
});
