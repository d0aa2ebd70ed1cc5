import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilShown, type WatchUntil } from '../../../../extension/background/takeover/until.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { codeOf } from '../../../support/code-of.ts';

const looks = vi.hoisted(() => ({ answers: [] as (() => Promise<boolean>)[], asked: 0, aborted: 0 }));
vi.mock('../../../../extension/background/policy/documents.ts', () => ({
  topOf: () => Promise.resolve({ url: 'https://a.test/' }),
}));
vi.mock('../../../../extension/background/policy/documents-of-call.ts', () => ({
  documentsOfCall: () => ({}),
}));
vi.mock('../../../../extension/background/pages/await-conditions.ts', () => ({
  conditionsHold: ({ signal }: { signal: AbortSignal }) => {
    looks.asked += 1;
    signal.addEventListener('abort', () => (looks.aborted += 1));
    return (looks.answers.shift() ?? (() => Promise.resolve(false)))();
  },
}));

let call: AbortController;
let isDenied: boolean;
const watch = (): Promise<void> =>
  untilShown({
    tabId: 7,
    until: { text: 'Welcome' },
    policy: {
      expect: () =>
        isDenied ? Promise.reject(new SpillwayError('policy_denied', 'Denied.')) : Promise.resolve(),
    },
    signal: call.signal,
  } as unknown as WatchUntil);

beforeEach(() => {
  vi.useFakeTimers();
  call = new AbortController();
  isDenied = false;
  Object.assign(looks, { answers: [], asked: 0, aborted: 0 });
});
afterEach(() => vi.useRealTimers());

it('a look that the page does not answer is given up, and the next one counts', async () => {
  looks.answers = [() => new Promise<boolean>(() => undefined), () => Promise.resolve(true)];
  const watching = watch();
  await vi.advanceTimersByTimeAsync(2_500);
  await watching;
  expect(looks).toMatchObject({ asked: 2, aborted: 2 });
});

it('a look that fails shows nothing yet', async () => {
  looks.answers = [() => Promise.reject(new Error('It is loading.')), () => Promise.resolve(true)];
  const watching = watch();
  await vi.advanceTimersByTimeAsync(500);
  await watching;
  expect(looks.asked).toBe(2);
});

it('a page that may not be read is not looked at', async () => {
  isDenied = true;
  const watching = codeOf(watch());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(looks.asked).toBe(0);
  call.abort(new SpillwayError('cancelled', 'Over.'));
  expect(await watching).toBe('cancelled');
});
