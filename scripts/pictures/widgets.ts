import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endFile } from '../../tests/support/end-of-file.ts';
import { startBench } from '../../tests/support/widget-hosts/bench.ts';
import { launchBrowser, type OpenWidget } from '../../tests/support/widget-hosts/open.ts';
import { SAMPLE_PAGE } from '../../tests/support/widget-hosts/sample-page.ts';
import { product } from '../../tests/support/widget-hosts/sample-records.ts';
import { saveRecipes } from '../../tests/support/widget-hosts/sample-recipes.ts';
import { pageItem, pageItems } from '../../tests/support/widget-hosts/scripted-crawl.ts';

/*
 * Makes the pictures of the widgets: `tsx scripts/pictures/widgets.ts [FOLDER]`. Without a
 * folder, those of docs/images.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images'));
mkdirSync(folder, { recursive: true });

const URL_OF_DOCS = 'https://docs.example.org/';

const FAILED = {
  status: 503,
  title: null,
  error: { code: 'http_status', message: 'The page answered 503 three times.' },
};

const browser = await launchBrowser();
const apps = await startBench('apps', browser);
const pages = await startBench('apps', browser, { tool: 'read_page' });
const records = await startBench('openai', browser, { tool: 'extract_data' });
const recipes = await startBench('openai', browser, { tool: 'recipe_search' });
await saveRecipes(recipes.server);
try {
  await running();
  await result();
  for (const [theme, locale] of [
    ['light', 'en'],
    ['dark', 'zh-CN'],
  ] as const) {
    await ofPage({ theme, locale });
    await ofRecipes({ theme, locale });
  }
  await ofRecords({ theme: 'light', locale: 'zh-CN' });
  await ofRecords({ theme: 'dark', locale: 'en' });
} finally {
  await endFile();
}

async function shoot(widget: OpenWidget, name: string): Promise<void> {
  await widget.page.evaluate(() => document.fonts.ready);
  await widget.page.locator('iframe').screenshot({ path: join(folder, `widget-${name}.png`) });
  await widget.close();
}

async function startCrawl(theme: 'light' | 'dark'): Promise<OpenWidget> {
  const widget = await apps.open({ theme });
  await widget.sendInput({ url: URL_OF_DOCS });
  await widget.sendResult(await apps.call('crawl', { url: URL_OF_DOCS, async: true }));
  return widget;
}

async function running(): Promise<void> {
  const script = apps.script();
  script.read(pageItems(0, 30), 61, 0);
  const widget = await startCrawl('light');
  await widget.frame.getByText('1–10 of 30').waitFor();
  await shoot(widget, 'run-running-light');
  script.end();
}

async function result(): Promise<void> {
  const script = apps.script();
  script.read([...pageItems(0, 3), pageItem(3, FAILED), ...pageItems(4, 44)], 0, 1);
  script.end();
  const widget = await startCrawl('dark');
  await widget.frame.getByText('Completed', { exact: true }).waitFor();
  await widget.frame.getByRole('button', { name: 'Streams', exact: true }).press('Enter');
  await shoot(widget, 'run-result-dark');
}

interface Look {
  readonly theme: 'light' | 'dark';
  readonly locale: string;
}

async function ofPage(look: Look): Promise<void> {
  pages.write(SAMPLE_PAGE);
  const page = await pages.open({ ...look, tool: 'read_page' });
  await page.sendResult(await pages.call('read_page', { tab: 'b1:1' }));
  await page.frame.getByRole('searchbox').fill('credit');
  await page.frame.locator('.c-matches:not(:empty)').waitFor();
  await shoot(page, `page-${look.theme}-${look.locale}`);
}

async function ofRecords(look: Look): Promise<void> {
  const items = Array.from({ length: 23 }, (_, at) => product(at));
  const shown = await records.open({ ...look, tool: 'extract_data' });
  await shown.sendResult({
    content: [{ type: 'text', text: JSON.stringify({ items }) }],
    structuredContent: { items },
  });
  await shown.frame.locator('.c-opener').nth(1).press('Enter');
  await shoot(shown, `records-${look.theme}-${look.locale}`);
}

/** Recipes, one of them open. */
async function ofRecipes(look: Look): Promise<void> {
  const shown = await recipes.open({ ...look, tool: 'recipe_search' });
  await shown.sendResult(await recipes.call('recipe_search', {}));
  await shown.frame.locator('.c-opener').nth(1).press('Enter');
  await shown.frame.locator('.c-steps').first().waitFor();
  await shoot(shown, `recipes-${look.theme}-${look.locale}`);
}
