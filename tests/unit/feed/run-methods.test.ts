import { expect, it, vi } from 'vitest';
import type { RunView } from '../../../server/core/runs.ts';
import { createFeedMethods } from '../../../server/feed/index.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { clean } from '../../../server/redact/clean.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { FEED_METHODS } from '../../../shared/bridge/feed.ts';
import { codeOf } from '../../support/code-of.ts';
import { vouch } from '../../support/clean.ts';

/* What a person does with a run, at the browser. */

const never = new AbortController().signal;
const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;

const viewOf = (status: RunView['status']): RunView => ({
  run_id: clean`run_ABCDEFGH2345`,
  tool: 'crawl',
  status,
  progress: { done: 1, queued: 0, failed: 0, rate_per_second: 0 },
  items: 1,
  size_bytes: 10,
  started_at_ms: 1,
  ended_at_ms: 2,
  // As another server of the home may have stored it, which did not know the secret.
  error: { code: 'cancelled', message: SECRET as ReturnType<typeof clean> },
  output_handle: null,
  output_mode: 'auto',
  output_inline_limit_bytes: 1,
  source: clean`https://shop.example/`,
  args: vouch({
    url: 'https://shop.example/',
    include: ['/docs/**'],
    max_pages: 200,
    // The cut would go through the middle of it.
    note: `${'Tea and coffee. '.repeat(11)}${SECRET}${' and tea'.repeat(20)}`,
    schema: { of: 'x'.repeat(300) },
    sitemap: null,
    instance: '4d550751-f136-49d2-adeb-471a3560c7a7',
  }),
  is_resumable: true,
  has_arguments: true,
});

const changes: object[] = [];

function methods(runs: object) {
  return createFeedMethods({
    changed: (facts) => {
      changes.push(facts);
      return Promise.resolve();
    },
    feed: { next: () => Promise.reject(new Error('Not asked.')) },
    journal: { page: () => Promise.reject(new Error('Not asked.')) },
    store: { list: () => Promise.resolve([]) },
    runs: runs as never,
    redactor: createRedactor({ enabled: true }),
    home: 'home',
  });
}

it.each([
  ['cancel', 'cancelled', ['run_ABCDEFGH2345', 'a person in the side panel']],
  // It belongs to no call, so the browser does not judge an agent again.
  ['resume', 'running', ['run_ABCDEFGH2345']],
] as const)(
  '%s says who it was, is in the ledger, and answers the run without secrets',
  async (act, status, said) => {
    const asked = vi.fn(() => Promise.resolve(viewOf(status)));
    const { run } = await methods({ [act]: asked })[`runs.${act}`]({ run_id: 'run_ABCDEFGH2345' }, never);
    expect(asked.mock.calls).toEqual([said]);
    const kind = act === 'cancel' ? 'run_cancelled' : 'run_resumed';
    expect(changes.splice(0)).toEqual([{ kind, subject: 'run_ABCDEFGH2345', tool: 'crawl' }]);
    expect(run.status).toBe(status);
    expect(JSON.stringify(run)).not.toContain(SECRET);
  },
);

it('a run that another server works on stays what it is', async () => {
  const busy = () => Promise.reject(new SpillwayError('run_busy', 'Another server works on it.'));
  const { 'runs.cancel': cancel } = methods({ cancel: busy });
  expect(await codeOf(cancel({ run_id: 'run_ABCDEFGH2345' }, never))).toBe('run_busy');
  expect(changes).toEqual([]);
});

const listed = async (args: object) => {
  const view = { ...viewOf('completed'), args };
  const { 'runs.list': list } = methods({ list: () => Promise.resolve({ runs: [view], total: 1, left: 0 }) });
  return (await list({ offset: 0, limit: 50 }, never)).runs[0];
};

it('a run says what it was started with, redacted before it is cut', async () => {
  const run = await listed(viewOf('completed').args);
  expect(run?.args).toMatchObject({
    url: 'https://shop.example/',
    include: '["/docs/**"]',
    max_pages: 200,
    schema: expect.stringMatching(/^\{"of":"x+…$/) as string,
  });
  expect(Object.keys(run?.args ?? {})).toEqual(['url', 'include', 'max_pages', 'note', 'schema']);
  expect(String(run?.args?.['note']).length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(run)).not.toContain(SECRET.slice(0, 12));
  expect(run).not.toHaveProperty('args_left');
});

it('arguments without room are counted, and a page of the longest fits in a frame', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`argument_${at}`, '茶'.repeat(500)]),
  );
  const run = await listed(many);
  const shown = Object.keys(run?.args ?? {}).length;
  expect(shown).toBeGreaterThan(0);
  expect(run?.args_left).toBe(60 - shown);
  expect(Buffer.byteLength(JSON.stringify(run?.args)) * 200).toBeLessThan(512 * 1024);
});

it('a list of a server that does not say the arguments is taken', () => {
  const { args: _args, ...run } = { ...viewOf('completed'), error: null };
  const page = { runs: [run], total: 1, next_offset: null };
  expect(FEED_METHODS['runs.list'].result.parse(page).runs[0]).not.toHaveProperty('args');
});
