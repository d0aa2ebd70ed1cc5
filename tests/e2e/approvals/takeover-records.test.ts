import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { StdioServer } from '../../support/stdio-server.ts';
import type { TakeoverPerson } from '../../support/takeover-person.ts';
import { answerOf, forTests, SECRET, type AskingAgent } from './takeover-rig.ts';

/* What is known of the time in which a person has a tab. */

const { get: rig } = forTests();
const agent = (): AskingAgent => rig().agent;
const person = (): TakeoverPerson => rig().person;
const server = (): StdioServer => rig().rig.server;

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
