import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { waitForNoProcess } from '../../support/processes.ts';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');
/** Shows what was pressed. */
const PAGE = `<title>Shop</title><input aria-label="Note"><button id=order>Order</button><button id=other>Other</button><output id=out></output>
  <script>for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => out.append('pressed ' + one.id + ';'))</script>`;
const order = { steps: ['click css=#order'] };
const TOKEN = `ghp_${'aB3dE6gH9'.repeat(4)}`;

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE));
});
afterEach(() => person.isLeftAlone());

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'spillway-restart-'));
  onTestFinished(async () => {
    // Several servers share it.
    await waitForNoProcess(home);
    rmSync(home, { recursive: true, force: true });
  });
  return home;
}

async function start(
  home: string,
  { clientName = 'hasty-agent', waitMs = 300 }: { clientName?: string; waitMs?: number } = {},
): Promise<StdioServer> {
  const args = ['--sync-wait-ms', String(waitMs)];
  const server = await startServer({ env: rig.browser.serverEnv, args, clientName, home });
  onTestFinished(() => server.client.close());
  return server;
}

/** A server whose calls wait until they are done, however slow the machine is. */
const PATIENT = { waitMs: 30_000 };

const idOf = ({ text }: CallAnswer): string => /Id: (\S+?)"/.exec(text)?.[1] ?? '';

/** A server of a home, whose caller has left a call on a site on which nobody has allowed anything. */
async function leave(home: string, args: object = order): Promise<{ server: StdioServer; id: string }> {
  const server = await start(home);
  const opened = await server.call('navigate', { url: rig.at(`restart${(host += 1)}.test`) });
  expect(opened.isError, opened.text).toBe(false);
  const left = await server.call('interact', { ...args });
  expect(left.code(), left.text).toBe('approval_required');
  return { server, id: idOf(left) };
}

/** How a server ends. Its process has gone when this resolves. */
const ENDS = {
  killed: async ({ pid, home }: StdioServer) => {
    process.kill(pid, 'SIGKILL');
    await waitForNoProcess(home);
  },
  closed: (server: StdioServer) => server.close(),
};

const kept = (home: string): string[] => {
  const folder = join(home, 'pending');
  return readdirSync(folder).map((name) => join(folder, name));
};
const shown = async (server: StdioServer): Promise<string> =>
  (await server.call('read_page', { format: 'text' })).text;
const ledger = (home: string): string =>
  execFileSync(process.execPath, [ENTRY, 'ledger', 'show', '--json', '--home', home], { encoding: 'utf8' });

it.each(['killed', 'closed'] as const)(
  'a question outlives a server that is %s, and its call is done once, by the next one',
  async (how) => {
    const home = newHome();
    const { server, id } = await leave(home);
    await ENDS[how](server);
    expect(await person.card()).toContain('hasty-agent');
    const next = await start(home);
    const early = await next.call('resume_call', { id });
    expect(early.code(), early.text).toBe('approval_required');
    expect(idOf(early)).toBe(id);
    await person.allow();
    const done = await next.call('resume_call', { id });
    expect(done.text).toContain('pressed order;');
    expect((await next.call('resume_call', { id })).code()).toBe('call_not_pending');
    expect((await shown(next)).match(/pressed/g)).toHaveLength(1);
    expect(kept(home)).toEqual([]);
    const lines = ledger(home);
    expect(lines.match(/"kind": "decision"/g)).toHaveLength(1);
    expect(lines).toMatch(/"where": "grant"/);
  },
);

itDeep('refs that the session before was shown name the same elements', async () => {
  const home = newHome();
  const first = await start(home);
  await first.call('navigate', { url: rig.at(`restart${(host += 1)}.test`) });
  const page = await first.call('read_page', { format: 'snapshot' });
  const ref = /(e\d+) button Other/.exec(page.text)?.[1] ?? '';
  expect(ref, page.text).not.toBe('');
  const left = await first.call('interact', { steps: [`click ${ref}`] });
  expect(left.code(), left.text).toBe('approval_required');
  await ENDS.killed(first);
  await person.allow();
  const next = await start(home, PATIENT);
  expect((await next.call('resume_call', { id: idOf(left) })).text).toContain('pressed other;');
});

it('what was decided before its server was killed is done by the next one, without another question', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await person.allow();
  await person.isLeftAlone();
  await ENDS.killed(server);
  const next = await start(home, PATIENT);
  expect((await next.call('resume_call', { id })).text).toContain('pressed order;');
  expect(ledger(home).match(/"kind": "decision"/g)).toHaveLength(1);
});

itDeep('what is decided while no server is there is done, or not done, by the next one', async () => {
  const home = newHome();
  const yes = await leave(home);
  await ENDS.killed(yes.server);
  await person.edit('click css=#other');
  await person.allow();
  await person.isLeftAlone();
  const no = await leave(home);
  await ENDS.closed(no.server);
  await person.deny('Not today.');
  await person.isLeftAlone();
  const next = await start(home, PATIENT);
  const done = await next.call('resume_call', { id: yes.id });
  expect(done.notes).toContain('A person changed the arguments');
  expect(done.text).toContain('pressed other;');
  const denied = await next.call('resume_call', { id: no.id });
  expect(denied.code()).toBe('call_denied');
  expect(denied.text).toContain('Not today.');
  expect(await shown(next)).not.toContain('pressed order');
  expect(kept(home)).toEqual([]);
});

itDeep('a call that is resumed waits for the person', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await ENDS.closed(server);
  const next = await start(home, { waitMs: 30_000 });
  const resuming = next.call('resume_call', { id });
  await person.allow();
  expect((await resuming).text).toContain('pressed order;');
});

itDeep('a question outlives one server after the other', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await ENDS.killed(server);
  const second = await start(home);
  expect((await second.call('resume_call', { id })).code()).toBe('approval_required');
  await ENDS.closed(second);
  await person.allow();
  const third = await start(home, PATIENT);
  expect((await third.call('resume_call', { id })).text).toContain('pressed order;');
});

itDeep('a page that has been left meanwhile is asked about again, and nothing is done in it', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await ENDS.killed(server);
  const from = rig.at(`restart${host}.test`);
  const to = rig.at(`restart${(host += 1)}.test`);
  await rig.worker.evaluate(
    `chrome.tabs.query({ url: ${JSON.stringify(`${from}*`)} }).then(([tab]) => chrome.tabs.update(tab.id, { url: ${JSON.stringify(to)} })).then(() => null)`,
  );
  await person.isLeftAlone();
  const next = await start(home, { waitMs: 30_000 });
  const resuming = next.call('resume_call', { id });
  await expect.poll(() => person.card()).toContain(new URL(to).hostname);
  expect(await shown(next)).not.toContain('pressed');
  await person.deny('Another page.');
  expect((await resuming).code()).toBe('call_denied');
});

it('a call with a secret ends with its server, and the secret is nowhere on the disk', async () => {
  const home = newHome();
  const { server, id } = await leave(home, { fields: { Note: TOKEN } });
  for (const path of kept(home)) expect(readFileSync(path, 'utf8')).not.toContain(TOKEN.slice(0, 8));
  await ENDS.closed(server);
  await person.isLeftAlone();
  const next = await start(home);
  const end = await next.call('resume_call', { id });
  expect(end.code()).toBe('approval_expired');
  expect(end.text).toContain('held a secret');
  expect(kept(home)).toEqual([]);
});

it('the file of a call is its user’s alone, and has nothing that its question does not show', async () => {
  const home = newHome();
  const { id } = await leave(home);
  const [path = ''] = kept(home);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'pending')).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ call_id: id, args: { steps: order.steps } });
  await person.deny('');
});

it('a server without the key gets nothing, and the browser notes that it tried', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await ENDS.killed(server);
  const [path = ''] = kept(home);
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...record, key: 'f'.repeat(64) }));
  const next = await start(home);
  expect((await next.call('resume_call', { id })).code()).toBe('approval_expired');
  const refused = await rig.worker.evaluate(
    `chrome.storage.session.get('questions').then(({ questions }) => JSON.stringify(questions.refused.map(({ reason }) => reason)))`,
  );
  expect(refused).toContain('wrong_key');
  // It is still asked, on behalf of who has the key.
  await person.deny('Nobody waits for this.');
});

it('another client, and a server of another home, find nothing', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await ENDS.killed(server);
  const other = await start(home, { clientName: 'other-agent' });
  expect((await other.call('resume_call', { id })).code()).toBe('call_not_pending');
  const elsewhere = await start(newHome());
  expect((await elsewhere.call('resume_call', { id })).code()).toBe('call_not_pending');
  const own = await start(home);
  expect((await own.call('resume_call', { id })).code()).toBe('approval_required');
  await person.deny('');
});

itDeep('of two servers that resume at once, one has the call', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  await ENDS.killed(server);
  const both = await Promise.all([start(home), start(home)]);
  const codes = (await Promise.all(both.map((one) => one.call('resume_call', { id })))).map((end) =>
    end.code(),
  );
  expect(codes.toSorted()).toEqual(['approval_required', 'call_not_pending']);
  const winner = both[codes.indexOf('approval_required')];
  const loser = both[codes.indexOf('call_not_pending')];
  await person.allow();
  expect((await loser?.call('resume_call', { id }))?.code()).toBe('call_not_pending');
  expect((await winner?.call('resume_call', { id }))?.text).toContain('pressed order;');
});

itDeep('a server that is there keeps its call to itself', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  const other = await start(home);
  const refused = await other.call('resume_call', { id });
  expect(refused.code()).toBe('call_not_pending');
  expect(refused.text).toContain('still there');
  await person.allow();
  expect((await server.call('resume_call', { id })).text).toContain('pressed order;');
});
