import { beforeAll, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';

const PAGE = `<title>quiet</title><textarea></textarea><script>
  for (const type of ['keydown', 'copy', 'paste', 'beforecopy', 'beforepaste'])
    addEventListener(type, (event) => { document.title = type; event.clipboardData?.setData('text/plain', 'taken'); }, true);
</script>`;

let rig: PersonRig;
let person: AskedPerson;
const clipboard = (args: object = {}) => rig.server.call('clipboard', { ...args });
beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE));
  await rig.server.call('navigate', { url: rig.at('mill.test') });
});

it('gives and takes a text; the page sees nothing of it', async () => {
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
  for (const text of ['four sails', 'Zwölf "Segel"\n2']) {
    await rig.ok('clipboard', { action: 'write', text });
    expect((await clipboard()).json<{ text: string }>().text).toBe(text);
  }
  expect((await rig.server.call('tabs')).text).toContain('quiet');
});

it('asks a person each time, and shows what is put there', async () => {
  await rig.setRules([]);
  const calling = clipboard({ action: 'write', text: 'four sails' });
  expect(await person.card()).toContain('four sails');
  await person.deny('No');
  expect((await calling).isError).toBe(true);
  const reading = clipboard();
  expect(await person.card()).toContain('Read the text on your clipboard');
  await person.deny('No');
  expect((await reading).isError).toBe(true);
});
