import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import { Exchange, MessageLog } from '../../../server/libraries/har/exchange.ts';
import { entriesOf, entryAt, event, replay, VISIT, type HarEntry } from './replay.ts';

const visit = entriesOf(replay(VISIT));
const sent = (requestId: string, more: object = {}): CaptureLine =>
  event('requestWillBeSent', {
    requestId,
    loaderId: 'L',
    documentURL: 'http://a.test/',
    request: { url: `http://a.test/${requestId}`, method: 'GET', headers: { accept: '*/*' } },
    timestamp: 10,
    wallTime: 1_700_000_000,
    type: 'Fetch',
    frameId: 'F',
    ...more,
  });
const response = { status: 200, statusText: 'OK', headers: { a: 'b' }, mimeType: 'text/plain' };
const BODY = { kind: 'body', session: null, base64: false, data: 'text', size_bytes: 4 } as const;
const answered = (requestId: string, more: object = { hasExtraInfo: true }): CaptureLine[] => [
  event('responseReceived', { requestId, timestamp: 10.5, type: 'Fetch', response, ...more }),
  event('loadingFinished', { requestId, timestamp: 11, encodedDataLength: 120 }),
  { ...BODY, request_id: requestId },
];

/** Request, answer, the kept or missing body, and messages. */
const lineOf = (entry: HarEntry): string => {
  const { request, response } = entry;
  const { size, text = '', comment = '', encoding = '' } = response.content;
  const path = request.url.replace(/^.*?:\/\/[^/]+/, '');
  const answer = [entry['_resourceType'], request.method, path, response.status];
  const body = `${encoding}${size}/${response.bodySize} ${JSON.stringify(text.slice(0, 40))} ${comment}`;
  const more = {
    posted: request.postData,
    error: response._error,
    redirect: response.redirectURL === '' ? undefined : response.redirectURL,
    cache: entry['_fromCache'],
    cookies: response.cookies.length === 0 ? undefined : response.cookies,
    sent: entry['_webSocketMessages'],
    events: entry['_eventSourceMessages'],
  };
  return `${answer.join(' ')} ${body} ${JSON.stringify(more)}`;
};

it('a recorded visit gives these entries: each kind, redirect and failure, bodies and why one is missing, posts, messages', async () => {
  expect(visit.every((entry) => entry['pageref'] === visit[0]?.['pageref'])).toBe(true);
  expect(entryAt(visit, 'network/gzip').response.content.compression).toBe(9_871);
  await expect(`${visit.map(lineOf).join('\n')}\n`).toMatchFileSnapshot(
    '../../../fixtures/golden/network/visit-entries.txt',
  );
});

describe('extra info', () => {
  const extra = (requestId: string, cookie: string): CaptureLine =>
    event('requestWillBeSentExtraInfo', { requestId, headers: { cookie } });
  const responseExtra = (requestId: string, statusCode: number): CaptureLine => {
    const headers = statusCode === 302 ? { Location: '/b' } : { 'x-hop': `${statusCode}` };
    return event('responseReceivedExtraInfo', { requestId, headers, statusCode });
  };
  const redirect = sent('1', {
    timestamp: 11,
    redirectHasExtraInfo: true,
    redirectResponse: { ...response, status: 302, headers: { location: '/b' } },
  });
  const lines = [sent('1'), redirect, ...answered('1', { hasExtraInfo: true, timestamp: 12 })];
  const extras = [extra('1', 'hop=1'), responseExtra('1', 302), extra('1', 'hop=2'), responseExtra('1', 200)];

  it('belongs to its hop, however late or early it comes', () => {
    const bounds = { minLength: extras.length, maxLength: extras.length };
    const mixing = fc.property(fc.array(fc.nat(lines.length), bounds), (places) => {
      const sorted = places.toSorted((a, b) => a - b);
      const at = (index: number): CaptureLine[] => extras.filter((_, one) => sorted[one] === index);
      const mixed = lines.flatMap((line, index) => [...at(index), line]);
      const entries = entriesOf(replay([...mixed, ...at(lines.length)]));
      expect(entries.map(({ request }) => request.headers.at(-1)?.value)).toEqual(['hop=1', 'hop=2']);
      expect(entries.map(({ response: { status } }) => status)).toEqual([302, 200]);
    });
    fc.assert(mixing);
  });

  it.each([
    ['preloads and uses', { redirect: false, end: true }, [302, 200]],
    ['preloads and does not use', { redirect: true, end: true }, [302, 302, 200]],
    ['preloads and uses to the end', { redirect: false, end: false }, [302, 200]],
    ['does not see', { redirect: false, end: true }, [200]],
  ] as const)('is the own one of a hop that a service worker %s', (_, { redirect: first, end }, told) => {
    const moved = { ...response, status: 302, headers: { location: '/b' } };
    const hop = { timestamp: 11, redirectHasExtraInfo: first, redirectResponse: moved };
    const of = (status: number) => told.filter((one) => one === status);
    const pairs = (statuses: readonly number[]): CaptureLine[] =>
      statuses.flatMap((status) => [extra('1', `${status}`), responseExtra('1', status)]);
    const rest = answered('1', { hasExtraInfo: end, timestamp: 12 });
    for (const lines of [
      [sent('1'), ...pairs(of(302)), sent('1', hop), ...pairs(of(200)), ...rest],
      [sent('1'), ...pairs(told), sent('1', hop), ...rest],
    ]) {
      const entries = entriesOf(replay(lines));
      expect(entries.map(({ response: { status } }) => status)).toEqual([302, 200]);
      expect(entries.map(({ request }) => request.headers.at(-1)?.value)).toEqual([
        of(302).length > 0 ? '302' : '*/*',
        '200',
      ]);
    }
  });

  const challenge = [sent('1'), extra('1', 'none'), responseExtra('1', 401)];

  it('is of two entries where a challenge was answered', () => {
    const again = [extra('1', 'user'), responseExtra('1', 200), ...answered('1')];
    const answers = entriesOf(replay([...challenge, ...again])).map(({ request, response }) => {
      const { status, content } = response;
      return `${request.headers.at(-1)?.value} ${status} ${content.text ?? content.comment}`;
    });
    expect(answers.toSorted()).toEqual(['none 401 body not kept: not_told', 'user 200 text']);
  });

  it('is all that comes of the script of a worker that several tabs share, and not of one that has a session', () => {
    const script = sent('W', { loaderId: '', type: 'Script', documentURL: 'http://a.test/W' });
    const lines = [script, extra('W', 'none'), responseExtra('W', 200)];
    const [shared] = entriesOf(replay(lines));
    expect(shared).toMatchObject({
      comment: 'times not told by the browser',
      response: { status: 200, content: { comment: 'body not kept: not_told' } },
    });
    expect(shared?.['_pending']).toBeUndefined();
    const attached = event('attachedToTarget', { sessionId: 'S', targetInfo: { targetId: 'W' } });
    expect(entriesOf(replay([...lines, attached]))).toMatchObject([{ _pending: true }]);
    const whole = entriesOf(replay([...lines, attached, ...answered('W')]));
    expect(whole).toMatchObject([{ response: { content: { text: 'text' } } }]);
  });

  it('is of an entry each where the script of a worker is redirected', () => {
    const hop = (statusCode: number, headers: object): CaptureLine[] => [
      extra('W', `before ${statusCode}`),
      event('responseReceivedExtraInfo', { requestId: 'W', headers, statusCode }),
    ];
    const entries = entriesOf(
      replay([
        sent('W', { loaderId: '', type: 'Script', documentURL: 'http://a.test/W' }),
        ...[...hop(302, { Location: '/X?y' }), ...hop(307, { location: 'Z' }), ...hop(200, {})],
        event('attachedToTarget', { sessionId: 'S', targetInfo: { targetId: 'W' } }),
        ...answered('W'),
      ]),
    );
    expect(entries.map(lineOf).toSorted()).toEqual([
      'fetch GET /Z 200 4/-1 "text"  {}',
      'script GET /W 302 -1/-1 "" body not kept: not_told {"redirect":"/X?y"}',
      'script GET /X?y 307 -1/-1 "" body not kept: not_told {"redirect":"Z"}',
    ]);
  });

  it('says that a person is asked for a password, and keeps the status if nobody answers', () => {
    const comment = 'the server asks for a name and a password';
    const asked = { _pending: true, comment, response: { status: 401 } };
    expect(entriesOf(replay(challenge))).toMatchObject([asked]);
    const rest = answered('1', { hasExtraInfo: true, response: { ...response, status: 401 } });
    expect(entriesOf(replay([...challenge, ...rest]))).toMatchObject([{ response: { status: 401 } }]);
  });
});

it('a page begins when it is shown, not where its document becomes a file', () => {
  const load = (loaderId: string) => sent(loaderId, { loaderId, type: 'Document' });
  const shows = (loaderId: string) => event('frameNavigated', { frame: { id: 'F', loaderId } });
  const before = [load('A'), shows('A'), load('file'), event('loadEventFired', { timestamp: 11 })];
  const { exchanges, assembler } = replay([
    ...[...before, sent('x', { loaderId: 'A' }), load('B'), sent('y', { loaderId: 'B' }), shows('B')],
  ]);
  const pages = exchanges.map(({ requestId, pageref }) => `${requestId} ${pageref}`);
  expect(pages).toEqual(['A page_1', 'file page_2', 'x page_1', 'B page_4', 'y page_4']);
  expect(assembler.pages).toMatchObject([{ id: 'page_1', loadMs: 1_000 }, { id: 'page_4' }]);
});

it('unexpected lines are counted and passed over', () => {
  const odd = [
    event('requestWillBeSent', { requestId: 5 }),
    event('somethingNew', {}),
    event('loadingFinished', { requestId: 'unknown', timestamp: 1, encodedDataLength: 0 }),
    event('__proto__', {}),
  ];
  const { assembler, exchanges } = replay(odd);
  expect(assembler.misread).toBe(1);
  expect(exchanges).toEqual([]);
});

it('messages of an open connection are measured in bytes, and the newest are kept', () => {
  const chat = { id: 1, requestId: '1', url: 'ws:', method: 'GET', issuedAt: 0, wallAt: 0, type: '' };
  const [log, exchange] = [new MessageLog(6_000), new Exchange(chat)];
  for (const time of [1, 2, 3]) log.add(exchange, { time, data: '漢'.repeat(1_000), notKept: null });
  expect(exchange.messages.map(({ time }) => time)).toEqual([3]);
});
