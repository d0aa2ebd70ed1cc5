import { beforeEach, expect, it, vi } from 'vitest';
import { QuietWatch } from '../../../extension/act/page/quiet.ts';

const URL_ASKED = 'http://page.test/answer';
const WATCH = { quietMs: 50, minMs: 8, untilFrame: true, effectMs: 0, waitMs: 2_000 };

/** Loads of the page since the observer was last asked. */
const loads: { readonly name: string }[] = [];

const observerOf = (takeRecords: () => unknown[]) =>
  class {
    readonly takeRecords = takeRecords;
    observe(): void {}
  };
const [Mutations, Loads] = [observerOf(() => []), observerOf(() => loads.splice(0))];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MutationObserver', Mutations);
  vi.stubGlobal('PerformanceObserver', Loads);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  return () => void (vi.unstubAllGlobals(), vi.useRealTimers());
});

it.each([
  ['waits for an answer that the browser has and the page has not', URL_ASKED, URL_ASKED, 250, 310],
  ['waits at most 400 ms for an answer that the page never records', URL_ASKED, 'another', 390, 440],
  ['does not wait for the answer to a request of another document', null, 'another', 40, 70],
])('%s', async (_, url, name, waitsMs, endsMs) => {
  const ended = vi.fn();
  void new QuietWatch(document).wait({ ...WATCH, answer: { sinceMs: 0, url } }).then(ended);
  await vi.advanceTimersByTimeAsync(waitsMs);
  expect(ended).not.toHaveBeenCalled();
  loads.push({ name });
  await vi.advanceTimersByTimeAsync(endsMs - waitsMs);
  expect(ended).toHaveBeenCalledWith({ isQuiet: true });
});
