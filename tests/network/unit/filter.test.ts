import { expect, it } from 'vitest';
import type { NetworkEntry } from '../../../server/libraries/har/parts.ts';
import { testCausedBy, compileFilter, compileUrlPattern } from '../../../server/network/filter.ts';
import { NetworkFilter } from '../../../shared/network/network.manifest.ts';
import { entriesOf, replay, VISIT } from './replay.ts';

const visit = entriesOf(replay(VISIT)) as unknown as NetworkEntry[];
const NOW = Date.parse('2026-11-20T12:00:00Z');
function matching(filter: object, entries: readonly NetworkEntry[] = visit): string[] {
  const { head } = compileFilter(NetworkFilter.parse(filter), NOW);
  return entries.filter(head).map((entry) => entry._id);
}

const numbers = (filter: object): number => matching(filter).length;
it.each([
  [{ url: 'PAGE.js' }, 1],
  [{ url: 'http://*/network/*.js' }, 5],
  [{ url: '/redirect\\/\\d/' }, 2],
  [{ status: '404' }, 1],
  [{ status: '400-599' }, 2],
  [{ status: 'failed' }, 3],
  [{ status: '404, failed' }, 4],
  [{ type: ['WebSocket', 'eventsource'] }, 2],
  [{ max_bytes: 0, status: '204' }, 3],
  [{ since: '1s' }, 0],
  [{ id: 'r1', url: 'page.js' }, 0],
])('a filter %j fits %i entries', (filter, expected) => expect(numbers(filter)).toBe(expected));

it.each([
  [{ url: '/(/' }, 'filter.url'],
  [{ type: ['ajax'] }, 'filter.type'],
  [{ since: 'yesterday' }, 'filter.since'],
])('a filter %j is refused by its name', (filter, field) => {
  expect(() => numbers(filter)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(field) }),
  );
});

it.each(['xhr', 'fetch'])('a filter takes XHR and fetch() for one kind: %s', (type) => {
  const entries = ['xhr', 'fetch', 'script'].map((kind) => ({ _id: kind, _resourceType: kind }));
  expect(matching({ type: [type] }, entries as unknown as NetworkEntry[])).toEqual(['xhr', 'fetch']);
});

it('a filter finds text in bodies and messages, in any case', () => {
  const { bodies } = compileFilter({ text: 'A TEXT' }, NOW);
  expect(bodies?.({ _webSocketMessages: [{ data: 'a text', opcode: 1 }] })).toBe(true);
  expect(bodies?.({ response: { content: { text: 'with a text in it' } } })).toBe(true);
  expect(bodies?.({ request: { postData: { text: 'nothing' } } })).toBe(false);
  expect(bodies?.(null)).toBe(false);
});

it('a costly pattern sees only the beginning of a long address', () => {
  const long = `${'a'.repeat(1_000_000)}c`;
  expect(
    ['/(?:(?:[ab]?){25}){25}[cd]/', '/[cd]/'].map((pattern) => compileUrlPattern(pattern)(long)),
  ).toEqual([false, true]);
});

it('a pattern of addresses takes a time that grows with the address alone, whatever it repeats', () => {
  const test = compileUrlPattern('/^(a+)+$/');
  expect(['http://a.test/', 'aaaa', `${'a'.repeat(100_000)}!`].map(test)).toEqual([false, true, false]);
  expect(compileUrlPattern('«Redacted')('http://a.test/?k=«redacted:token»')).toBe(true);
  expect(() => compileUrlPattern('/(?<=a)b/')).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

const AT = Date.parse('2026-11-22T10:00:00.000Z');
const span = { tab: 'b1:7', startedAt: AT, endedAt: AT + 100, nextAt: AT + 1_000 };

/** A request that began `ms` after the act. */
const entry = (url: string, ms: number, initiator: object = {}): NetworkEntry => ({
  _id: url,
  startedDateTime: new Date(AT + ms).toISOString(),
  request: { url },
  _initiator: { type: 'other', ...initiator },
});

it('an act causes the requests made during it, and those that they cause, until the tab is acted on again', () => {
  const isCaused = testCausedBy(span);
  const all = [
    entry('before', -10),
    entry('page', 10),
    entry('style', 300, { url: 'page' }),
    entry('script', 310, { stack: { callFrames: [{ url: 'page' }] } }),
    entry('data', 400, { stack: { callFrames: [{ url: '' }, { url: 'script' }] } }),
    entry('poll', 420, { stack: { callFrames: [{ url: 'before' }] } }),
    entry('later', 1_200, { url: 'page' }),
  ];
  expect(all.filter(isCaused).map(({ _id }) => _id)).toEqual(['page', 'style', 'script', 'data']);
});
