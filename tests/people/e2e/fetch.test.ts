import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { sample } from '../../support/depth.ts';
import { makePdf } from '../../support/pdf.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';

/* Bytes that an agent gets with the person's cookies, on sites that guard reading and on others. */

const GUARDED = 'bank.test';
const SAVED = { 'content-disposition': 'attachment; filename=list.csv' };
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/text': { 'content-type': 'text/plain' },
  '/attachment': { 'content-type': 'text/csv', ...SAVED },
  '/bytes': { 'content-type': 'application/octet-stream' },
  '/pdf': { 'content-type': 'application/pdf' },
  '/page': { 'content-type': 'text/html' },
};

let rig: PersonRig;
let person: AskedPerson;
/** Addresses that were requested. */
const asked: string[] = [];

beforeAll(async () => {
  const pdf = await makePdf([[{ text: 'The balance.', y: 700 }]]);
  ({ rig, person } = await askedOn(
    (request, response) => {
      const { url = '/', headers } = request;
      const [path = '', to] = url.split('?to=');
      asked.push(`${headers.host?.split(':')[0]}${path}`);
      if (to !== undefined)
        return void response.writeHead(302, { location: rig.at(to, '/attachment') }).end();
      response.writeHead(200, TYPES[path] ?? TYPES['/page']).end(path === '/pdf' ? pdf : 'balance');
    },
    '--sync-wait-ms',
    '1',
  ));
});
beforeEach(async () => {
  asked.length = 0;
  await rig.setRules([], { banking: { off: [], added: [GUARDED] } });
});

const READ = {
  id: 'read',
  sites: [GUARDED],
  risks: ['read' as const, 'crawl' as const],
  effect: 'allow' as const,
};
const READ_ASKS = { ...READ, id: 'ask', effect: 'ask' as const };
const ALL = { id: 'all', sites: [GUARDED], effect: 'allow' as const };
const NO_FILES = {
  id: 'no',
  sites: ['ordinary.test'],
  risks: ['download' as const],
  effect: 'deny' as const,
};

type Row = readonly [what: string, args: object, rules: readonly object[], ends: string];
const fetched = (path: string, host: string, more: object = {}) => ({ path, host, ...more });
const FILES = ['/text', '/attachment', '/bytes', '/pdf', '/page'];
const ROWS: readonly Row[] = [
  ...FILES.flatMap((path): readonly Row[] => [
    [`${path} of an ordinary site`, fetched(path, 'ordinary.test'), [], 'done'],
    [`${path} of a guarded site`, fetched(path, GUARDED), [], 'approval_required'],
    [`${path} where only reading is allowed`, fetched(path, GUARDED), [READ], 'approval_required'],
    [`${path} where a rule denies files`, fetched(path, 'ordinary.test'), [NO_FILES], 'policy_denied'],
  ]),
  ['a PDF as bytes', fetched('/pdf', GUARDED, { as: 'bytes' }), [READ], 'approval_required'],
  [
    'a file kept as a handle',
    fetched('/text', GUARDED, { output_mode: 'handle' }),
    [READ],
    'approval_required',
  ],
  ['a file where all is allowed', fetched('/attachment', GUARDED, { max_bytes: 99 }), [ALL], 'done'],
  ['a redirect to a guarded site', fetched(`/?to=${GUARDED}`, 'ordinary.test'), [READ], 'approval_required'],
  ['a redirect from a guarded site', fetched('/?to=ordinary.test', GUARDED), [READ], 'approval_required'],
  ['a redirect between ordinary sites', fetched('/?to=other.test', 'ordinary.test'), [], 'done'],
];

const codeOf = (answer: { isError: boolean; code(): string | undefined }) =>
  answer.isError ? answer.code() : 'done';

// First: later cases leave questions open.
it('a yes to reading for the session covers no file', async () => {
  await rig.setRules([READ_ASKS], { banking: { off: [], added: [GUARDED] } });
  await rig.server.call('navigate', { url: rig.at(GUARDED, '/page') });
  await rig.server.call('read_page', {});
  await person.allow('task');
  await expect.poll(async () => codeOf(await rig.server.call('read_page', {}))).toBe('done');
  const answer = await rig.server.call('fetch', { url: rig.at(GUARDED, '/attachment'), max_bytes: 98 });
  expect(codeOf(answer), answer.text).toBe('approval_required');
  await expect.poll(() => person.card()).toContain('Save a file?');
});

it.each(sample(ROWS, 3))('%s: %j with the rules %j is %s', async (_what, given, rules, ends) => {
  const { path, host, ...more } = given as { path: string; host: string };
  await rig.setRules(rules, { banking: { off: [], added: [GUARDED] } });
  const answer = await rig.server.call('fetch', { url: rig.at(host, path), ...more });
  expect(codeOf(answer), answer.text).toBe(ends);
  // A file of the guarded site is not even requested.
  if (ends !== 'done') expect(asked.filter((one) => one === `${GUARDED}/attachment`)).toEqual([]);
});

it('the text of a PDF in a tab is read with its page', async () => {
  await rig.setRules([READ], { banking: { off: [], added: [GUARDED] } });
  await rig.server.call('navigate', { url: rig.at(GUARDED, '/pdf') });
  expect((await rig.server.call('read_page', { format: 'text' })).text).toContain('The balance.');
});

it('a crawl of a guarded site asks before its first request', async () => {
  const answer = await rig.server.call('crawl', { url: rig.at(GUARDED, '/page'), max_pages: 1 });
  expect(codeOf(answer), answer.text).toBe('approval_required');
  expect(asked).toEqual([]);
});
