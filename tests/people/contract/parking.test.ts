import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp, type App } from '../../../server/core/app.ts';
import { createServices } from '../../../server/core/compose.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { runAnswer } from '../../../server/programs/command.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { appOptions } from '../../support/app-options.ts';
import { callTool, type CallAnswer } from '../../support/call-tool.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { connectTo } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { actTool, testProvider } from '../../support/test-provider.ts';

/* Programs that wait for a person or a time: nothing is kept running for them, and any server of the home continues them. */

interface Opened {
  readonly app: App;
  call(name: string, args: JsonObject): Promise<CallAnswer>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Waiting {
  readonly status: string;
  readonly error: { readonly hint: string };
}

let home: string;
const open_: Opened[] = [];
const ordered: string[] = [];
const sessions: string[] = [];

let held = defer<void>();

const provider = () =>
  testProvider('shop', [
    actTool('order', async ({ item }, { session }) => {
      sessions.push(session.id);
      if (item === undefined) throw new SpillwayError('tab_not_found', 'It is gone.');
      return produceJson({ count: ordered.push(String(item)) });
    }),
    actTool('hold', async () => produceJson({ done: await held.promise.then(() => true) })),
  ]);

/** A server of the home, which looks for parked programs. @param answer what its client's person says */
async function start(answer?: JsonObject): Promise<Opened> {
  const options = appOptions(home);
  const app = createApp(options, {
    bridge: new FakeBridge(),
    providers: [provider()],
    loadServices: async (parts) => createServices(options, parts),
  });
  const { executor, resources, logger, logs } = app;
  const client = new Client(
    { name: 'shopper', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: answer }));
  await connectTo({ executor, resources, logger, logs, version: '1' }, client);
  app.warmUp();
  const opened: Opened = {
    app,
    call: (name, args) => callTool(client, name, args),
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: async () => {
      open_.splice(open_.indexOf(opened), 1);
      app.leave();
      await client.close();
      await app.close();
    },
  };
  open_.push(opened);
  return opened;
}

beforeEach(async () => {
  home = await temporaryHome();
  ordered.length = sessions.length = 0;
  held = defer();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const each of [...open_]) await each.close();
});

const ASKS = `
  await tools.order({ item: 'lamp' });
  const { answer } = await ask({ type: 'approval', message: 'Another one?' });
  if (answer) await tools.order({ item: 'desk' });
  return { answer };`;

const begin = async ({ call }: Opened, code: string): Promise<string> =>
  (await call('script', { code, async: true })).json<{ run_id: string }>().run_id;
const statusOf = async ({ call }: Opened, run_id: string) =>
  (await call('run_status', { run_id })).json<{ error?: { code: string; message: string; hint: string } }>();
const becomes = async (server: Opened, id: string, wanted: object): Promise<void> =>
  vi.waitFor(async () => expect(await statusOf(server, id)).toMatchObject(wanted), PATIENCE);
const until = (server: Opened, id: string, status: string) => becomes(server, id, { status });
const waits = (server: Opened, id: string) => becomes(server, id, { error: { code: 'workflow_waits' } });
const contentOf = async ({ call }: Opened, run_id: string): Promise<unknown> =>
  (await call('run_output', { run_id, offset: 0 })).json<{ content: unknown }>().content;
const written: string[] = [];
const terminal = { write: (text: string) => void written.push(text), isTerminal: false };
const says = (runId: string, answer: string) => runAnswer({ home, runId, answer }, terminal);

describe('a program that asks', () => {
  it('answers its call at once with what it waits for, if nobody can be shown the question', async () => {
    const server = await start();
    // The time of a call does not pass.
    vi.useFakeTimers({ toFake: ['performance'] });
    const { status, error } = (await server.call('script', { code: ASKS })).json<Waiting>();
    expect(status).toBe('waiting');
    expect(error).toMatchObject({
      code: 'workflow_waits',
      message: 'It waits for a person: Another one?',
      hint: expect.stringMatching(/nobody saw it\..* run answer run_\w+ ANSWER/),
    });
  });

  it('lists its open questions in run_status and the resource, so that a platform can show the form', async () => {
    const server = await start();
    const question = { type: 'choice', message: 'Which size?', choices: ['S', 'L'] };
    const id = await begin(server, `await ask(${JSON.stringify(question)})`);
    await becomes(server, id, { waiting: [{ id: expect.any(Number), question }] });
    expect(await server.read(`spillway://run/${id}`)).toMatchObject([
      { text: expect.stringContaining('"choices":["S","L"]') },
    ]);
    await server.call('run_cancel', { run_id: id });
  });

  it('has counted each call that it saw the end of, whenever its server is killed', async () => {
    const server = await start();
    const id = await begin(server, `await tools.order({ item: 'lamp' }); await new Promise(() => {})`);
    await becomes(server, id, { progress: { done: 1 } });
    // Another server knows what the disk has.
    expect(await statusOf(await start(), id)).toMatchObject({ progress: { done: 1, queued: 0 } });
    await server.call('run_cancel', { run_id: id });
  });

  it('is continued by the next server with an answer from a terminal, given while none ran', async () => {
    const first = await start();
    const id = await begin(first, ASKS);
    await waits(first, id);
    await first.close();
    expect(await says(id, 'perhaps')).toBe(1);
    expect(await says(id, 'yes')).toBe(0);
    expect(await says(id, 'no')).toBe(1);
    expect(written.at(-1)).toContain('human_input_answered');
    const next = await start();
    await until(next, id, 'completed');
    expect(await contentOf(next, id)).toEqual([{ answer: true }]);
    expect(ordered).toEqual(['lamp', 'desk']);
  });

  it('gets an answer that came before the question', async () => {
    const server = await start();
    const id = await begin(server, `await tools.hold({}); ${ASKS}`);
    await until(server, id, 'running');
    await vi.waitFor(async () => expect(await says(id, 'no')).toBe(0), PATIENCE);
    held.resolve();
    await until(server, id, 'completed');
    expect(await contentOf(server, id)).toEqual([{ answer: false }]);
  });

  it('is answered by its client, whose call waits for the end', async () => {
    const server = await start({ answer: true });
    const id = await begin(server, ASKS);
    await until(server, id, 'completed');
    expect(await contentOf(server, id)).toEqual([{ answer: true }]);
  });

  it('asks several at a time, and each answer ends its own', async () => {
    const server = await start();
    const code = `return await map(['a', 'b'], async (n) => (await ask({ type: 'text', message: n })).answer)`;
    const id = await begin(server, code);
    await waits(server, id);
    const { parking } = await server.app.services();
    await parking.answer(id, { call: 2, input: { answer: 'second' } });
    await waits(server, id);
    await expect(parking.answer(id, { call: 2, input: { answer: 'again' } })).rejects.toThrow(
      /answered before|does not ask/,
    );
    await parking.answer(id, { call: null, input: { answer: 'first' } });
    await until(server, id, 'completed');
    expect(await contentOf(server, id)).toEqual(['first', 'second']);
  });

  it('does first what it can do without the answer', async () => {
    const server = await start();
    const work = 'await Promise.all([tools.hold({}), tools.hold({})]); await tools.order({ item: "desk" });';
    const question = "ask({ type: 'approval', message: 'Sure?' })";
    const id = await begin(server, `await Promise.all([${question}, (async () => { ${work} })()])`);
    await until(server, id, 'running');
    held.resolve();
    await waits(server, id);
    expect(ordered).toEqual(['desk']);
  });

  it('that asks for nothing a person could answer fails', async () => {
    const server = await start();
    const answer = await server.call('script', { code: `await ask({ type: 'choice', message: 'Which?' })` });
    expect(answer.code()).toBe('invalid_argument');
    expect(answer.text).toContain('choices');
  });

  it('is cancelled like any other', async () => {
    const server = await start();
    const id = await begin(server, ASKS);
    await waits(server, id);
    await server.call('run_cancel', { run_id: id });
    expect(await statusOf(server, id)).toMatchObject({ status: 'cancelled' });
    expect(await says(id, 'yes')).toBe(1);
  });
});

it.each([
  ['await tools.order({})', 'tab_not_found', 2],
  ["throw new Error('before any call')", 'program_failed', 0],
])('a failed program continues in its session when a person resumes it: %s', async (code, error, calls) => {
  const server = await start();
  const id = await begin(server, code);
  await until(server, id, 'failed');
  await (await server.app.services()).parking.resume(id);
  await until(server, id, 'failed');
  expect(await statusOf(server, id)).toMatchObject({ error: { code: error } });
  expect(sessions).toEqual(Array(calls).fill(sessions[0]));
});

describe('a program that sleeps for long', () => {
  const code = (at: number): string =>
    `await tools.order({ item: 'lamp' }); await sleep(new Date(${at})); await tools.order({ item: 'desk' }); return now() >= ${at}`;
  const passes = (ms: number): void => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  };

  it('is continued by one of the servers of its home, when the time has come', async () => {
    const [first, , other] = [await start(), await start(), await start()];
    const id = await begin(first, code(Date.now() + 120_000));
    await waits(first, id);
    const { message, hint } = (await statusOf(first, id)).error ?? {};
    expect(message).toMatch(/^It waits until 20/);
    expect(hint).not.toContain('person');
    await first.close();
    passes(180_000);
    await until(other, id, 'completed');
    expect(await contentOf(other, id)).toEqual([true]);
    expect(ordered).toEqual(['lamp', 'desk']);
  });

  it('is there when its time has come, however far away', async () => {
    const server = await start();
    const id = await begin(server, code(Date.now() + 60 * 86_400_000));
    await waits(server, id);
    await server.close();
    passes(61 * 86_400_000);
    await until(await start(), id, 'completed');
  });
});
