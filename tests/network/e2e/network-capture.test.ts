import { beforeAll, expect, it } from 'vitest';
import {
  BROWSER_FETCHED_SCRIPTS,
  NETWORK_SITE,
  PACKED_BODY_BYTES,
  SOCKET_MESSAGES,
} from '../../../fixtures/network-site.ts';
import type { Exchange, TestCapture } from '../../support/worker/capture.ts';
import { CaptureRig } from '../../support/worker/capture-rig.ts';

let rig: CaptureRig;
let capture: TestCapture;

beforeAll(async () => {
  rig = await CaptureRig.start();
  const tabId = await rig.newTab();
  capture = await rig.capture(tabId);
  await rig.visit(tabId, '/network/', 'Network: done');
  await capture.mark(1);
});

const bodyOf = ({ body, noBody }: Exchange): string => {
  if (body !== null) return body.base64 ? 'base64' : 'text';
  return noBody === null || noBody.reason === 'no_body' ? 'none' : noBody.reason;
};
const inOrder = <T extends { path: string; method: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`));

it('requests are all told, once, with status, failure and body', () => {
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

it('requests carry what was posted, bytes that are not text too', () => {
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

it.each(['gzip', 'brotli'])('bodies that were packed with %s are unpacked, and counted so', (how) => {
  const { body } = capture.exchange(`/${how}`);
  expect(body).toMatchObject({ base64: false, sizeBytes: PACKED_BODY_BYTES });
  expect(body?.data).toHaveLength(PACKED_BODY_BYTES);
});

it('messages of a WebSocket are reported in both directions', () => {
  for (const method of ['Network.webSocketFrameSent', 'Network.webSocketFrameReceived'])
    expect(capture.events(method).map(({ response }) => response)).toMatchObject(SOCKET_MESSAGES);
  const shaken = capture.events('Network.webSocketHandshakeResponseReceived');
  expect(shaken).toMatchObject([{ response: { status: 101 } }]);
  expect(capture.events('Network.webSocketClosed')).toHaveLength(1);
});

it('reaches frames of other sites, and workers of each, through sessions of their own', () => {
  const attached = capture.events('Target.attachedToTarget');
  const types = new Map(
    attached.map(({ sessionId, targetInfo }) => [String(sessionId), (targetInfo as { type: string }).type]),
  );
  expect([...types.values()].sort()).toEqual(['iframe', 'service_worker', 'worker', 'worker']);
  const typeOf = (by: string) => types.get(capture.exchange(`text?by=${by}`).session ?? '');
  expect(typeOf('worker')).toBe('worker');
  expect(typeOf('service-worker')).toBe('service_worker');
  expect(typeOf('cross-frame')).toBe('iframe');
  expect(typeOf('cross-frame-worker')).toBe('worker');
  expect(capture.exchange('text?by=frame').session).toBeNull();
});
