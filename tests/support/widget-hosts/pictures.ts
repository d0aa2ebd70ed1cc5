import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Gate } from '../../../server/core/calls/gate.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { startBench, type WidgetBench } from './bench.ts';
import { launchBrowser, type OpenOptions, type OpenWidget } from './open.ts';
import { SAMPLE_PAGE } from './sample-page.ts';
import { harEntry, product } from './sample-records.ts';
import { saveRecipes } from './sample-recipes.ts';
import { pageItem, pageItems } from './scripted-crawl.ts';

/*
 * Makes the pictures of the widgets: `tsx tests/support/widget-hosts/pictures.ts [FOLDER]`. Without a
 * folder, those of docs/images.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../../docs/images'));
const isForDocs = process.argv[2] === undefined;
mkdirSync(folder, { recursive: true });

const URL_OF_DOCS = 'https://docs.example.org/';
const FOR_DOCS = new Set([
  'running-light',
  'result-dark',
  'page-light-en',
  'page-dark-zh-CN',
  'records-light-zh-CN',
  'records-dark-en',
  'recipes-light-en',
  'recipes-dark-zh-CN',
]);

const FAILED = {
  status: 503,
  title: null,
  error: { code: 'http_status', message: 'The page answered 503 three times.' },
};

const gate: Gate = {
  check: async ({ definition }) =>
    definition.manifest.name === 'run_resume'
      ? { ask: { question: 'May Spillway go on with this run?' } }
      : { allow: true },
};

const browser = await launchBrowser();
const apps = await startBench('apps', browser, { gate });
const openai = await startBench('openai', browser, { gate });
const pages = await startBench('apps', browser, { tool: 'read_page' });
const records = await startBench('openai', browser, { tool: 'extract_data' });
const recipes = await startBench('openai', browser, { tool: 'recipe_search' });
await saveRecipes(recipes.server);
try {
  for (const theme of ['light', 'dark'] as const) {
    await running(theme === 'light' ? apps : openai, theme);
    await result(theme === 'light' ? openai : apps, theme);
    await others(apps, theme);
    for (const bench of [apps, openai]) await unperformed(bench, theme);
    for (const locale of ['en', 'zh-CN']) {
      await ofOthers({ theme, locale });
      await ofRecipes({ theme, locale });
    }
  }
} finally {
  await apps.close();
  await openai.close();
  await pages.close();
  await records.close();
  await recipes.close();
  await browser.close();
}

async function shoot(widget: OpenWidget, name: string, prefix = 'widget-run-'): Promise<void> {
  if (isForDocs && !FOR_DOCS.has(name)) return;
  await widget.page.evaluate(() => document.fonts.ready);
  await widget.page.locator('iframe').screenshot({ path: join(folder, `${prefix}${name}.png`) });
}

async function open(bench: WidgetBench, options: OpenOptions): Promise<OpenWidget> {
  const widget = await bench.open({ reducedMotion: 'reduce', ...options });
  await widget.sendInput({ url: URL_OF_DOCS });
  return widget;
}

async function running(bench: WidgetBench, theme: 'light' | 'dark'): Promise<void> {
  const script = bench.script();
  script.read(pageItems(0, 30), 61, 0);
  const widget = await open(bench, { theme });
  await shoot(widget, `waiting-${theme}`);
  await widget.sendResult(await bench.call('crawl', { url: URL_OF_DOCS, async: true }));
  await widget.frame.getByText('1–10 of 30').waitFor();
  await shoot(widget, `running-${theme}`);
  await widget.frame.getByRole('button', { name: 'Cancel' }).press('Enter');
  await shoot(widget, `question-${theme}`);
  await widget.frame.getByRole('button', { name: 'Cancel the run' }).press('Enter');
  await widget.frame.getByText('Cancelled', { exact: true }).waitFor();
  await shoot(widget, `cancelled-${theme}`);
  await widget.close();
}

async function result(bench: WidgetBench, theme: 'light' | 'dark'): Promise<void> {
  const script = bench.script();
  script.read([...pageItems(0, 3), pageItem(3, FAILED), ...pageItems(4, 44)], 0, 1);
  script.end();
  const widget = await open(bench, { theme });
  await widget.sendResult(await bench.call('crawl', { url: URL_OF_DOCS, async: true }));
  await widget.frame.getByText('Completed', { exact: true }).waitFor();
  await widget.frame.getByRole('button', { name: 'Streams', exact: true }).press('Enter');
  await shoot(widget, `result-${theme}`);
  await widget.close();
}

async function others(bench: WidgetBench, theme: 'light' | 'dark'): Promise<void> {
  const failing = bench.script();
  failing.read(pageItems(0, 4), 9);
  failing.fail(
    new SpillwayError('browser_disconnected', 'The browser was closed while the crawl was active.'),
  );
  const failed = await open(bench, { theme });
  await failed.sendResult(await bench.call('crawl', { url: URL_OF_DOCS, async: true }));
  await failed.frame.locator('.f-part .c-badge.bad').waitFor();
  await failed.frame.getByText('1–4 of 4').waitFor();
  await shoot(failed, `failed-${theme}`);
  await failed.close();

  const mute = await open(bench, { theme, canCallTools: false });
  await mute.sendResult(
    answer({
      run_id: 'run_ABCDEFGHIJKL',
      status: 'running',
      progress: { done: 12, queued: 30, failed: 0, rate_per_second: 0.4 },
    }),
  );
  await mute.frame.getByText('does not let widgets').waitFor();
  await shoot(mute, `mute-${theme}`);
  await mute.close();

  const stored = await open(bench, { theme, tool: 'extract_data' });
  await stored.sendResult(
    answer({
      output_handle: 'oh_ABCDEFGHIJKL',
      mime_type: 'application/json',
      size_bytes: 1_482_113,
      item_count: 4_200,
      preview: '[{"name":"Lamp","price":29.9},\n{"name":"Desk","price":349}',
      expires_at: '2026-03-03T09:41:00Z',
      fetch_with: 'oc_output_fetch',
    }),
  );
  await stored.frame.getByRole('alert').waitFor();
  await shoot(stored, `stored-${theme}`);
  await stored.close();

  const lost = await open(bench, { theme });
  bench.script().read(pageItems(0, 2), 9);
  const start = await bench.call('crawl', { url: URL_OF_DOCS, async: true });
  const { callTool } = bench.hosts;
  bench.hosts.callTool = null;
  await lost.sendResult(start);
  await lost.frame.getByText('Disconnected', { exact: false }).first().waitFor();
  await shoot(lost, `lost-${theme}`);
  bench.hosts.callTool = callTool;
  await lost.close();

  const narrow = await open(bench, { theme, tool: 'extract_data', widthPx: 340 });
  await narrow.sendResult(answer({ items: Array.from({ length: 6 }, (_, at) => product(at)) }));
  await narrow.frame.getByText('1–6 of 6').waitFor();
  await shoot(narrow, `narrow-${theme}`);
  await narrow.close();
}

/** The widgets of pages and of records, in both languages. */
async function ofOthers({ theme, locale }: { readonly theme: 'light' | 'dark'; readonly locale: string }) {
  const options = { theme, locale, reducedMotion: 'reduce' } as const;
  pages.write(SAMPLE_PAGE);
  const page = await pages.open({ ...options, tool: 'read_page' });
  await page.sendResult(await pages.call('read_page', { tab: 'b1:1' }));
  await page.frame.getByRole('searchbox').fill('credit');
  await page.frame.locator('.c-matches:not(:empty)').waitFor();
  await shoot(page, `page-${theme}-${locale}`, 'widget-');
  await page.close();
  const lists = {
    records: Array.from({ length: 23 }, (_, at) => product(at)),
    requests: [...Array(9).keys()].map(harEntry),
  };
  for (const [name, items] of Object.entries(lists)) {
    const shown = await records.open({ ...options, tool: name === 'requests' ? 'network' : 'extract_data' });
    await shown.sendResult(answer({ items }));
    const opener = shown.frame.locator('.c-opener').nth(1);
    if (name === 'records') await opener.press('Enter');
    else await opener.waitFor();
    await shoot(shown, `${name}-${theme}-${locale}`, 'widget-');
    await shown.close();
  }
}

/** Recipes, one of them open. */
async function ofRecipes({ theme, locale }: { readonly theme: 'light' | 'dark'; readonly locale: string }) {
  const shown = await recipes.open({ theme, locale, reducedMotion: 'reduce', tool: 'recipe_search' });
  await shown.sendResult(await recipes.call('recipe_search', {}));
  await shown.frame.locator('.c-opener').nth(1).press('Enter');
  await shown.frame.locator('.c-steps').first().waitFor();
  await shoot(shown, `recipes-${theme}-${locale}`, 'widget-');
  await shown.close();
}

/** Calls that did not do what they were to do. */
async function unperformed(bench: WidgetBench, theme: 'light' | 'dark'): Promise<void> {
  const refused = await bench.open({ theme });
  await refused.sendInput({ url: 'ftp://docs.example.org/' });
  await refused.sendResult(await bench.call('crawl', { url: 'ftp://docs.example.org/' }));
  await refused.frame.locator('.f-error').waitFor();
  await shoot(refused, `refused-${bench.kind}-${theme}`);
  await refused.close();

  const pending = await bench.open({ theme, tool: 'run_resume' });
  const args = { run_id: 'run_ABCDEFGHIJKL', async: true };
  await pending.sendInput(args);
  await pending.sendResult(await bench.call('run_resume', args));
  await pending.frame.getByText('Waiting for approval').first().waitFor();
  await shoot(pending, `pending-${bench.kind}-${theme}`);
  await pending.close();

  const unseen = await open(bench, { theme });
  await unseen.sendResult({ content: [] });
  await unseen.frame.getByText('is in the conversation').waitFor();
  await shoot(unseen, `unseen-${bench.kind}-${theme}`);
  await unseen.close();
}

function answer(structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
