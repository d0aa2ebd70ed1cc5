import { beforeEach, describe, expect, it } from 'vitest';
import { DebuggerSessions } from '../../../../extension/platform/chromium/debugger/sessions.ts';
import { forbiddenPage } from '../../../../extension/core/pages/targets.ts';
import { checkUrl } from '../../../../server/core/arguments.ts';
import { codeOf } from '../../../support/code-of.ts';
import { FakeCancelMemory, FakeDebugger, FakeHeldMemory } from './fake-debugger.ts';

const ID = 'a'.repeat(32);

/** Secrets, in each way in which they can be written. */
const FORBIDDEN = [
  ...['chrome://settings/', '\tchrome://settings', '\u0000\u001fchrome://settings', 'chr\nome://settings'],
  ...['chrome-untrusted://new-tab-page/', 'devtools://devtools/bundled/inspector.html', 'about:settings'],
  ...['about:blank.evil', 'view-source:https://a.test/', 'view-source:view-source:https://a.test/'],
  ...[`chrome-extension://${ID}/popup.html`, `moz-extension://${ID}/`, `blob:chrome-extension://${ID}/5c9c`],
  ...[`filesystem:chrome-extension://${ID}/temporary/a`, `blob:blob:chrome-extension://${ID}/5c9c`],
  ...['https://chromewebstore.google.com/detail/x', 'https://someone:word@chromewebstore.google.com/'],
  ...['https://chrome.google.com/webstore', 'https://microsoftedge.microsoft.com/addons/detail/x'],
  ...['javascript:alert(1)', 'nothing'],
];

const ALLOWED = [
  ...['', 'https://a.test/', 'http://[::1]:8080/x', 'https://a.test/chrome://settings'],
  ...['https://chrome.google.com/', 'https://chromewebstore.google.com.a.test/'],
  ...['https://chromewebstore.google.com@a.test/', 'about:blank', 'data:text/html,chrome://settings'],
  ...['blob:https://a.test/5c9c', 'file:///tmp/a.html', 'chrome-error://chromewebdata/'],
];

it.each(FORBIDDEN)('the table of forbidden pages holds %j, which no agent can ask for', (url) => {
  expect(forbiddenPage(url)).not.toBeNull();
  if (!/^https?:|^nothing$/i.test(url)) expect(() => checkUrl(url)).toThrow();
});

it.each(ALLOWED)('the table of forbidden pages leaves %j out', (url) => {
  expect(forbiddenPage(url)).toBeNull();
});

describe('the debugger', () => {
  const TAB = 7;
  const never = new AbortController().signal;
  let fake: FakeDebugger;
  let sessions: DebuggerSessions;
  const OWN = `chrome-extension://${ID}/popup.html`;
  beforeEach(() => {
    fake = FakeDebugger.install();
    sessions = new DebuggerSessions(new FakeCancelMemory(), new FakeHeldMemory());
  });

  it.each([OWN, 'view-source:https://a.test/'])('does not attach to %s', async (url) => {
    fake.urls.set(TAB, url);
    expect(await codeOf(sessions.acquire(TAB, never))).toBe('page_forbidden');
    expect(fake.calls).toEqual([]);
  });

  it.each([
    ['an address that was committed', `chrome-extension://${ID}/popup.html`, undefined],
    ['an address that the tab shows', 'https://a.test/', 'view-source:https://a.test/'],
  ])('is taken away by %s', async (_what, url, shown) => {
    const [lease, other] = await Promise.all([sessions.acquire(TAB, never), sessions.acquire(TAB, never)]);
    const elsewhere = await sessions.acquire(TAB + 1, never);
    const sent = fake.sent.length;
    fake.navigate(TAB, url, shown);
    for (const one of [lease, other]) {
      expect(one.signal.reason).toMatchObject({ code: 'page_forbidden' });
      expect(await codeOf(one.send('Runtime.evaluate'))).toBe('page_forbidden');
    }
    expect(fake.sent.length).toBe(sent);
    expect([...fake.attached]).toEqual([TAB + 1]);
    expect(elsewhere.signal.aborted).toBe(false);
    expect(await codeOf(sessions.acquire(TAB, never))).toBe('page_forbidden');
  });

  it('is taken away by an event of its own that comes first', async () => {
    const lease = await sessions.acquire(TAB, never);
    fake.emit(TAB, 'Page.frameNavigated', { frame: { parentId: 'F', url: 'chrome://settings/' } });
    fake.emit(TAB, 'Page.frameNavigated', { frame: { url: 'https://b.test/' } });
    expect(lease.signal.aborted).toBe(false);
    fake.emit(TAB, 'Page.frameNavigated', { frame: { url: `chrome-extension://${ID}/` } });
    expect(lease.signal.reason).toMatchObject({ code: 'page_forbidden' });
  });

  it('passes on nothing of a request for a forbidden page, which comes before the page', async () => {
    const lease = await sessions.acquire(TAB, never);
    const passed: string[] = [];
    lease.onEvent(({ method, params }) => void passed.push(`${method} ${String(params['requestId'])}`));
    const send = (requestId: number, url: string, type: string): void => {
      const request = { documentURL: url, request: { url } };
      fake.emit(TAB, 'Network.requestWillBeSent', { requestId, type, ...request });
      fake.emit(TAB, 'Network.responseReceived', { requestId, type, response: { url } });
    };
    send(1, OWN, 'Document');
    send(2, 'https://a.test/', 'Document');
    fake.emit(TAB, 'Network.requestWillBeSent', { requestId: 3, documentURL: OWN, type: 'Script' });
    expect(passed).toEqual(['Network.requestWillBeSent 2', 'Network.responseReceived 2']);
  });

  it('drops what a command answers from a forbidden page', async () => {
    const lease = await sessions.acquire(TAB, never);
    fake.answer = ({ method }) => {
      if (method === 'Runtime.evaluate') fake.navigate(TAB, `chrome-extension://${ID}/popup.html`);
      return { result: 'what the page holds' };
    };
    expect(await codeOf(lease.send('Runtime.evaluate'))).toBe('page_forbidden');
  });

  it.each(['Target.attachToTarget', 'Browser.getWindowForTarget'])(
    'does not send %s, which reaches what is in no tab',
    async (method) => {
      const lease = await sessions.acquire(TAB, never);
      expect(await codeOf(lease.send(method, { targetId: 'side-panel' }))).toBe('page_forbidden');
      expect(fake.sent.map((sent) => sent.method)).not.toContain(method);
      await lease.send('Target.setAutoAttach', { autoAttach: true });
      expect(fake.sent.map((sent) => sent.method)).toContain('Target.setAutoAttach');
    },
  );
});
