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

it('asks before a private text goes to another site in an address, and names its site', async () => {
  await readMail();
  const to = rig.at('other.test', `/?q=${encodeURIComponent(SECRET)}`);
  const answer = await rig.server.call('navigate', { url: to });
  expect(answer.code(), answer.text).toBe('approval_required');
  expect(await person.card()).toMatch(/mail\.test/);
  expect(asked.filter((one) => one.startsWith('other.test'))).toEqual([]);
  await person.deny('Not there.');
});
