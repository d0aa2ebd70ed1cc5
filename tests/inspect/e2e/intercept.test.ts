import { itDeep } from '../../support/depth.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { startServer } from '../../support/stdio-server.ts';
import { secretsFolder } from '../../support/test-folder.ts';

const PASSWORD = 'mill-four-sails-37';
const GIVEN = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;

const { folder, secrets } = secretsFolder(`MILL=${PASSWORD}\nELSEWHERE@other.test=${PASSWORD}\n`);
writeFileSync(join(folder, 'answer.json'), '{"sails":4}');

let rig: PersonRig;
let person: AskedPerson;
let tab: string;
const ALLOW: Parameters<PersonRig['setRules']>[0] = [
  { id: 'tabs', risks: ['borrow_tab'], effect: 'allow' },
  { id: 'all', effect: 'allow' },
];

beforeAll(async () => {
  rig = await personRig(
    ({ url = '', headers }, response) => {
      response.setHeader('access-control-allow-origin', '*');
      if (url === '/kept') response.setHeader('cache-control', 'max-age=600');
      if (url.startsWith('/closed') && headers.authorization !== GIVEN)
        return void response.writeHead(401, { 'www-authenticate': 'Basic realm="Mill"' }).end('closed');
      if (url === '/frames') return void response.end(`<iframe src="${rig.at('inner.test', '/')}"></iframe>`);
      response.end(url.startsWith('/data') ? JSON.stringify(headers) : `<title>Mill</title><p>open ${url}`);
    },
    ...['--secrets', secrets, '--upload-root', folder],
  );
  person = new AskedPerson(rig.worker);
});

const intercept = (args: object = {}) => rig.server.call('intercept', { tab, ...args });
const add = (args: object, by = rig.server) => rig.ok('intercept', { tab, action: 'add', ...args }, by);
const applied = async (): Promise<readonly string[]> => {
  const { rules } = (await intercept()).json<{ rules: readonly { does: string; hits: number }[] }>();
  return rules.map(({ does, hits }) => `${does}: ${hits}`);
};
/** A busy machine may need longer than a delay by itself: only the least time says something. */
const fetched = async (minMs = 0, url = '/data'): Promise<string> => {
  const code = `async (minMs, url) => {
    const began = performance.now();
    const text = await fetch(url, { cache: 'no-store', headers: { 'x-page': 'sent' } }).then((r) => r.text().then((t) => r.status + ' ' + t), () => 'failed');
    return performance.now() - began < minMs ? 'early ' + text : text;
  }`;
  const answer = await rig.server.call('evaluate', { tab, world: 'page', code, args: [minMs, url] });
  return answer.json<string>();
};

beforeEach(async () => {
  await rig.setRules(ALLOW);
  const answer = await rig.server.call('navigate', { url: rig.at('mill.test') });
  tab = /b\d+:\d+/.exec(answer.text)?.[0] ?? answer.text;
  await intercept({ action: 'remove' });
});

it('blocks, delays and changes what a page asks for, over navigations, until it is removed', async () => {
  expect(await fetched()).toMatch(/^200 \{/);
  await add({ url: '**/data', block: true });
  await rig.server.call('navigate', { tab, action: 'reload' });
  expect(await fetched()).toBe('failed');
  await intercept({ action: 'remove' });
  await add({ url: '/data', delay_ms: 500 });
  expect(await fetched(400)).toMatch(/^200 \{/);
  await add({ url: '/data', headers: { 'X-Mill': 'four', 'x-page': null } });
  const changed = await fetched();
  expect(changed).toContain('"x-mill":"four"');
  expect(changed).not.toContain('x-page');
  expect(await applied()).toEqual(['delay 500 ms: 2', 'headers X-Mill, x-page: 1']);
  await intercept({ action: 'remove' });
  expect(await fetched()).toMatch(/^200 \{/);
});

it('answers what a page asks for, after the delay of another rule', async () => {
  await add({ url: '/data', delay_ms: 500 });
  await add({ url: '/data', answer: { status: 422, file: join(folder, 'answer.json') } });
  expect(await fetched(400)).toBe('422 {"sails":4}');
  expect(await applied()).toEqual(['delay 500 ms: 1', 'answer 422: 1']);
});

itDeep('applies to what the page has in its cache', async () => {
  const code = `() => new Promise((done) => {
    const script = document.createElement('script');
    Object.assign(script, { src: '/kept', onload: () => done('loaded'), onerror: () => done('failed') });
    document.head.append(script);
  })`;
  const load = async () => (await rig.server.call('evaluate', { tab, world: 'page', code })).json<string>();
  expect(await load()).toBe('loaded');
  await add({ url: '/kept', block: true });
  expect(await load()).toBe('failed');
});

itDeep('answers a page of another origin so that it can read that, and counts no preflight', async () => {
  const [status, body, headers] = [503, '{}', { 'Access-Control-Allow-Origin': 'http://no' }];
  await add({ url: 'inner.test', answer: { status, body } });
  expect(await fetched(0, rig.at('inner.test', '/data'))).toBe('503 {}');
  await add({ url: 'other.test', answer: { status, body, headers } });
  expect(await fetched(0, rig.at('other.test', '/data'))).toBe('failed');
  expect(await applied()).toEqual(['answer 503: 1', 'answer 503: 1']);
});

itDeep('answers what a frame of another site asks for as its own site allows', async () => {
  await rig.server.call('navigate', { tab, url: rig.at('mill.test', '/frames') });
  await add({ url: 'inner.test', answer: { body: '<p>answered' } });
  await rig.server.call('navigate', { tab, action: 'reload' });
  expect((await rig.server.call('read_page', { tab, format: 'text' })).text).toContain('answered');
  await rig.setRules([...ALLOW, { id: 'inner', sites: ['inner.test'], effect: 'deny' }]);
  await rig.server.call('navigate', { tab, action: 'reload' });
  expect(await applied()).toEqual(['answer 200: 1']);
});

it('signs in where the browser asks, with a secret that is for the site and no other', async () => {
  const closed = rig.at('mill.test', '/closed');
  const visit = { tab, url: closed };
  expect((await rig.failed('navigate', visit)).hint).toContain('intercept');
  const login = { username: 'ada', password: 'secret:ELSEWHERE' };
  await add({ url: `${rig.at('mill.test', '/')}**`, login });
  await rig.failed('navigate', visit);
  await intercept({ action: 'remove' });
  await add({ url: `${rig.at('mill.test', '/')}**`, login: { ...login, password: 'secret:MILL' } });
  const answer = await rig.ok('navigate', visit);
  expect((await rig.server.call('read_page', { tab, format: 'text' })).text).toContain('open /closed');
  expect(JSON.stringify(answer.raw)).not.toContain(PASSWORD);
});

it('asks a person about an answer, and is kept from other agents until its server dies', async () => {
  await rig.setRules([]);
  const asking = intercept({ action: 'add', url: '/data', answer: { body: 'planted' } });
  expect(await person.card()).toContain('planted');
  await person.deny('no');
  expect((await asking).isError).toBe(true);
  await rig.setRules(ALLOW);
  const other = await startServer({ env: rig.browser.serverEnv });
  await other.call('tabs');
  await add({ url: '/data', block: true }, other);
  expect((await intercept({ action: 'add', url: '/data', block: true })).code()).toBe('tab_busy');
  expect(await fetched()).toBe('failed');
  await other.close();
  await expect.poll(() => fetched(), PATIENCE).toMatch(/^200 \{/);
});
