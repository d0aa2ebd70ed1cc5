import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';

const asked: string[] = [];
let lead = '';
const held: (() => void)[] = [];

function pages({ url = '/', headers: { host = '' } }: IncomingMessage, response: ServerResponse): void {
  const name = host.split(':')[0] ?? '';
  asked.push(`${name}${url}`);
  if (url === '/robots.txt') return void response.writeHead(404).end();
  if (url === '/held') return void held.push(() => response.end('<h1>Held</h1>'));
  if (url === '/moves') return void response.writeHead(302, { location: lead }).end();
  const body: Readonly<Record<string, string>> = {
    '/': '<a href="/second">Second</a>',
    '/leads': `<a href="${lead}">On</a><a href="/second">Second</a>`,
    '/script': `<script>location.replace(${JSON.stringify(lead)})</script>`,
  };
  response.end(`<title>Page</title><h1>Text of ${name}${url}</h1>${body[url] ?? ''}`);
}

let rig: PersonRig;
let person: AskedPerson;
let host = 0;
const bank = (path = '/'): string => rig.at(`my${host}.bank.test`, path);
const hasAsked = (name: string): boolean => asked.some((one) => one.startsWith(name));

beforeAll(async () => {
  ({ rig, person } = await askedOn(pages, '--sync-wait-ms', '30000'));
  await rig.setRules([], { banking: { off: [], added: ['bank.test'] } });
});
beforeEach(() => {
  asked.length = 0;
  host += 1;
});
afterEach(() => person.isLeftAlone());

const call = (name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  rig.server.call(name, args);
const runs = async (): Promise<number> =>
  (JSON.parse((await call('run_list')).text) as { total: number }).total;

it('a crawl of a site whose rule asks waits for a person before anything is asked for, and is one yes for all its pages', async () => {
  const before = await runs();
  const crawling = call('crawl', { url: bank(), render: 'always', max_pages: 2 });
  expect(await person.card()).toContain(`my${host}.bank.test`);
  expect(hasAsked('my')).toBe(false);
  expect(await runs()).toBe(before);
  await person.allow();
  const { text } = await crawling;
  expect(text).toContain(`Text of my${host}.bank.test/second`);
  expect(text).not.toContain('approval_required');
  await person.isLeftAlone();
  const again = call('crawl', { url: bank(), render: 'auto' });
  await person.deny('Once.');
  expect((await again).code()).toBe('call_denied');
});

const WAYS = [
  ['by a redirect', '/moves', () => bank('/account')],
  ['by a link to a listed site', '/leads', () => bank('/account')],
  ['by a link to the machine', '/leads', () => rig.at('localhost', '/admin')],
  ['by a script', '/script', () => bank('/account')],
] as const;
it.each(sample(WAYS, 3))(
  'a page that a crawl comes to %s is left out, and the run says why',
  async (_name, path, to) => {
    lead = to();
    const start = rig.at(`site${host}.test`, path);
    const scope = { scope: '**', include: ['**'] };
    const render = path === '/script' ? 'always' : 'never';
    const { text, notes } = await call('crawl', { urls: [start, rig.at('open.test')], render, ...scope });
    expect(text).toContain('Text of open.test');
    expect(text).toContain('approval_required');
    expect(notes).toContain('a person is asked about a site when a crawl begins there');
    expect(text).not.toMatch(/Text of (?:my|localhost)/);
    if (path !== '/script') expect([hasAsked('my'), hasAsked('localhost')]).toEqual([false, false]);
  },
);
