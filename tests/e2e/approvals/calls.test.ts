import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer } from '../../support/stdio-server.ts';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');
/** Shows what was pressed and typed. */
const PAGE = `<title>Shop</title><input aria-label="Name"><button id=order>Order</button><button id=other>Other</button><output id=out></output>
  <script>for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => out.append('pressed ' + one.id + ' for ' + document.querySelector('input').value + ';'))</script>`;

let rig: PersonRig;
let person: AskedPerson;
let host = 0;
let url = '';

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE, '--sync-wait-ms', '30000'));
});
afterEach(() => person.isLeftAlone());

const call = (name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  rig.server.call(name, args);
/** A site on which nobody has allowed anything. */
async function open(): Promise<void> {
  url = rig.at(`shop${(host += 1)}.test`);
  const answer = await call('navigate', { url });
  expect(answer.isError, answer.text).toBe(false);
}
const shown = async (): Promise<string> => (await call('read_page', { format: 'text' })).text;
const order = { fields: { Name: 'Ada' }, steps: ['click css=#order'] };

it('input waits for a person, is done once when they allow it, and is asked about again', async () => {
  await open();
  const acting = call('interact', order);
  expect(await person.card()).toContain('test-agent');
  expect(await shown()).not.toContain('pressed');
  await person.allow();
  const receipt = await acting;
  expect(receipt.text).toContain('pressed order for Ada;');
  const again = call('interact', { steps: ['click css=#other'] });
  await person.deny('Once is enough.');
  const denied = await again;
  expect(denied.code()).toBe('call_denied');
  expect(denied.text).toContain('Once is enough.');
  expect(await shown()).not.toContain('pressed other');
});

itDeep('what is allowed for the task is not asked about again, on that site', async () => {
  await open();
  const first = call('interact', order);
  await person.allow('task');
  await first;
  const second = await call('interact', { steps: ['click css=#other'] });
  expect(second.text).toContain('pressed other');
  await open();
  const elsewhere = call('interact', order);
  await person.deny('');
  expect((await elsewhere).code()).toBe('call_denied');
});

it('changed steps are what runs, and the answer says so', async () => {
  await open();
  const acting = call('interact', { steps: ['click css=#order'] });
  await person.edit('click css=#other');
  await person.allow();
  const answer = await acting;
  expect(answer.notes).toContain('A person changed the arguments');
  expect(await shown()).toContain('pressed other');
  expect(await shown()).not.toContain('pressed order');
});

it('a page that has been left meanwhile is not acted on', async () => {
  await open();
  const acting = call('interact', order);
  await person.card();
  const next = rig.at(`shop${(host += 1)}.test`);
  await rig.worker.evaluate(
    `chrome.tabs.query({ url: ${JSON.stringify(`${url}*`)} }).then(([tab]) => chrome.tabs.update(tab.id, { url: ${JSON.stringify(next)} })).then(() => null)`,
  );
  await expect.poll(async () => (await call('tabs', {})).text).toContain(next);
  // That question was about the page before: a person is asked about this one.
  await expect.poll(() => person.card()).toContain(new URL(next).hostname);
  expect(await shown()).not.toContain('pressed');
  await person.deny('Another page.');
  expect((await acting).code()).toBe('call_denied');
  expect(await shown()).not.toContain('pressed');
});

itDeep('a cancelled call withdraws its question', async () => {
  await open();
  const cancel = new AbortController();
  const acting = rig.server.call('interact', order, cancel.signal);
  await person.card();
  cancel.abort();
  await expect(acting).rejects.toThrow();
  await person.isLeftAlone();
});

it('a worker that is ended while a person thinks asks again', async () => {
  await open();
  const acting = call('interact', order);
  await person.card();
  await rig.worker.end();
  await person.card();
  await person.allow();
  expect((await acting).text).toContain('pressed order');
});

it('a caller that cannot wait resumes by an id, and nothing is done before', async () => {
  const hasty = await startServer({
    env: rig.browser.serverEnv,
    args: ['--sync-wait-ms', '300'],
    clientName: 'hasty-agent',
  });
  try {
    url = rig.at(`shop${(host += 1)}.test`);
    await hasty.call('navigate', { url });
    const left = await hasty.call('interact', order);
    expect(left.code()).toBe('approval_required');
    const id = /Id: (\S+?)"/.exec(left.text)?.[1] ?? '';
    expect((await hasty.call('resume_call', { id })).code()).toBe('approval_required');
    await person.allow();
    await person.isLeftAlone();
    expect((await hasty.call('read_page', { format: 'text' })).text).not.toContain('pressed');
    expect((await hasty.call('resume_call', { id })).text).toContain('pressed order for Ada;');
    expect((await hasty.call('resume_call', { id })).code()).toBe('call_not_pending');
  } finally {
    await hasty.close();
  }
});

itDeep('a server that asks nobody denies at once', async () => {
  const unattended = await startServer({
    env: rig.browser.serverEnv,
    args: ['--approvals', 'deny'],
    clientName: 'unattended-agent',
  });
  try {
    await unattended.call('navigate', { url: rig.at(`shop${(host += 1)}.test`) });
    const answer = await unattended.call('interact', order);
    expect(answer.code()).toBe('call_denied');
    expect(answer.text).toContain('--approvals deny');
    await person.isLeftAlone();
  } finally {
    await unattended.close();
  }
});

it('the ledger has who allowed what, before it was done, and how it ended', async () => {
  await open();
  const acting = call('interact', order);
  await person.allow();
  await acting;
  const home = rig.server.home;
  const show = (...args: string[]): string =>
    execFileSync(process.execPath, [ENTRY, 'ledger', ...args, '--home', home], { encoding: 'utf8' });
  const { hostname } = new URL(url);
  await expect.poll(() => show('show', '--site', hostname)).toContain('done');
  const lines = show('show', '--site', hostname, '--json');
  expect(lines).toMatch(/"where": "grant"/);
  expect(show('show', '--json')).toMatch(/"where": "window"/);
  expect(lines).not.toContain('Ada');
  expect(show('verify')).toContain('intact');
});

itDeep('journal and ledger name the agent, its version, its session and the server alike', async () => {
  await open();
  const acting = call('interact', order);
  await person.allow();
  await acting;
  const { home } = rig.server;
  const folder = join(home, 'journal');
  const linesOf = (path: string): Record<string, unknown>[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const journalled = (): Record<string, unknown>[] =>
    readdirSync(folder)
      .flatMap((name) => linesOf(join(folder, name)))
      .filter(({ tool }) => tool === 'interact');
  await expect.poll(() => journalled().at(-1)?.['ok']).toBe(true);
  const { agent, agent_version, client_session: session, server } = journalled().at(-1) ?? {};
  const shown = execFileSync(
    process.execPath,
    [ENTRY, 'ledger', 'show', '--json', '--tool', 'interact', '--home', home],
    { encoding: 'utf8' },
  );
  expect(session).toMatch(/^[\w-]+$/);
  expect(server).toMatch(/^[\w-]+$/);
  for (const kind of ['question', 'decision', 'act'])
    expect(shown, kind).toMatch(new RegExp(`"kind": "${kind}"`));
  const named = shown.match(/"agent": \{[^}]*\}/g) ?? [];
  expect(named.length).toBeGreaterThan(2);
  for (const one of named)
    expect(JSON.parse(`{${one}}`)).toEqual({
      agent: { name: agent, version: agent_version, client_session: session, server },
    });
  expect([agent, agent_version]).toEqual(['test-agent', '1']);
});
