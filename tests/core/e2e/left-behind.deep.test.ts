import { beforeAll, expect, it } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { cancelDebugger, personRig, type PersonRig } from '../../support/person-rig.ts';
import { startServer } from '../../support/stdio-server.ts';
import { secretsFolder } from '../../support/test-folder.ts';

/** A page that tries to deceive every tool. */
const LIES = `<title>Mill</title><script>
  JSON.stringify = JSON.parse = () => 'lie';
  Promise = function () { return { then() {} }; };
  Object.defineProperty(Document.prototype, 'cookie', { get: () => 'lie' });
  Object.defineProperty(window, 'localStorage', { get: () => ({ lie: 'lie' }) });
  Object.defineProperty(navigator, 'modelContext', { value: { listTools: () => [{ name: 'grind' }], callTool: async () => 'flour' } });
</script><p>Mill`;
const { secrets } = secretsFolder('MILL=four-sails-37\n');

let rig: PersonRig;
beforeAll(async () => {
  rig = await personRig(({ url, headers }, response) => {
    if (url === '/closed' && headers.authorization === undefined)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="Mill"' }).end();
    response.end(LIES);
  });
  await rig.setRules([
    { id: 'all', effect: 'allow' },
    { id: 'tabs', risks: ['borrow_tab'], effect: 'allow' },
  ]);
  await rig.worker.evaluate('chrome.downloads.erase({}).then(() => null)');
});

/** Everything that tools could leave behind in a browser. */
const left = () =>
  rig.worker.evaluate(`(async () => ({
    attached: (await chrome.debugger.getTargets()).filter(({ attached, tabId }) => attached && tabId !== undefined).length,
    scripts: (await chrome.scripting.getRegisteredContentScripts()).length,
    held: Object.keys(await chrome.storage.session.get()).filter((key) => /held|input/i.test(key)).length,
    downloads: (await chrome.downloads.search({})).length,
  }))()`);
const NOTHING = { scripts: 0, held: 0, downloads: 0 };

const SEEN = `async () => ({
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  touch: navigator.maxTouchPoints > 0,
  answer: await fetch('/data').then((r) => r.status, () => 'failed'),
  title: document.title,
})`;

const FAULTS: readonly (readonly [string, (id: string) => Promise<unknown>, RegExp])[] = [
  ['takes the debugger', (id) => rig.worker.evaluate(cancelDebugger(id)), /^debugger_cancelled$/],
  [
    'goes elsewhere',
    (id) =>
      rig.worker.evaluate(`chrome.tabs.update(${id}, { url: '${rig.at('other.test')}' }).then(() => null)`),
    /^page_changed$/,
  ],
  [
    'closes the tab',
    (id) => rig.worker.evaluate(`chrome.tabs.remove(${id})`),
    /^(?:tab_not_found|tab_closed|page_changed|debugger_unavailable)$/,
  ],
];

it.each(FAULTS)('nothing is left in the browser when a person %s midway', async (_what, fault, end) => {
  const server = await startServer({ args: ['--secrets', secrets], env: rig.browser.serverEnv });
  const tab = await rig.openTab(rig.at('mill.test'), server);
  const ok = (tool: string, args: object) => rig.ok(tool, { tab, ...args }, server);
  await ok('emulate', { color_scheme: 'dark', touch: true });
  await ok('intercept', { action: 'add', url: '/data', answer: { status: 418 } });
  await ok('trace', { action: 'start' });
  await ok('record_video', { action: 'start' });
  await ok('audit', {});
  const login = { username: 'ada', password: 'secret:MILL' };
  await ok('intercept', { action: 'add', url: `${rig.at('mill.test')}**`, login });
  const shown = { dark: true, touch: true, answer: 418, title: 'Mill' };
  expect((await ok('evaluate', { code: SEEN })).json()).toEqual(shown);
  expect((await ok('evaluate', { code: `() => fetch('/closed').then((r) => r.status)` })).json()).toBe(200);
  expect((await ok('storage', {})).text).not.toContain('lie');
  await ok('page_pdf', {});
  await ok('clipboard', { action: 'write', text: 'flour' });
  await ok('downloads', {});
  expect((await ok('page_tool_call', { name: 'grind' })).text).toContain('flour');
  await ok('interact', { steps: ['tap css=p', 'pinch css=p 2'] });
  const code = `() => { document.title = 'begun'; return new Promise(() => {}); }`;
  const evaluating = server.call('evaluate', { tab, code, timeout_ms: 30_000 });
  const id = tab.split(':')[1] ?? '';
  const titled = () => rig.worker.evaluate(`chrome.tabs.get(${id}).then(({ title }) => title)`);
  await expect.poll(titled, PATIENCE).toBe('begun');
  await fault(id);
  expect((await evaluating).code()).toMatch(end);
  await rig.worker.evaluate(`chrome.storage.session.remove('debuggerCancelled').then(() => null)`);
  await server.close();
  await expect.poll(left, PATIENCE).toMatchObject(NOTHING);
  if (end.test('tab_closed')) return;
  const seen = async () => (await rig.server.call('evaluate', { tab, code: SEEN })).json();
  await expect.poll(seen, PATIENCE).toMatchObject({ dark: false, touch: false, answer: 200 });
});

// It stays for a moment, so that the bar of the browser does not flicker.
it('the debugger leaves every tab', () => expect.poll(left, PATIENCE).toMatchObject({ attached: 0 }));

it.each([
  ['evaluate', 'debugger_restricted', { code: SEEN }],
  ['emulate', 'debugger_restricted', { touch: true }],
  ['intercept', 'debugger_restricted', { action: 'add', url: '/data', block: true }],
  ['page_pdf', 'debugger_restricted', {}],
  ['trace', 'debugger_restricted', {}],
  ['record_video', 'debugger_restricted', { action: 'start' }],
  ['storage', 'debugger_restricted', {}],
  ['page_tools', undefined, {}],
  ['audit', undefined, {}],
  ['page_tool_call', undefined, { name: 'grind' }],
  ['downloads', undefined, {}],
  ['clipboard', undefined, {}],
])('kept from pages by a policy, %s ends with %s and leaves nothing', async (tool, code, args) => {
  await rig.server.call('navigate', { url: rig.at('mill.test') });
  await rig.worker.evaluate(`globalThis.attach = chrome.debugger.attach;
    chrome.debugger.attach = () => Promise.reject(new Error('Host access is restricted by policy.')); undefined`);
  const answer = await rig.server.call(tool, args);
  await rig.worker.evaluate('chrome.debugger.attach = globalThis.attach; undefined');
  expect(answer.code(), answer.text).toBe(code);
  await expect.poll(left, PATIENCE).toEqual({ ...NOTHING, attached: 0 });
});
