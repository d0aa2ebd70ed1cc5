import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, choose, type PersonRig } from '../../support/person-rig.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Without --download-root, a person names on the card where a copy of a download goes. */

const PAGE = `<title>Reports</title><a href="data:text/csv,a,b%0A" download="report.csv">Report</a>`;

let rig: PersonRig;
let person: AskedPerson;
let tab: string;
let id: number;
let folder: string;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE, '--sync-wait-ms', '60000'));
  // The strictest case: nothing else would ask.
  await rig.setRules([{ id: 'mine', effect: 'allow' }]);
  ({ tab } = (await rig.ok('navigate', { url: rig.at('reports.test') })).json<{ tab: string }>());
  await rig.ok('interact', { tab, steps: ['click text=Report', 'wait download'] });
  const listed = await rig.ok('downloads', { tab });
  [{ id }] = listed.json<{ downloads: [{ id: number }] }>().downloads;
});
beforeEach(() => (folder = testFolder()));

const take = (args: object = {}) =>
  rig.server.call('downloads', { tab, action: 'take', id, save_as: 'copy.csv', ...args });
const isBlocked = `document.querySelector('#allow').ariaDisabled`;
/** As a person who types into the field of the card. */
async function write(path: string): Promise<void> {
  await person.card();
  const typed = `(() => {
    const field = document.querySelector('.ask-field input');
    if (field === null) return '';
    field.value = ${JSON.stringify(path)};
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return field.value;
  })()`;
  await expect.poll(() => person.read(typed), PATIENCE).toBe(path);
}

it('the copy goes to the folder that the person names, each time on a card of its own', async () => {
  const saving = take();
  await expect.poll(() => person.card(), PATIENCE).toContain('copy.csv');
  await expect.poll(() => person.read(isBlocked), PATIENCE).toBe('true');
  await write(folder);
  await person.allow();
  expect((await saving).json()).toMatchObject({ saved_as: join(folder, 'copy.csv'), size_bytes: 4 });
  expect(readFileSync(join(folder, 'copy.csv'), 'utf8')).toBe('a,b\n');
  const again = take({ save_as: 'second.csv' });
  await person.card();
  // The last folder is offered, and a press is needed.
  const field = `document.querySelector('.ask-field input')?.value ?? ''`;
  await expect.poll(() => person.read(field), PATIENCE).toBe(folder);
  expect(readdirSync(folder)).toEqual(['copy.csv']);
  await person.allow();
  expect((await again).json()).toMatchObject({ saved_as: join(folder, 'second.csv') });
});

it.each([
  [
    'a folder above it',
    (named: string) => join(named, 'in'),
    '../copy.csv',
    'not a file below the folder that the person named',
  ],
  [
    'a link out of it',
    (named: string) => named,
    'link/copy.csv',
    'not a file below the folder that the person named',
  ],
  [
    'an absolute path elsewhere',
    (named: string) => named,
    '/etc/copy.csv',
    'not a file below the folder that the person named',
  ],
  [
    'a folder that is not there',
    (named: string) => join(named, 'none'),
    'copy.csv',
    'the folder that the person named is missing',
  ],
])('nothing is written to %s', async (_what, named, save_as, why) => {
  mkdirSync(join(folder, 'in'));
  const outside = testFolder();
  symlinkSync(outside, join(folder, 'link'));
  const saving = take({ save_as });
  await write(named(folder));
  await person.allow();
  const { text, code } = await saving;
  expect(code()).toBe('save_refused');
  expect(text).toContain(why);
  expect([readdirSync(outside), readdirSync(folder).toSorted()]).toEqual([[], ['in', 'link']]);
});

it('no card asks about a download that does not exist', async () => {
  expect((await take({ id: id + 1_000 })).code()).toBe('download_refused');
  expect(await person.isAsked()).toBe(false);
});

it('a person who refuses saves nothing', async () => {
  const saving = take();
  await person.deny('Not there.');
  expect((await saving).code()).toBe('call_denied');
});

it('with asking switched off, no folder is open', async () => {
  await choose(rig.worker, 'asks', false);
  try {
    const { text, code } = await take();
    expect(code()).toBe('save_refused');
    expect(text).toContain('--download-root');
  } finally {
    await choose(rig.worker, 'asks', true);
  }
});
