import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer, type StdioServer, type StdioServerOptions } from '../../support/stdio-server.ts';
import { ledgerOf, order, other, PAGE } from './asked.ts';

const yes: ElicitResult = { action: 'accept', content: { decision: 'approve' } };

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => ({ rig, person } = await askedOn(PAGE)));
beforeEach(() => rig.worker.evaluate('chrome.storage.local.set({ client_answers: true }).then(() => null)'));
afterEach(() => person.isLeftAlone());

async function client(answers: NonNullable<StdioServerOptions['answers']>): Promise<StdioServer> {
  const server = await startServer({
    env: rig.browser.serverEnv,
    args: ['--approvals', 'client', '--sync-wait-ms', '30000'],
    clientName: 'client-agent',
    answers,
  });
  onTestFinished(() => server.close());
  await rig.ok('navigate', { url: rig.at(`client${(host += 1)}.test`) }, server);
  return server;
}

it('what the client allows is done once, and the ledger says that nobody verified it', async () => {
  const asked: ElicitRequest['params'][] = [];
  const server = await client((params) => {
    asked.push(params);
    return Promise.resolve(yes);
  });
  const receipt = await server.call('interact', order);
  expect(receipt.text).toContain('pressed order for ;');
  expect(await person.isAsked()).toBe(false);
  expect(asked).toMatchObject([
    { message: expect.stringContaining(`Where: http://client${host}.test`) as unknown },
  ]);
  expect((await server.call('interact', other)).text).toContain('pressed other for ;');
  expect(asked).toHaveLength(2);
  expect(ledgerOf(server.home, 'show', '--json')).toContain('"where": "client, unverified"');
});
