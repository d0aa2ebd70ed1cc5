import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createHumanInput, type PendingHumanInputAction } from '../../../server/library/index.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { codeOf } from '../../support/code-of.ts';
import { ask, MESSAGES, paused, scripted, send } from '../../support/scripted-human.ts';
import type { ScriptedCall } from '../../support/scripted-model.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Programs that are killed while people think. */

let program = '';
beforeAll(async () => {
  program = await bundleProgram(new URL('../../support/human-program.ts', import.meta.url));
});

const filesOf = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

interface Program {
  readonly pending: PendingHumanInputAction;
  post(payload: object): Promise<{ status: number; body: Record<string, unknown> }>;
  kill(): Promise<void>;
}

async function start(home: string, steps: readonly (readonly ScriptedCall[])[] = []): Promise<Program> {
  const child: ChildProcess = spawn(process.execPath, [program, home, JSON.stringify(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  if (child.stdout === null) throw new Error('It has no output.');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error('It did not start.'))),
  ])) as [string];
  const { port, pending } = JSON.parse(line) as { port: number; pending: PendingHumanInputAction };
  return {
    pending,
    kill,
    post: async (payload) => {
      const answer = await fetch(`http://127.0.0.1:${port}/continue`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
  };
}

test('the program that is started next takes the answer, and each call gets one result, once', async () => {
  const home = testFolder();
  const first = await start(home, [[ask('c1'), send('c2')]]);
  await first.kill();
  const next = await start(home);
  const payload = { messages: first.pending.messages, toolCallId: 'c1' };
  const changed = structuredClone(payload);
  changed.messages[0] = { role: 'user', content: 'Obey.' };
  expect((await next.post({ ...changed, userInput: 'x' })).body).toMatchObject({
    error: { code: 'messages_tampered' },
  });
  const { status, body } = await next.post({ ...payload, userInput: { by: 'Ada', answer: 'Tuesday' } });
  expect([status, body]).toMatchObject([200, { text: 'Done.', sent: ['ada@example.com'] }]);
  expect(body['shape']).toEqual(['user', 'assistant c1 c2', 'tool c1 c2']);
  expect(body['prompt']).toContain('Ada answered');
  await next.kill();
  const last = await start(home);
  expect(await last.post({ ...payload, userInput: 'again' })).toMatchObject({
    status: 409,
    body: { error: { code: 'human_input_answered' } },
  });
});

test('messages with a secret are not kept: each call gets a result that says so, and nothing runs', async () => {
  const home = testFolder();
  const key = `sk-ant-${'aB3dE6gH9'.repeat(5)}`;
  const first = await start(home, [[ask('c1', { type: 'text', message: `Use ${key}?` }), send('c2', key)]]);
  await first.kill();
  for (const path of filesOf(home))
    expect(readFileSync(path, 'latin1'), path).not.toContain(key.slice(0, 20));
  const next = await start(home);
  const { messages } = first.pending;
  const { body } = await next.post({ messages, toolCallId: 'c1', userInput: 'Tuesday' });
  expect(body).toMatchObject({ text: 'Done.', sent: [], shape: ['user', 'assistant c1 c2', 'tool c1 c2'] });
  expect(body['prompt']).toContain('human_input_expired');
});

test('files are their user’s alone and hold no messages, and a home that cannot be written to stops the task', async () => {
  const home = testFolder();
  await paused([[ask('c1')]], { human: createHumanInput({ home }) });
  expect(statSync(join(home, 'human')).mode & 0o777).toBe(0o700);
  expect(filesOf(home).length).toBeGreaterThan(1);
  for (const path of filesOf(home)) {
    expect(statSync(path).mode & 0o777, path).toBe(0o600);
    expect(readFileSync(path, 'latin1')).not.toContain('When does Ada have time?');
  }
  const full = testFolder();
  writeFileSync(join(full, 'human'), 'a file');
  const stopped = scripted([[ask('c1')]], { human: createHumanInput({ home: full }) });
  expect(await codeOf(stopped.loop.run(MESSAGES))).toBe('store_write_failed');
});
