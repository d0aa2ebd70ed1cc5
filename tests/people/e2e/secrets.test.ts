import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, choose, type PersonRig } from '../../support/person-rig.ts';
import { secretsFolder } from '../../support/test-folder.ts';

/** The page tells how long its values are, and how the field shows its own. */
const PAGE = `<title>Shop</title><label>Password <input type=password></label> <label>Note <input id=note></label><output></output>
  <script>oninput = () => { document.querySelector('output').textContent = [...document.querySelectorAll('input')].map((el) => el.value.length).join()
    + ' ' + getComputedStyle(note).webkitTextSecurity; };</script>`;
const VALUE = 'plain-horse-battery';

const { secrets } = secretsFolder(`ANY=${VALUE}\nHERE@*.test=${VALUE}\n`);

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE, '--sync-wait-ms', '60000', '--secrets', secrets));
});
beforeEach(async () => {
  await rig.setRules([{ id: 'mine', effect: 'allow' }]);
  await rig.server.call('navigate', { url: rig.at(`secret${(host += 1)}.test`) });
});
afterEach(() => person.isLeftAlone());

const fill = (fields: Record<string, string>) => rig.server.call('interact', { fields });
const shown = async (): Promise<string> => (await rig.server.call('read_page', { format: 'text' })).text;

it.each([
  ['a password field', { Password: 'secret:ANY' }, `${VALUE.length},0 none`],
  ['any field at the sites that it names', { Note: 'secret:HERE' }, `0,${VALUE.length} disc`],
])('goes without a question into %s', async (_where, fields, told) => {
  const filled = await fill(fields);
  expect(filled.text).toContain('= (hidden)');
  expect(await shown()).toContain(told);
});

it('asks before another field gets one, whatever the rules allow, and says what the site can do with it', async () => {
  const filling = rig.ok('interact', { fields: { Note: 'secret:ANY' } });
  // The page describes its field a moment after the card appears; nobody can decide before that.
  const warning = /can read, keep and send the secret. The field is not a password field./;
  await expect.poll(() => person.card(), PATIENCE).toMatch(warning);
  const site = await person.read('document.querySelector(".problem .quoted").textContent');
  expect(site).toContain(`secret${host}.test`);
  // A wider approval would cover more than any card has shown.
  expect(await person.read('document.querySelector(".scope select")?.outerHTML ?? "none"')).toBe('none');
  await person.allow();
  await filling;
  expect(await shown()).toContain(`0,${VALUE.length} disc`);
  const again = fill({ Note: 'secret:ANY' });
  await person.deny('Once.');
  expect((await again).code()).toBe('call_denied');
});

it('is refused to another field where the person is not asked', async () => {
  await choose(rig.worker, 'asks', false);
  try {
    expect((await fill({ Note: 'secret:ANY' })).code()).toBe('secret_refused');
  } finally {
    await choose(rig.worker, 'asks', true);
  }
  expect(await shown()).not.toContain(String(VALUE.length));
});
