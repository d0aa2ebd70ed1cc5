import { expect, test } from 'vitest';
import { Scope, parseAddress } from '../../../server/tools/crawl/address.ts';

test.each([
  ['http://Example.COM:80/a', 'http://example.com/a'],
  ['https://example.com:443', 'https://example.com/'],
  ['https://example.com/a#part', 'https://example.com/a'],
  ['https://example.com/a?', 'https://example.com/a'],
  ['https://example.com/a/./b/../c', 'https://example.com/a/c'],
  ['https://example.com/%7euser/%c3%a4', 'https://example.com/~user/%C3%A4'],
  ['https://example.com/ä', 'https://example.com/%C3%A4'],
  ['https://example.com/a%2fb', 'https://example.com/a%2Fb'],
  ['https://example.com/100%', 'https://example.com/100%25'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://user:word@example.com/', 'https://example.com/'],
  ['https://example.com/?b=2&a=1', 'https://example.com/?b=2&a=1'],
  ['https://example.com/?a=1&utm_source=x&fbclid=y&b=2', 'https://example.com/?a=1&b=2'],
  ['https://example.com/a;jsessionid=1A2B?x=1', 'https://example.com/a?x=1'],
  ['https://example.com/?PHPSESSID=abc&x=1', 'https://example.com/?x=1'],
  ['https://example.com/?sid=a8f3kd92ls&x=1', 'https://example.com/?x=1'],
  ['https://example.com/?sid=blog&x=1', 'https://example.com/?sid=blog&x=1'],
])('%s is the page %s', (href, expected) => expect(parseAddress(href)?.identity).toBe(expected));

test.each(['mailto:a@b.test', 'javascript:void 0', 'ftp://b.test/', 'data:text/html,x', 'http://', ''])(
  '%s is not an address of a page',
  (href) => expect(parseAddress(href)).toBeNull(),
);

function admits(of: ConstructorParameters<typeof Scope>[0], start: string, href: string): boolean {
  const rules = new Scope(of);
  rules.addStart(new URL(start));
  const address = parseAddress(href);
  return address !== null && rules.admits(address);
}

test.each([
  ['origin', 'https://example.com/docs/', 'https://example.com/other', true],
  ['origin', 'https://example.com/', 'http://example.com/', false],
  ['origin', 'https://example.com/', 'https://example.com:8443/', false],
  ['origin', 'https://example.com/', 'https://www.example.com/', false],
  ['host', 'https://example.com/', 'https://www.example.com/', true],
  ['host', 'https://example.com/', 'http://a.b.example.com:8080/', true],
  ['host', 'https://example.com/', 'https://evil-example.com/', false],
  ['host', 'https://example.com/', 'https://example.com.evil.test/', false],
  ['host', 'https://www.example.com/', 'https://blog.example.com/', true],
  ['host', 'https://www.example.co.uk/', 'https://blog.example.co.uk/', true],
  ['host', 'https://www.co.uk/', 'https://other.co.uk/', false],
  ['host', 'https://docs.example.com/', 'https://example.com/', false],
  ['host', 'http://127.0.0.1:4000/', 'http://127.0.0.1:5000/', true],
  ['host', 'http://127.0.0.1/', 'http://10.127.0.1/', false],
  ['host', 'https://example.com./', 'https://www.example.com/', true],
  ['https://example.com/docs/**', 'https://example.com/', 'https://example.com/docs/a', true],
  ['https://example.com/docs/**', 'https://example.com/', 'https://example.com/blog/', false],
])('scope %s of %s holds %s: %s', (scope, start, href, expected) => {
  expect(admits({ scope }, start, href)).toBe(expected);
});

test('exclude wins over include', () => {
  const rules = { scope: 'origin', include: ['/docs/**'], exclude: ['/docs/old/**'] };
  const [docs, old, blog] = ['docs/a', 'docs/old/a', 'blog/'].map((path) => `https://example.com/${path}`);
  const admitted = [docs, old, blog].filter((href = '') => admits(rules, 'https://example.com/', href));
  expect(admitted).toEqual([docs]);
});
