import { vouchEach } from '../../support/clean.ts';
import { describe, expect, it } from 'vitest';
import { buildTimings, totalTime } from '../../../server/network/timings.ts';
import { createExchange, type Exchange } from '../../../server/network/exchange.ts';
import { writeHar } from '../../../server/toolkit/har.ts';
import type { NetworkEntry } from '../../../server/core/network.ts';
import { describePages } from '../../../server/network/har-pages.ts';
import { redactor } from '../redact/chunks.ts';
import { whyNoHar } from './har.ts';
import { entriesOf, replay, VISIT } from './replay.ts';

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

const replayed = replay(VISIT);
const NOTHING = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };

async function documentOf(entries: readonly NetworkEntry[], pages: ReturnType<typeof describePages>) {
  const slice = { entries: vouchEach(each(entries)), coverage: [], redacted: NOTHING, pages };
  let text = '';
  for await (const chunk of writeHar(slice, { version: '1', browser: { name: 'C', version: '2' } }))
    text += chunk;
  return JSON.parse(text) as { log: { entries: unknown[]; pages: unknown[] } };
}

describe('a HAR document', () => {
  it('is valid by the schemas of others, redacted or not', async () => {
    for (const clean of [
      (entry: NetworkEntry) => entry,
      (entry: NetworkEntry) => redactor.exchange(entry).entry,
    ]) {
      const entries = (entriesOf(replayed) as unknown as NetworkEntry[]).map(clean);
      const document = await documentOf(entries, describePages(replayed.assembler.pages, redactor));
      expect(whyNoHar(document)).toBe('');
      expect(document.log.entries).toHaveLength(49);
      expect(document.log.pages).toMatchObject([{ title: 'http://127.0.0.1:41800/network/' }]);
    }
    expect(whyNoHar(await documentOf([], []))).toBe('');
    expect(
      whyNoHar({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [{}] } }),
    ).toContain('startedDateTime');
  });
});

const exchange = (more: Partial<Exchange>): Exchange =>
  createExchange({
    id: 1,
    requestId: '1',
    session: null,
    url: 'http://a.test/',
    method: 'GET',
    issuedAt: 100,
    wallAt: 1_700_000_000,
    source: 'debugger',
    type: 'fetch',
    ...more,
  });

describe('timings', () => {
  it('are those that DevTools exports', () => {
    // The phases of a first request: 10 ms queued, then proxy-less DNS, TCP with TLS, send, wait.
    const timing = {
      requestTime: 100.01,
      proxyStart: -1,
      proxyEnd: -1,
      dnsStart: 2,
      dnsEnd: 7,
      connectStart: 7,
      connectEnd: 30,
      sslStart: 15,
      sslEnd: 30,
      sendStart: 31,
      sendEnd: 32,
      receiveHeadersEnd: 52,
    };
    const response = { status: 200, statusText: '', headers: {}, mimeType: '', timing };
    const timings = buildTimings(exchange({ response, respondedAt: 100.08, endedAt: 100.1 }), 101);
    expect(timings).toEqual({ blocked: 12, dns: 5, connect: 23, ssl: 15, send: 2, wait: 20, receive: 38 });
    expect(totalTime(timings)).toBe(100);
  });
});
