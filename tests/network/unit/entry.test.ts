import { expect, it } from 'vitest';
import { each } from '../../../shared/base/queue.ts';
import { vouchEach } from '../../support/clean.ts';
import { writeHar } from '../../../server/network/har-log.ts';
import { describePages } from '../../../server/network/index.ts';
import { redactor } from '../../libraries/unit/redaction/chunks.ts';
import { responseCookies, type NetworkEntry } from '../../../server/libraries/har/parts.ts';
import { whyNoHar } from './har.ts';
import { buildEntry } from '../../../server/libraries/har/entry.ts';
import { Exchange } from '../../../server/libraries/har/exchange.ts';
import { entriesOf, event, type HarEntry, replay, VISIT } from './replay.ts';

const replayed = replay(VISIT);
const NOTHING = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };
async function documentOf(
  entries: readonly NetworkEntry[],
  pages: Awaited<ReturnType<typeof describePages>>,
) {
  const slice = { entries: vouchEach(each(entries)), coverage: [], redacted: NOTHING, pages };
  let text = '';
  for await (const chunk of writeHar(slice, { version: '1', browser: { name: 'C', version: '2' } }))
    text += chunk;
  return JSON.parse(text) as { log: { entries: unknown[]; pages: unknown[] } };
}

it('a HAR document is valid by the schemas of others, redacted or not', async () => {
  const all = entriesOf(replayed) as unknown as NetworkEntry[];
  const cleaned = await Promise.all(all.map(async (entry) => (await redactor.exchange(entry)).entry));
  for (const entries of [all, cleaned]) {
    const document = await documentOf(entries, await describePages(replayed.assembler.pages, redactor));
    expect(whyNoHar(document)).toBe('');
    expect(document.log.entries).toHaveLength(49);
    expect(document.log.pages).toMatchObject([{ title: 'http://127.0.0.1:41800/network/' }]);
  }
  expect(whyNoHar(await documentOf([], []))).toBe('');
  const log = { version: '1.2', creator: { name: 'x', version: '1' }, entries: [{}] };
  expect(whyNoHar({ log })).toContain('startedDateTime');
});

const text = 'text/plain';
it.each([
  ['1f8b0800ff', text, null],
  ['00fffe01', 'application/json', null],
  ['636166e92080', text, null],
  ['636166e92080', 'text/plain; charset=windows-1252', 'café €'],
  ['8141', 'text/plain; charset=euc-kr', '갂'],
  ['ff', 'text/plain; charset=euc-kr', null],
  ['fffe6100', text, null],
  ['efbbbf61', text, '\ufeffa'],
  ['610062', text, 'a\0b'],
  ['c3a9', 'text/plain; charset=no-such', 'é'],
  ['2d2dffd8', 'multipart/form-data; boundary=-', null],
  ['3c6d65746120636861727365743d67626b3e81a1', 'text/html', '<meta charset=gbk>仭'],
  ['636166e921', 'text/html', 'café!'],
  ['1f8b0800ff', 'text/html', null],
  ['3c6d65746120636861727365743d67626b3e81a1', text, null],
  ['c3a9', 'application/x-own', 'é'],
  ['c3a900', 'application/x-own', null],
  ['c3a9', 'image/png', null],
])('the bytes %s of %s are the text %j, or base64', (hex, type, decoded) => {
  const data = Buffer.from(hex, 'hex').toString('base64');
  const exchange = new Exchange({
    ...{
      id: 1,
      requestId: '1',
      url: 'http://a.test/',
      method: 'POST',
      issuedAt: 0,
      wallAt: 0,
      type: 'fetch',
    },
    requestHeaders: { 'Content-Type': type },
    postData: { data, base64: true },
    response: { status: 200, statusText: '', headers: { 'Content-Type': type }, mimeType: type },
    body: { data, base64: true, sizeBytes: hex.length / 2 },
    endedAt: 1,
  });
  const { request, response } = buildEntry(exchange, 'b1:1', 1) as unknown as HarEntry;
  const kept = decoded === null ? { text: data, encoding: 'base64' } : { text: decoded };
  expect(response.content).toMatchObject({ ...kept, size: hex.length / 2 });
  expect(request.postData).toMatchObject(decoded === null ? { text: data, _encoding: 'base64' } : kept);
});

it('says that a browser which gives no bytes decoded them with losses', () => {
  const commentOf = (data: string, sizeBytes: number) => {
    const [exchange] = replay([
      event('requestWillBeSent', {
        ...{ requestId: '1', timestamp: 1, wallTime: 1, request: { url: 'http://a.test/', method: 'GET' } },
      }),
      event('loadingFinished', { requestId: '1', timestamp: 2, encodedDataLength: 9 }),
      { kind: 'body', session: null, request_id: '1', base64: false, data, size_bytes: sizeBytes },
    ]).exchanges;
    return exchange && (buildEntry(exchange, 'b1:1', 1) as unknown as HarEntry).response.content.comment;
  };
  expect(commentOf('a\ufffd', 2)).toMatch(/not text/);
  expect([commentOf('a\ufffd', 4), commentOf('é', 1)]).toEqual([undefined, undefined]);
});

it.each([
  ['Max-Age=60', 'expires', '1970-01-01T00:01:00.000Z'],
  ['Max-Age=60; Expires=Thu, 01 Jan 2026 00:00:00 GMT', 'expires', '1970-01-01T00:01:00.000Z'],
  ['Expires=Thu, 01 Jan 2026 00:00:00 GMT', 'expires', '2026-01-01T00:00:00.000Z'],
  ['Max-Age=-1', 'expires', '1970-01-01T00:00:00.000Z'],
  ['Max-Age=99999999999999', 'expires', '1971-02-05T00:00:00.000Z'],
  ['Expires=never', 'expires', undefined],
  ['samesite=lax', 'sameSite', 'Lax'],
])('a cookie that is set with %s has %s %s', (attributes, name, value) => {
  const [cookie] = responseCookies([{ name: 'Set-Cookie', value: `a=b; ${attributes}` }], 0);
  expect(Object(cookie)[name]).toBe(value);
});
