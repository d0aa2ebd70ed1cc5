import { expect, it } from 'vitest';
import {
  advance,
  startPoll,
  type PollState,
  type PollEvent,
} from '../../../extension/widgets/common/model/poll.ts';

const after = (poll: PollState, ...events: PollEvent[]): PollState => events.reduce(advance, poll);
const due: PollEvent = { type: 'due' };
const failed: PollEvent = { type: 'failed' };
const answered = (hasMoved: boolean, hasEnded = false): PollEvent => ({
  type: 'answered',
  hasMoved,
  hasEnded,
});

it('a poll asks at once, soon while the run moves, and more and more seldom while it does not', () => {
  let poll = startPoll(false);
  expect(poll).toMatchObject({ phase: 'waiting', delayMs: 0 });
  poll = after(poll, due, answered(true));
  expect(poll).toMatchObject({ phase: 'waiting', delayMs: 1_000 });
  const delays = Array.from({ length: 8 }, () => (poll = after(poll, due, answered(false))).delayMs);
  expect(delays).toEqual([1_500, 2_250, 3_375, 5_062.5, 7_593.75, 10_000, 10_000, 10_000]);
  expect(after(poll, due, answered(true)).delayMs).toBe(1_000);
});

it('a poll gives up after three failures in a row, until the user retries', () => {
  const twice = after(startPoll(false), due, failed, due, failed);
  expect(twice).toMatchObject({ phase: 'waiting', delayMs: 4_000, failures: 2 });
  expect(after(twice, due, answered(false)).failures).toBe(0);
  const lost = after(twice, due, failed);
  expect(lost.phase).toBe('lost');
  expect(after(lost, due).phase).toBe('lost');
  expect(after(lost, { type: 'retry' })).toEqual(startPoll(false));
});
