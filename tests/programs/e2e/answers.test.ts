import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openHttpSession, type HttpSession } from '../../../scripts/lib/http-session.ts';
import { SERVER, startHttpServer, type HttpServerProcess } from '../../../scripts/lib/server-process.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Questions of programs are answered from outside: by a request to the server, or in a terminal. */

const home = testFolder();
let server: HttpServerProcess;
let session: HttpSession;

beforeAll(async () => {
  server = await startHttpServer({ home });
  session = await openHttpSession(server);
});
afterAll(() => server.stop());

const call = async <T>(name: string, args: object): Promise<T> =>
  JSON.parse((await session.call(name, args)).text) as T;

async function asking(question: object): Promise<string> {
  const code = `return ask(${JSON.stringify(question)})`;
  const { run_id: id } = await call<{ run_id: string }>('script', { code, async: true });
  const waits = async () =>
    expect((await session.call('run_status', { run_id: id })).text).toContain('workflow_waits');
  await vi.waitFor(waits, { timeout: 60_000, interval: 50 });
  return id;
}

async function answerOf(id: string): Promise<object | undefined> {
  const output = () => call<{ status: string; content: object[] }>('run_output', { run_id: id });
  await expect.poll(output, { timeout: 60_000 }).toMatchObject({ status: 'completed' });
  return (await output()).content[0];
}

async function post(body: object, token = server.token): Promise<readonly [status: number, text: string]> {
  const answer = await fetch(new URL('/continue', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [answer.status, await answer.text()];
}

it('POST /continue takes an answer that fits, once, from who may call tools', async () => {
  const schema = { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] };
  const id = await asking({ type: 'form', message: 'Where to?', schema });
  const fits = { toolCallId: id, userInput: { answer: { street: 'Elm Street 1' } } };
  expect((await post(fits, 'guessed'))[0]).toBe(401);
  expect((await post({ ...fits, toolCallId: 'run_AAAAAAAAAAAA' }))[0]).toBe(404);
  expect(await post({ toolCallId: id })).toEqual([400, expect.stringContaining('userInput')]);
  expect(await post({ ...fits, userInput: { answer: { road: 1 } } })).toEqual([
    400,
    expect.stringContaining('street'),
  ]);
  expect((await post(fits))[0]).toBe(200);
  expect(await answerOf(id)).toMatchObject({ answer: { street: 'Elm Street 1' } });
  expect((await post(fits))[0]).toBe(404);
});

it('spillway run answer says which question it answers, and refuses what does not fit', async () => {
  const id = await asking({ type: 'choice', message: 'Which size?', choices: ['small', 'large'] });
  const answer = (text: string) =>
    promisify(execFile)(process.execPath, [SERVER, 'run', 'answer', id, text, '--home', home]);
  await expect(answer('huge')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('(invalid_argument)') as string,
  });
  expect((await answer('large')).stdout).toContain('Kept as the answer to “Which size?”.');
  expect(await answerOf(id)).toMatchObject({ answer: 'large' });
});
