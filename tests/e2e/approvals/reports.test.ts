import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');
const PAGE = '<title>Shop</title><button id=order>Order</button>';
const order = { steps: ['click css=#order'] };

interface Line {
  readonly kind: string;
  readonly outcome?: string;
  readonly site?: string;
  readonly agent: { readonly name: string };
}

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE));
});
afterEach(() => person.isLeftAlone());

/** A server of a home whose callers leave at once, on a site on which nobody has allowed anything. */
async function start(home: string): Promise<StdioServer> {
  const server = await startServer({
    env: rig.browser.serverEnv,
    args: ['--sync-wait-ms', '300'],
    clientName: 'hasty-agent',
    home,
  });
  onTestFinished(() => server.close());
  const opened = await server.call('navigate', { url: rig.at(`report${(host += 1)}.test`) });
  expect(opened.isError, opened.text).toBe(false);
  return server;
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'spillway-reports-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const decisions = (home: string): Line[] => {
  const args = ['ledger', 'show', '--json', '--home', home];
  const shown = JSON.parse(execFileSync(process.execPath, [ENTRY, ...args], { encoding: 'utf8' })) as
    | Line[]
    | { lines: Line[] };
  return (Array.isArray(shown) ? shown : shown.lines).filter(({ kind }) => kind === 'decision');
};

it('a decision is in the ledger at once, though nobody resumes the call, and once when somebody does', async () => {
  const home = newHome();
  const server = await start(home);
  const left = await server.call('interact', order);
  expect(left.code()).toBe('approval_required');
  await person.allow();
  await expect
    .poll(() => decisions(home))
    .toMatchObject([
      {
        outcome: 'approved',
        site: new URL(rig.at(`report${host}.test`)).origin,
        agent: { name: 'hasty-agent' },
      },
    ]);
  const id = /Id: (\S+?)"/.exec(left.text)?.[1] ?? '';
  expect((await server.call('resume_call', { id })).isError).toBe(false);
  expect(decisions(home)).toHaveLength(1);
});

itDeep(
  'what is decided while its server is dead is written by the next server of the home, once',
  async () => {
    const home = newHome();
    const server = await start(home);
    expect((await server.call('interact', order)).code()).toBe('approval_required');
    process.kill(server.pid, 'SIGKILL');
    await person.deny('Too late.');
    await person.isLeftAlone();
    expect(decisions(home)).toEqual([]);
    const next = await start(home);
    await expect.poll(() => decisions(home)).toMatchObject([{ outcome: 'denied' }]);
    await next.close();
    await start(home);
    expect(decisions(home)).toHaveLength(1);
  },
);
