import { expect, it } from 'vitest';
import type { Clock, Journal, JournalQuery } from '../../../server/core/services.ts';
import { createRuntimes } from '../../../server/ledger/oc_journal.runtime.ts';
import { ocJournal } from '../../../shared/ledger/oc_journal.manifest.ts';

const NOW = Date.parse('2026-05-19T12:00:00Z');
const clock: Clock = { now: () => NOW, monotonic: () => 0 };

function setUp() {
  const queries: JournalQuery[] = [];
  const journal: Pick<Journal, 'recent' | 'summary'> = {
    recent: async (query) => (queries.push(query), [{ event: 'tool_call', ts: 'now' }]),
    summary: async () => ({ entries: 1 }),
  };
  const { oc_journal: run } = createRuntimes({ journal, clock });
  return { queries, run: (args: object) => run(ocJournal.input.parse(args)) };
}

it.each([
  ['15m', NOW - 900_000],
  ['1d', NOW - 86_400_000],
  ['2026-05-19T10:00:00.250Z', NOW - 7_199_750],
  ['2026-05-19T12:00:00+02:00', NOW - 7_200_000],
  ['2026-05-19', NOW - 43_200_000],
])('oc_journal takes since %s', async (since, expected) => {
  const { queries, run } = setUp();
  await run({ action: 'recent', since });
  expect(queries[0]?.since).toBe(expected);
});
