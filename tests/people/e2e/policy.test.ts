import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';

const asked: string[] = [];
let port = '';

function pages({ url = '/', headers: { host = '' } }: IncomingMessage, response: ServerResponse): void {
  asked.push(`${host.split(':')[0]}${url}`);
  port = host.split(':')[1] ?? '';
  const { pathname, searchParams } = new URL(url, 'http://x');
  const to = searchParams.get('to') ?? '';
  if (pathname === '/moves') return void response.writeHead(302, { location: to }).end();
  const body: Readonly<Record<string, string>> = {
    '/': `<p>Text of ${host.split(':')[0]}</p><input aria-label="Name"><button>Go</button>`,
    '/framing': `<p>Around</p><iframe src="http://other.test:${port}/inner" width=300 height=100></iframe>`,
    '/inner': '<p>Inside</p><button>Pay</button>',
    '/leaves': `<a href="http://other.test:${port}/">Leave</a>`,
    '/opens': `<button onclick="window.opened = window.open('about:blank'); opened.document.body.append('Written')">Open</button>`,
    '/srcdoc': '<p>Around</p><iframe srcdoc="<p>Within</p>"></iframe>',
    '/script': `<script>location.replace(${JSON.stringify(to)})</script>`,
  };
  response.end(`<title>Title of ${pathname}</title>${body[pathname] ?? ''}`);
}

const NOT_OTHER: Parameters<PersonRig['setRules']>[0] = [
  { id: 'all', effect: 'allow' },
  { id: 'not-other', sites: ['other.test'], effect: 'deny' },
];

/** These tests' server asks nobody: anything that would raise a question is refused. */
const ASKED = 'call_denied';

let rig: PersonRig;
beforeAll(async () => (rig = await personRig(pages, '--approvals', 'deny')));
beforeEach(() => (asked.length = 0));

const call = (name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  rig.server.call(name, args);
const open = (host: string, path = '/') => rig.ok('navigate', { url: rig.at(host, path) });
const codeOf = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
  (await call(name, args)).code() ?? 'ok';

describe('what a person begins with', () => {
  beforeAll(() => rig.setRules([], { banking: { off: [], added: ['bank.test'] } }));

  it('lets pages be read and gone to, and asks about input', async () => {
    await open('site.test');
    expect((await call('read_page', { format: 'text' })).text).toContain('Text of site.test');
    expect(await codeOf('find', { query: 'Go' })).toBe('ok');
    expect(await codeOf('interact', { steps: ['wait text Text'] })).toBe('ok');
    expect(await codeOf('interact', { fields: { Name: 'Ada' } })).toBe(ASKED);
    expect(await codeOf('interact', { steps: ['click text=Go'] })).toBe(ASKED);
    expect(await codeOf('network', { action: 'start' })).toBe(ASKED);
  });

  it('on a listed site denies input, asks about reading, and tells no more than where it is', async () => {
    const opened = await open('my.bank.test', '/?account=7');
    expect(opened.text).not.toContain('account=7');
    expect(opened.text).not.toContain('Title of');
    expect(await codeOf('read_page')).toBe(ASKED);
    expect(await codeOf('screenshot')).toBe(ASKED);
    const refused = await call('interact', { steps: ['click text=Go'] });
    expect(refused.code()).toBe('policy_denied');
    expect(refused.text).toContain('listed-act');
    const { text } = await call('tabs', { action: 'list' });
    expect(text).toContain('http://my.bank.test');
    expect(text).not.toContain('account=7');
  });
});

describe('a frame of a site that is denied', () => {
  beforeAll(() => rig.setRules(NOT_OTHER));

  it('is left out of what is read of the page around it, is not acted in, and shows in no picture', async () => {
    await open('site.test', '/framing');
    const read = await call('read_page', { format: 'text' });
    expect(read.text).toContain('Around');
    expect(read.text).not.toContain('Inside');
    expect(read.notes).toContain('policy_denied');
    const found = await call('find', { query: 'Pay' });
    expect(found.text).not.toContain('button');
    const acted = await call('interact', { steps: ['click text=Pay'] });
    expect(acted.text).not.toContain('Inside');
    expect(acted.isError, acted.text).toBe(true);
    expect(await codeOf('screenshot')).toBe('policy_denied');
  });

  it('that a document of the page makes itself is the page’s', async () => {
    await open('site.test', '/srcdoc');
    const read = await call('read_page', { format: 'text' });
    expect(read.text).toContain('Within');
    await rig.setRules([{ id: 'not-site', sites: ['site.test'], risks: ['read'], effect: 'deny' }]);
    expect(await codeOf('read_page')).toBe('policy_denied');
  });
});

describe('another site on the way', () => {
  beforeAll(() => rig.setRules(NOT_OTHER));

  it.each(
    sample(
      [
        ['a redirect', '/moves'],
        ['a script', '/script'],
      ] as const,
      2,
    ),
  )('%s of navigate', async (_name, path) => {
    await open('site.test');
    const to = encodeURIComponent(rig.at('other.test'));
    const answer = await call('navigate', { url: rig.at('site.test', `${path}?to=${to}`) });
    // A page whose script leaves may count as loaded before it has left.
    if (answer.code() !== 'policy_denied') await expect.poll(() => codeOf('read_page')).toBe('policy_denied');
    expect(answer.text).not.toContain('Text of other');
  });

  it('a redirect of fetch is not followed', async () => {
    const to = encodeURIComponent(rig.at('other.test', '/secret'));
    const answer = await call('fetch', { url: rig.at('site.test', `/moves?to=${to}`) });
    expect(answer.code()).toBe('policy_denied');
    expect(asked).not.toContain('other.test/secret');
  });

  itDeep('the history', async () => {
    await rig.setRules([{ id: 'all', effect: 'allow' }]);
    await open('other.test');
    await open('site.test');
    await rig.setRules(NOT_OTHER);
    expect(await codeOf('navigate', { action: 'back' })).toBe('policy_denied');
    expect(await codeOf('read_page')).toBe('policy_denied');
    expect(await codeOf('navigate', { url: rig.at('site.test') })).toBe('ok');
  });

  it('a step ends the act, with what was done', async () => {
    await open('site.test', '/leaves');
    const answer = await call('interact', { steps: ['click text=Leave', 'click text=Go'] });
    expect(answer.text).toContain('click text=Leave');
    expect(answer.text).toContain('policy_denied');
    expect(answer.text).not.toContain('Text of other');
  });

  itDeep('a page that a denied one wrote is that one’s', async () => {
    await rig.setRules([{ id: 'all', effect: 'allow' }]);
    await open('other.test', '/opens');
    const opened = await call('interact', { steps: ['click text=Open'] });
    const [, tab] = /opened.*?(b\d+:\d+)/is.exec(opened.text) ?? [];
    expect(tab, opened.text).toBeDefined();
    expect((await call('read_page', { tab, format: 'text' })).text).toContain('Written');
    await rig.setRules(NOT_OTHER);
    expect(await codeOf('read_page', { tab, format: 'text' })).toBe('policy_denied');
    expect(await codeOf('screenshot', { tab })).toBe('policy_denied');
  });
});
