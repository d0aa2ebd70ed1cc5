import { expect, it } from 'vitest';
import { BodyBudget } from '../../../extension/network/worker/bodies.ts';
import { OtherLoads } from '../../../extension/network/worker/other-loads.ts';
import { Outbox } from '../../../extension/network/worker/outbox.ts';
import { CaptureFilter } from '../../../extension/network/worker/web-request-feed.ts';
import { networkEvent, type NetworkEvent } from '../../../extension/platform/chromium/network-events.ts';
import { installBrowser } from '../../support/browser-api.ts';

type Listener = (details: object) => void;

const TAB = 7;
const URL_LEFT = 'https://site.test/left';
const BEGUN_S = 1_000;

/** The loads of one tab, with the events of `webRequest` that a test gives. */
function openLoads() {
  const listeners = new Map<string, Listener>();
  const event = (name: string) => ({
    addListener: (listener: Listener) => void listeners.set(name, listener),
    removeListener: () => undefined,
  });
  const names = ['onBeforeRequest', 'onSendHeaders', 'onHeadersReceived', 'onBeforeRedirect'];
  const webRequest = Object.fromEntries(
    [...names, 'onCompleted', 'onErrorOccurred'].map((name) => [name, event(name)]),
  );
  installBrowser({ webRequest, tabs: { onRemoved: event('onRemoved') } });
  const reported: NetworkEvent[] = [];
  const parts = {
    outbox: new Outbox({ write: () => Promise.resolve() } as never),
    budget: new BodyBudget({ bodies: 'text', bodyBytes: 100, bodiesBytes: 100 }),
    filter: new CaptureFilter(() => true),
  };
  const tab = { id: TAB, url: 'https://site.test/page' };
  const loads = new OtherLoads(parts, tab, (ended) => reported.push(ended));
  const hear = (name: string, more: object = {}): void =>
    listeners.get(name)?.({
      ...{ requestId: '31', tabId: TAB, url: URL_LEFT, method: 'POST', type: 'ping' },
      ...{ initiator: 'https://site.test', timeStamp: BEGUN_S * 1_000 + 500, ...more },
    });
  return { loads, reported, hear };
}

const tabEvent = (method: string, params: NetworkEvent['params']): NetworkEvent =>
  networkEvent({ sessionId: null, method, params });
const documentShown = (loaderId: string): NetworkEvent =>
  tabEvent('Page.frameNavigated', { frame: { id: 'top', loaderId, url: 'https://site.test/' } });
const asked = tabEvent('Network.requestWillBeSent', {
  ...{ requestId: 'r1', frameId: 'top', loaderId: 'first', type: 'Ping' },
  ...{ documentURL: 'https://site.test/page', timestamp: 50, wallTime: BEGUN_S },
  request: { method: 'POST', url: URL_LEFT },
});

function* orders(rest: readonly string[], chosen: readonly string[] = []): Generator<readonly string[]> {
  if (rest.length === 0) yield chosen;
  for (const next of rest)
    yield* orders(
      rest.filter((one) => one !== next),
      [...chosen, next],
    );
}
const POSSIBLE = [...orders(['reported', 'left', 'begun', 'ended'])].filter(
  (order) => order.indexOf('begun') < order.indexOf('ended'),
);

it.each(POSSIBLE.map((order) => [order.join(', ')]))(
  'a load of a page that was left ends once, by the order: %s',
  (order) => {
    const { loads, reported, hear } = openLoads();
    loads.observe(documentShown('first'));
    const steps = new Map([
      ['reported', () => loads.observe(asked)],
      ['left', () => loads.observe(documentShown('second'))],
      ['begun', () => hear('onBeforeRequest')],
      ['ended', () => hear('onCompleted')],
    ]);
    for (const step of order.split(', ')) steps.get(step)?.();
    loads.close();
    expect(reported.map(({ method, params }) => [method, params])).toEqual([
      ['Network.loadingFinished', { requestId: 'r1', timestamp: 50.5 }],
    ]);
  },
);

it('a load of the page that is shown is ended by the debugger alone', () => {
  const { loads, reported, hear } = openLoads();
  loads.observe(documentShown('first'));
  loads.observe(asked);
  hear('onBeforeRequest');
  hear('onCompleted');
  expect(reported).toEqual([]);
});

it('the load of a new document is not one of the page before it', () => {
  const { loads, reported, hear } = openLoads();
  loads.observe(documentShown('first'));
  hear('onBeforeRequest', { type: 'main_frame', initiator: undefined });
  loads.observe({ ...asked, params: { ...asked.params, requestId: 'second', loaderId: 'second' } });
  hear('onCompleted', { type: 'main_frame', initiator: undefined });
  loads.observe(documentShown('second'));
  expect(reported).toEqual([]);
});
