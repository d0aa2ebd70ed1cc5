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

test('an answer that the page handles is waited for', () => {
  const { of, tell } = traffic();
  tell(request('rows', { isData: true }));
  expect(of.pending).toEqual(['http://a.test/rows']);
  tell(end('rows'));
  expect(of.pending).toEqual([]);
  expect(of.endedAt).toBeGreaterThan(0);
});

test('the answer that becomes the next page is not handled by the page before', () => {
  const { of, tell } = traffic();
  tell(request('next', { main: true }));
  tell(end('next'));
  expect(of.endedAt).toBe(-Infinity);
});

test('a new page has nothing to do with answers that the page before had to handle', () => {
  const { of, tell } = traffic();
  tell(request('rows', { isData: true }));
  tell(end('rows'));
  tell({ type: 'committed', url: 'http://a.test/next', isHistoryStep: false });
  expect(of.endedAt).toBe(-Infinity);
});

test('a new page handles what its scripts ask for, and not its pictures', () => {
  const { of, tell } = traffic();
  tell({ type: 'committed', url: 'http://a.test/next', isHistoryStep: false });
  tell(request('icon'));
  tell(end('icon'));
  expect(of.endedAt).toBe(-Infinity);
  tell(request('rows', { isData: true }));
  tell(end('rows'));
  expect(of.endedAt).toBeGreaterThan(0);
});
