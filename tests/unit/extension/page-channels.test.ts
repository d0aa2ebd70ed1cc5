import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageChannels } from '../../../extension/background/pages/channels.ts';

const ADDRESS = { tabId: 7, frameId: 0, url: 'https://example.test/' };
const ID = 'spillway';

let connect: (port: object) => void;
const executeScript = vi.fn(() => Promise.resolve([]));

const event = () => ({ addListener: vi.fn() });

/** A port as a content script of tab 7 opens it. */
const port = () => ({
  name: 'spillway.page',
  sender: { id: ID, tab: { id: ADDRESS.tabId }, frameId: ADDRESS.frameId, documentId: 'd' },
  onMessage: event(),
  onDisconnect: event(),
  postMessage: vi.fn(),
});

beforeEach(() => {
  executeScript.mockClear();
  vi.stubGlobal('chrome', {
    runtime: { id: ID, onConnect: { addListener: (listener: typeof connect) => (connect = listener) } },
    scripting: { executeScript },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('PageChannels.connect', () => {
  it('injects nothing and rejects at once when the call has already been aborted', async () => {
    const reason = new Error('gone');
    const waiting = new PageChannels().connect(ADDRESS, {
      timeoutMs: 60_000,
      signal: AbortSignal.abort(reason),
    });
    await expect(waiting).rejects.toBe(reason);
    expect(executeScript).not.toHaveBeenCalled();
  });

  it('leaves no listener on any signal once the page has connected', async () => {
    const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
    const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
    const waiting = new PageChannels().connect(ADDRESS, {
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    });
    connect(port());
    await waiting;
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    expect(added).toHaveBeenCalled();
  });

  it('rejects as page_unresponsive at the deadline, and with the reason of an abort', async () => {
    const channels = new PageChannels();
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
