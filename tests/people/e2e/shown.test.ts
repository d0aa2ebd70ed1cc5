import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { sample } from '../../support/depth.ts';

/* A card shows exactly what runs. An act that it cannot show cannot be allowed. */

let rig: PersonRig;
let person: AskedPerson;
let host = 0;
beforeAll(async () => ({ rig, person } = await askedOn('<title>Board</title>', '--sync-wait-ms', '60000')));
beforeEach(() => rig.ok('navigate', { url: rig.at(`shown${(host += 1)}.test`) }));
afterEach(() => person.isLeftAlone());

const boxes = async (): Promise<string[]> =>
  JSON.parse(
    (await person.read(
      `JSON.stringify([...document.querySelectorAll('.quoted')].map((el) => el.innerText))`,
    )) ?? '[]',
  ) as string[];

const code = (units: number): string => `() => { ${'/*filler*/'.repeat(units / 10)}; return 'ran'; }`;

it.each(sample([2_000, 32_000, 65_000], 3, 2))(
  'all of a script of %d characters is on the card',
  async (units) => {
    const script = code(units);
    const running = rig.server.call('evaluate', { code: script });
    await expect
      .poll(() => person.card(), PATIENCE)
      .toContain(`${script.length.toLocaleString('en')} characters`);
    expect(await boxes()).toContain(script);
    await person.allow();
    expect((await running).text).toContain('ran');
  },
);

it('what a card would have to hide is written out, and the card says so', async () => {
  const script = `() => 1;${' '.repeat(500)}steal()\n${'\n'.repeat(90)}/*\u202e*/`;
  const running = rig.server.call('evaluate', { code: script });
  const card = /cannot be seen.*has long gaps/;
  await expect.poll(() => person.card(), PATIENCE).toMatch(card);
  expect((await boxes()).join()).toContain('() => 1;⟨· ×500⟩steal()⟨⏎ ×91⟩\n/*⟨U+202E⟩*/');
  await person.deny('No.');
  expect((await running).code()).toBe('call_denied');
});

it.each([
  ['evaluate', { code: code(90_000) }, /code has 90\d{3} characters/],
  ['clipboard', { action: 'write', text: 'x'.repeat(80_000) }, /text has 80000 characters/],
  ['interact', { fields: { Note: 'x'.repeat(70_000) } }, /fields has 70\d{3} characters/],
])('%s with more than a card shows is refused, and names the argument', async (tool, args, message) => {
  const refused = await rig.server.call(tool, args);
  expect(refused.code(), refused.text).toBe('approval_too_large');
  expect(refused.text).toMatch(message);
  expect(await person.isAsked()).toBe(false);
});

it('an answer for requests is on the card with its status, headers and body', async () => {
  const answer = { status: 302, headers: { Location: 'https://thief.example/' }, body: 'moved\u200b' };
  const adding = rig.server.call('intercept', { action: 'add', url: '**/pay', answer });
  await expect.poll(() => person.card(), PATIENCE).toContain('https://thief.example/');
  expect(await boxes()).toEqual(expect.arrayContaining(['answer.status', '302', 'moved⟨U+200B⟩']));
  await person.deny('No.');
  await adding;
});
