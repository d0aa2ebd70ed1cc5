import { describe, expect, it } from 'vitest';
import { isPrivateHost, isPrivateIp } from '../../../shared/base/private-address.ts';
import { AddressGuard, followRedirects, type Arrived } from '../../../server/crawl/redirects.ts';

it.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', '[::1]', 'fe80::1'],
  ...['fc00::1', 'fd12::1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', 'ff02::1'],
])('addresses of this machine and its network %s', (address) => {
  expect(isPrivateIp(address)).toBe(true);
  expect(isPrivateHost(address)).toBe(true);
});

it.each([
  [true, ['localhost', 'a.localhost', 'printer.local', 'metadata.google.internal', 'router', 'LOCALHOST.']],
  [false, ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '64:ff9b::808:808', '2002:808:808::']],
  [
    false,
    ['example.com', 'localhost.example.com', 'local.example', 'internal.example.org', 'notlocalhost.com'],
  ],
])('addresses of this machine and its network: %j for %j', (isPrivate, hosts) => {
  for (const host of hosts) expect(isPrivateHost(host), host).toBe(isPrivate);
});

it('addresses of this machine and its network in the forms that browsers take for them', () => {
  for (const form of ['2130706433', '0x7f.1', '017700000001', '127.1', '①②⑦.0.0.1'])
    expect(isPrivateHost(new URL(`http://${form}/`).hostname), form).toBe(true);
});

const arrived = (final_url: string, more: Partial<Arrived> = {}): Arrived => ({
  final_url,
  moves_to: null,
  remote_address: '93.184.216.34',
  ...more,
});

async function follow(
  start: string,
  table: Readonly<Record<string, Partial<Arrived>>>,
  guard = new AddressGuard([start]),
) {
  const asked: string[] = [];
  const { redirects, error } = await followRedirects(start, {
    guard,
    refuse: (to) =>
      Promise.resolve(to.includes('/forbidden') ? { code: 'robots_disallowed', message: 'No.' } : null),
    ask: (href) => {
      asked.push(href);
      const { moves_to: to = null, ...more } = table[href] ?? {};
      const hop = to === null ? {} : { redirects: [{ url: href, status: 302 }] };
      return Promise.resolve(arrived(href, { ...hop, ...more, moves_to: to }));
    },
    factsOf: (answer) => answer,
  });
  return { asked, hops: redirects.length, code: error?.code ?? null };
}

describe('redirects', () => {
  it('are followed one by one', async () => {
    const table = {
      'https://a.test/': { moves_to: 'https://b.test/' },
      'https://b.test/': { moves_to: 'https://c.test/' },
    };
    expect(await follow('https://a.test/', table)).toEqual({
      asked: ['https://a.test/', 'https://b.test/', 'https://c.test/'],
      hops: 2,
      code: null,
    });
  });

  it.each([
    ...['http://127.0.0.1/', 'http://localhost:9200/', 'http://169.254.169.254/latest/meta-data/'],
    ...['http://[::1]/', 'http://metadata.google.internal/', 'ftp://b.test/', 'file:///etc/passwd'],
    'https://b.test/forbidden',
  ])('to %s are not asked for', async (to) => {
    const { asked, code } = await follow('https://a.test/', { 'https://a.test/': { moves_to: to } });
    expect(asked).toEqual(['https://a.test/']);
    expect(['redirect_refused', 'robots_disallowed']).toContain(code);
  });

  it.each([
    ['without an end', { code: 'redirect_loop', hops: 21 }, { moves_to: 'https://a.test/' }],
    ['to a name that leads into the network', { code: 'redirect_refused' }, { moves_to: 'https://b.test/' }],
    ['within a rendered site', { code: 'robots_disallowed' }, { final_url: 'https://a.test/forbidden' }],
  ])('%s: %j', async (_which, end, first) => {
    const table = { 'https://a.test/': first, 'https://b.test/': { remote_address: '10.0.0.7' } };
    expect(await follow('https://a.test/', table)).toMatchObject(end);
  });

  it('stay allowed where the start is private, by its name or by where it answers from', async () => {
    const table = { 'http://localhost/': { moves_to: 'http://127.0.0.1:81/' } };
    expect((await follow('http://localhost/', table)).code).toBeNull();
    const intranet = {
      'http://a.test/': { moves_to: 'http://b.test/', remote_address: '10.0.0.6' },
      'http://b.test/': { remote_address: '10.0.0.7' },
    };
    expect((await follow('http://a.test/', intranet)).code).toBeNull();
  });

  it('and later answers of a start from another place are not kept', async () => {
    const guard = new AddressGuard(['https://a.test/']);
    expect((await follow('https://a.test/', {}, guard)).code).toBeNull();
    const rebound = { 'https://a.test/x': { remote_address: '127.0.0.1' } };
    expect((await follow('https://a.test/x', rebound, guard)).code).toBe('redirect_refused');
  });
});
