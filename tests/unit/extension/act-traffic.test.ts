import { expect, test } from 'vitest';
import { ActTraffic } from '../../../extension/background/act/act-traffic.ts';
import type { NavigationEvent, NavigationListener } from '../../../extension/background/navigation/events.ts';

type Told = NavigationEvent extends infer One ? (One extends unknown ? Omit<One, 'tabId'> : never) : never;

/** The traffic of a tab, and a browser that tells of it. */
function traffic(): { readonly of: ActTraffic; readonly tell: (event: Told) => void } {
  let listen: NavigationListener = () => undefined;
  const of = new ActTraffic(7, {
    pending: [],
    source: (listener) => {
      listen = listener;
      return () => undefined;
    },
  });
  return { of, tell: (event) => listen({ tabId: 7, ...event }) };
}

const request = (id: string, more: { readonly main?: boolean; readonly isData?: boolean } = {}): Told => ({
  ...{ type: 'request', id, url: `http://a.test/${id}`, main: false, longLived: false },
  ...more,
});
const end = (id: string): Told => ({ type: 'request_ended', id, hasFailed: false });

const arrived: Told = { type: 'committed', url: 'http://a.test/next', isHistoryStep: false };

test.each<[string, Told[], boolean]>([
  ['an answer that the page handles', [request('rows', { isData: true }), end('rows')], true],
  ['the answer that becomes the next page', [request('next', { main: true }), end('next')], false],
  ['what the page before had to handle', [request('rows', { isData: true }), end('rows'), arrived], false],
])('whether the page handles %s', (_what, events, isHandled) => {
  const { of, tell } = traffic();
  for (const event of events) tell(event);
  expect(of.endedAt > 0).toBe(isHandled);
});
