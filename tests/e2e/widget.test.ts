import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Locator } from 'playwright';
import { auditWidget } from '../support/widget-hosts/audit.ts';
import { startBench, type WidgetBench } from '../support/widget-hosts/bench.ts';
import { launchBrowser, type OpenWidget } from '../support/widget-hosts/open.ts';
import { pageItem, pageItems } from '../support/widget-hosts/scripted-crawl.ts';

/*
 * The built widget of a run in a real browser, in a sandboxed frame of a host page of each kind, with
 * the whole server behind it: what it shows has come through the adapter, and what it asks goes there.
 */
const URL_OF_DOCS = 'https://docs.example.org/';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(['apps', 'openai'] as const)('in a host of %s', (kind) => {
  let bench: WidgetBench;
  let widget: OpenWidget | undefined;
  const started: string[] = [];
  beforeAll(async () => {
    bench = await startBench(kind, browser);
  });
  afterEach(async () => {
    const { requests = [], complaints = [] } = widget ?? {};
    await widget?.close();
    widget = undefined;
    // An active run would take the slot of the next.
    for (const run_id of started.splice(0)) await bench.server.call('run_cancel', { run_id });
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });
  afterAll(() => bench.close());

  /** Starts a crawl as the host's model would, and opens the widget for its result. */
  async function startCrawl(options: Parameters<WidgetBench['open']>[0] = {}): Promise<{
    readonly shown: OpenWidget;
    readonly runId: string;
  }> {
    const shown = await bench.open(options);
    widget = shown;
    await shown.sendInput({ url: URL_OF_DOCS });
    const result = await bench.call('crawl', { url: URL_OF_DOCS });
    const { structuredContent: receipt } = result;
    expect(receipt).toMatchObject({ run_id: expect.stringMatching(/^run_/), progress: expect.any(Object) });
    const { run_id: runId } = receipt as { run_id: string };
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining(runId) }]);
    started.push(runId);
    await shown.sendResult(result);
    return { shown, runId };
  }

  /** Again where it missed: just after a host has resized a frame, Chromium may press the page around it. */
  const openByPointer = (button: Locator): Promise<void> =>
    expect
      .poll(async () => {
        if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
        return button.getAttribute('aria-expanded');
      })
      .toBe('true');

  const focused = ({ frame }: OpenWidget): Promise<string> =>
    frame.evaluate(() => {
      const { activeElement } = document;
      return (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '').trim();
    });

  it('shows a run from its start to its last page, by keyboard alone', async () => {
    const script = bench.script();
    const { shown } = await startCrawl();
    const { frame, page } = shown;
    await frame.getByText('Running', { exact: true }).waitFor();
    script.read(pageItems(0, 6), 18);
    const bar = frame.getByRole('progressbar');
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('25');
    expect(await bar.getAttribute('aria-valuetext')).toBe('6 of 24');
    await frame.getByText('1–6 of 6', { exact: true }).waitFor();
    expect(await auditWidget(frame)).toEqual([]);

    script.read(
      [...pageItems(6, 17), pageItem(23, { status: 404, error: { code: 'http_status', message: 'Gone.' } })],
      0,
      1,
    );
    script.end();
    await frame.getByText('Completed', { exact: true }).waitFor();
    await frame.getByText('1–10 of 24', { exact: true }).waitFor();
    await expect.poll(() => frame.getByRole('progressbar').count()).toBe(0);
    await expect.poll(() => frame.locator('.card > [role=status]').textContent()).toBe('Crawl: Completed');

    // Into the rows, down to the second, and open it.
    await page.locator('iframe').focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(shown)).toBe('Getting started');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(shown)).toBe('Configuration');
    expect(
      await frame.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
    ).toBe('solid');
    await page.keyboard.press('Enter');
    expect(await frame.getByRole('region', { name: 'Item 2' }).textContent()).toContain('the last one wins');
    expect(await auditWidget(frame)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => frame.getByRole('region', { name: 'Item 2' }).count()).toBe(0);

    // On by page from within the rows, then by the pager, which keeps the focus at the end.
    await page.keyboard.press('PageDown');
    await frame.getByText('11–20 of 24', { exact: true }).waitFor();
    await expect.poll(() => focused(shown)).toBe('Streams · version 2');
    await expect.poll(() => frame.locator('.card > [role=status]').textContent()).toBe('Items 11–20 of 24');
    const next = frame.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    await frame.getByText('21–24 of 24', { exact: true }).waitFor();
    await expect.poll(() => focused(shown)).toBe('Next');
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => frame.getByText('Gone.').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => frame.getByText('21–24 of 24', { exact: true }).count()).toBe(1);
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(shown)).toBe('Previous');
    await page.keyboard.press('Space');
    await frame.getByText('11–20 of 24', { exact: true }).waitFor();
  });

  it('cancels the run after a question, by keyboard', async () => {
    const script = bench.script();
    const { shown, runId } = await startCrawl();
    script.read(pageItems(0, 3), 5);
    const { frame, page } = shown;
    await frame.getByText('1–3 of 3', { exact: true }).waitFor();
    const cancel = frame.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.focus();
    await page.keyboard.press('Enter');
    expect(await frame.getByRole('alertdialog').getAttribute('aria-labelledby')).toBe('question');
    await expect.poll(() => focused(shown)).toBe('Keep running');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(shown)).toBe('Cancel');
    await expect.poll(() => frame.getByRole('alertdialog').count()).toBe(0);
    expect((await bench.server.call('run_status', { run_id: runId })).raw.structuredContent).toMatchObject({
      status: 'running',
    });
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(shown)).toBe('Keep running');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(shown)).toBe('Cancel the run');
    await page.keyboard.press('Enter');
    await frame.getByText('Cancelled', { exact: true }).waitFor();
    await expect.poll(() => cancel.count()).toBe(0);
    await expect.poll(() => focused(shown)).toBe('Crawl');
    await frame.getByText('1–3 of 3', { exact: true }).waitFor();
    expect((await bench.server.call('run_status', { run_id: runId })).raw.structuredContent).toMatchObject({
      status: 'cancelled',
    });
  });

  it('shows what pages say as text, and opens links through the host alone', async () => {
    const script = bench.script();
    const hostile = '<img src="https://evil.example/x.png" onerror="parent.postMessage(1)">';
    script.read(
      [
        pageItem(0, { title: hostile, markdown: `${hostile} </script><script>alert(1)</script>` }),
        pageItem(1, { links: ['javascript:alert(1)', 'https://docs.example.org/safe'] }),
      ],
      0,
    );
    script.end();
    const { shown } = await startCrawl();
    const { frame } = shown;
    await openByPointer(frame.getByRole('button', { name: hostile }));
    expect(await frame.locator('img, script:not([type=module], :first-child)').count()).toBe(0);
    await openByPointer(frame.getByRole('button', { name: 'Configuration' }));
    const detail = frame.getByRole('region', { name: 'Item 2' });
    expect(await detail.getByText('javascript:alert(1)').evaluate((element) => element.tagName)).not.toBe(
      'A',
    );
    await detail.getByRole('link', { name: 'docs.example.org/safe' }).press('Enter');
    await expect.poll(async () => (await shown.report()).links).toEqual(['https://docs.example.org/safe']);
    expect(shown.page.context().pages()).toHaveLength(1);
  });

  it('takes the theme of its host, and without one that of the system', async () => {
    const groundOf = ({ frame }: OpenWidget): Promise<string> =>
      frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(21, 25, 31)'];
    bench.script().read(pageItems(0, 2), 3);
    const { shown } = await startCrawl({ theme: 'dark' });
    await expect.poll(() => groundOf(shown)).toBe(dark);
    await shown.frame.getByText('1–2 of 2', { exact: true }).waitFor();
    expect(await auditWidget(shown.frame)).toEqual([]);
    await shown.setTheme('light');
    await expect.poll(() => groundOf(shown)).toBe(light);
    const plain = await bench.open({ theme: null, colorScheme: 'dark' });
    expect(await groundOf(plain)).toBe(dark);
    await plain.close();
  });

  it('shows what it has where the host calls no tools', async () => {
    bench.script().read(pageItems(0, 2), 3);
    const { shown } = await startCrawl({ canCallTools: false, canOpenLinks: false });
    await shown.frame.getByText('does not let widgets request updates').waitFor();
    await expect.poll(() => shown.frame.getByRole('button').count()).toBe(0);
    expect(await auditWidget(shown.frame)).toEqual([]);
  });

  it('tells its host how high it is, each time that changes', async () => {
    const script = bench.script();
    const { shown } = await startCrawl();
    await shown.frame.getByText('Running', { exact: true }).waitFor();
    script.read(pageItems(0, 4), 0);
    script.end();
    await shown.frame.getByText('1–4 of 4', { exact: true }).waitFor();
    const height = await shown.frame.evaluate(
      () => document.querySelector('main')?.getBoundingClientRect().height,
    );
    await expect.poll(async () => (await shown.report()).heights.at(-1)).toBe(Math.ceil(height ?? 0));
  });
});
