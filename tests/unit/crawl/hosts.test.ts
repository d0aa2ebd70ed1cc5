import { expect, test } from 'vitest';
import { Hosts } from '../../../server/tools/crawl/hosts.ts';

const ORIGIN = 'https://a.test';

test('a host that has become ready since a time is still waited for, until it was asked', () => {
  let nowMs = 0;
  const hosts = new Hosts({
    delayMs: 5,
    concurrency: 2,
    now: () => nowMs,
    random: () => 0.5,
    readRobots: null,
    onReady: () => undefined,
    onFailure: () => undefined,
    onNote: () => undefined,
  });
  hosts.started(ORIGIN);
  expect(hosts.isReady(ORIGIN)).toBe(false);
  const askedAtMs = nowMs;
  nowMs = 6;
  expect(hosts.nextReadyAtMs(askedAtMs)).toBe(5);
  expect(hosts.isReady(ORIGIN)).toBe(true);
  expect(hosts.nextReadyAtMs(nowMs)).toBe(Infinity);
});
