import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnChromium } from '../../support/browser.ts';
import { personRigOf } from '../../support/person-rig.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';
import { AskingAgent, OPEN, shopPages } from './takeover-rig.ts';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');

it('a browser that is killed ends it with a code, and the ledger has its end', async () => {
  const rig = await personRigOf(() => spawnChromium({ rules: 'person' }), shopPages());
  await rig.setRules([OPEN]);
  const agent = new AskingAgent(rig.server);
  const tab = await agent.open(rig.at('shop.test', '/login'));
  const asking = agent.takeOver(tab);
  await new TakeoverPerson(rig.worker).card();
  await rig.browser.kill();
  const { code, text } = await asking.then((answer) => ({ code: answer.code(), text: answer.text }));
  expect(['browser_disconnected', 'human_input_expired'], text).toContain(code);
  const lines = execFileSync(
    process.execPath,
    [ENTRY, 'ledger', 'show', '--json', '--home', rig.server.home],
    {
      encoding: 'utf8',
    },
  );
  expect(lines).toMatch(/"takeover_end"/);
  expect(lines).toMatch(/"outcome": "unknown"/);
});
