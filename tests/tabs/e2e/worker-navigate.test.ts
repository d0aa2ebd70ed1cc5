import type { Dialog, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { file, redirect, serveFiles } from '../../support/file-site.ts';
import { withGrowingDeadline } from '../../support/growing-deadline.ts';
import { lendBrowser, type SpawnedBrowser } from '../../support/worker/browser.ts';
import { failure } from '../../support/worker/failure.ts';
import { TestHost, type HostPort } from '../../support/worker/test-host.ts';
import type { ServerResponse } from 'node:http';

const page = (title: string, body = ''): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;

const html = (title: string, body = '') =>
  file(page(title, body), { 'content-type': 'text/html; charset=utf-8' });

/** Requests that the test answers. */
const held: ServerResponse[] = [];
const site = await serveFiles({
  '/': html('Home'),
  '/a': html('A', '<h2 id="part">Part</h2>'),
  '/b': html('B'),
  '/framed': html('Framed', '<iframe src="/a"></iframe>'),
  '/loop': redirect('/loop'),
  '/moved': redirect('/a'),
  '/worker': html(
    'Worker',
    `<script>
      navigator.serviceWorker.register('/worker.js');
      navigator.serviceWorker.oncontrollerchange = () => (document.title = 'Controlled');
    </script>`,
  ),
  '/worker.js': file(
    `onactivate = (event) => event.waitUntil(clients.claim());
    onfetch = (event) =>
      event.respondWith(
        event.request.url.endsWith('?made') ? Response.redirect('/a', 301) : fetch(event.request),
      );`,
    { 'content-type': 'text/javascript' },
  ),
  '/mail': redirect('mailto:a@b.test'),
  '/204': (response) => void response.writeHead(204).end(),
  '/download': file('bytes', {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="f.bin"',
  }),
  '/mute': () => {},
  '/auth': file(page('Sign in'), { 'www-authenticate': 'Basic realm="test"' }, 401),
  '/title': html('Önskad <b>'),
  '/close': (response) => void response.socket?.destroy(),
  '/leave': html('Leave', '<script>onbeforeunload = (event) => event.preventDefault()</script>'),
  '/held': (response) => void held.push(response),
});

/*
 * Chromium is spawned by this suite itself: under Playwright a background tab pretends to be
 * visible. Every navigation here happens in a tab behind the front one.
 */

type Params = Partial<MethodParams<'page.navigate'>>;

let host: TestHost;
let browser: SpawnedBrowser;
let port: HostPort;
let tabId: number;

beforeAll(async () => {
  host = await TestHost.listen();
  browser = await lendBrowser({ host });
  port = await host.port(1);
  port.open(1);
  tabId = (await go({ tab_id: null, url: site.url('/') })).tab.id;
});

afterAll(() => host.close());

const call = (params: Params): MethodParams<'page.navigate'> => ({
  tab_id: tabId,
  action: 'goto',
  wait_until: 'load',
  // Longer than any machine takes.
  timeout_ms: 50_000,
  ...params,
});
const go = (params: Params) => port.call('page.navigate', call(params));
const visit = (path: string, more: Params = {}) => go({ url: site.url(path), ...more });

it('goto answers url, title, status and no redirects, and leaves the front tab in front', async () => {
  const { tab, status, redirects } = await visit('/title');
  expect(tab).toMatchObject({
    url: site.url('/title'),
    title: 'Önskad <b>',
    active: false,
    status: 'complete',
  });
  expect({ status, redirects }).toEqual({ status: 200, redirects: [] });
  expect((await port.call('tabs.active', {})).tab.id).not.toBe(tabId);
});

it('goto follows redirects that a service worker answers with', async () => {
  const at = (path: string): string => site.url(path, 'localhost');
  await go({ url: at('/worker') });
  await expect
    .poll(async () => (await port.call('tabs.get', { tab_id: tabId })).tab.title)
    .toBe('Controlled');
  for (const path of ['/moved', '/moved?made']) expect((await go({ url: at(path) })).tab.url).toBe(at('/a'));
});

itDeep('goto never answers for the page that was loading before', async () => {
  for (let round = 0; round < 2; round += 1) {
    const first = failure(visit('/held'));
    const second = await visit(round % 2 === 0 ? '/a' : '/b');
    expect(second.tab.url).toBe(site.url(round % 2 === 0 ? '/a' : '/b'));
    expect(second.status).toBe(200);
    for (const response of held.splice(0)) response.end('released');
    const superseded = await first;
    expect(superseded.message).toContain('Another call navigated tab');
    expect(superseded.hint).toContain('one call at a time');
  }
});

it.each(
  sample(
    [
      ['/loop', 'navigation_failed', 'net::ERR_TOO_MANY_REDIRECTS'],
      ['/close', 'navigation_failed', 'net::ERR_EMPTY_RESPONSE'],
      ['/download', 'not_a_page', 'a file, which was not saved (net::ERR_ABORTED)'],
      ['/mail', 'not_a_page', 'mailto:a@b.test is for another program (net::ERR_ABORTED)'],
      ['/204', 'not_a_page', 'answered 204 without content (net::ERR_ABORTED)'],
      ['/auth', 'navigation_failed', 'HTTP authentication'],
    ] as const,
    2,
  ),
)('failures %s is %s: %s', async (path, code, said) => {
  const error = await failure(visit(path));
  expect(error.code).toBe(code);
  expect(error.message).toContain(said);
});

it('failures answers a server that is silent with navigation_timeout', async () => {
  const error = await withGrowingDeadline(
    (timeoutMs) => failure(visit('/mute', { timeout_ms: timeoutMs })),
    ({ message }) => message.includes('/mute has not responded'),
  );
  expect(error.code).toBe('navigation_timeout');
  expect(error.message).toContain('/mute has not responded');
});

/** The page of a tab, which no other tab shows. */
async function pageAt(url: string): Promise<Page> {
  const pages = (): Page[] => browser.devtools.contexts().flatMap((context) => context.pages());
  await expect.poll(() => pages().map((page) => page.url())).toContain(url);
  const page = pages().find((candidate) => candidate.url() === url);
  return page ?? Promise.reject(new Error('The tab has gone.'));
}

itDeep(
  'failures does not hang on a page that asks whether to leave it, and works when it was answered',
  async () => {
    const { tab } = await visit('/leave', { tab_id: null });
    const page = await pageAt(tab.url);
    await page.mouse.click(10, 10);
    const dialog = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
    const error = await failure(visit('/a', { tab_id: tab.id, timeout_ms: 1_000 }));
    expect(error.code).toBe('navigation_timeout');
    expect(error.message).toContain('confirmation before it unloads');
    await (await dialog).accept();
    const now = async () => (await port.call('tabs.get', { tab_id: tab.id })).tab;
    await expect.poll(now).toMatchObject({ url: site.url('/a'), status: 'complete' });
    expect((await visit('/b', { tab_id: tab.id })).tab.url).toBe(site.url('/b'));
    await port.call('tabs.close', { tab_id: tab.id });
  },
);

it('history goes back and forward, through the fragment and a frame too, and says where it ends', async () => {
  const { tab } = await visit('/a', { tab_id: null });
  const id = tab.id;
  await visit('/b', { tab_id: id });
  await visit('/b#part', { tab_id: id });
  const walk = async (action: 'back' | 'forward') => (await go({ tab_id: id, action })).tab.url;
  expect(await walk('back')).toBe(site.url('/b'));
  expect(await walk('back')).toBe(site.url('/a'));
  expect((await failure(go({ tab_id: id, action: 'back' }))).code).toBe('no_history_entry');
  expect(await walk('forward')).toBe(site.url('/b'));
  expect(await walk('forward')).toBe(site.url('/b#part'));
  expect((await failure(go({ tab_id: id, action: 'forward' }))).code).toBe('no_history_entry');
  await visit('/framed', { tab_id: id });
  const framed = await pageAt(site.url('/framed'));
  await expect.poll(() => framed.frames().length).toBe(2);
  const [, frame] = framed.frames();
  await frame?.evaluate((url) => location.assign(url), site.url('/b'));
  await expect.poll(() => frame?.url()).toBe(site.url('/b'));
  expect(await walk('back')).toBe(site.url('/framed'));
  await expect.poll(() => frame?.url()).toBe(site.url('/a'));
  expect(await walk('forward')).toBe(site.url('/framed'));
  await expect.poll(() => frame?.url()).toBe(site.url('/b'));
  await failure(visit('/close', { tab_id: id }));
  expect(await walk('back')).toBe(site.url('/framed'));
  await port.call('tabs.close', { tab_id: id });
});
