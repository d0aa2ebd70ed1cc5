import { expect, it, onTestFinished } from 'vitest';
import { createJournal } from '../../../server/ledger/journal.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import type { JournalPage, JournalPageQuery } from '../../../server/core/services.ts';
import { silentLogger as logger } from '../../support/bridge-rig.ts';
import { testFolder } from '../../support/test-folder.ts';

const NOON = Date.parse('2026-05-19T12:00:00Z');
const DAY_MS = 86_400_000;

async function setUp() {
  const home = testFolder();
  const clock = { time: NOON, now: () => clock.time, monotonic: () => clock.time };
  const journal = createJournal({ home, clock, logger, redactor: createRedactor({ enabled: true }) });
  onTestFinished(() => journal.close());
  const page = (query: Partial<JournalPageQuery> = {}) => journal.page({ limit: 10, filter: {}, ...query });
  return { home, clock, journal, page };
}

const numbers = ({ lines }: JournalPage): unknown[] => lines.map(({ line }) => line['n']);

it('pages of three days, backwards and forwards, hold each line once', async () => {
  const { clock, journal, page } = await setUp();
  for (let n = 0; n < 25; n += 1) {
    clock.time = NOON + Math.floor(n / 9) * DAY_MS;
    journal.record({ event: 'tool_call', n });
  }
  const down = Array.from({ length: 25 }, (_, at) => 24 - at);
  const first = await page();
  const second = await page({ before: first.next ?? '' });
  const third = await page({ before: second.next ?? '' });
  expect([first, second].map(numbers)).toEqual([down.slice(0, 10), down.slice(10, 20)]);
  expect(numbers(third)).toEqual(down.slice(20));
  expect(third.next).toBeNull();
  const forwards = await page({ after: third.lines.at(-1)?.position ?? '' });
  const rest = await page({ after: forwards.next ?? '', limit: 100 });
  expect([forwards, rest].map(numbers)).toEqual([
    down.slice(14, 24).toReversed(),
    down.slice(0, 14).toReversed(),
  ]);
  expect(rest.next).toBeNull();
});

it('filters by tool, agent, session, outcome and site', async () => {
  const { journal, page } = await setUp();
  const base = { event: 'tool_call', tool: 'read_page', agent: 'a', client_session: 's1', ok: true };
  journal.record({ ...base, n: 1, args: { url: 'https://shop.example/cart?x=1' } });
  journal.record({ ...base, n: 2, tool: 'interact', ok: false, site: 'shop.example' });
  journal.record({ ...base, n: 3, agent: 'b', client_session: 's2' });
  journal.record({ ...base, n: 4, ok: true, pending: true });
  journal.record({ ...base, n: 5, audience: 'widget' });
  journal.record({ ...base, n: 6, agent: 'c', args: { url: 'HTTPS://ada@Shop.example?x=1#a' } });
  const wanted = async (filter: JournalPageQuery['filter']) => numbers(await page({ filter }));
  expect(await wanted({})).toEqual([6, 4, 3, 2, 1]);
  expect(await wanted({ tool: 'interact' })).toEqual([2]);
  expect(await wanted({ agent: 'b' })).toEqual([3]);
  expect(await wanted({ session: 's1', outcome: 'ok' })).toEqual([6, 1]);
  expect(await wanted({ outcome: 'failed' })).toEqual([2]);
  expect(await wanted({ outcome: 'pending' })).toEqual([4]);
  expect(await wanted({ site: 'shop.example' })).toEqual([6, 2, 1]);
});

it('a page fits in a frame', async () => {
  const { journal, page } = await setUp();
  for (let n = 0; n < 100; n += 1) journal.record({ event: 'tool_call', text: '\u4f60'.repeat(5_000) });
  const { lines, next } = await page({ limit: 200 });
  expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThan(500_000);
  expect(next).not.toBeNull();
});
