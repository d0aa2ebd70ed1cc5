import { afterEach, beforeAll, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { other, PAGE } from './asked.ts';

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE, '--sync-wait-ms', '30000'));
});
afterEach(() => person.isLeftAlone());

const call = (name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  rig.server.call(name, args);
async function open(): Promise<void> {
  const answer = await call('navigate', { url: rig.at(`shop${(host += 1)}.test`) });
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
  const again = call('interact', other);
  await person.deny('Once is enough.');
  const denied = await again;
  expect(denied.code()).toBe('call_denied');
  expect(denied.text).toContain('Once is enough.');
  expect(await shown()).not.toContain('pressed other');
});
