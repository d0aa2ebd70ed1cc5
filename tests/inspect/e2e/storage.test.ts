import { itDeep } from '../../support/depth.ts';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { AskedPerson } from '../../support/asked-person.ts';
import { spawnChromium } from '../../support/browser.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { startServer } from '../../support/stdio-server.ts';
import { secretsFolder } from '../../support/test-folder.ts';

/** Planted where a page keeps its sign-in. None of them is a secret by its form. */
const PLANTED = ['cookie-four-sails', 'hidden-four-sails', 'local-four-sails', 'session-four-sails'];
/** It would show an agent other names, and keep values that the agent sets. */
const PAGE = `<title>Kept</title><script>
  localStorage.setItem('token', '${PLANTED[2]}');
  sessionStorage.setItem('step', '${PLANTED[3]}');
  Storage.prototype.getItem = Storage.prototype.setItem = Object.keys = () => { throw new Error('lie'); };
</script>`;

type Answer = { readonly entries: readonly Record<string, unknown>[]; readonly changed: number };

const { folder, secrets } = secretsFolder(
  'KEY=four sails 37\nOTHER=three sails 37\nELSEWHERE@other.test=two sails 37\n',
);

let rig: PersonRig;
let person: AskedPerson;
const ALLOW = [{ id: 'all', effect: 'allow' }] as const;
const storage = (args: Record<string, unknown> = {}) => rig.server.call('storage', args);
const open = (host = 'mill.test') => rig.ok('navigate', { url: rig.at(host, '/') });
const names = async (): Promise<readonly string[]> =>
  (await storage())
    .json<Answer>()
    .entries.map(({ area, name }) => `${String(area)} ${String(name)}`)
    .toSorted();

beforeAll(async () => {
  rig = await personRig(
    ({ url }, response) => {
      // The browser asks for it at any time: it would bring deleted cookies back.
      if (url === '/favicon.ico') return void response.writeHead(204).end();
      const cookies = [`sid=${PLANTED[0]}`, `auth=${PLANTED[1]}; HttpOnly; SameSite=Strict`];
      response.setHeader('set-cookie', cookies);
      response.end(PAGE);
    },
    ...['--secrets', secrets, '--download-root', folder],
  );
  person = new AskedPerson(rig.worker);
});

it('lists what a page keeps by name, and none of the values', async () => {
  await rig.setRules(ALLOW);
  await open();
  const answer = await rig.ok('storage');
  const { entries } = answer.json<Answer>();
  const auth = { name: 'auth', http_only: true, same_site: 'Strict', domain: 'mill.test' };
  for (const cookie of [auth, { name: 'sid', size_bytes: 17, http_only: false }])
    expect(entries).toContainEqual(expect.objectContaining({ area: 'cookies', ...cookie }));
  expect(entries).toContainEqual({ area: 'local', name: 'token', size_bytes: 16 });
  expect(entries).toContainEqual({ area: 'session', name: 'step', size_bytes: 18 });
  for (const value of PLANTED) expect(JSON.stringify(answer.raw)).not.toContain(value);
});

it('sets and deletes, whatever the page made of its own storage, and nothing of another site', async () => {
  await rig.setRules(ALLOW);
  await open('other.test');
  const before = await names();
  await open();
  for (const area of ['cookies', 'local', 'session'])
    expect((await storage({ ...set, area, name: 'sails' })).json<Answer>().changed).toBe(1);
  expect(await names()).toEqual(expect.arrayContaining(['cookies sails', 'local sails', 'session sails']));
  expect((await storage({ action: 'delete', area: 'local', name: 'sails' })).json<Answer>().changed).toBe(1);
  expect((await storage({ action: 'delete', area: 'local', name: 'none' })).json<Answer>().changed).toBe(0);
  for (const area of ['cookies', 'session'])
    expect((await storage({ action: 'delete', area, all: true })).isError).toBe(false);
  expect(await names()).toEqual(['local token']);
  await open('other.test');
  expect(await names()).toEqual(before);
});

const set = { action: 'set', area: 'local', name: 'a', value: 'b' };
it.each([
  [{ ...set, area: 'cookies', cookie: { domain: 'other.test' } }, 'storage_refused'],
  [{ ...set, area: 'cookies', value: 'b;c\n' }, 'storage_refused'],
  [{ ...set, value: 'é'.repeat(50_001) }, 'invalid_argument'],
  [{ ...set, value: undefined }, 'invalid_argument'],
  [{ action: 'delete', area: 'local', name: 'a', all: true }, 'invalid_argument'],
  [{ action: 'delete' }, 'invalid_argument'],
])('case %# ends with its code', async (args, code) => {
  await rig.setRules(ALLOW);
  await open();
  const answer = await storage(args);
  expect(answer.code() ?? null, answer.text.slice(0, 500)).toBe(code);
});

it('asks about each change by itself, and shows it', async () => {
  await rig.setRules([]);
  await open();
  const calling = storage({ action: 'set', area: 'local', name: 'sails', value: '6' });
  expect(await person.card()).toContain('sails');
  await person.deny('No');
  expect((await calling).isError).toBe(true);
  await rig.setRules(ALLOW);
  expect(await names()).not.toContain('local sails');
});

itDeep('exports what only its key opens, and imports it on the same site alone', async () => {
  await rig.setRules(ALLOW);
  await open();
  const state = { file: 'mill.state', key: 'secret:KEY' };
  await storage({ action: 'set', area: 'local', name: 'kept', value: 'secret:OTHER' });
  const before = await names();
  const answer = await rig.ok('storage', { action: 'export', ...state });
  const path = join(folder, 'mill.state');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = JSON.stringify(answer.raw) + readFileSync(path, 'latin1');
  for (const value of [...PLANTED, 'three sails 37']) expect(kept).not.toContain(value);
  for (const area of ['cookies', 'local', 'session']) await storage({ action: 'delete', area, all: true });
  expect(await names()).toEqual([]);
  const refused = async (code: string, args: object): Promise<void> =>
    expect((await storage({ action: 'import', ...state, ...args })).code()).toBe(code);
  await refused('storage_refused', { key: 'secret:OTHER' });
  await refused('storage_refused', { file: 'secrets.env' });
  await refused('save_refused', { file: '../mill.state' });
  await open('other.test');
  await refused('storage_refused', {});
  await open();
  await storage({ action: 'delete', area: 'cookies', all: true });
  await rig.ok('storage', { action: 'import', ...state });
  expect(await names()).toEqual(before);
  const { text } = await rig.server.call('evaluate', {
    code: '() => [document.cookie, localStorage.kept === "three sails 37"]',
  });
  expect(text).toContain('true');
  expect(text).not.toContain(PLANTED[0]);
});

itDeep('brings what it has exported to another browser', async () => {
  const other = await spawnChromium();
  const args = ['--secrets', secrets, '--download-root', folder];
  const server = await startServer({ env: other.serverEnv, args });
  try {
    await server.call('navigate', { url: rig.at('mill.test') });
    await rig.ok('storage', { action: 'delete', area: 'local', all: true }, server);
    await rig.ok('storage', { action: 'import', file: 'mill.state', key: 'secret:KEY' }, server);
    const answer = await server.call('evaluate', { code: '() => localStorage.kept === "three sails 37"' });
    expect(answer.json()).toBe(true);
  } finally {
    await server.close();
    await other.close();
  }
});

it('sets a secret at its own sites alone', async () => {
  await rig.setRules(ALLOW);
  const args = { action: 'set', area: 'local', name: 'a', value: 'secret:ELSEWHERE' };
  await open();
  expect((await storage(args)).code()).toBe('secret_refused');
  await open('other.test');
  expect((await storage(args)).isError).toBe(false);
});
