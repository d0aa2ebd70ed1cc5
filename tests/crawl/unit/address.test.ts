import { expect, test } from 'vitest';
import { Scope, parseAddress } from '../../../server/crawl/address.ts';

/** Addresses, or paths of https://example.com, with the page that each is. */
const PAGES = `
http://Example.COM:80/a = http://example.com/a ¦ https://example.com:443 = / ¦ https://bücher.example/ = https://xn--bcher-kva.example/
https://user:word@example.com/ = / ¦ /a#part = /a ¦ /a? = /a ¦ /a/./b/../c = /a/c ¦ /%7euser/%c3%a4 = /~user/%C3%A4 ¦ /ä = /%C3%A4
/a%2fb = /a%2Fb ¦ /100% = /100%25 ¦ /?b=2&a=1 = /?b=2&a=1 ¦ /?a=1&utm_source=x&fbclid=y&b=2 = /?a=1&b=2
/a;jsessionid=1A2B?x=1 = /a?x=1 ¦ /?PHPSESSID=abc&x=1 = /?x=1 ¦ /?sid=a8f3kd92ls&x=1 = /?x=1 ¦ /?sid=blog&x=1 = /?sid=blog&x=1
`;
test.each(
  PAGES.trim()
    .split(/ ¦ |\n/)
    .map((cell) => cell.split(' = ')),
)('%s is the page %s', (href = '', page = '') => {
  const base = 'https://example.com';
  expect(parseAddress(href, base)?.identity).toBe(page.startsWith('/') ? base + page : page);
});

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

/** A scope and a start, addresses within, and addresses beyond. */
const SCOPES = `
origin https://example.com/docs/ ¦ https://example.com/other ¦
origin https://example.com/ ¦  ¦ http://example.com/ https://example.com:8443/ https://www.example.com/
host https://example.com/ ¦ https://www.example.com/ http://a.b.example.com:8080/ ¦ https://evil-example.com/ https://example.com.evil.test/
host https://www.example.com/ ¦ https://blog.example.com/ ¦
host https://www.example.co.uk/ ¦ https://blog.example.co.uk/ ¦
host https://www.co.uk/ ¦  ¦ https://other.co.uk/
host https://docs.example.com/ ¦  ¦ https://example.com/
host http://127.0.0.1:4000/ ¦ http://127.0.0.1:5000/ ¦
host http://127.0.0.1/ ¦  ¦ http://10.127.0.1/
host https://example.com./ ¦ https://www.example.com/ ¦
https://example.com/docs/** https://example.com/ ¦ https://example.com/docs/a ¦ https://example.com/blog/
`;
const cells = SCOPES.trim()
  .split('\n')
  .map((line) => line.split('¦').map((cell) => cell.split(' ').filter(Boolean)));
test.each(cells)(
  'scope and start %j: %j within, %j beyond',
  ([scope = '', start = ''], within = [], beyond = []) =>
    expect([...within, ...beyond].filter((href) => admits({ scope }, start, href))).toEqual(within),
);

test('exclude wins over include', () => {
  const rules = { scope: 'origin', include: ['/docs/**'], exclude: ['/docs/old/**'] };
  const [docs, old, blog] = ['docs/a', 'docs/old/a', 'blog/'].map((path) => `https://example.com/${path}`);
  const admitted = [docs, old, blog].filter((href = '') => admits(rules, 'https://example.com/', href));
  expect(admitted).toEqual([docs]);
});
