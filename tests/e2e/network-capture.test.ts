import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BROWSER_FETCHED_SCRIPTS,
  EVENT_SOURCE_DATA,
  LARGE_BODY_BYTES,
  NETWORK_SITE,
  PACKED_BODY_BYTES,
  SOCKET_MESSAGES,
} from '../../fixtures/network-site.ts';
import type { Exchange, TestCapture } from './worker/capture.ts';
import { CaptureRig } from './worker/capture-rig.ts';

/*
 * One visit of the fixture site in a tab behind the front one, captured with all bodies, and what
 * its lines say.
 */

let rig: CaptureRig;
let capture: TestCapture;

beforeAll(async () => {
  rig = await CaptureRig.start();
  const tabId = await rig.newTab();
  capture = await rig.capture(tabId);
  await rig.visit(tabId, '/network/', 'Network: done');
  await capture.mark(1);
});
afterAll(() => rig.close());

const bodyOf = ({ body, noBody }: Exchange): string => {
  if (body !== null) return body.base64 ? 'base64' : 'text';
  return noBody === null || noBody.reason === 'no_body' ? 'none' : noBody.reason;
};
const decoded = ({ body }: Exchange): Buffer =>
  Buffer.from(body?.data ?? '', body?.base64 === true ? 'base64' : 'utf8');
const inOrder = <T extends { path: string; method: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`));

describe('requests', () => {
  it('are all told, once, with status, failure and body', () => {
    const seen = capture.exchanges().flatMap((exchange) => {
      const { protocol, host, pathname, search } = new URL(exchange.url);
      const isBrowserFetched = BROWSER_FETCHED_SCRIPTS.some((path) => path === pathname);
      if (protocol === 'data:' || isBrowserFetched) return [];
      const { method, type, status, error } = exchange;
      const path = pathname + search;
      const isElsewhere = !rig.site.url.endsWith(host);
      return [{ method, path, type, status, error, body: bodyOf(exchange), isElsewhere }];
    });
    expect(inOrder(seen)).toEqual(inOrder(NETWORK_SITE));
  });

  it.each(BROWSER_FETCHED_SCRIPTS)('of the browser itself are reported: %s', (path) => {
    expect(capture.exchange(path)).toMatchObject({ method: 'GET', type: 'Script' });
  });

  it('carry what was posted, bytes that are not text too', () => {
    const posted = (end: string): unknown => capture.exchange(end).request['postData'];
    expect(posted('echo?json')).toBe('{"posted":"json"}');
    expect(posted('echo?form')).toBe('posted=form');
    const multipart = capture.exchange('echo?multipart');
    const [upload] = capture.of('post_data').filter(({ request_id }) => request_id === multipart.id);
    const bytes = Buffer.from(upload?.data ?? '', 'base64');
    expect(bytes.toString('latin1')).toContain('name="field"\r\n\r\nposted\r\n');
    expect(bytes.includes(Buffer.from([0, 255, 254]))).toBe(true);
    expect(upload?.size_bytes).toBe(bytes.length);
    const [entry] = capture.exchange('echo?bytes').request['postDataEntries'] as { bytes: string }[];
    expect(Buffer.from(entry?.bytes ?? '', 'base64')).toEqual(Buffer.from([0, 255, 254]));
  });

  it('that follow a redirect tell its answer', () => {
    const hops = capture.events('Network.requestWillBeSent').flatMap((params) => {
      const response = params['redirectResponse'] as { status: number; headers: object } | undefined;
      return response === undefined ? [] : [response];
    });
    expect(hops).toMatchObject([{ status: 302 }, { status: 302 }]);
  });

  it('tell what the network saw beyond the page: cookies, and a 304 that the cache answered for', () => {
    const extra = capture.events('Network.responseReceivedExtraInfo');
    const cookie = extra.find(({ requestId }) => requestId === capture.exchange('/cookies').id);
    expect(cookie).toMatchObject({ headers: { 'set-cookie': 'fixture=baked; Path=/' } });
    expect(extra.filter(({ statusCode }) => statusCode === 304)).toHaveLength(1);
    const sent = capture.events('Network.requestWillBeSentExtraInfo');
    expect(sent.some((params) => JSON.stringify(params['headers']).includes('fixture=baked'))).toBe(true);
  });

  it('that the cache answered say so', () => {
    const cached = capture.exchanges().filter(({ url }) => url.endsWith('/cached'));
    const fromCache = capture.events('Network.responseReceived').filter(({ requestId, response }) => {
      const { fromDiskCache } = response as { fromDiskCache: boolean };
      return fromDiskCache && cached.some(({ id }) => id === requestId);
    });
    expect(cached).toHaveLength(2);
    expect(fromCache).toHaveLength(1);
  });
});

describe('bodies', () => {
  it.each(['gzip', 'brotli'])('that were packed with %s are unpacked, and counted so', (how) => {
    const { body } = capture.exchange(`/${how}`);
    expect(body).toMatchObject({ base64: false, sizeBytes: PACKED_BODY_BYTES });
    expect(body?.data).toHaveLength(PACKED_BODY_BYTES);
  });

  it('that are not text come whole', () => {
    expect(decoded(capture.exchange('/binary'))).toEqual(
      Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    );
  });

  it('that are too large are counted', () => {
    expect(capture.exchange(`/${LARGE_BODY_BYTES}`).noBody).toEqual({
      reason: 'too_large',
      sizeBytes: LARGE_BODY_BYTES,
    });
  });

  it('come last of their requests', () => {
    const last = new Map<string, string>();
    for (const line of capture.lines) {
      // The browser reports extra infos in an order of their own: the assembler waits for them.
      if (line.kind === 'event' && 'requestId' in line.params && !line.method.endsWith('ExtraInfo'))
        last.set(String(line.params['requestId']), line.method);
      if (line.kind === 'body' || line.kind === 'no_body') last.set(line.request_id, 'body');
    }
    const ended = capture.exchanges().filter(({ body, noBody }) => body !== null || noBody !== null);
    expect(ended.filter(({ id }) => last.get(id) !== 'body')).toEqual([]);
  });
});

describe('messages', () => {
  it('of a WebSocket are reported in both directions', () => {
    for (const method of ['Network.webSocketFrameSent', 'Network.webSocketFrameReceived'])
      expect(capture.events(method).map(({ response }) => response)).toMatchObject(SOCKET_MESSAGES);
    expect(capture.events('Network.webSocketHandshakeResponseReceived')).toMatchObject([
      { response: { status: 101 } },
    ]);
    expect(capture.events('Network.webSocketClosed')).toHaveLength(1);
  });

  it('of an EventSource are reported', () => {
    const events = capture.events('Network.eventSourceMessageReceived');
    expect(events).toMatchObject(
      EVENT_SOURCE_DATA.map((data) => ({ eventName: 'count', eventId: data, data })),
    );
  });
});

it('reaches frames of other sites, and workers of each, through sessions of their own', () => {
  const types = new Map(
    capture
      .events('Target.attachedToTarget')
      .map(({ sessionId, targetInfo }) => [String(sessionId), (targetInfo as { type: string }).type]),
  );
  expect([...types.values()].sort()).toEqual(['iframe', 'service_worker', 'worker', 'worker']);
  const typeOf = (by: string): string | undefined =>
    types.get(capture.exchange(`text?by=${by}`).session ?? '');
  expect(typeOf('worker')).toBe('worker');
  expect(typeOf('service-worker')).toBe('service_worker');
  expect(typeOf('cross-frame')).toBe('iframe');
  expect(typeOf('cross-frame-worker')).toBe('worker');
  expect(capture.exchange('text?by=frame').session).toBeNull();
});

it('tells when the page was parsed and loaded', () => {
  const main = capture.events('Page.frameNavigated').find(({ frame }) => !('parentId' in (frame as object)));
  expect(main).toMatchObject({ frame: { url: `${rig.site.url}/network/` } });
  expect(capture.events('Page.domContentEventFired')).toHaveLength(1);
  expect(capture.events('Page.loadEventFired')).toHaveLength(1);
});
