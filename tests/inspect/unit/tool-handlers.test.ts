import { expect, it, vi } from 'vitest';
import { createHandlers as createClipboard } from '../../../extension/files/worker/clipboard.handler.ts';
import { createHandlers as createConsole } from '../../../extension/inspect/worker/console.handler.ts';
import { createHandlers as createDownloads } from '../../../extension/files/worker/downloads.handler.ts';
import { createHandlers as createEmulate } from '../../../extension/inspect/worker/emulate.handler.ts';
import { createHandlers as createEvaluate } from '../../../extension/inspect/worker/evaluate.handler.ts';
import { createHandlers as createIntercept } from '../../../extension/inspect/worker/intercept.handler.ts';
import { createHandlers as createPageTools } from '../../../extension/inspect/worker/page_tools.handler.ts';
import { createHandlers as createScreenshot } from '../../../extension/pictures/worker/screenshot.handler.ts';
import { createHandlers as createStorage } from '../../../extension/inspect/worker/storage.handler.ts';
import { createHandlers as createTabs } from '../../../extension/tabs/worker/tabs.handler.ts';
import { visibleTab } from '../../../extension/core/tabs/visible-tab.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { methods } from '../../../shared/inspect/storage.methods.ts';
import { COOKIE, installBrowser } from '../../support/browser-api.ts';
import { codeOf } from '../../support/code-of.ts';
import { openPolicy } from '../../support/open-policy.ts';
import { PATIENCE } from '../../support/patience.ts';

const clipboard = vi.hoisted(() => ({ text: '' }));
vi.mock('../../../extension/files/worker/fetch-address.ts', () => ({
  exchangeClipboard: async () => clipboard.text,
}));

const { signal } = new AbortController();
const TAB = { id: 7, windowId: 5, active: true, url: 'https://a.test/', status: 'complete' };
const FRAME = { frameId: 0, parentFrameId: -1, url: TAB.url, documentId: 'D' };
const caller = { session: 's', name: 'a' };

/** Calls a handler in a browser where tab 7 shows a page of one frame. */
async function ask(handlers: object, method: string, params: object = {}, ends = signal): Promise<unknown[]> {
  const written: string[] = [];
  const sink = { write: async (text: string) => void written.push(text) };
  const given = { tab_id: TAB.id, caller, ref: null, selector: null, ...params };
  const answer = await Reflect.get(handlers, method)(given, { signal: ends, policy: openPolicy }, sink);
  return [answer, written.join('')];
}

function install(more: Record<string, object> = {}): void {
  installBrowser({
    runtime: { getURL: (path: string) => path },
    webNavigation: { getFrame: async () => FRAME, getAllFrames: async () => [FRAME] },
    ...more,
    tabs: { get: async () => TAB, ...more['tabs'] },
  });
}

const CODE = { world: 'isolated', code: '() => 1', args: [], timeout_ms: 1_000 };
function evaluator(cookies: readonly string[][], value: unknown): object {
  const answers: Record<string, object> = {
    'Page.getFrameTree': { frameTree: { frame: { id: 'F' } } },
    'Page.createIsolatedWorld': { executionContextId: 1 },
    'Runtime.evaluate': { result: { objectId: 'o' } },
    'Runtime.callFunctionOn': { result: { type: 'object', value } },
    'Network.getCookies': { cookies: cookies.map(([name, value]) => ({ ...COOKIE, name, value })) },
  };
  const lease = {
    ...{ tabId: TAB.id, signal, onEvent: () => () => undefined, contexts: { in: () => [] } },
    send: async (method: string) => answers[method] ?? {},
  };
  const release = () => undefined;
  return createEvaluate({
    leases: { take: async () => ({ release }) },
    acting: { acquire: async () => ({ lease, frames: { all: async () => [null] }, release }) },
    dialogs: { of: () => null },
    closed: signal,
  } as never);
}

it.each([
  ['a number', [['uid', '12345678']], [], { user: { id: 12345678, age: 30 } }, '{"user":{"id":M,"age":30}}'],
  ['JSON', [['p', '%7B%22theme%22%3A%22dark%22%7D']], [], { p: { theme: 'dark' }, n: 1 }, '{"p":M,"n":1}'],
  ['all of it', [], [['auth', '{"user":1,"name":"Ann"}']], { user: 1, name: 'Ann' }, 'M'],
  ['several members', [['list', '11,22,33,44']], [], { at: [11, 22, 33, 44] }, '{"at":M}'],
  ['after an escape', [['uid', 'n1234567']], [], ['\n1234567', 1], 'M'],
  ['text and name', [['uid', 'ab"12345']], [], { 'ab"12345': 'is ab"12345' }, '{M:"is «redacted:cookie»"}'],
  ['no value of a cookie', [['uid', '12345678']], [], { at: [1, null, '\n'] }, '{"at":[1,null,"\\n"]}'],
])('hides what a busy page stores, in JSON: %s', async (_what, cookies, local, value, shown) => {
  vi.useFakeTimers();
  const stored = (area = '') => [{ result: JSON.stringify(area === 'local' ? local : []) }];
  install({
    scripting: {
      executeScript: ({ args }: { args: string[] }) =>
        vi.advanceTimersByTimeAsync(2_000).then(() => stored(...args)),
    },
  });
  const [, text] = await ask(evaluator(cookies, value), 'page.evaluate', CODE);
  expect(text).toBe(shown.replace(/\bM\b/, '"«redacted:cookie»"'));
});

it('takes no picture of the tab that came to the front meanwhile', async () => {
  let active = true;
  const captureVisibleTab = async () => ((active = false), 'data:image/png;base64,');
  const view = { x: 0, y: 0, width: 100, height: 50, pixelRatio: 1 };
  install({
    tabs: { get: async () => ({ ...TAB, active }), captureVisibleTab },
    scripting: { executeScript: async () => [{ result: view }] },
  });
  const acquire = () =>
    Promise.reject(new SpillwayError('debugger_cancelled', 'A person stopped debugging.'));
  const handlers = createScreenshot({ debuggers: { acquire } } as never);
  const params = { area: 'viewport', format: 'png', quality: 80, max_pixels: null };
  expect(await codeOf(ask(handlers, 'page.screenshot', params))).toBe('screenshot_failed');
});

it('takes the picture of a front tab again if the browser fails to read one back', async () => {
  const captureVisibleTab = vi.fn(async () => 'data:image/png;base64,AA==');
  captureVisibleTab.mockRejectedValueOnce(new Error('Failed to capture tab: image readback failed'));
  install({ tabs: { captureVisibleTab } });
  expect(await visibleTab(TAB as never, signal)).toBe('AA==');
});

const fits = (answer: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(answer)).length < LIMITS.bridgeFrameBytes - 1_024;
const released = { release: () => undefined, renew: () => undefined };
const TOOL = { name: 't', description: '', read_only: false, consequential: false, untrusted: false };
const CALL = { document_id: 'D', name: 't', input: {}, timeout_ms: 1_000 };
const LEASES = { leases: { take: async () => released }, closed: signal } as never;

/** A page with these tools; a call of one returns `answer`, and a frame may be silent. */
function declare(schemas: readonly string[], answer = '', mute = ''): void {
  const tools = schemas.map((schema) => ({ ...TOOL, schema }));
  const executeScript = ({ args, target }: { args?: unknown; target: { documentIds: string[] } }) =>
    target.documentIds.includes(mute)
      ? new Promise(() => undefined)
      : Promise.resolve([{ result: args ? { answer } : tools }]);
  const silent = { addListener: () => undefined, removeListener: () => undefined };
  const getAllFrames = async () => [FRAME, { ...FRAME, frameId: 1, parentFrameId: 0, documentId: 'E' }];
  install({ scripting: { executeScript }, webNavigation: { getAllFrames, onCommitted: silent } });
}

it.each([
  ['JSON', '{"a":"b"},'.repeat(45_000)],
  ['wide', '中'.repeat(180_000)],
  ['long', 'x'.repeat(1_000_000)],
])('cuts what a tool of a page answers to one message: %s', async (_what, text) => {
  declare(['{}'], text);
  const [answer] = await ask(createPageTools(LEASES), 'page_tools.call', CALL);
  expect(answer).toMatchObject({ is_cut: true });
  expect(fits(answer)).toBe(true);
});

it.each([
  [80, 2, 100, 60],
  [50, 20_000, 22, 78],
])('lists the tools of two frames that fit: %i of %i units each', async (count, units, listed, left) => {
  declare(Array.from({ length: count }, () => 'x'.repeat(units)));
  const [answer] = await ask(createPageTools(LEASES), 'page_tools.list');
  expect(answer).toMatchObject({ tools: { length: listed }, left_out: left });
  expect(fits(answer)).toBe(true);
});

const STATE = { origin: 'https://a.test', state: { cookies: [COOKIE], local: [], session: [] } };

/** An area, and a script in it: what goes in and out loses halves of characters. */
class Kept extends Map<string, string> {
  readonly getItem = (name: string) => this.get(name);
  readonly setItem = (name: string, value: string) => this.set(name, value);
  readonly removeItem = (name: string) => this.delete(name);
  readonly key = (at: number) => [...this.keys()][at];
  get length() {
    return this.size;
  }
}
const passed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_name, one) => (typeof one === 'string' ? one.toWellFormed() : one)));

it('exports, deletes and imports what a page stores as it is', async () => {
  const entries = Object.entries({ key: 'packed \udc3f', '\ud83d': '' });
  const kept = new Kept(entries);
  vi.stubGlobal('localStorage', kept).stubGlobal('sessionStorage', new Kept());
  type Script = { func: (...args: unknown[]) => unknown; args: unknown[] };
  const executeScript = async ({ func, args }: Script) => [{ result: passed(func(...passed(args))) }];
  const partitionKey = { topLevelSite: 'https://a.test', hasCrossSiteAncestor: false };
  const cookies = [{ ...COOKIE, partitionKey }];
  const send = vi.fn(async (..._command: unknown[]) => ({ cookies, success: true }));
  const use = (_tab: number, _signal: AbortSignal, work: (lease: object) => unknown) => work({ send });
  install({ scripting: { executeScript } });
  const handlers = createStorage({ debuggers: { use } } as never);
  const [exported] = await ask(handlers, 'storage.export');
  const { state } = methods['storage.export'].result.parse(exported);
  const change = { name: null, value: null, sites: [], cookie: {} };
  const [cleared] = await ask(handlers, 'storage.change', { ...change, area: 'local' });
  expect(cleared).toMatchObject({ changed: 2 });
  await ask(handlers, 'storage.import', { ...STATE, state });
  expect([...kept]).toEqual(entries);
  expect(send).toBeCalledWith('Network.setCookie', expect.objectContaining({ name: 'c', partitionKey }));
  await ask(handlers, 'storage.change', { ...change, area: 'cookies' });
  const deleted = { name: 'c', domain: 'a.test', path: '/', partitionKey };
  expect(send).toBeCalledWith('Network.deleteCookies', deleted);
});

it.each(['page_tools.call', 'storage.import'])('%s does nothing once it is stopped', async (method) => {
  const stop = new AbortController();
  const end = () => stop.abort(new SpillwayError('agent_stopped', ''));
  const executeScript = vi.fn(async () => (end(), [{ result: [{ ...TOOL, schema: null }] }]));
  install({ scripting: { executeScript } });
  const send = async () => (end(), { success: true });
  const use = (_tab: number, _signal: AbortSignal, work: (lease: object) => unknown) => work({ send });
  const handlers = { ...createPageTools(LEASES), ...createStorage({ debuggers: { use } } as never) };
  expect(await codeOf(ask(handlers, method, { ...CALL, ...STATE }, stop.signal))).toBe('agent_stopped');
  expect(executeScript).not.toBeCalledWith(expect.objectContaining({ args: expect.anything() }));
});

const WAITING = ['page_tools.list', 'page_tools.call', 'storage.list', 'tabs.close', 'page.evaluate'];
it.each(WAITING)('%s ends with no answer', async (method) => {
  vi.useFakeTimers();
  const executeScript = () => new Promise(() => undefined);
  install({ scripting: { executeScript }, tabs: { remove: executeScript } });
  const others = { ...createStorage({} as never), ...createTabs({} as never), ...evaluator([], 'secret') };
  const handlers = { ...createPageTools(LEASES), ...others };
  const code = codeOf(ask(handlers, method, { ...CALL, ...CODE, areas: ['local'] }));
  await vi.advanceTimersByTimeAsync(2 * LIMITS.pageResponseTimeoutMs);
  expect(await code).toBe('page_unresponsive');
});

it('lists the tools that it knows, and counts the frames that are silent', async () => {
  vi.useFakeTimers();
  declare(['{}'], '', 'E');
  const listed = ask(createPageTools(LEASES), 'page_tools.list');
  await vi.advanceTimersByTimeAsync(LIMITS.pageResponseTimeoutMs);
  expect(await listed).toMatchObject([{ tools: [{}], silent_frames: 1 }, '']);
});

it('cuts a clipboard to one message, with the length of the whole', async () => {
  install();
  clipboard.text = 'cell\t'.repeat(120_000);
  const [answer] = await ask(createClipboard(), 'page.clipboard', { text: null });
  expect(answer).toMatchObject({ units: 600_000 });
  expect(fits(answer)).toBe(true);
});

it.each(['x'.repeat(600_000), '中'.repeat(200_000)])('exports no state that is too large', async (value) => {
  install({ scripting: { executeScript: async () => [{ result: JSON.stringify([['cache', value]]) }] } });
  const handlers = createStorage({ debuggers: { use: async () => [] } } as never);
  expect(await codeOf(ask(handlers, 'storage.export'))).toBe('storage_refused');
});

it('lists two downloads of one address that begin at once as two', async () => {
  const saved = { url: TAB.url, finalUrl: TAB.url, filename: 'a', mime: '', state: 'complete' };
  const search = async () => [0, 1].map((id) => ({ ...saved, id, startTime: new Date(id).toISOString() }));
  install({ downloads: { search } });
  const downloads = { kept: () => [40, 41].map((startedAtMs) => ({ startedAtMs, facts: { url: TAB.url } })) };
  const [listed] = await ask(createDownloads({ downloads } as never), 'downloads.list');
  expect(listed).toMatchObject({ downloads: [{ id: 1 }, { id: 0 }] });
});

it('lists hundreds of tabs with long addresses', async () => {
  const tab = { ...TAB, url: `https://a.test/${'a/'.repeat(3_000)}`, title: 't '.repeat(500) };
  install({ tabs: { query: async () => Array.from({ length: 700 }, () => tab) } });
  const personTabs = { has: () => false };
  const [answer] = await ask(createTabs({ personTabs, server: { instance: 's' } } as never), 'tabs.list');
  expect(answer).toMatchObject({ tabs: { length: 700 } });
  expect(fits(answer)).toBe(true);
});

/** The commands that handlers with a hold send, and `answer` refuses. */
function holding(answer: (method: string, params: object) => unknown, sessions = (): string[] => []) {
  install();
  const sent: string[] = [];
  const listeners: ((event: object) => void)[] = [];
  const report = (event: object) => listeners.forEach((listener) => listener({ sessionId: null, ...event }));
  const lease = {
    ...{ tabId: TAB.id, signal, targets: () => [], release: async () => undefined },
    ...{ onEvent: (listener: typeof report) => listeners.push(listener), autoAttaches: () => true, sessions },
    send: async (method: string, params = {}) => {
      await new Promise(setImmediate);
      await answer(method, params);
      sent.push(method);
    },
  };
  const debuggers = { acquire: async () => lease };
  const personTabs = { has: () => false, onChange: () => () => undefined };
  const services = { debuggers, personTabs, closed: signal, sessionEnds: new Set() };
  return { sent, report, services: services as never };
}

it('keeps the former emulation if a part of the new one is refused after a reset', async () => {
  const { sent, services } = holding((_method, params) =>
    'timezoneId' in params && params.timezoneId === 'Mars'
      ? Promise.reject(new SpillwayError('internal_error', 'Invalid timezone'))
      : undefined,
  );
  const handlers = createEmulate(services);
  const emulate = (set: object, reset = false) => ask(handlers, 'tab.emulate', { reset, set });
  await emulate({ touch: true, print: true });
  sent.length = 0;
  expect(await codeOf(emulate({ timezone: 'Mars' }, true))).toBe('invalid_argument');
  const commands = ['Emulation.setTouchEmulationEnabled', 'Emulation.setEmulatedMedia'];
  expect(sent.filter((method) => commands.includes(method))).toEqual([...commands, ...commands]);
  await Promise.all([emulate({ cpu_slowdown: 2 }), emulate({ reduced_motion: true, network: 'offline' })]);
  expect((await emulate({ network: 'online' }))[0]).toEqual({
    emulates: { touch: true, print: true, cpu_slowdown: 2, reduced_motion: true },
  });
  await emulate({}, true);
});

it('emulates also in a frame that is added while another one changes', async () => {
  const touches = (): number => sent.filter((method) => method.includes('Touch')).length;
  const added = { method: 'Target.attachedToTarget', params: { sessionId: 'g', targetInfo: { url: '' } } };
  const tell = (method: string) => method.includes('Touch') && touches() === 1 && report(added);
  const { sent, report, services } = holding(tell, () => ['f']);
  const handlers = createEmulate(services);
  await ask(handlers, 'tab.emulate', { reset: false, set: { touch: true } });
  await vi.waitFor(() => expect(touches()).toBe(3), PATIENCE);
  await ask(handlers, 'tab.emulate', { reset: true, set: {} });
});

const CHROME = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
const ANDROID = { platform: 'Android', platformVersion: '10', architecture: '', model: '', mobile: true };
const WIDE = { width: 9, height: 5, scale: 1, mobile: true };
const PORTRAIT = { type: 'portraitPrimary', angle: 0 };
const TURNED = { width: 9, height: 5, deviceScaleFactor: 1, mobile: true, screenOrientation: PORTRAIT };
it.each([
  [{ locale: 'de-CH' }, { userAgent: '', acceptLanguage: 'de-CH' }],
  [{ user_agent: CHROME }, { userAgent: CHROME, userAgentMetadata: ANDROID }],
  [{ user_agent: 'Mozilla/5.0 (Linux) Firefox/140' }, { userAgent: 'Mozilla/5.0 (Linux) Firefox/140' }],
  [{ viewport: WIDE }, { ...TURNED, screenOrientation: { type: 'landscapePrimary', angle: 90 } }],
  [{ viewport: { ...WIDE, width: 4 } }, { ...TURNED, width: 4 }],
])('emulates client hints, and how a phone is turned: case %#', async (set, told) => {
  const calls: unknown[] = [];
  const handlers = createEmulate(holding((_method, params) => void calls.push(params)).services);
  await ask(handlers, 'tab.emulate', { reset: false, set });
  expect(calls).toContainEqual(told);
  await ask(handlers, 'tab.emulate', { reset: true, set: {} });
});

it('keeps no rule for requests that the browser does not report, and asks it again for the next', async () => {
  let isRefused = true;
  const refuse = (method: string) =>
    isRefused && method === 'Fetch.enable' ? Promise.reject(new Error('No')) : undefined;
  const { sent, services } = holding(refuse);
  const handlers = createIntercept(services);
  const act = { block: true, delay_ms: 0, answer: null, headers: null, login: null };
  const add = (id: string) => ask(handlers, 'tab.intercept', { add: { id, url: '**', act }, remove: null });
  expect(await Promise.all([add('r1'), add('r2')].map(codeOf))).not.toContain('no error');
  isRefused = false;
  expect((await add('r3'))[0]).toEqual({ rules: [{ id: 'r3', hits: 0 }] });
  expect(sent).toContain('Fetch.enable');
  await ask(handlers, 'tab.intercept', { add: null, remove: ['r3'] });
});

const ANSWER = { status: 422, phrase: 'Unprocessable Entity', headers: {}, body: 'e30=' };
it.each([
  ['fulfill', { answer: ANSWER }, { responseCode: 422, responsePhrase: 'Unprocessable Entity' }],
  ['continue', { headers: { 'X-Page': 'b' } }, { headers: [{ name: 'x-page', value: 'b' }] }],
  ['continue', { headers: { 'x-page': null, cookie: 'b' } }, { headers: [{ name: 'cookie', value: 'b' }] }],
])('tells the browser to %s with all of a rule, and no old cookie: %j', async (does, rule, told) => {
  const calls: unknown[] = [];
  const { report, services } = holding((method, params) => void calls.push([method, params]));
  const handlers = createIntercept(services);
  const act = Object.assign({ block: false, delay_ms: 0, answer: null, headers: null, login: null }, rule);
  await ask(handlers, 'tab.intercept', { add: { id: 'r1', url: '**', act }, remove: null });
  const request = { url: TAB.url, method: 'GET', headers: { Cookie: 'c=1', 'X-Page': 'a' } };
  const early = { ...request, method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } };
  for (const [at, one] of [early, request].entries())
    report({ method: 'Fetch.requestPaused', params: { requestId: `${at}`, resourceType: '', request: one } });
  const command = (params: object) => [`Fetch.${does}Request`, params];
  await vi.waitFor(() => expect(calls).toContainEqual(command(expect.objectContaining(told))), PATIENCE);
  const first = does === 'continue' ? { requestId: '0' } : expect.objectContaining({ responseCode: 204 });
  expect(calls).toContainEqual(command(first));
  const [listed] = await ask(handlers, 'tab.intercept', { add: null, remove: null });
  expect(listed).toEqual({ rules: [{ id: 'r1', hits: 1 }] });
  await ask(handlers, 'tab.intercept', { add: null, remove: ['r1'] });
  const caches = [true, false].map((cacheDisabled) => ['Network.setCacheDisabled', { cacheDisabled }]);
  expect(calls).toEqual(expect.arrayContaining(caches));
});

it.each([false, true])('opens no long list, and ends no report to an act: %s', async (isActing) => {
  const list = (size: number) => ({
    ...{ type: 'object', subtype: 'typedarray', objectId: String(size) },
    description: `Uint8Array(${size})`,
  });
  const opened: unknown[] = [];
  const sent: string[] = [];
  let report = (_event: object): void => undefined;
  const lease = {
    ...{ signal, sessions: () => [], autoAttaches: () => true },
    // It has begun meanwhile.
    isRecording: () => isActing && sent.includes('Runtime.enable'),
    onEvent: (listener: typeof report) => void (report = listener),
    send: async (method: string, { objectId }: { objectId?: string } = {}) => {
      sent.push(method);
      if (objectId !== undefined) opened.push(objectId);
      const params = { type: 'log', timestamp: 1, args: [list(200_000), list(3)] };
      if (method === 'Runtime.enable')
        report({ method: 'Runtime.consoleAPICalled', params, sessionId: null });
      return { result: [] };
    },
  };
  install();
  const use = (_tab: number, _signal: AbortSignal, work: (held: object) => unknown) => work(lease);
  const personTabs = { hadAt: () => false };
  const [, text] = await ask(createConsole({ debuggers: { use }, personTabs } as never), 'page.console');
  expect(opened).toEqual(['3']);
  expect(sent.slice(sent.indexOf('Runtime.enable')).includes('Runtime.disable')).toBe(!isActing);
  expect(text).toContain('Uint8Array(200000)');
});
