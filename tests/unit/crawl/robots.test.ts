import { expect, test } from 'vitest';
import { parseRobots, readRobots } from '../../../server/tools/crawl/hosts.ts';
import { GraphSource } from './graph-source.ts';

const ORIGIN = 'http://other.test';
const empty = { nodes: {}, robots: null, sitemaps: {} };

type Resource = NonNullable<ConstructorParameters<typeof GraphSource>[1]>['resources'];

async function codeFor(answer: NonNullable<Resource>[string], path = '/a'): Promise<string | null> {
  const source = new GraphSource(empty, { resources: { [`${ORIGIN}/robots.txt`]: answer } });
  const rules = await readRobots(source, ORIGIN, new AbortController().signal);
  return rules.refuse(`${ORIGIN}${path}`)?.code ?? null;
}

test.each([
  [{ status: 200, text: 'User-agent: *\nDisallow: /a' }, 'robots_disallowed'],
  [{ status: 200, text: 'User-agent: *\nDisallow: /a\nAllow: /a$' }, null],
  [{ status: 200, text: '\uFEFFUser-agent: *\r\nDisallow: /a\r\n' }, 'robots_disallowed'],
  [{ status: 200, text: 'User-agent: spillway\nDisallow:\n\nUser-agent: *\nDisallow: /' }, null],
  [{ status: 200, text: 'User-agent: *\nSitemap: /s\nUser-agent: b\nDisallow: /a' }, 'robots_disallowed'],
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
])('%j decides: %s', async (answer, code) => expect(await codeFor(answer)).toBe(code));

test.each([
  ['/*?f[', '/a?f[0]=1'],
  ['/a%5b', '/a[1]'],
  ["/a|'", "/a|'"],
  ['/%7Eann', '/~ann'],
  ['/café', '/caf%C3%A9'],
])('a rule and an address may be encoded differently: %s, %s', async (rule, path) => {
  const text = `User-agent: *\nDisallow: ${rule}`;
  expect(await codeFor({ status: 200, text }, path)).toBe('robots_disallowed');
});

test.each([
  ['2', 2_000, null],
  ['3600', 30_000, expect.stringContaining('3600 s')],
  ['soon', 0, null],
])('a crawl-delay is kept up to a bound, and the bound is reported: %s', (delay, crawlDelayMs, note) => {
  const rules = parseRobots(`${ORIGIN}/robots.txt`, `User-agent: *\nCrawl-delay: ${delay}`);
  expect(rules).toMatchObject({ crawlDelayMs, note });
});
