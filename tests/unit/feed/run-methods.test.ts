import { expect, it } from 'vitest';
import type { RunView } from '../../../server/core/runs.ts';
import { createFeedMethods } from '../../../server/feed/index.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { clean } from '../../../server/redact/clean.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { coded } from '../../support/bridge-rig.ts';

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

it('a cancel says who it was, and answers the run without secrets', async () => {
  const asked: unknown[] = [];
  const { 'runs.cancel': cancel } = methods({
    cancel: (...args: readonly unknown[]) => {
      asked.push(args);
      return Promise.resolve(viewOf('cancelled'));
    },
  });
  const { run } = await cancel({ run_id: 'run_ABCDEFGH2345' }, never);
  expect(asked).toEqual([['run_ABCDEFGH2345', 'a person in the side panel']]);
  expect(changes.splice(0)).toEqual([{ kind: 'run_cancelled', subject: 'run_ABCDEFGH2345', tool: 'crawl' }]);
  expect(run.status).toBe('cancelled');
  expect(JSON.stringify(run)).not.toContain(SECRET);
});

it('a run that a person resumes belongs to no call, so the browser does not judge an agent again', async () => {
  const asked: unknown[] = [];
  const { 'runs.resume': resume } = methods({
    resume: (...args: readonly unknown[]) => {
      asked.push(args);
      return Promise.resolve(viewOf('running'));
    },
  });
  expect((await resume({ run_id: 'run_ABCDEFGH2345' }, never)).run.status).toBe('running');
  expect(asked).toEqual([['run_ABCDEFGH2345']]);
  expect(changes.splice(0)).toEqual([{ kind: 'run_resumed', subject: 'run_ABCDEFGH2345', tool: 'crawl' }]);
});

it('a run that another server works on stays what it is', async () => {
  const { 'runs.cancel': cancel } = methods({
    cancel: () => Promise.reject(new SpillwayError('run_busy', 'Another server works on it.')),
  });
  expect(await coded(cancel({ run_id: 'run_ABCDEFGH2345' }, never))).toMatchObject({ code: 'run_busy' });
  expect(changes).toEqual([]);
});
