import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Browser } from 'playwright';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { readWidget } from '../../server/widget-files.ts';
import { auditWidget } from '../support/widget-hosts/audit.ts';
import { startBench, type WidgetBench } from '../support/widget-hosts/bench.ts';
import { launchBrowser, type OpenOptions, type OpenWidget } from '../support/widget-hosts/open.ts';
import { pageItems } from '../support/widget-hosts/scripted-crawl.ts';

/* What the widget of a run shows besides a run that goes well, where the kind of host matters little. */
let browser: Browser;
let apps: WidgetBench;
let openai: WidgetBench;
let open: OpenWidget[] = [];
const started: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  [apps, openai] = [await startBench('apps', browser), await startBench('openai', browser)];
});
afterEach(async () => {
  const complaints = open.flatMap((widget) => [...widget.complaints, ...widget.requests]);
  for (const widget of open) await widget.close();
  open = [];
  for (const run_id of started.splice(0)) await apps.server.call('run_cancel', { run_id });
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await apps.close();
  await openai.close();
  await browser.close();
});

async function openIn(bench: WidgetBench, options?: OpenOptions): Promise<OpenWidget> {
  const widget = await bench.open(options);
  open.push(widget);
  return widget;
}

async function startCrawl(): Promise<{ readonly shown: OpenWidget; readonly runId: string }> {
  const shown = await openIn(apps);
  const result = await apps.call('crawl', { url: 'https://docs.example.org/' });
  const runId = String(result.structuredContent?.['run_id']);
  started.push(runId);
  await shown.sendResult(result);
  return { shown, runId };
}

const answer = (value: Record<string, unknown>, more: Partial<CallToolResult> = {}): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
  ...more,
});

it('shows a failed run with its code and what it has', async () => {
  const script = apps.script();
  script.read(pageItems(0, 2), 3);
  script.fail(new Error('a defect'));
  const { shown } = await startCrawl();
  await shown.frame.locator('.f-part .c-badge').getByText('Failed').waitFor();
  expect(await shown.frame.locator('.f-error').textContent()).toContain('internal_error');
  await shown.frame.getByText('1–2 of 2', { exact: true }).waitFor();
  expect(await auditWidget(shown.frame)).toEqual([]);
});

it('stops polling while hidden, and continues when visible', async () => {
  const script = apps.script();
  script.read(pageItems(0, 1), 3);
  const { shown } = await startCrawl();
  await shown.frame.getByText('1–1 of 1', { exact: true }).waitFor();
  const move = (marginPx: number): Promise<void> =>
    shown.page.evaluate((px) => {
      document.body.style.marginTop = `${px}px`;
    }, marginPx);
  const { callTool } = apps.hosts;
  let calls = 0;
  apps.hosts.callTool = async (...given) => {
    calls += 1;
    return callTool?.(...given);
  };
  onTestFinished(() => void (apps.hosts.callTool = callTool));
  // The page's time is the test's from here on; a question asked since then has set its timer in it.
  await shown.page.clock.install();
  await expect.poll(() => calls).toBeGreaterThan(1);
  await move(5_000);
  await shown.frame.getByText('Updates paused').waitFor();
  const before = calls;
  script.read(pageItems(1, 1), 2);
  await shown.page.clock.fastForward('10:00');
  // A question would have come to the host's server before this request.
  await shown.page.evaluate(async () => void (await fetch(location.href)));
  expect(calls).toBe(before);
  await move(0);
  await shown.frame.getByText('1–2 of 2', { exact: true }).waitFor();
  await shown.frame.getByText('Running', { exact: true }).waitFor();
});

it('says that it is disconnected, and continues when asked to', async () => {
  apps.script().read(pageItems(0, 2), 3);
  const { callTool } = apps.hosts;
  const { shown } = await startCrawl();
  const { frame } = shown;
  await frame.getByText('1–2 of 2', { exact: true }).waitFor();
  apps.hosts.callTool = null;
  await frame.getByText('Disconnected', { exact: true }).waitFor();
  apps.hosts.callTool = callTool;
  await expect.poll(() => frame.getByText('1–2 of 2', { exact: true }).count()).toBe(1);
  await frame.getByRole('button', { name: 'Try again' }).press('Enter');
  await frame.getByText('Running', { exact: true }).waitFor();
});

it('shows a run without items as what it is', async () => {
  apps.script().end();
  const { shown } = await startCrawl();
  await shown.frame.getByText('Completed', { exact: true }).waitFor();
  await shown.frame.getByText('No items.').waitFor();
  await expect.poll(() => shown.frame.getByRole('button').count()).toBe(0);
});

it('says that an interrupted run can be resumed, and shows what it has', async () => {
  const script = apps.script();
  script.read(pageItems(0, 2), 3);
  const { shown } = await startCrawl();
  await shown.frame.getByText('1–2 of 2', { exact: true }).waitFor();
  await (await apps.server.runs()).close();
  await shown.frame.getByText('Interrupted', { exact: true }).waitFor();
  await shown.frame.getByText('ask to resume the run').waitFor();
  await expect.poll(() => shown.frame.getByText('1–2 of 2', { exact: true }).count()).toBe(1);
  await apps.close();
  apps = await startBench('apps', browser);
  started.length = 0;
});

it('shows records as a table that a screen reader can read, and pages them itself', async () => {
  const widget = await openIn(apps, { tool: 'extract_data' });
  const items = Array.from({ length: 13 }, (_, at) => ({
    name: `Lamp ${at + 1}`,
    price: at * 1.5,
    url: `https://shop.test/${at}`,
  }));
  await widget.sendResult(
    answer(
      { items },
      {
        content: [
          { type: 'text', text: JSON.stringify(items) },
          { type: 'text', text: 'One frame was closed.' },
        ],
      },
    ),
  );
  const { frame, page } = widget;
  await frame.getByRole('table', { name: /^Items/ }).waitFor();
  expect(await frame.getByRole('columnheader').allTextContents()).toEqual(['#', 'name', 'price', 'url']);
  await expect.poll(() => frame.getByRole('rowheader').count()).toBe(10);
  expect(await frame.getByRole('row').nth(2).getByRole('cell').allTextContents()).toEqual([
    'Lamp 2',
    '1.5',
    'shop.test/1',
  ]);
  await frame.getByRole('button', { name: 'Item 1', exact: true }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await frame.getByRole('region', { name: 'Item 10' }).getByRole('link', { name: 'shop.test/9' }).waitFor();
  await page.keyboard.press('PageDown');
  await frame.getByText('11–13 of 13', { exact: true }).waitFor();
  expect(await frame.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Item 11');
  expect(await frame.getByText('One frame was closed.').isVisible()).toBe(true);
  expect(await auditWidget(frame)).toEqual([]);
  // What it would say of a widget that is worse.
  await frame.evaluate(() => {
    document.querySelector('thead')?.remove();
    document.querySelector('.c-range')?.setAttribute('style', 'color: #aaa');
    document.querySelector('nav button')?.replaceChildren();
  });
  expect((await auditWidget(frame)).map((problem) => problem.split(':')[0])).toEqual([
    'no head',
    'no name',
    'a contrast of 2.32',
  ]);
});

it('shows one record, a stored answer and a failure', async () => {
  const widget = await openIn(apps, { theme: 'dark', tool: 'extract_data' });
  const { frame } = widget;
  await expect.poll(() => frame.getByText('Waiting').count()).toBe(1);
  await widget.sendResult(answer({ name: 'Lamp', sizes: ['s', 'm'], maker: { name: 'Ada' } }));
  await frame.getByText('Ada').waitFor();
  expect(await auditWidget(frame)).toEqual([]);
  const stored = {
    output_handle: 'oh_ABCDEFGHIJKL',
    mime_type: 'application/json',
    size_bytes: 1_482_113,
    item_count: 4_200,
    preview: '[{"name":"Lamp"},',
    expires_at: '2026-03-03T09:41:00Z',
    fetch_with: 'oc_output_fetch',
  };
  await widget.sendResult(answer(stored));
  await frame.getByText('oh_ABCDEFGHIJKL').waitFor();
  await expect.poll(() => frame.getByText('4,200').count()).toBe(1);
  expect(await auditWidget(frame)).toEqual([]);
  const error = { code: 'tab_not_found', message: 'Tab b1:9 is gone.', hint: 'Call tabs.', retryable: false };
  await widget.sendResult({ content: [{ type: 'text', text: JSON.stringify({ error }) }], isError: true });
  await frame.locator('.f-error').getByText('tab_not_found').waitFor();
  await expect.poll(() => frame.getByText('Call tabs.').count()).toBe(1);
  expect(await auditWidget(frame)).toEqual([]);
});

it('shows a call that was cancelled before it answered, and the end of its view', async () => {
  const cancelled = await openIn(apps);
  await cancelled.cancelCall();
  await cancelled.frame.getByText('Cancelled', { exact: true }).waitFor();
  apps.script().read(pageItems(0, 2), 3);
  const { shown } = await startCrawl();
  await shown.frame.getByText('1–2 of 2', { exact: true }).waitFor();
  await shown.end();
  await shown.frame.getByText('Updates have stopped').waitFor();
  await expect.poll(() => shown.frame.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
});

it('finds its place again where the host keeps it', async () => {
  const script = openai.script();
  script.read(pageItems(0, 14), 0);
  script.end();
  const result = await openai.call('crawl', { url: 'https://docs.example.org/' });
  const first = await openIn(openai);
  await first.sendResult(result);
  await first.frame.getByText('1–10 of 14', { exact: true }).waitFor();
  await first.frame.getByRole('button', { name: 'Next' }).press('Enter');
  await first.frame.getByText('11–14 of 14', { exact: true }).waitFor();
  await expect.poll(async () => (await first.report()).states).toEqual([{ trail: [0, 10] }]);
  const again = await openIn(openai, { widgetState: { trail: [0, 10] } });
  await again.sendResult(result);
  await again.frame.getByText('11–14 of 14', { exact: true }).waitFor();
});

it('moves nothing where a person wants no motion', async () => {
  apps.script().read(pageItems(0, 2), 3);
  const still = await openIn(apps, { reducedMotion: 'reduce' });
  const result = await apps.call('crawl', { url: 'https://docs.example.org/' });
  started.push(String(result.structuredContent?.['run_id']));
  await still.sendResult(result);
  await still.frame.getByText('1–2 of 2', { exact: true }).waitFor();
  expect(await still.frame.evaluate(() => document.getAnimations().length)).toBe(0);
});

it('is one file that names no other, and evaluates no text', async () => {
  const html = await readWidget('run');
  const style = /<style[^>]*>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
  expect(style.length).toBeGreaterThan(1_000);
  expect(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)=/.test(html)).toBe(false);
  expect(/@import|url\(/.test(style)).toBe(false);
  expect(/\beval\(/.test(html)).toBe(false);
  expect(html.match(/<script/g)).toHaveLength(1);
});
