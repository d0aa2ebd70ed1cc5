import { expect, vi } from 'vitest';
import type { FileFacts, NavigationEvent } from '../../extension/background/navigation/events.ts';
import { NavigationWatch, type WatchOptions } from '../../extension/background/navigation/watch.ts';
import { SpillwayError } from '../../shared/errors.ts';

const TAB = 4;
export const URL_A = 'http://site.test/a';
export const URL_B = 'http://site.test/b';

/** An event without its tab. */
export type Said = NavigationEvent extends infer E ? (E extends unknown ? Omit<E, 'tabId'> : never) : never;

const on = (event: Said, tabId = TAB): NavigationEvent => ({ ...event, tabId }) as NavigationEvent;
export const started = (url: string): Said => ({ type: 'started', url });
export const main = (id: string, url: string): Said => ({
  type: 'request',
  id,
  url,
  main: true,
  longLived: false,
});
export const sub = (id: string, longLived = false): Said => ({
  type: 'request',
  id,
  url: `http://site.test/${id}`,
  main: false,
  longLived,
});
export const response = (id: string, status = 200, file?: FileFacts): Said => ({
  type: 'response',
  id,
  status,
  longLived: false,
  ...(file !== undefined && { file }),
});
/** The facts of a response of that content type. */
export const typed = (contentType: string, isAttachment = false): FileFacts => ({
  name: null,
  contentType,
  isAttachment,
  sizeBytes: null,
});
export const ended = (id: string): Said => ({ type: 'request_ended', id, hasFailed: false });
export const committed = (url: string, isHistoryStep = false): Said => ({
  type: 'committed',
  url,
  isHistoryStep,
});
export const failed = (url: string, error: string): Said => ({ type: 'failed', url, error });
export const dom: Said = { type: 'dom_content_loaded' };
export const loaded: Said = { type: 'loaded' };

/** The usual course of a load, up to its commit. */
export const arriving = (id: string, url: string): Said[] => [
  started(url),
  main(id, url),
  response(id),
  committed(url),
];

export interface Watched {
  readonly watch: NavigationWatch;
  readonly say: (...events: Said[]) => Promise<void>;
  readonly end: () => unknown;
  readonly abort: AbortController;
}

export function watched(options: Partial<WatchOptions> = {}): Watched {
  const abort = new AbortController();
  const watch = new NavigationWatch({
    tabId: TAB,
    action: 'goto',
    url: URL_A,
    wait_until: 'load',
    timeout_ms: 30_000,
    signal: abort.signal,
    ...options,
  });
  let end: unknown = null;
  watch.done.then(
    (outcome) => (end = outcome),
    (error: unknown) => (end = error),
  );
  const say = async (...events: Said[]): Promise<void> => {
    for (const event of events) watch.take(on(event));
    await vi.advanceTimersByTimeAsync(0);
  };
  return { watch, say, end: () => end, abort };
}

export const done = (more: object = {}): object => ({ tabId: TAB, status: 200, redirects: [], ...more });

export function expectError(end: unknown, code: string, said: string): void {
  expect(end).toBeInstanceOf(SpillwayError);
  expect(end).toMatchObject({ code, message: expect.stringContaining(said) as string });
}
