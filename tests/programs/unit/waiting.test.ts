import { expect, it } from 'vitest';
import { keepAnswer } from '../../../server/programs/waiting.ts';

it('returns the question that an answer is kept for: the first that is open', async () => {
  const waiting = ['One?', 'Two?'].map((message, at) => ({
    id: at,
    question: { type: 'approval', message },
  }));
  const view = { ended_at_ms: null, error: { code: 'workflow_waits', body: { waiting } } };
  const kept = new Map<string, unknown>();
  const rows = {
    get: (key: object) => kept.get(String(key)),
    put: (key: object, value: unknown) => kept.set(String(key), value),
  };
  const change = async (_id: string, work: (given: object, redact: unknown) => unknown) =>
    work(rows, (value: object) => ({ clean: value }));
  const runs = { get: async () => view, change } as never;
  const answered = () =>
    keepAnswer(runs, 'run_1', { call: null, input: { answer: 'yes', where: 'a test' } }, 1);
  expect([await answered(), await answered()]).toMatchObject([{ message: 'One?' }, { message: 'Two?' }]);
});
