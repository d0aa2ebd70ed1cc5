import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NETWORK_SITE } from '../../fixtures/network-site.ts';
import { CaptureRig } from './worker/capture-rig.ts';
import { failure } from './worker/failure.ts';
import { TestCapture } from './worker/capture.ts';

/* How captures begin and end, and what they do when tabs and people do not wait for them. */

let rig: CaptureRig;
let tabId: number;

beforeAll(async () => {
  rig = await CaptureRig.start();
});
afterAll(() => rig.close());
beforeEach(async () => {
  tabId = await rig.newTab();
});
afterEach(async () => {
  await rig.port.call('tabs.close', { tab_id: tabId }).catch(() => undefined);
});

const text = (by: string): string => `/__/network/text?by=${by}`;
const paths = (capture: TestCapture): string[] =>
  capture.exchanges().map(({ url }) => url.replace(rig.site.url, ''));

describe('bodies', () => {
  it('text: those that are not text are not taken, and messages neither', async () => {
    const capture = await rig.capture(tabId, { bodies: 'text' });
    await rig.visit(tabId, '/network/', 'Network: done');
    await capture.mark(1);
    expect(capture.exchange('/pixel.png').noBody).toEqual({ reason: 'not_text', sizeBytes: 70 });
    expect(capture.exchange('/data.json').body?.data).toBe('{"is":"json"}');
    expect(capture.exchange('/network/').body?.data).toContain('All kinds of requests.');
    const [sent, bytes] = capture.events('Network.webSocketFrameSent').map(({ response }) => response);
    expect(sent).toMatchObject({ payloadData: 'a text' });
    expect(bytes).toMatchObject({ payloadData: '', not_kept: { reason: 'not_text', size_bytes: 4 } });
    await capture.stop();
  });
});

describe('several captures of one tab', () => {
  it('of two servers both see all; the tab is let go with the last', async () => {
    rig.port.open(2);
    const [one, two] = await Promise.all([rig.capture(tabId), rig.capture(tabId, { channel: 2 })]);
    await rig.visit(tabId, text('both'));
    await Promise.all([one.mark(1), two.mark(2)]);
    expect(one.exchange(text('both')).body?.data).toBe('by both');
    expect(two.exchange(text('both')).body?.data).toBe('by both');
    expect(await one.stop()).toMatchObject({ ended: 'stopped' });
    expect(await rig.isAttached(tabId)).toBe(true);
    await rig.visit(tabId, text('second'));
    await two.mark(3);
    expect(two.exchange(text('second')).body?.data).toBe('by second');
    expect(paths(one)).not.toContain(text('second'));
    await two.stop();
    expect(await rig.isAttached(tabId)).toBe(false);
  });
});

describe('a tab', () => {
  it('that is closed ends its capture, with what was seen', async () => {
    const capture = await rig.capture(tabId);
    await rig.visit(tabId, text('closed'));
    await rig.port.call('tabs.close', { tab_id: tabId });
    expect(await capture.result).toMatchObject({ source: 'debugger', ended: 'tab_closed' });
    expect(paths(capture)).toContain(text('closed'));
    expect((await capture.stream).sealed).toBe(true);
  });

  it('whose page opens invisible dialogs continues, while no call concerns the page', async () => {
    const capture = await rig.capture(tabId);
    const worker = await rig.worker();
    const url = `${rig.site.url}/network/dialog.html`;
    await worker.evaluate(([id, to]) => chrome.tabs.update(id, { url: to }), [tabId, url] as const);
    await rig.titled(tabId, (title) => title === 'Dialog: false');
    await capture.stop();
  });
});

it('a capture whose server goes, or that is cancelled, is ended, and the tab let go', async () => {
  rig.port.open(4);
  await rig.capture(tabId, { channel: 4 });
  expect(await rig.isAttached(tabId)).toBe(true);
  rig.port.send(0, { type: 'close', channel: 4, reason: 'gone' });
  await expect.poll(() => rig.isAttached(tabId)).toBe(false);
  const capture = await rig.capture(tabId);
  rig.port.cancel(capture.id);
  expect((await failure(capture.result)).code).toBe('cancelled');
  await expect.poll(() => rig.isAttached(tabId)).toBe(false);
});

describe('where no debugger can attach', () => {
  it('a page of the browser: webRequest tells what the tab asks for next, without bodies', async () => {
    await rig.openPrivileged(tabId);
    const capture = await rig.capture(tabId);
    expect(await rig.port.call('network.ready', { tab_id: tabId })).toEqual({ source: 'web_request' });
    await rig.visit(tabId, '/network/', 'Network: done');
    await capture.mark(1);
    const reported = webRequests(capture);
    for (const { method, path, status, error } of NETWORK_SITE) {
      // A worker of the browser's own belongs to no tab; an abort has a word of its own there.
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
    expect(of('/cookies', 'headers_in')['responseHeaders']).toContainEqual({
      name: 'set-cookie',
      value: 'fixture=baked; Path=/',
    });
    expect(of('/cookies', 'headers_out')['requestHeaders']).not.toEqual([]);
    expect(await capture.stop()).toEqual({ source: 'web_request', ended: 'stopped', lost_lines: 0 });
  });
});

describe("a person's Cancel", () => {
  const set = async (isCancelled: boolean): Promise<void> => {
    const worker = await rig.worker();
    await worker.evaluate((value) => chrome.storage.session.set({ debuggerCancelled: value }), isCancelled);
  };

  it('is obeyed: no capture begins, and none falls back, until debugging is allowed again', async () => {
    await set(true);
    const capture = TestCapture.begin({ port: rig.port, tabId });
    const ready = failure(rig.port.call('network.ready', { tab_id: tabId }));
    expect((await failure(capture.result)).code).toBe('debugger_cancelled');
    expect((await ready).code).toBe('debugger_cancelled');
    expect(capture.lines).toEqual([]);
    await set(false);
    expect(await (await rig.capture(tabId)).stop()).toMatchObject({ source: 'debugger' });
  });

  it('is shown in the popup, where the keyboard suffices to allow debugging again', async () => {
    const popup = await rig.openPopup();
    const shown = (): Promise<boolean> =>
      popup.evaluate('document.getElementById("debugging").checkVisibility()');
    await expect
      .poll(() => popup.evaluate('document.getElementById("headline").textContent'))
      .toBe('Connected');
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
});

/** What the tab asked for, as `webRequest` tells of its ends. */
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
