import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { StdioServer } from '../../support/stdio-server.ts';
import type { TakeoverPerson } from '../../support/takeover-person.ts';
import type { WorkerScope } from '../../support/worker-scope.ts';
import { answerOf, forTests, OPEN, SECRET, type AskingAgent } from './takeover-rig.ts';

/* What is known of the time in which a person has a tab. */

/** Ordinary words, which no redactor takes for a secret. */
const CODE = 'seven-green-bottles';
const TICKET = 'nine-blue-lanterns';

const tests = forTests(({ url = '/', headers }, response) => {
  const { pathname, searchParams } = new URL(url, `http://${headers.host}`);
  if (pathname === '/account')
    response.end(`<title>Account</title><a id=sso href="${searchParams.get('idp')}">Log in elsewhere</a>`);
  else if (pathname === '/authorize')
    response.end(
      `<title>Ticket ${TICKET}</title><script>console.log('${TICKET}')</script><a id=yes href="/grant?ticket=${TICKET}&back=${searchParams.get('back')}">Yes</a>`,
    );
  else if (pathname === '/grant') {
    response.writeHead(302, { location: `${searchParams.get('back')}?code=${CODE}` });
    response.end();
  } else if (pathname === '/callback')
    response.end(
      `<title>${CODE}</title><script>history.pushState(0, '', location.href + '&again'); location.href = '/welcome'</script>`,
    );
  else return false;
  return true;
});
const rig = tests.get;
const agent = (): AskingAgent => rig().agent;
const person = (): TakeoverPerson => rig().person;
const server = (): StdioServer => rig().rig.server;
const worker = (): WorkerScope => rig().rig.worker;

it('a person logs in, and nothing of what they type is recorded anywhere', async () => {
  const { url, tab } = await rig().open();
  await agent().ok('network', { action: 'start', tab });
  expect(await rig().isAttached(tab)).toBe(true);
  const asking = agent().takeOver(tab);
  const card = await person().card();
  expect(card).toContain('test-agent');
  expect(card).toContain(new URL(url).host);
  expect(card).toContain('Please log in.');
  for (const [name, args] of [
    ['read_page', {}],
    ['interact', { steps: ['click css=#go'] }],
    ['screenshot', {}],
    ['console', {}],
    ['navigate', { url: 'about:blank' }],
    ['find', { query: 'Password' }],
  ] as const) {
    const answer = await agent().call(name, { tab, ...args });
    expect(answer.text, name).toContain('person_has_tab');
  }
  expect(await rig().isAttached(tab)).toBe(false);
  await rig().logIn(url);
  await agent().ok('oc_evidence_bundle', { tab, output_mode: 'handle' });
  const listed = await agent().ok('tabs', { action: 'list' });
  expect(listed).not.toContain('/welcome');
  const during = await agent().call('network', { action: 'slice', tab });
  expect(during.notes).toContain('still has it');
  expect(during.text).not.toContain('/session');
  await person().press('done');
  const { origin } = new URL(url);
  expect(await answerOf(asking)).toMatchObject({
    outcome: 'done',
    by: 'person',
    where: 'window',
    origin,
    tab,
  });
  expect(await agent().ok('read_page', { tab, format: 'text' })).toContain('Welcome, Ada');
  const receipt = await agent().ok('interact', { tab, steps: ['click css=#order'] });
  expect(receipt).toContain('Order done');
  const slice = await agent().call('network', { action: 'slice', tab });
  expect(slice.text).toContain('/ordered');
  expect(slice.text).not.toContain('/session');
  expect(slice.notes).toMatch(/a person took it over at .* until /);
  const act = /act (a\d+)/.exec(receipt)?.[1];
  expect((await agent().call('network', { action: 'slice', tab, since_act: act })).text).not.toContain(
    '/session',
  );
  await agent().ok('console', { tab });
  await agent().ok('oc_evidence_bundle', { tab, output_mode: 'handle' });
  await agent().ok('oc_journal', {});
  expect(server().said()).not.toContain(SECRET);
  const files = stored();
  expect(files.length).toBeGreaterThan(3);
  for (const [name, bytes] of files) expect(bytes.includes(SECRET), name).toBe(false);
});

it('a worker that is ended midway keeps it, and nothing is captured by the next one', async () => {
  const { url, tab } = await rig().open();
  await agent().ok('network', { action: 'start', tab });
  const asking = agent().takeOver(tab);
  await person().card();
  await worker().end();
  await person().card();
  expect(await agent().refusal(tab)).toBe('person_has_tab');
  await rig().logIn(url);
  await person().press('done');
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'person' });
  const slice = await agent().call('network', { action: 'slice', tab });
  expect(slice.text).not.toContain('/session');
});

itDeep('a log-in at another site that agents may not read leaves nothing of it behind', async () => {
  const shop = rig().at('/account');
  const back = new URL('/callback', shop).href;
  const idp = rig().rig.at('idp.test', `/authorize?back=${back}`);
  await rig().rig.setRules([OPEN, { id: 'idp', sites: ['idp.test'], risks: ['read'], effect: 'deny' }]);
  const url = `${shop}?idp=${encodeURIComponent(idp)}`;
  const tab = await agent().open(url);
  await agent().ok('network', { action: 'start', tab });
  const asking = agent().takeOver(tab, { until: { text: 'Welcome, Ada' } });
  await person().card();
  await rig().click(url, 'document.querySelector("#sso").click()');
  await rig().shows(idp, 'document.title.startsWith("Ticket")');
  // What the condition is looked for in is never a page that may not be read.
  expect(await agent().ok('tabs', { action: 'list' })).not.toContain('authorize');
  await rig().click(idp, 'document.querySelector("#yes").click()');
  const answer = await asking;
  expect(answer.json()).toMatchObject({ outcome: 'done', by: 'page', origin: new URL(shop).origin });
  const answered = [answer.text, answer.notes];
  for (const [name, args] of [
    ['network', { action: 'slice', tab }],
    ['console', { tab }],
    ['tabs', { action: 'list' }],
    ['read_page', { tab, format: 'text' }],
    ['oc_evidence_bundle', { tab, output_mode: 'handle' }],
    ['oc_journal', {}],
  ] as const) {
    const { text, notes } = await agent().call(name, args);
    answered.push(text, notes);
  }
  answered.push(rig().ledger('show', '--json'), server().said());
  await rig().rig.setRules([OPEN]);
  for (const secret of [CODE, TICKET]) {
    for (const text of answered) expect(text).not.toContain(secret);
    for (const [name, bytes] of stored()) expect(bytes.includes(secret), name).toBe(false);
  }
});

/** All that the server has stored, bundles unpacked. */
function stored(): [string, Buffer][] {
  const files = readdirSync(server().home, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one): [string, Buffer] => [one.name, readFileSync(join(one.parentPath, one.name))])
    .map(([name, bytes]): [string, Buffer] => [name, isPacked(bytes) ? gunzipSync(bytes) : bytes]);
  expect(files.filter(([, bytes]) => bytes.includes('history_length'))).not.toEqual([]);
  return files;
}

const isPacked = (bytes: Buffer): boolean => bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]));
