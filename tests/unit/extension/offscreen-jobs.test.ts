import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FetchJob } from '../../../extension/offscreen/protocol.ts';
import { OffscreenJobs } from '../../../extension/background/fetching/offscreen-jobs.ts';
import { installBrowser } from '../../support/browser-api.ts';

const JOB: FetchJob = {
  url: 'https://example.test/',
  timeoutMs: 1,
  maxBytes: 1,
  holdsShell: false,
  what: { kind: 'resource' },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['does not connect in time', () => Promise.resolve(true), 'did not connect'],
  ['cannot be opened', () => Promise.reject(new Error('no document')), 'no document'],
])('a job fails when the offscreen document %s', async (_, hasDocument, message) => {
  installBrowser({
    runtime: { onConnect: { addListener: () => undefined } },
    offscreen: { hasDocument },
  });
  const running = new OffscreenJobs().run(1, JOB, {
    signal: new AbortController().signal,
    write: () => Promise.resolve(),
    onShell: () => Promise.resolve(false),
  });
  const failed = expect(running).rejects.toThrow(message);
  await vi.runAllTimersAsync();
  await failed;
});
