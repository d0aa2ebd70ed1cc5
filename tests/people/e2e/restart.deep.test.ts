import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { waitForNoProcess } from '../../support/processes.ts';
import { testFolder } from '../../support/test-folder.ts';
import { ledgerOf, order, PAGE } from './asked.ts';

let rig: PersonRig;
let person: AskedPerson;

beforeAll(async () => ({ rig, person } = await askedOn(PAGE)));
afterEach(() => person.isLeftAlone());

function newHome(): string {
  const home = testFolder();
  onTestFinished(() => waitForNoProcess(home));
  return home;
}

async function start(home: string, clientName = 'hasty-agent'): Promise<StdioServer> {
  const args = ['--sync-wait-ms', '300'];
  const server = await startServer({ env: rig.browser.serverEnv, args, clientName, home });
  onTestFinished(() => server.client.close());
  return server;
}

const idOf = ({ text }: CallAnswer): string => /Id: (\S+?)"/.exec(text)?.[1] ?? '';

/** A server of a home, whose caller has left a call on a site on which nobody has allowed anything. */
async function leave(home: string): Promise<{ server: StdioServer; id: string }> {
  const server = await start(home);
  const opened = await server.call('navigate', { url: rig.at('restart.test') });
  expect(opened.isError, opened.text).toBe(false);
  const left = await server.call('interact', { ...order });
  expect(left.code(), left.text).toBe('approval_required');
  return { server, id: idOf(left) };
}

async function killed({ pid, home }: StdioServer): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitForNoProcess(home);
}

function kept(home: string): string[] {
  const database = new HomeDatabase(home);
  const records = database.rows('SELECT facts FROM question').map(([record]) => String(record));
  database.close();
  return records;
}
const shown = async (server: StdioServer): Promise<string> =>
  (await server.call('read_page', { format: 'text' })).text;
const ledger = (home: string): string => ledgerOf(home, 'show', '--json');
const decisions = (home: string): number => ledger(home).match(/"kind": "decision"/g)?.length ?? 0;

it('a question outlives a server that is killed, and its call is done once, by the next one of its client and home', async () => {
  const home = newHome();
  const { server, id } = await leave(home);
  expect(statSync(join(home, 'home.db')).mode & 0o777).toBe(0o600);
  const [record = ''] = kept(home);
  expect(JSON.parse(record)).toMatchObject({ call_id: id, args: { steps: order.steps } });
  await killed(server);
  expect(await person.card()).toContain('hasty-agent');
  for (const stranger of [await start(home, 'other-agent'), await start(newHome())])
    expect((await stranger.call('resume_call', { id })).code()).toBe('call_not_pending');
  const next = await start(home);
  const early = await next.call('resume_call', { id });
  expect(early.code(), early.text).toBe('approval_required');
  expect(idOf(early)).toBe(id);
  await person.allow();
  const resumed = async () => (await next.call('resume_call', { id })).text;
  await expect.poll(resumed).toContain('pressed order for ;');
  expect((await next.call('resume_call', { id })).code()).toBe('call_not_pending');
  expect((await shown(next)).match(/pressed/g)).toHaveLength(1);
  expect(kept(home)).toEqual([]);
  expect(decisions(home)).toBe(1);
  expect(ledger(home)).toMatch(/"where": "grant"/);
});
