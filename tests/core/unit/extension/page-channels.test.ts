import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createPageChannels } from '../../../../extension/core/pages/channels.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { PATIENCE } from '../../../support/patience.ts';

const ADDRESS = { tabId: 7, frameId: 0, url: 'https://example.test/' };
const ID = 'spillway';
let connect: (port: object) => void;
let shown = 'd';
const executeScript = vi.fn(() => Promise.resolve([]));
const event = () => ({ addListener: vi.fn() });

const waiting = { timeoutMs: 1_000, signal: new AbortController().signal };

const port = (documentId = shown) => ({
  name: 'spillway.page',
  sender: { id: ID, tab: { id: ADDRESS.tabId }, frameId: ADDRESS.frameId, documentId },
  onMessage: event(),
  onDisconnect: event(),
  postMessage: vi.fn(),
  disconnect: vi.fn(),
});

const isInjected = () => executeScript.mockImplementationOnce(async () => (connect(port()), []));

beforeEach(() => {
  executeScript.mockClear();
  shown = 'd';
  const webNavigation = { getFrame: () => Promise.resolve({ documentId: shown }) };
  const onConnect = { addListener: (listener: typeof connect) => void (connect = listener) };
  installBrowser({ runtime: { id: ID, onConnect }, scripting: { executeScript }, webNavigation });
});

it('PageChannels.connect rejects as page_unresponsive at the deadline, and with the reason of an abort', async () => {
  const channels = createPageChannels();
  const late = channels.connect(ADDRESS, { ...waiting, timeoutMs: 5 });
  await expect(late).rejects.toMatchObject({ code: 'page_unresponsive' });
  const abort = new AbortController();
  const aborted = channels.connect(ADDRESS, { timeoutMs: 60_000, signal: abort.signal });
  abort.abort(new Error('cancelled'));
  await expect(aborted).rejects.toThrow('cancelled');
});

it('PageChannels.connect asks the document that a frame shows now, while the port of the one before is still open', async () => {
  const channels = createPageChannels();
  connect(port());
  const left = await channels.connect(ADDRESS, waiting);
  expect(left.documentId).toBe('d');
  shown = 'next';
  isInjected();
  expect((await channels.connect(ADDRESS, waiting)).documentId).toBe('next');
  expect(executeScript).toHaveBeenCalledTimes(1);
  expect(left.isClosed).toBe(true);
});

it('PageChannels.connect waits for a script that was injected ahead, and not for one in a page that was left', async () => {
  const channels = createPageChannels();
  channels.prepare(ADDRESS.tabId);
  const connecting = channels.connect(ADDRESS, waiting);
  connect(port());
  expect((await connecting).documentId).toBe('d');
  expect(executeScript).toHaveBeenCalledTimes(1);
  shown = 'left';
  channels.prepare(ADDRESS.tabId);
  await vi.waitFor(() => expect(executeScript).toHaveBeenCalledTimes(2), PATIENCE);
  shown = 'next';
  isInjected();
  expect((await channels.connect(ADDRESS, waiting)).documentId).toBe('next');
});

it('PageChannels.connect keeps the first port of a document that two injections have connected', async () => {
  const channels = createPageChannels();
  const [first, second] = [port(), port()];
  connect(first);
  const channel = await channels.connect(ADDRESS, waiting);
  connect(second);
  expect(second.disconnect).toHaveBeenCalledOnce();
  expect(await channels.connect(ADDRESS, waiting)).toBe(channel);
  for (const [gone] of first.onDisconnect.addListener.mock.calls) gone();
  const third = port();
  connect(third);
  expect(third.disconnect).not.toHaveBeenCalled();
  expect(await channels.connect(ADDRESS, waiting)).not.toBe(channel);
});

it('reads why a port ended in every listener, so that the browser shows no error of the extension', () => {
  const lastError = vi.fn(() => ({ message: 'moved into back/forward cache' }));
  createPageChannels();
  const page = port();
  connect(page);
  vi.stubGlobal('chrome', { runtime: Object.defineProperty({}, 'lastError', { get: lastError }) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const listeners = page.onDisconnect.addListener.mock.calls;
  for (const [gone] of listeners) gone();
  expect(lastError).toHaveBeenCalledTimes(listeners.length);
});

const open = async () => {
  const channels = createPageChannels();
  const page = port();
  const connecting = channels.connect(ADDRESS, waiting);
  connect(page);
  const channel = await connecting;
  const id = channel.open();
  const [say] = page.onMessage.addListener.mock.calls[0] ?? [];
  const receive = () => channel.receive(id, { ...waiting, timeoutMs: 20 });
  return { say: (message: unknown): void => say(message), receive };
};

it.each([
  ['a piece that is not a piece', { type: 'part', id: 1, pieces: [{ path: 'x' }], done: null }],
  ['an unknown code', { type: 'failed', id: 1, code: 'made_up', message: 'no' }],
])('a message of a content script fails its request with a code when it has %s', async (_, message) => {
  const { say, receive } = await open();
  say(message);
  await expect(receive()).rejects.toMatchObject({ code: 'internal_error' });
});
