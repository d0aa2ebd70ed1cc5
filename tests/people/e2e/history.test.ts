import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { AskedPerson } from '../../support/asked-person.ts';
import { BUILT_EXTENSION, spawnChromium } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, personRigOf, type PersonRig } from '../../support/person-rig.ts';
import { testFolder } from '../../support/test-folder.ts';

const PAGE = '<title>Invoice</title>';
const WAITS = ['--sync-wait-ms', '60000'] as const;
const search = (rig: Pick<PersonRig, 'server'>, words = 'invoice') =>
  rig.server.call('tabs', { action: 'history', search: words });

/** No test can press the browser's own question: in this build, the browser has been asked as it was installed. */
function permittedBuild(): string {
  const folder = join(testFolder(), 'extension');
  cpSync(BUILT_EXTENSION, folder, { recursive: true });
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { permissions: string[] };
  const permissions = [...manifest.permissions, 'bookmarks', 'history'];
  writeFileSync(path, JSON.stringify({ ...manifest, permissions, optional_permissions: ['notifications'] }));
  return folder;
}

interface Found {
  readonly pages: readonly { readonly url: string; readonly title: string; readonly bookmark?: true }[];
}

it('history and bookmarks are searched once a person allows it, without guarded sites and private networks', async () => {
  const launch = () => spawnChromium({ extension: permittedBuild(), rules: 'person' });
  const rig = await personRigOf(launch, (_request, response) => void response.end(PAGE), ...WAITS);
  const person = new AskedPerson(rig.worker);
  await rig.setRules([{ id: 'guarded', sites: ['bank.example'], risks: ['read'], effect: 'ask' }]);
  const visited = ['https://shop.example/invoice?token=ghp_0123456789abcdefghijABCDEFGHIJ012345'];
  for (const place of ['bank.example', '192.168.1.1', 'printer.local'])
    visited.push(`https://${place}/invoice`);
  await rig.worker.evaluate(`(async () => {
    for (const url of ${JSON.stringify(visited)}) await chrome.history.addUrl({ url });
    await chrome.history.addUrl({ url: 'https://news.example/' });
    await chrome.bookmarks.create({ title: 'Invoice template', url: 'https://docs.example/template' });
    await chrome.bookmarks.create({ title: 'Invoice script', url: 'javascript:alert(1)' });
  })()`);
  const refused = search(rig);
  expect(await person.card()).toMatch(/Search your history and bookmarks\?.*invoice/s);
  await person.deny('Mine.');
  expect((await refused).code()).toBe('call_denied');
  const asked = search(rig);
  await person.allow('task');
  const { text, json } = await asked;
  expect(json<Found>().pages.map(({ url }) => new URL(url).host)).toEqual(['shop.example', 'docs.example']);
  expect(json<Found>().pages[1]).toMatchObject({ title: 'Invoice template', bookmark: true });
  expect(text).not.toContain('ghp_');
  expect((await search(rig, 'nothing of this')).json<Found>().pages).toEqual([]);
  expect((await rig.server.call('tabs', { action: 'history' })).code()).toBe('invalid_argument');
});

let rig: PersonRig;
let person: AskedPerson;
beforeAll(async () => ({ rig, person } = await askedOn(PAGE, ...WAITS)));

it('a press on the card asks the browser, whose no allows nothing', async () => {
  const asked = search(rig);
  await person.card();
  const isLive = `document.querySelector('#allow').ariaDisabled`;
  await expect.poll(() => person.read(isLive), PATIENCE).toBe('false');
  await person.read(`chrome.permissions.request = async (wanted) => {
    globalThis.wanted = JSON.stringify([wanted, navigator.userActivation.isActive]);
    return false;
  }, 'replaced'`);
  await person.pressNow('#allow');
  const problem = `document.querySelector('[role=alert]')?.textContent`;
  await expect.poll(() => person.read(problem), PATIENCE).toContain('did not give the permission');
  expect(await person.read('wanted')).toBe('[{"permissions":["history","bookmarks"]},true]');
  await person.deny('');
  expect((await asked).code()).toBe('call_denied');
});
