import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DebuggerSessions } from '../../../extension/platform/chromium/debugger/sessions.ts';
import { networkEvent } from '../../../extension/platform/chromium/network-events.ts';
import { CaptureFilter } from '../../../extension/network/worker/web-request-feed.ts';
import { createHandlers } from '../../../extension/network/worker/network.handler.ts';
import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { CaptureLine } from '../../../shared/network/lines.ts';
import { FakeCancelMemory, FakeDebugger, FakeHeldMemory } from '../../core/unit/extension/fake-debugger.ts';
import { PATIENCE } from '../../support/patience.ts';
import { openPolicy } from '../../support/open-policy.ts';
import { PersonTabs } from '../../../extension/core/person-tabs.ts';

const TAB = 7;

let fake: FakeDebugger;
let isTabOpen: boolean;
let debuggers: DebuggerSessions;
let handlers: ReturnType<typeof createHandlers>;
let text: string;
let ended: Promise<MethodResult<'network.capture'>>;

const lines = (): CaptureLine[] =>
  (text.match(/.+/g) ?? []).map((line) => CaptureLine.parse(JSON.parse(line)));
const kinds = (): string[] => lines().map(({ kind }) => kind);
/** How many bodies were fetched. */
const taken = (): number => fake.methods.filter((method) => method.includes('getResponseBody')).length;
/** The commands that have the browser keep bodies or not, and those that fetch them. */
const keptOrTaken = (): string[] =>
  fake.methods.flatMap((method) => /(?:getResponseBody|configureDurableMessages)$/.exec(method)?.[0] ?? []);
/** The failed loads that the worker has kept. */
const requests = { takeFailed: () => [] };
const context = () => ({ signal: new AbortController().signal, scope: null, policy: openPolicy });

async function begin(bodies: 'none' | 'text' | 'all' = 'all', by = context()): Promise<void> {
  const params = { tab_id: TAB, bodies, body_bytes: 1_000, bodies_bytes: 10_000 };
  const write = async (piece: string): Promise<void> => void (text += piece);
  ended = handlers['network.capture'](params, by, { write, flush: async () => undefined });
  await handlers['network.ready']({ tab_id: TAB }, by);
}

const mark = (): Promise<unknown> => handlers['network.mark']({ tab_id: TAB, mark: 1 }, context());
/** Ends the capture; by then everything has been written. */
async function stop(): Promise<void> {
  await handlers['network.stop']({ tab_id: TAB }, context());
  await ended.catch(() => undefined);
}
async function seen(): Promise<CaptureLine[]> {
  await mark();
  await stop();
  return lines();
}

function respond(id: string, { mimeType = 'text/plain', sizeBytes = 5 } = {}): void {
  const request = { url: 'http://a/', method: 'GET' };
  fake.emit(TAB, 'Network.requestWillBeSent', { requestId: id, request });
  const response = { url: 'http://a/', status: 200, mimeType };
  fake.emit(TAB, 'Network.responseReceived', { requestId: id, response });
  if (sizeBytes > 0) fake.emit(TAB, 'Network.dataReceived', { requestId: id, dataLength: sizeBytes });
  fake.emit(TAB, 'Network.loadingFinished', { requestId: id, encodedDataLength: sizeBytes });
}

beforeEach(() => {
  text = '';
  isTabOpen = true;
  fake = FakeDebugger.install();
  chrome.tabs.get = () =>
    isTabOpen ? Promise.resolve({ url: 'https://a.test/' } as never) : Promise.reject(new Error('No tab'));
  fake.answer = ({ method }) =>
    method === 'Network.getResponseBody' ? { body: 'hello', base64Encoded: false } : {};
  debuggers = new DebuggerSessions(new FakeCancelMemory(), new FakeHeldMemory());
  const request = (): Promise<never> => Promise.reject(new Error('The server is asked nothing.'));
  const server = { instance: 'server-one', wire: 2, request };
  handlers = createHandlers({ debuggers, personTabs: new PersonTabs(), requests, server });
});
afterEach(async () => {
  vi.useRealTimers();
  await stop();
});

const attach = (sessionId: string, type: string, parent?: string): void =>
  fake.emit(TAB, 'Target.attachedToTarget', { sessionId, targetInfo: { type } }, parent);
const COMMANDS = ['Network.enable', 'Target.setAutoAttach', 'Runtime.runIfWaitingForDebugger'];
const commands = (session: string): string[] => COMMANDS.map((method) => `${session} ${method}`);

it('a target below the tab gets its events on and is let go, however deep, also where it refuses its events', async () => {
  await begin();
  fake.sent.length = 0;
  fake.answer = ({ method }) => {
    if (method === 'Network.enable') throw new Error("'Network.enable' wasn't found");
  };
  attach('frame', 'iframe');
  attach('worker', 'worker', 'frame');
  expect(fake.methods).toEqual([...commands('frame'), ...commands('worker')]);
  expect(fake.sent[1]?.params).toEqual({ autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
});

it.each([
  ['none', {}, 'not_asked', 0],
  ['text', { mimeType: 'image/png' }, 'not_text', 0],
  ['all', { sizeBytes: 1_001 }, 'too_large', 0],
  ['all', {}, 'evicted', 1],
  ['all', { sizeBytes: 0 }, 'no_body', 1],
] as const)('bodies %s, %o: %s, fetched: %i', async (choice, response, reason, fetched) => {
  await begin(choice);
  fake.answer = () => {
    throw new Error('Request content was evicted from inspector cache');
  };
  respond('a', response);
  const line = { kind: 'no_body', reason, size_bytes: 'sizeBytes' in response ? response.sizeBytes : 5 };
  expect(await seen()).toContainEqual(expect.objectContaining(line));
  expect(taken()).toBe(fetched);
});

it.each([
  ['text', 'Fetch', 2, 'data: 0\n\ndata: 1\n\ndata: 2\n\n'],
  ['none', 'Fetch', 2, null],
  ['text', 'EventSource', 2, null],
  ['text', 'Fetch', 2_000, null],
  ['all', 'Fetch', 0, null],
] as const)(
  'bodies %s: of a cancelled stream of %s with %i pieces, what arrived is its body: %j',
  async (choice, type, count, whole) => {
    await begin(choice);
    fake.answer = ({ method }) =>
      method === 'Network.streamResourceContent'
        ? { bufferedData: choice === 'all' ? '' : btoa('data: 0\n\n') }
        : {};
    const on = (event: string, params: object) =>
      fake.emit(TAB, `Network.${event}`, { requestId: 'a', ...params });
    on('requestWillBeSent', { type, request: { url: 'http://a/', method: 'POST' } });
    on('responseReceived', { response: { url: 'http://a/', status: 200, mimeType: 'text/event-stream' } });
    on('dataReceived', { dataLength: 9 });
    await new Promise(setImmediate);
    for (let at = 1; at <= count; at += 1)
      on('dataReceived', { dataLength: 9, data: btoa(`data: ${at}\n\n`) });
    on('loadingFailed', { errorText: 'net::ERR_ABORTED', canceled: true });
    const line = (await seen()).find(({ kind }) => kind === 'body' || kind === 'no_body');
    expect(line?.kind === 'body' ? atob(line.data) : null).toBe(whole);
  },
);

it('bodies are taken a bounded number at a time', async () => {
  await begin();
  let [inFlight, most] = [0, 0];
  fake.answer = async ({ method }) => {
    if (method !== 'Network.getResponseBody') return {};
    most = Math.max(most, (inFlight += 1));
    await new Promise(setImmediate);
    inFlight -= 1;
    return { body: 'hello' };
  };
  for (let id = 0; id < 100; id += 1) respond(String(id));
  await seen();
  expect(kinds().filter((kind) => kind === 'body')).toHaveLength(100);
  expect(most).toBe(16);
});

it('bodies that the browser keeps are taken at a mark, without a wait', async () => {
  vi.useFakeTimers();
  await begin();
  respond('a');
  expect(taken()).toBe(0);
  await mark();
  expect(taken()).toBe(1);
  respond('b');
  await stop();
  expect(taken()).toBe(2);
  expect(await ended).toEqual({ source: 'debugger', ended: 'stopped', lost_lines: 0 });
  expect(fake.attached.size).toBe(0);
});

const OF_WORKER = { tabId: -1, initiator: 'https://a.test', url: 'https://a.test/api' };
const load = (requestId: string, ...stages: readonly string[]): void =>
  stages.forEach((stage) => fake.onRequest.get(stage)?.({ ...OF_WORKER, requestId }));
const loaded = (): string[] => kinds().filter((kind) => kind === 'web_request' || kind === 'no_body');

it.each([
  ['lacks', ['web_request', 'web_request', 'no_body']],
  ['reports', []],
])('the load of a service worker that the debugger %s, divided by a mark', async (does, passed) => {
  await begin();
  attach('worker', 'service_worker');
  const reported = { requestId: 'a', request: OF_WORKER };
  if (does === 'reports') fake.emit(TAB, 'Network.requestWillBeSent', reported, 'worker');
  load('1', 'onBeforeRequest');
  await mark();
  load('1', 'onCompleted');
  await stop();
  expect(loaded()).toEqual(passed);
});

it('loads of a service worker are passed on without a mark: soon, and the oldest of many at once', async () => {
  vi.useFakeTimers();
  await begin();
  for (let id = 0; id < 600; id += 1) load(String(id), 'onBeforeRequest', 'onCompleted');
  await vi.advanceTimersByTimeAsync(100);
  expect(loaded()).toHaveLength(300);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(loaded()).toHaveLength(1_800);
});

const asked = (url: string, more: object = {}): void => {
  const times = {
    timestamp: 10,
    wallTime: 1_000,
    loaderId: 'L1',
    frameId: 'F',
    documentURL: 'https://a.test/',
  };
  const request = { url, method: 'POST' };
  fake.emit(TAB, 'Network.requestWillBeSent', { requestId: 'a', request, type: 'Ping', ...times, ...more });
};
const stageOf = (stage: string, more: object = {}): void =>
  fake.onRequest.get(stage)?.({
    ...{ requestId: '1', tabId: TAB, method: 'POST', url: 'https://a.test/left', type: 'ping' },
    ...{ timeStamp: 1_002_000, initiator: 'https://a.test', ...more },
  });
const PASSED = ['web_request', 'web_request', 'no_body'];
const allStages = (more: object): void =>
  ['onBeforeRequest', 'onCompleted'].forEach((stage) => stageOf(stage, more));

it.each([
  ['the debugger does not report', () => allStages({}), PASSED],
  ['reports before', () => (asked('https://a.test/left'), allStages({})), []],
  ['reports after', () => (allStages({ url: 'https://a.test/left#x' }), asked('https://a.test/left')), []],
  [
    'reports one of two',
    () => (asked('https://a.test/left'), allStages({}), allStages({ requestId: '2' })),
    PASSED,
  ],
  ['reports at another address', () => (asked('https://a.test/else'), allStages({})), PASSED],
  ['is a document', () => allStages({ type: 'main_frame' }), []],
  ['is of another tab', () => allStages({ tabId: 8 }), []],
] as const)('a load of the tab that %s', async (_, happens, passed) => {
  await begin();
  happens();
  await stop();
  expect(loaded()).toEqual(passed);
});

it.each([
  ['onCompleted', {}, 'Network.loadingFinished', {}],
  [
    'onErrorOccurred',
    { error: 'net::ERR_ABORTED' },
    'Network.loadingFailed',
    { errorText: 'net::ERR_ABORTED' },
  ],
])('the end of a load whose page was left is that of webRequest: %s', async (stage, more, method, params) => {
  for (const isFirst of [true, false]) {
    text = '';
    await begin();
    const end = (): void => stageOf(stage, more);
    asked('https://a.test/left');
    stageOf('onBeforeRequest');
    if (isFirst) end();
    await mark();
    expect(lines()).not.toContainEqual(expect.objectContaining({ method }));
    fake.emit(TAB, 'Page.frameNavigated', { frame: { id: 'F', loaderId: 'L2' } });
    if (!isFirst) end();
    await stop();
    expect(lines()).toContainEqual(
      expect.objectContaining({
        method,
        params: expect.objectContaining({ requestId: 'a', timestamp: 12, ...params }),
      }),
    );
    expect(kinds().filter((kind) => kind.endsWith('body') || kind === 'web_request')).toHaveLength(1);
  }
});

const WORKER_USE = { usageBreakdown: [{ storageType: 'service_workers', usage: 1 }] };

it.each([
  ['is running', async () => attach('w', 'service_worker')],
  ['is of the page that a call loads', () => debuggers.willLoad(TAB, 'https://b.test/')],
])(
  'pages keep bodies, which are taken at once, from where a service worker may answer: it %s',
  async (_, learn) => {
    await begin();
    fake.answer = ({ method, params }) =>
      method === 'Storage.getUsageAndQuota' && params['origin'] === 'https://b.test' ? WORKER_USE : {};
    respond('before');
    expect(taken()).toBe(0);
    await learn();
    await vi.waitFor(() => expect(keptOrTaken()).toHaveLength(3), PATIENCE);
    expect(keptOrTaken()).toEqual([
      'configureDurableMessages',
      'getResponseBody',
      'configureDurableMessages',
    ]);
    respond('after');
    await vi.waitFor(() => expect(taken()).toBe(2), PATIENCE);
  },
);

it('the browser is asked for no bodies where the page of the tab has a service worker', async () => {
  fake.answer = ({ method }) => (method === 'Storage.getUsageAndQuota' ? WORKER_USE : {});
  await begin();
  respond('a');
  await vi.waitFor(() => expect(keptOrTaken()).toEqual(['getResponseBody']), PATIENCE);
});

it('a mark waits five seconds at most for a body that never comes', async () => {
  await begin();
  fake.answer = ({ method }) => (method === 'Network.getResponseBody' ? new Promise(() => undefined) : {});
  vi.useFakeTimers();
  respond('a');
  const marked = mark();
  await vi.advanceTimersByTimeAsync(5_000);
  await marked;
  await vi.advanceTimersByTimeAsync(100);
  expect(kinds()).toContain('mark');
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(5_100);
  await stopped;
});

it("the end a person's Cancel: with a code, and nothing is taken again", async () => {
  await begin();
  respond('a');
  fake.detach(TAB, 'canceled_by_user');
  expect(await ended).toMatchObject({ source: 'debugger', ended: 'cancelled_by_person' });
  expect(kinds()).toContain('event');
  const calls = [...fake.calls];
  await expect(begin()).rejects.toMatchObject({ code: 'debugger_cancelled' });
  await expect(ended).rejects.toMatchObject({ code: 'debugger_cancelled' });
  expect(fake.calls).toEqual(calls);
});

it.each([
  [false, 'tab_closed'],
  [true, 'debugger_lost'],
])('the end of the attachment, while the tab is open: %s: %s', async (isOpen, how) => {
  await begin();
  isTabOpen = isOpen;
  fake.detach(TAB, 'target_closed');
  expect(await ended).toMatchObject({ ended: how });
  await expect(mark()).rejects.toMatchObject({ code: 'capture_not_running' });
});

it('a capture that is refused leaves the one that it would have replaced', async () => {
  await begin('none');
  const first = ended;
  const expectTab = (): Promise<never> => Promise.reject(new Error('denied'));
  const refused = begin('all', { ...context(), policy: { ...openPolicy, expectTab } });
  await expect(refused).rejects.toThrow('denied');
  await expect(ended).rejects.toThrow('denied');
  respond('a');
  await mark();
  await stop();
  expect(await first).toMatchObject({ ended: 'stopped' });
  expect(kinds()).toContain('event');
});

const [SHOP, BANK] = ['https://shop.test', 'https://bank.test'];

it.each([
  ['page', '', [SHOP], SHOP, 3],
  ['forbidden page', '', [BANK], BANK, 0],
  ['page with a forbidden frame', '', [SHOP, BANK], SHOP, 3],
  ['forbidden frame', '', [SHOP, BANK, SHOP], BANK, 0],
  ['forbidden page that reaches no server', '', [BANK], null, 0],
  ['forbidden sandbox from before the capture', BANK, [], 'null', 0],
])('the events of a socket of a %s', (_of, url, documents, Origin, taken) => {
  const filter = new CaptureFilter((address) => !address.startsWith(BANK));
  const take = (method: string, more: object, requestId?: string, sessionId = 'frame') =>
    filter.take(networkEvent({ method: `Network.${method}`, params: { requestId, ...more }, sessionId }));
  for (const documentURL of documents)
    take('requestWillBeSent', { documentURL, frameId: 'F' }, documentURL, 'page');
  take('attachedToTarget', { sessionId: 'frame', targetInfo: { url, targetId: 'F' } });
  const request = { headers: { Origin } };
  const events = [
    ...take('webSocketCreated', { url: 'wss://push.test' }, 's'),
    ...(Origin === null ? [] : take('webSocketWillSendHandshakeRequest', { request }, 's')),
    ...take('webSocketFrameReceived', {}, 's'),
  ];
  expect(events).toHaveLength(taken);
});
