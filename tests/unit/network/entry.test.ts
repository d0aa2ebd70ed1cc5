import { expect, it } from 'vitest';
import { each } from '../../../shared/queue.ts';
import { vouchEach } from '../../support/clean.ts';
import { writeHar } from '../../../server/toolkit/har.ts';
import type { NetworkEntry } from '../../../server/core/network.ts';
import { describePages } from '../../../server/network/index.ts';
import { redactor } from '../redact/chunks.ts';
import { responseCookies } from '../../../server/network/parts.ts';
import { whyNoHar } from './har.ts';
import { entriesOf, replay, VISIT } from './replay.ts';

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
