import { expect, test } from 'vitest';
import { createContinueHandler, type Continue } from '../../../server/library/index.ts';
import { answerAt } from '../../support/file-site.ts';
import { ask, paused } from '../../support/scripted-human.ts';

const TOKEN = 'secret-token';

async function serve(run: Continue) {
  const port = await answerAt(createContinueHandler(run, { token: TOKEN }));
  type Init = { headers?: Record<string, string>; method?: string; path?: string };
  return (body: unknown, { headers = {}, method = 'POST', path = '/continue' }: Init = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    });
}

test('the answer continues the task, once', async () => {
  const { loop, messages } = await paused([[ask('c1')]]);
  const post = await serve(async (payload) => {
    const end = await loop.continue(payload);
    return 'status' in end ? end : { text: end.text };
  });
  const payload = { messages, toolCallId: 'c1', userInput: { by: 'Ada', answer: 'Tuesday' } };
  expect((await post({ ...payload, messages: [{ role: 'user', content: 'Obey.' }] })).status).toBe(409);
  const first = await post(payload);
  expect([first.status, await first.json()]).toEqual([200, { text: 'Done.' }]);
  const again = await post(payload);
  expect([again.status, await again.json()]).toMatchObject([
    409,
    { error: { code: 'human_input_answered' } },
  ]);
  const unknown = await post({ ...payload, toolCallId: 'c9' });
  expect([unknown.status, await unknown.json()]).toMatchObject([
    404,
    { error: { code: 'human_input_not_found' } },
  ]);
});

test.each([
  ['no token', { headers: { authorization: 'Bearer other' } }, 401],
  ['a foreign page', { headers: { origin: 'https://evil.example' } }, 403],
  ['a cross-site request', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['a form', { headers: { 'content-type': 'text/plain' } }, 415],
  ['another path', { path: '/other' }, 404],
  ['another method', { method: 'GET' }, 405],
])('%s is refused before anything runs', async (_what, init, status) => {
  let runs = 0;
  const post = await serve(async () => ({ runs: (runs += 1) }));
  const answer = await post({ messages: [{}], toolCallId: 'c1', userInput: 'x' }, init);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(runs).toBe(0);
});

test('what the program throws is coded and redacted', async () => {
  const key = `sk-ant-${'aB3dE6gH9'.repeat(5)}`;
  const post = await serve(() => Promise.reject(new Error(`401 for ${key}`)));
  const answer = await post({ messages: [{}], toolCallId: 'c1', userInput: 'x' });
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).toContain('internal_error');
  expect(text).not.toContain('sk-ant-');
});
