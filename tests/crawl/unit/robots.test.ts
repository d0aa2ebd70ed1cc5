import { expect, test } from 'vitest';
import { parseRobots, readRobots } from '../../../server/crawl/hosts.ts';
import { GraphSource } from './graph-source.ts';

const ORIGIN = 'http://other.test';
const empty = { nodes: {}, robots: null, sitemaps: {} };

type Resource = NonNullable<ConstructorParameters<typeof GraphSource>[1]>['resources'];

test.each<[NonNullable<Resource>[string], string | null, ...string[]]>([
  [{ status: 200, text: 'User-agent: *\nDisallow: /a' }, 'robots_disallowed'],
  [{ status: 200, text: 'User-agent: *\nDisallow: /a\nAllow: /a$' }, null],
  [{ status: 200, text: '\uFEFFUser-agent: *\r\nDisallow: /a\r\n' }, 'robots_disallowed'],
  [{ status: 200, text: 'User-agent: spillway\nDisallow:\n\nUser-agent: *\nDisallow: /' }, null],
  [{ status: 200, text: 'User-agent: *\nSitemap: /s\nUser-agent: b\nDisallow: /a' }, 'robots_disallowed'],
  [{ text: 'User-agent: *\nDisallow: /b\n\nUseragent: b\nDisallow: /' }, null],
  [{ text: 'User agent: *\nDissallow: /a' }, 'robots_disallowed'],
  [{ text: 'User-agent: *\nDisallow: /*?f[' }, 'robots_disallowed', '/a?f[0]=1'],
  [{ text: 'User-agent: *\nDisallow: /a%5b' }, 'robots_disallowed', '/a[1]'],
  [{ text: "User-agent: *\nDisallow: /a|'" }, 'robots_disallowed', "/a|'"],
  [{ text: 'User-agent: *\nDisallow: /%7Eann\nDisallow: /café' }, 'robots_disallowed', '/~ann', '/caf%C3%A9'],
  [{ status: 200, text: '<!doctype html><p>Not found' }, null],
  [{ status: 404, text: 'User-agent: *\nDisallow: /' }, null],
  [{ status: 403 }, null],
  [{ status: 500 }, 'robots_disallowed'],
  [{ status: 503 }, 'robots_disallowed'],
  [{ error: { code: 'response_timeout', message: 'It did not end.' } }, 'robots_disallowed'],
  [{ error: { code: 'redirect_loop', message: 'It goes round.' } }, null],
  [{ error: { code: 'dns_failed', message: 'No such host.' } }, 'dns_failed'],
  [{ error: { code: 'host_unreachable', message: 'Nobody there.' } }, 'host_unreachable'],
  [{ error: { code: 'approval_required', message: 'A person has to be asked.' } }, 'approval_required'],
  [{ error: { code: 'policy_denied', message: 'A rule denies it.' } }, 'policy_denied'],
])('%j decides: %s', async (answer, code, path = '/a', ...others) => {
  const source = new GraphSource(empty, { resources: { [`${ORIGIN}/robots.txt`]: answer } });
  const rules = await readRobots(source, ORIGIN, new AbortController().signal);
  const codes = [path, ...others].map((each) => rules.refuse(`${ORIGIN}${each}`)?.code ?? null);
  expect(new Set(codes)).toEqual(new Set([code]));
});

test.each([
  ['2', 2_000, null],
  ['3600', 30_000, expect.stringContaining('3600 s')],
  ['soon', 0, null],
])('a crawl-delay is kept up to a bound, and the bound is reported: %s', (delay, crawlDelayMs, note) => {
  const rules = parseRobots(`${ORIGIN}/robots.txt`, `User-agent: *\nCrawl-delay: ${delay}`);
  expect(rules).toMatchObject({ crawlDelayMs, note });
});
