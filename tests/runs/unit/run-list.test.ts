import { expect, it } from 'vitest';
import { formatRuns, runList } from '../../../server/runs/list-command.ts';
import { asking } from '../../../server/programs/waiting.ts';
import type { RunView } from '../../../server/core/runs.ts';
import { coded } from '../../support/bridge-rig.ts';
import { testFolder } from '../../support/test-folder.ts';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

function run(id: string, startHour: number, more: Partial<Record<keyof RunView, unknown>> = {}): RunView {
  const start = startHour * HOUR;
  const facts = {
    run_id: `run_${id}`,
    source: 'bills',
    status: 'completed',
    progress: {},
    started_at_ms: start,
    error: null,
  };
  return { ...facts, ended_at_ms: start + 60_000, ...more } as unknown as RunView;
}

const question = (message: string) => ({
  code: 'workflow_waits',
  body: { waiting: [{ id: 1, question: { type: 'approval', message } }] },
});
const progress = { done: 1, queued: 1, failed: 0, rate_per_second: 0, message: asking('interact') };

it.each([
  ['that fit their schedule', [run('A', 99), run('B', 98)], [{}, {}]],
  ['that begin late', [run('A', 99), run('B', 97.6)], [{}, {}]],
  ['that are missing in between', [run('A', 99), run('B', 95)], [{}, { missed: 3 }]],
  ['that are missing until now', [run('A', 96)], [{ missed: 3 }]],
  [
    'that overlap: one that ended late, and one that is active',
    [
      run('A', 99.5),
      run('B', 99, { ended_at_ms: 99.6 * HOUR }),
      run('C', 98, { ended_at_ms: null, status: 'running' }),
    ],
    [{ overlaps: ['run_B', 'run_C'] }, { overlaps: ['run_C'] }, {}],
  ],
  [
    'of other recipes do not overlap',
    [run('A', 99.5), run('B', 99.4, { source: 'mail', ended_at_ms: NOW })],
    [{}, {}],
  ],
  [
    'whose call waits for a decision',
    [run('D', 99, { status: 'running', ended_at_ms: null, progress })],
    [{ waits_for: 'a decision in the side panel: interact waits for a person' }],
  ],
  [
    'whose program asks',
    [run('E', 99, { status: 'waiting', error: question('Pay?') })],
    [{ waits_for: '“Pay?”: spillway run answer run_E ANSWER' }],
  ],
  [
    'that have failed',
    [run('F', 99, { status: 'failed', error: { code: 'timeout' } })],
    [{ error: 'timeout' }],
  ],
])('runs %s', (_what, views, expected) => {
  const lines = formatRuns(views, { everyMs: HOUR, now: NOW });
  const none = { waits_for: null, error: null, overlaps: [], missed: 0 };
  expect(
    lines.map(({ waits_for, error, overlaps, missed }) => ({ waits_for, error, overlaps, missed })),
  ).toEqual(expected.map((one) => ({ ...none, ...one })));
});

it('a list names wrong flags, and an empty home', async () => {
  let printed = '';
  const io = { write: (text: string) => void (printed += text), isTerminal: false };
  const list = (flags: object) => runList({ home: testFolder(), count: '20', ...flags }, io);
  expect(await list({})).toBe(0);
  expect(printed).toContain('There is no such run in this home.');
  for (const flags of [
    { count: '0' },
    { every: '1d' },
    { every: 'daily', recipe: 'a' },
    { every: '2099-01-01', recipe: 'a' },
  ])
    expect((await coded(list(flags))).code).toBe('invalid_argument');
});
