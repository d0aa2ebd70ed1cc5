import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FetchJob } from '../../../extension/offscreen/protocol.ts';
import { OffscreenJobs } from '../../../extension/background/fetching/offscreen-jobs.ts';

const { ensureOffscreen } = vi.hoisted(() => ({ ensureOffscreen: vi.fn() }));
vi.mock('../../../extension/background/chromium/offscreen.ts', () => ({ ensureOffscreen }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { onConnect: { addListener: () => undefined } } },
}));

const JOB: FetchJob = {
  url: 'https://example.test/',
  timeoutMs: 1,
  maxBytes: 1,
  holdsShell: false,
  what: { kind: 'resource' },
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it.each([
  ['does not connect in time', () => Promise.resolve(), 'did not connect'],
  ['cannot be opened', () => Promise.reject(new Error('no document')), 'no document'],
])('a job keeps nothing when the offscreen document %s', async (_, open, message) => {
  ensureOffscreen.mockImplementation(open);
  const added = vi.spyOn(Set.prototype, 'add');
  const deleted = vi.spyOn(Set.prototype, 'delete');
  // The functions that settle a promise are native; Vitest keeps functions of its own in sets.
  const resolvers = (spy: typeof added | typeof deleted) =>
    spy.mock.calls.flatMap(([value]) =>
      typeof value === 'function' && String(value).includes('[native code]') ? [value] : [],
    );
  const running = new OffscreenJobs().run(1, JOB, {
    signal: new AbortController().signal,
    write: () => Promise.resolve(),
    onShell: () => Promise.resolve(false),
  });
  const failed = expect(running).rejects.toThrow(message);
  await vi.runAllTimersAsync();
  await failed;
  expect(resolvers(added)).toHaveLength(1);
  expect(resolvers(deleted)).toEqual(resolvers(added));
});
