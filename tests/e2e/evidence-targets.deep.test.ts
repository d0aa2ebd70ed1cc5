import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Manifest } from '../../server/tools/oc_evidence_bundle/manifest.ts';
import { launchContext, MAPPED_HOST, type TestContext } from '../support/browser.ts';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

const MINIMAL_PDF = `%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj
trailer<</Root 1 0 R>>`;

let browser: TestContext;
let server: StdioServer;
let site: FileSite;
let origin: string;
let page: Page;
beforeAll(async () => {
  const html = file('<title>Mill</title><p>hello</p>', { 'content-type': 'text/html' });
  site = await serveFiles({
    '/pdf': file(MINIMAL_PDF, { 'content-type': 'application/pdf' }),
    ...Object.fromEntries(['/plain', '/cancel'].map((path) => [path, html])),
  });
  origin = `http://${MAPPED_HOST}:${site.port}`;
  browser = await launchContext();
  server = await startServer({ env: browser.serverEnv });
});
afterAll(async () => {
  await server.close();
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  page = await browser.context.newPage();
});
afterEach(() => page.close());

/** The id of the one tab that shows the address. */
async function tabAt(url: string): Promise<string> {
  const list = (await server.call('tabs')).json<{ tabs: { tab: string; url: string }[] }>();
  const found = list.tabs.filter((tab) => tab.url === url);
  expect(found).toHaveLength(1);
  return found[0]?.tab ?? '';
}

/** A bundle's manifest by part: its code when it failed, else null. */
async function codesAt(tab: string, include?: readonly string[]): Promise<Record<string, string | null>> {
  const answer = await server.call('oc_evidence_bundle', {
    tab,
    output_inline_limit_bytes: 1,
    ...(include === undefined ? {} : { include }),
  });
  expect(answer.isError, answer.text).toBe(false);
  const { parts, failed } = answer.json<Manifest>();
  return Object.fromEntries([
    ...parts.map(({ part }) => [part, null]),
    ...failed.map(({ part, code }) => [part, code]),
  ]);
}

it('a PDF has its pictures and facts, and says what it cannot give', async () => {
  await page.goto(`${origin}/pdf`).catch(() => undefined);
  const codes = await codesAt(await tabAt(`${origin}/pdf`), [
    'screenshot',
    'html',
    'markdown',
    'facts',
    'cookies',
  ]);
  expect(codes).toEqual({
    screenshot: null,
    html: 'page_is_pdf',
    markdown: 'page_is_pdf',
    facts: null,
    cookies: null,
  });
});

it('a page without TLS keeps no caches, and that is not a failure', async () => {
  await page.goto(`${origin}/plain`);
  expect(await codesAt(await tabAt(`${origin}/plain`), ['storage', 'facts', 'performance'])).toEqual({
    storage: null,
    facts: null,
    performance: null,
  });
});

it("after a person's Cancel what needs no debugger is still captured", async () => {
  await page.goto(`${origin}/cancel`);
  const tab = await tabAt(`${origin}/cancel`);
  const worker = browser.context.serviceWorkers()[0];
  const cancel = (isCancelled: boolean) =>
    worker?.evaluate((value) => chrome.storage.session.set({ debuggerCancelled: value }), isCancelled);
  await cancel(true);
  try {
    expect(await codesAt(tab)).toEqual({
      // The tab in front has a picture without a debugger.
      screenshot: null,
      full_page: 'debugger_cancelled',
      cookies: 'debugger_cancelled',
      console: 'debugger_cancelled',
      network: 'capture_not_running',
      html: null,
      snapshot: null,
      markdown: null,
      mhtml: null,
      facts: null,
      performance: null,
      storage: null,
    });
  } finally {
    await cancel(false);
  }
});
