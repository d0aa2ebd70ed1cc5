import { expect, it } from 'vitest';
import { Polling, type PollPhase } from '../../../extension/widgets/common/model/poll.ts';

/** A poll whose timers ring when the test says so. Null fails. */
function bench() {
  const delays: number[] = [];
  const phases: PollPhase[] = [];
  let ring = (): void => undefined;
  let hasMoved: boolean | null = true;
  const poll = new Polling(
    {
      ask: async () => {
        if (hasMoved === null) throw new Error('It did not arrive.');
        return { hasMoved, hasEnded: false };
      },
      onChange: (phase) => void phases.push(phase),
      setTimer: (run, delayMs) => {
        delays.push(delayMs);
        ring = run;
        return () => (ring = () => undefined);
      },
    },
    false,
  );
  const next = async (moved: boolean | null): Promise<number | undefined> => {
    hasMoved = moved;
    ring();
    await new Promise(setImmediate);
    return delays.at(-1);
  };
  return { poll, delays, phases, next };
}

it('a poll asks at once, soon while the run moves, and more and more seldom while it does not', async () => {
  const { delays, next } = bench();
  await next(true);
  for (let turn = 0; turn < 8; turn += 1) await next(false);
  expect(delays).toEqual([0, 1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75, 10_000, 10_000, 10_000]);
  expect(await next(true)).toBe(1_000);
});

it('a poll gives up after three failures in a row, until the user retries', async () => {
  const { poll, phases, next } = bench();
  expect([await next(null), await next(null), await next(false)]).toEqual([2_000, 4_000, 6_000]);
  for (let turn = 0; turn < 3; turn += 1) await next(null);
  expect(phases.at(-1)).toBe('lost');
  await next(true);
  expect(phases.at(-1)).toBe('lost');
  poll.retry();
  expect(phases.at(-1)).toBe('waiting');
  expect(await next(true)).toBe(1_000);
});
