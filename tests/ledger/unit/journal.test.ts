import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock, Journal, JournalEntry, Logger } from '../../../server/core/services.ts';
import { HomeDatabase, type SqlValue } from '../../../server/core/home/database.ts';
import { createJournal } from '../../../server/ledger/journal.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { expectOwnerOnly } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

const NOON = Date.parse('2026-05-19T12:00:00Z');
const redactor = createRedactor({ enabled: true });

let home: string;
let now: number;
let logged: { level: string; facts: object; message: string }[];
const clock: Clock = { now: () => now, monotonic: () => now };
const at = (level: string) => (facts: object, message: string) => void logged.push({ level, facts, message });
const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
const make = (): Journal => createJournal({ home, clock, logger, redactor });

function inDatabase<T>(use: (database: HomeDatabase) => T): T {
  const database = new HomeDatabase(home);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const lines = (): string[] =>
  inDatabase((database) => database.rows('SELECT line FROM journal ORDER BY position').map(String));

const change = (sql: string, ...values: SqlValue[]): void =>
  inDatabase((database) => database.write(() => void database.run(sql, ...values)));

const events = (entries: readonly JournalEntry[]): string[] => entries.map((entry) => entry.event);

beforeEach(() => {
  home = join(testFolder(), 'home');
  now = NOON;
  logged = [];
});

describe('writing', () => {
  it('appends one line an event with ts last, in a private file', async () => {
    const journal = make();
    journal.record({ event: 'output_handle_created', handle: 'oh_ABCDEFGH2345', source_tool: 'read_page' });
    journal.record({ event: 'tool_call', tool: 'tabs' });
    await journal.flush();
    expect(lines().map((line) => line.replace(/"id":"[0-9a-f]{12}-\d+",/, ''))).toEqual([
      '{"event":"output_handle_created","handle":"oh_ABCDEFGH2345","source_tool":"read_page","ts":"2026-05-19T12:00:00.000Z"}',
      '{"event":"tool_call","tool":"tabs","ts":"2026-05-19T12:00:00.000Z"}',
    ]);
    for (const path of [home, join(home, 'home.db')]) await expectOwnerOnly(path);
  });

  it('redacts before it writes, and keeps the short fields of an entry that is too long for a line', async () => {
    const journal = make();
    const args = { url: 'https://a.test/?access_token=k3yV4lue99', password: 'x' };
    journal.record({ event: 'tool_call', args });
    journal.record({ event: 'tool_call', tool: 'read_page', page: 'x'.repeat(LIMITS.journalLineBytes) });
    const [, entry] = await journal.recent({ count: 2 });
    expect(entry).toEqual({ event: 'tool_call', tool: 'read_page', truncated: true, ts: expect.any(String) });
    const text = lines().join();
    expect(text).not.toContain('k3yV4lue99');
    expect(text).toContain('"password":"«redacted:password»"');
  });

  it.each(['{"event":"torn","ts":"2026-05-1', '\u0000\u0000', '{"event":"x"}'])(
    'loses only a damaged line: %j',
    async (damaged) => {
      const journal = make();
      for (const event of ['before', 'damaged', 'after']) journal.record({ event });
      await journal.flush();
      change('UPDATE journal SET line = ? WHERE position = 2', damaged);
      expect(events(await journal.recent({ count: 10 }))).toEqual(['before', 'after']);
    },
  );

  it('keeps every line whole when several servers write at once', async () => {
    const journals = [make(), make(), make()];
    for (let index = 0; index < 200; index += 1)
      for (const [server, journal] of journals.entries())
        journal.record({ event: 'tool_call', server, index, filler: 'é'.repeat(index % 50) });
    await Promise.all(journals.map((journal) => journal.flush()));
    const parsed = lines().map((line): unknown => JSON.parse(line));
    expect(parsed).toHaveLength(600);
    for (const server of [0, 1, 2])
      expect(parsed.filter((entry) => (entry as { server: number }).server === server)).toMatchObject(
        Array.from({ length: 200 }, (_, index) => ({ index })),
      );
  });

  it('logs once that it cannot write, never throws, and recovers', async () => {
    await mkdir(join(home, 'home.db'), { recursive: true });
    const journal = make();
    for (const event of ['a', 'b', 'c']) {
      journal.record({ event });
      await journal.flush();
    }
    expect(logged.map(({ level }) => level)).toEqual(['error']);
    await rm(join(home, 'home.db'), { recursive: true });
    journal.record({ event: 'd' });
    expect(events(await journal.recent({ count: 10 }))).toEqual(['d']);
    expect(logged.map(({ level }) => level)).toEqual(['error', 'warn']);
    expect(logged[1]?.facts).toEqual({ lost: 3 });
  });
});

it('keeps the newest days that have entries, however far a clock jumps', async () => {
  const journal = make();
  for (let day = 0; day < LIMITS.journalDays + 2; day += 1) {
    journal.record({ event: 'e', day });
    await journal.flush();
    now += 86_400_000;
  }
  now += 3_650 * 86_400_000;
  journal.record({ event: 'e', day: 'far' });
  const kept = await journal.recent({ count: LIMITS.journalCountMax });
  expect(kept).toHaveLength(LIMITS.journalDays);
  expect([kept[0]?.['day'], kept.at(-1)?.['day']]).toEqual([3, 'far']);
});

it('reading filters before it counts, by tool or source_tool and by time', async () => {
  const journal = make();
  for (let minute = 0; minute < 10; minute += 1) {
    journal.record({ event: 'tool_call', tool: minute % 2 === 0 ? 'tabs' : 'read_page', minute });
    if (minute === 3) journal.record({ event: 'output_handle_created', source_tool: 'read_page', minute });
    now += 60_000;
  }
  const minutes = async (query: Parameters<Journal['recent']>[0]): Promise<unknown[]> =>
    (await journal.recent(query)).map((entry) => entry['minute']);
  expect(await minutes({ count: 2, tool: 'tabs' })).toEqual([6, 8]);
  expect(await minutes({ count: 4, tool: 'read_page' })).toEqual([3, 5, 7, 9]);
  expect(await minutes({ count: 100, since: NOON + 8 * 60_000 })).toEqual([8, 9]);
  expect(await minutes({ count: 1, tool: 'read_page', since: NOON })).toEqual([9]);
  expect(await minutes({ count: 5, tool: 'nothing' })).toEqual([]);
  expect(await minutes({ count: 0 })).toEqual([]);
});

it('summary totals events and tools', async () => {
  const journal = make();
  for (let call = 1; call <= 20; call += 1)
    journal.record({ event: 'tool_call', tool: 'tabs', ok: true, duration_ms: call, content_bytes: 10 });
  journal.record({ event: 'tool_call', tool: 'read_page', ok: false, code: 'timeout', duration_ms: 7 });
  journal.record({ event: 'output_handle_created', source_tool: 'read_page', size_bytes: 5 });
  const stamp = '2026-05-19T12:00:00.000Z';
  expect(await journal.summary({ count: 1 })).toEqual({
    entries: 22,
    oldest: stamp,
    newest: stamp,
    events: { output_handle_created: 1, tool_call: 21 },
    tools: {
      read_page: { calls: 1, errors: { timeout: 1 }, bytes: 0, median_ms: 7, p95_ms: 7 },
      tabs: { calls: 20, errors: {}, bytes: 200, median_ms: 10, p95_ms: 19 },
    },
  });
  expect(await journal.summary({ count: 1, tool: 'read_page' })).toMatchObject({
    entries: 2,
    tools: { read_page: { calls: 1 } },
  });
});
