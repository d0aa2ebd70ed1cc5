import { expect, test } from 'vitest';
import type { NetworkEntry } from '../../../server/core/network.ts';
import { causedBy } from '../../../server/network/filter.ts';

const AT = Date.parse('2026-11-22T10:00:00.000Z');
const span = { tab: 'b1:7', startedAt: AT, endedAt: AT + 100, nextAt: AT + 1_000 };

/** A request that began `ms` after the act. */
const entry = (url: string, ms: number, initiator: object = {}): NetworkEntry => ({
  _id: url,
  startedDateTime: new Date(AT + ms).toISOString(),
  request: { url },
  _initiator: { type: 'other', ...initiator },
});

test('takes requests made during the act, and those that they caused, until the tab is acted on again', () => {
  const isCaused = causedBy(span);
  const all = [
    entry('before', -10),
    entry('page', 10),
    entry('style', 300, { url: 'page' }),
    entry('script', 310, { stack: { callFrames: [{ url: 'page' }] } }),
    entry('data', 400, { stack: { callFrames: [{ url: '' }, { url: 'script' }] } }),
    entry('poll', 420, { stack: { callFrames: [{ url: 'before' }] } }),
    entry('later', 1_200, { url: 'page' }),
  ];
  expect(all.filter(isCaused).map(({ _id }) => _id)).toEqual(['page', 'style', 'script', 'data']);
});
