import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';

function pages({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  response.end(url === '/data' ? 'Data' : '<title>Site</title><script>void fetch("/data")</script>');
}

let rig: PersonRig;
let person: AskedPerson;
let host = 0;
/** A site on which nobody has allowed anything. */
const site = (): string => rig.at(`site${host}.test`);

beforeAll(async () => {
  ({ rig, person } = await askedOn(pages, '--sync-wait-ms', '30000'));
  await rig.setRules([{ id: 'never', sites: ['denied.test'], risks: ['capture_network'], effect: 'deny' }]);
});
beforeEach(() => (host += 1));
afterEach(() => person.isLeftAlone());

const slice = (): Promise<CallAnswer> => rig.ok('network', { action: 'slice' });

it('a capture begins on a blank page, says what it leaves out, and takes it once a person has allowed that', async () => {
  await rig.ok('tabs', { action: 'open' });
  await rig.ok('network', { action: 'start' });
  await rig.ok('navigate', { url: site() });
  const without = await slice();
  expect(without.text).not.toContain('/data');
  expect(without.notes).toContain(`requests of ${site().slice(0, -1)} were left out`);
  expect(without.notes).toContain('Call network with action "start"');
  const starting = rig.ok('network', { action: 'start' });
  expect(await person.card()).toContain(`site${host}.test`);
  await person.allow();
  await starting;
  await rig.ok('navigate', { action: 'reload', wait_until: 'networkidle' });
  const taken = await slice();
  expect(taken.text).toContain('/data');
  expect(taken.notes).not.toContain('left out');
});
