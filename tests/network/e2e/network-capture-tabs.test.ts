import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { NETWORK_SITE } from '../../../fixtures/network-site.ts';
import { defer } from '../../../shared/base/async.ts';
import { PATIENCE } from '../../support/patience.ts';
import { file, serveFiles } from '../../support/file-site.ts';
import { CaptureRig } from '../../support/worker/capture-rig.ts';
import type { TestCapture } from '../../support/worker/capture.ts';
import { itDeep } from '../../support/depth.ts';

let rig: CaptureRig;
let tabId: number;

beforeAll(async () => (rig = await CaptureRig.start()));
beforeEach(async () => (tabId = await rig.newTab()));
afterEach(async () => await rig.port.call('tabs.close', { tab_id: tabId }).catch(() => undefined));

itDeep('a tab whose page opens invisible dialogs continues, while no call concerns the page', async () => {
  const capture = await rig.capture(tabId);
  const worker = await rig.worker();
  const url = `${rig.site.url}/network/dialog.html`;
  await worker.evaluate(([id, to]) => chrome.tabs.update(id, { url: to }), [tabId, url] as const);
  await rig.titled(tabId, (title) => title === 'Dialog: false');
  await capture.stop();
});

itDeep(
  'where no debugger can attach a page of the browser: webRequest tells what the tab asks for next, without bodies',
  async () => {
    await rig.openPrivileged(tabId);
    const capture = await rig.capture(tabId);
    expect(await rig.port.call('network.ready', { tab_id: tabId })).toMatchObject({ source: 'web_request' });
    await rig.visit(tabId, '/network/', 'Network: done');
    await capture.mark(1);
    const reported = webRequests(capture);
    for (const { method, path, status, error } of NETWORK_SITE) {
      // A browser's own worker belongs to no tab; aborts have a different error there.
      if (path.endsWith('by=service-worker') || error === 'net::ERR_ABORTED') continue;
      expect(reported).toContainEqual({ method, path, status, error });
    }
    const reasons = capture.of('no_body').map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['no_debugger']));
    const of = (end: string, stage: string): Record<string, unknown> => {
      const lines = capture.of('web_request').filter((line) => line.stage === stage);
      return lines.find(({ details }) => String(details['url']).endsWith(end))?.details ?? {};
    };
    expect(of('echo?json', 'before')).toMatchObject({ requestBody: { text: '{"posted":"json"}' } });
    expect(of('echo?form', 'before')).toMatchObject({ requestBody: { form: { posted: ['form'] } } });
    expect(of('echo?bytes', 'before')).toMatchObject({ requestBody: { base64: 'AP/+' } });
    const cookie = { name: 'set-cookie', value: 'fixture=baked; Path=/' };
    expect(of('/cookies', 'headers_in')['responseHeaders']).toContainEqual(cookie);
    expect(of('/cookies', 'headers_out')['requestHeaders']).not.toEqual([]);
    expect(await capture.stop()).toEqual({ source: 'web_request', ended: 'stopped', lost_lines: 0 });
  },
);

it('what a page sends while the tab leaves it is captured, and so are the ends of what it waits for', async () => {
  const html = { 'content-type': 'text/html' };
  const page = `<script>
    addEventListener('beforeunload', () => fetch('/left?beforeunload', { keepalive: true }));
    addEventListener('pagehide', () => navigator.sendBeacon('/left?pagehide', 'sent'));
  </script>`;
  const left = file('{}', { 'content-type': 'application/json' });
  const site = await serveFiles({ '/page': file(page, html), '/next': file('next', html), '/left': left });
  const capture = await rig.capture(tabId);
  await rig.visit(tabId, site.url('/page'));
  await rig.visit(tabId, site.url('/next'));
  // Which source reports a load depends on when the page is gone.
  const hasEnded = (path: string): boolean => {
    const url = site.url(path);
    const asked = capture.exchanges().find((one) => one.url === url);
    if (asked !== undefined)
      return capture.events('Network.loadingFinished').some(({ requestId }) => requestId === asked.id);
    return capture
      .of('web_request')
      .some(({ stage, details }) => stage === 'completed' && details['url'] === url);
  };
  for (const path of ['/left?pagehide', '/left?beforeunload'])
    await expect.poll(() => hasEnded(path), { message: path }).toBe(true);
  expect(JSON.stringify(capture.lines)).toMatch(/"(?:text|postData)":"sent"/);
  await capture.stop();
});

it('answers of a service worker have bodies, from the first page of the tab', async () => {
  const html = { 'content-type': 'text/html' };
  const script = `onfetch = (event) => event.respondWith(new Response('<title>' + event.request.url + '</title>',
    { headers: { 'content-type': 'text/html' } }));`;
  const page = `<script>navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
    .then(() => { document.title = 'ready'; })</script>`;
  const [known, later] = await Promise.all(
    [1, 2].map(() =>
      serveFiles({
        '/page': file(page, html),
        '/sw.js': file(script, { 'content-type': 'text/javascript' }),
      }),
    ),
  );
  if (known === undefined || later === undefined) throw new Error('A site is missing.');
  await rig.visit(tabId, known.url('/page'), 'ready');
  await rig.port.call('tabs.close', { tab_id: tabId });
  tabId = await rig.newTab();
  const capture = await rig.capture(tabId);
  await rig.visit(tabId, later.url('/page'), 'ready');
  for (const url of [known.url('/a'), later.url('/b'), known.url('/c')]) {
    await rig.visit(tabId, url, url);
    const getBody = async () => {
      await capture.mark(1);
      return capture.exchanges().find((one) => one.url === url && one.type === 'Document')?.body;
    };
    // A title is shown before its document has ended.
    await expect.poll(getBody, PATIENCE).toMatchObject({ data: `<title>${url}</title>` });
  }
  await capture.stop();
});

it('a cancelled event stream has what arrived of it', async () => {
  const marked = defer<void>();
  const page = `<script type="module">
    const ending = new AbortController();
    const { body } = await fetch('/stream', { method: 'POST', signal: ending.signal });
    document.title = 'Open';
    await body.getReader().read();
    ending.abort();
  </script>`;
  const site = await serveFiles({
    '/page': file(page, { 'content-type': 'text/html' }),
    '/stream': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      void marked.promise.then(() => response.write('data: Größe\n\n'));
    },
  });
  const capture = await rig.capture(tabId);
  await rig.visit(tabId, site.url('/page'), 'Open');
  await capture.mark(1);
  marked.resolve();
  const stream = capture.exchanges().find(({ url }) => url === site.url('/stream'));
  const line = await capture.line((one) => one.kind === 'body' && one.request_id === stream?.id);
  expect(line).toMatchObject({ base64: true, data: Buffer.from('data: Größe\n\n').toString('base64') });
  await capture.stop();
});

it('a capture begins with what failed in the tab before it, once', async () => {
  const html = { 'content-type': 'text/html' };
  const loads = ['/missing', '/there', 'http://127.0.0.1:1/'].map((url) => `fetch('${url}')`);
  const page = `<script>Promise.allSettled([${loads.join()}]).then(() => (document.title = 'over'))</script>`;
  const site = await serveFiles({ '/page': file(page, html), '/there': file('{}') });
  await rig.visit(tabId, site.url('/page'), 'over');
  const capture = await rig.capture(tabId);
  const failed_before = 2;
  expect(await rig.port.call('network.ready', { tab_id: tabId })).toMatchObject({
    source: 'debugger',
    failed_before,
  });
  await capture.mark(1);
  const failed = webRequests(capture);
  expect(failed).toHaveLength(failed_before);
  expect(failed).toContainEqual({ method: 'GET', path: '/missing', status: 404, error: null });
  const error = 'net::ERR_UNSAFE_PORT';
  expect(failed).toContainEqual({ method: 'GET', path: '/', status: null, error });
  await capture.stop();
  const later = await rig.capture(tabId);
  await later.mark(1);
  expect(webRequests(later)).toEqual([]);
  await later.stop();
});

const set = async (isCancelled: boolean): Promise<void> => {
  const worker = await rig.worker();
  await worker.evaluate((value) => chrome.storage.session.set({ debuggerCancelled: value }), isCancelled);
};

it("a person's Cancel is shown in the popup, where the keyboard suffices to allow debugging again", async () => {
  const popup = await rig.openPopup();
  const shown = (): Promise<boolean> =>
    popup.evaluate('document.getElementById("debugging").checkVisibility()');
  const headline = () => popup.evaluate('document.getElementById("headline").textContent');
  await expect.poll(headline).toBe('Connected');
  expect(await shown()).toBe(false);
  await set(true);
  await expect.poll(shown).toBe(true);
  expect(await popup.evaluate('document.getElementById("debugging").innerText')).toContain('was cancelled');
  const focused = (): Promise<string> => popup.evaluate('document.activeElement.id');
  for (let tabs = 0; tabs < 5 && (await focused()) !== 'allow'; tabs += 1) await popup.press('Tab');
  expect(await focused()).toBe('allow');
  await popup.press('Enter', '\r');
  await expect.poll(shown).toBe(false);
  expect(await focused()).toBe('status');
  expect(await (await rig.capture(tabId)).stop()).toMatchObject({ source: 'debugger' });
  await popup.evaluate('window.close()').catch(() => undefined);
});

function webRequests(capture: TestCapture): object[] {
  const ends = capture
    .of('web_request')
    .filter(({ stage }) => ['redirect', 'completed', 'failed'].includes(stage));
  return ends.map(({ details }) => {
    const { pathname, search } = new URL(String(details['url']));
    const { method, statusCode: status = null, error = null } = details;
    return { method, path: pathname + search, status, error };
  });
}
