import { beforeAll, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { ledgerOf, TABLE } from './asked.ts';

let rig: PersonRig;
let person: AskedPerson;
beforeAll(async () => ({ rig, person } = await askedOn('', '--sync-wait-ms', '60000')));

it.each([
  ['approval', {}, {}, '#ask-no', { answer: false }],
  ['text', {}, { textarea: ' ', 'textarea:invalid': 'On Tuesday.' }, '#ask-yes', { answer: 'On Tuesday.' }],
  ['choice', { choices: ['a', 'b'] }, { select: 'b' }, '#ask-yes', { answer: 'b' }],
  [
    'form',
    { schema: TABLE },
    { select: 'Tue', 'input[type=number]': '12345678901234567', 'input:invalid': '2' },
    '#ask-yes',
    { answer: { day: 'Tue', seats: 2, window: false } },
  ],
  ['text', {}, { '.reason': 'Not my job' }, '#ask-no', { declined: true, reason: 'Not my job' }],
])('%s', async (type, more, fields, button, answer) => {
  const message = `A ${type}: when do you have time?`;
  const asking = rig.ok('request_human_input', { type, message, ...more });
  // A window that is closing shows the question too, and has no button.
  const shown = 'document.querySelector("#ask-no") && document.body.innerText';
  await expect.poll(() => person.read(shown)).toContain(message);
  for (const [selector, value] of Object.entries(fields))
    await person.fill(`.takeover ${selector}`, value, selector === 'select' ? 'change' : 'input');
  await person.press(button);
  expect((await asking).json()).toMatchObject({
    question: message,
    where: 'the window of the extension',
    ...answer,
  });
});

it('the ledger has that a person was asked, and not what they said', async () => {
  const lines = (): string => ledgerOf(rig.server.home, 'show', '--json');
  await expect.poll(lines).toContain('human_input_end');
  expect(lines()).not.toContain('Tuesday');
});
