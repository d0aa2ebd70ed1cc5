import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import { deferred } from '../../../shared/async/deferred.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer, type StdioServer, type StdioServerOptions } from '../../support/stdio-server.ts';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');
/** Shows what was pressed. */
const PAGE = `<title>Shop</title><button id=order>Order</button><button id=other>Other</button><output id=out></output>
  <script>for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => out.append('pressed ' + one.id + ';'))</script>`;

/** A server's clock at a thousandth of its pace: whatever a machine is busy with takes less than half a second by it. */
const SLOW_CLOCK = `const real = process.hrtime.bigint.bind(process.hrtime), from = real();
  process.hrtime.bigint = () => from + (real() - from) / 1000n;`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SLOW_CLOCK)}`;

const yes: ElicitResult = { action: 'accept', content: { decision: 'approve' } };
const order = { steps: ['click css=#order'] };
const other = { steps: ['click css=#other'] };

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE));
});
beforeEach(() => allowClients(true));
afterEach(() => person.isLeftAlone());

const allowClients = (areAllowed: boolean): Promise<unknown> =>
  rig.worker.evaluate(`chrome.storage.local.set({ client_answers: ${areAllowed} }).then(() => null)`);

/** A server whose client answers so, at a site on which nobody has allowed anything. */
async function client(
  answers?: NonNullable<StdioServerOptions['answers']>,
  env: Readonly<Record<string, string>> = {},
): Promise<StdioServer> {
  const server = await startServer({
    env: { ...rig.browser.serverEnv, ...env },
    args: ['--approvals', 'client', '--sync-wait-ms', '30000'],
    clientName: 'client-agent',
    ...(answers === undefined ? {} : { answers }),
  });
  onTestFinished(() => server.close());
  const opened = await server.call('navigate', { url: rig.at(`client${(host += 1)}.test`) });
  expect(opened.isError, opened.text).toBe(false);
  return server;
}
const shown = async (server: StdioServer): Promise<string> =>
  (await server.call('read_page', { format: 'text' })).text;
const ledger = (server: StdioServer): string =>
  execFileSync(process.execPath, [ENTRY, 'ledger', 'show', '--json', '--home', server.home], {
    encoding: 'utf8',
  });

it('what the client allows is done once, and the ledger says that nobody verified it', async () => {
  const asked: ElicitRequest['params'][] = [];
  const server = await client((params) => {
    asked.push(params);
    return Promise.resolve(yes);
  });
  const receipt = await server.call('interact', order);
  expect(receipt.text).toContain('pressed order;');
  expect(await person.isAsked()).toBe(false);
  expect(asked).toMatchObject([
    { message: expect.stringContaining(`Where: http://client${host}.test`) as unknown },
  ]);
  expect((await server.call('interact', other)).text).toContain('pressed other;');
  expect(asked).toHaveLength(2);
  expect(ledger(server)).toContain('"where": "client, unverified"');
});

itDeep('a no of the client is a no, with what its person wrote', async () => {
  const server = await client(() =>
    Promise.resolve({ action: 'accept', content: { decision: 'deny', reason: 'Not this shop.' } }),
  );
  const denied = await server.call('interact', order);
  expect(denied.code()).toBe('call_denied');
  expect(denied.text).toContain('Not this shop.');
  expect(await shown(server)).not.toContain('pressed');
});

it('a client that declines faster than a person can has shown nothing: the window asks', async () => {
  const server = await client(() => Promise.resolve({ action: 'decline' }), { NODE_OPTIONS });
  const acting = server.call('interact', order);
  expect(await person.card()).toContain('client-agent');
  await person.allow();
  expect((await acting).text).toContain('pressed order;');
});

itDeep('one that declines as a person does is obeyed', async () => {
  const server = await client(async () => {
    await delay(600);
    return { action: 'decline' };
  });
  const denied = await server.call('interact', order);
  expect(denied.code()).toBe('call_denied');
  expect(denied.text).toContain('the client declined');
});

it.each([
  ['fails to ask', () => Promise.reject(new Error('No window.'))],
  ['accepts without a decision', () => Promise.resolve({ action: 'accept' as const, content: {} })],
  ['declares no elicitation', undefined],
])('a client that %s leaves it to the window', async (_what, answers) => {
  const server = await client(answers);
  const acting = server.call('interact', order);
  await person.deny('Not now.');
  expect((await acting).code()).toBe('call_denied');
});

it('where the person has not allowed it, the flag is as panel, and the server says so once', async () => {
  await allowClients(false);
  const answers = vi.fn<NonNullable<StdioServerOptions['answers']>>(() => Promise.resolve(yes));
  const server = await client(answers);
  for (const [steps, hasNote] of [
    [order, true],
    [other, false],
  ] as const) {
    const acting = server.call('interact', steps);
    await person.allow();
    const { notes, text } = await acting;
    expect(text).toContain('pressed');
    expect(notes.includes('lets no client answer')).toBe(hasNote);
  }
  expect(answers).not.toHaveBeenCalled();
  expect(server.said().split('has not allowed clients to answer')).toHaveLength(2);
});

it('a person who switches it off while the client asks is asked, and the client no longer', async () => {
  const cancelled = deferred<void>();
  const asked = deferred<void>();
  const server = await client((_params, signal) => {
    asked.resolve();
    signal.addEventListener('abort', () => cancelled.resolve());
    return new Promise(() => undefined);
  });
  const acting = server.call('interact', order);
  await asked.promise;
  expect(await person.isAsked()).toBe(false);
  await allowClients(false);
  await person.allow();
  expect((await acting).text).toContain('pressed order;');
  await cancelled.promise;
});

it('a call that is cancelled while the client asks asks nobody any longer', async () => {
  const cancelled = deferred<void>();
  const asked = deferred<void>();
  const server = await client((_params, signal) => {
    asked.resolve();
    signal.addEventListener('abort', () => cancelled.resolve());
    return new Promise(() => undefined);
  });
  const cancel = new AbortController();
  const acting = server.call('interact', order, cancel.signal);
  await asked.promise;
  cancel.abort();
  await expect(acting).rejects.toThrow();
  await cancelled.promise;
  await hasNoQuestion();
  expect(await shown(server)).not.toContain('pressed');
});

itDeep('a session that ends while its client is asked leaves no question', async () => {
  const asked = deferred<void>();
  const server = await client(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const acting = server.call('interact', order);
  acting.catch(() => undefined);
  await asked.promise;
  await server.close();
  await expect(acting).rejects.toThrow();
  await hasNoQuestion();
});

itDeep('two calls at once are asked about one after the other', async () => {
  const gates = [deferred<ElicitResult>(), deferred<ElicitResult>()];
  const asked: string[] = [];
  const server = await client(
    ({ message }) => gates[asked.push(message) - 1]?.promise ?? Promise.resolve(yes),
  );
  const acting = [server.call('interact', order), server.call('interact', other)];
  await vi.waitFor(async () => expect(await questions()).toHaveLength(2), PATIENCE);
  await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  gates[0]?.resolve(yes);
  await vi.waitFor(() => expect(asked).toHaveLength(2), PATIENCE);
  gates[1]?.resolve({ action: 'accept', content: { decision: 'deny' } });
  const ends = await Promise.all(acting);
  expect(ends.map((end) => end.code() ?? 'done').sort()).toEqual(['call_denied', 'done']);
});

const questions = (): Promise<unknown[]> =>
  rig.worker.evaluate(
    `chrome.storage.session.get('questions').then(({ questions }) => questions?.cards.flatMap((card) => card.questions) ?? [])`,
  ) as Promise<unknown[]>;
const hasNoQuestion = (): Promise<void> =>
  vi.waitFor(async () => expect(await questions()).toEqual([]), PATIENCE);
