import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageChannels } from '../../../extension/background/pages/channels.ts';

const ADDRESS = { tabId: 7, frameId: 0, url: 'https://example.test/' };

let connect: (port: object) => void;
const { executeScript, runtime } = vi.hoisted(() => ({
  executeScript: vi.fn(() => Promise.resolve([])),
  runtime: { id: 'spillway', onConnect: { addListener: (listener: typeof connect): void => void listener } },
}));
vi.mock('webextension-polyfill', () => ({ default: { runtime, scripting: { executeScript } } }));

const event = () => ({ addListener: vi.fn() });

/** A port as a content script of tab 7 opens it. */
const port = () => ({
  name: 'spillway.page',
  sender: { id: runtime.id, tab: { id: ADDRESS.tabId }, frameId: ADDRESS.frameId, documentId: 'd' },
  onMessage: event(),
  onDisconnect: event(),
  postMessage: vi.fn(),
});

beforeEach(() => {
  executeScript.mockClear();
  runtime.onConnect.addListener = (listener: typeof connect) => (connect = listener);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('PageChannels.connect', () => {
  it('injects nothing and rejects at once when the call has already been aborted', async () => {
    const reason = new Error('gone');
    const waiting = createPageChannels().connect(ADDRESS, {
      timeoutMs: 60_000,
      signal: AbortSignal.abort(reason),
    });
    await expect(waiting).rejects.toBe(reason);
    expect(executeScript).not.toHaveBeenCalled();
  });

  it('leaves no listener on any signal once the page has connected', async () => {
    const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
    const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
    const waiting = createPageChannels().connect(ADDRESS, {
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    });
    connect(port());
    await waiting;
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    expect(added).toHaveBeenCalled();
  });

  it('rejects as page_unresponsive at the deadline, and with the reason of an abort', async () => {
    const channels = createPageChannels();
    const { signal } = new AbortController();
    await expect(channels.connect(ADDRESS, { timeoutMs: 5, signal })).rejects.toMatchObject({
      code: 'page_unresponsive',
    });
    const abort = new AbortController();
    const waiting = channels.connect(ADDRESS, { timeoutMs: 60_000, signal: abort.signal });
    abort.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
  });
});

describe('a message of a content script', () => {
  const open = async () => {
    const channels = createPageChannels();
    const page = port();
    const { signal } = new AbortController();
    const connecting = channels.connect(ADDRESS, { timeoutMs: 1_000, signal });
    connect(page);
    const channel = await connecting;
    const [say] = page.onMessage.addListener.mock.calls[0] ?? [];
    channel.open(1);
    const receive = () =>
      channel.receive(1, { timeoutMs: 20, signal, code: 'page_unresponsive', message: 'late' });
    return { say: (message: unknown): void => say(message), receive };
  };

  it('is handed on when it is well formed', async () => {
    const { say, receive } = await open();
    const part = { type: 'part', id: 1, pieces: ['text'], done: null, needsNumbers: false };
    say(part);
    await expect(receive()).resolves.toEqual(part);
  });

  it.each([
    ['an unknown type', { type: 'gossip', id: 1 }],
    ['a member of another type', { type: 'part', id: 1, pieces: 'text', done: null }],
    ['a piece that is not a piece', { type: 'part', id: 1, pieces: [{ path: 'x' }], done: null }],
    ['a member that is missing', { type: 'located', id: 1, url: 'https://example.test/' }],
  ])('fails its request with a code when it has %s', async (_, message) => {
    const { say, receive } = await open();
    say(message);
    await expect(receive()).rejects.toMatchObject({ code: 'internal_error' });
  });

  it.each([[null], ['text'], [{}], [{ type: 'part', id: '1' }], [{ type: 'part', id: 2 }]])(
    'is dropped when it names no open request: %j',
    async (message) => {
      const { say, receive } = await open();
      say(message);
      await expect(receive()).rejects.toMatchObject({ code: 'page_unresponsive' });
    },
  );

  it('counts a failure with an unknown code as ours', async () => {
    const { say, receive } = await open();
    say({ type: 'failed', id: 1, code: 'made_up', message: 'no' });
    await expect(receive()).rejects.toMatchObject({ code: 'internal_error', message: 'no' });
  });
});
