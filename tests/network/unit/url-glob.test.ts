import { expect, test } from 'vitest';
import { compileUrlPattern } from '../../../server/network/filter.ts';
import { compileGlob } from '../../../shared/base/url-glob.ts';
import { Scope } from '../../../server/crawl/address.ts';

const HOST = 'https://example.com';

/** A glob, an address, and whether they match: the same for every tool with globs. */
const TABLE: readonly (readonly [glob: string, address: string, expected: boolean])[] = [
  ['/docs/*', '/docs/a', true],
  ['/docs/*', '/docs/a/b', false],
  ['/docs/**', '/docs/a/b', true],
  ['/docs/**', '/docs', true],
  ['/docs/**', '/docsy', false],
  ['/docs*', '/docsy', true],
  ['/docs/*/notes', '/docs/a/notes', true],
  ['/docs/**/notes', '/docs/a/b/notes', true],
  ['**/docs/**/**/notes', '/v1/docs/notes', true],
  ['/docs/**/notes', '/docs-notes', false],
  ['/a', '/a', true],
  ['/a', '/x/a', false],
  ['**.pdf', '/files/x.pdf?v=2', true],
  ['**.pdf', '/files/x.pdfx', false],
  ['example.com/docs/**', '/docs/a', true],
  ['*.example.com/**', 'https://www.example.com/x', true],
  ['https://example.com/docs/**', 'http://example.com/docs/a', false],
  ['https://example.com/**', 'https://evil-example.com/', false],
  ['https://example.com*', 'https://example.com.evil.test/', false],
  ['/search?q=*', '/search?q=tea&page=2', true],
  ['/search?q=*', '/search', false],
  ['/a[1]', '/a[1]', true],
  ['/a.b', '/axb', false],
  ['***', '/anything/at/all', true],
  ['*/api/*', '/api/users', true],
  ['**/api/**', '/v1/api/users/7?full=1', true],
  ['http://*/a.js', 'http://example.com/b/a.js', false],
  ['http://*/**.js', 'http://example.com/b/a.js', true],
  ['/*.{png,jpg}', '/a.jpg', true],
  ['/{a,b/**,}c', '/b/x/c', true],
  ['/{a,b/**,}c', '/c', true],
  ['**{v1,v2}/{users,*s}', '/api/v2/teams', true],
  ['/Docs/**', '/docs/A', true],
  ['EXAMPLE.com/**', '/a', true],
  ['wss://*/**', 'wss://example.com/socket', true],
  ['chrome-extension://abc/*', 'chrome-extension://abc/x.js', true],
  ['/wiki/分类\ud800:**', '/wiki/分类\ufffd:中国/😀', true],
  ['**/{文件,files}/*', '/%e6%96%87%e4%BB%B6/1', true],
  ['/wiki/%e5%88%86%E7%B1%BB:*', '/wiki/分类:中国', true],
  ['https://*.例え。Bücher/?q=*本', 'https://www.例え.bücher/?q=日本', true],
  ['bücher.example/分类', 'https://BÜCHER.example/分类', true],
];

test.each(TABLE)('glob %s, address %s: %s, as crawl and network say', (glob, address, expected) => {
  const url = new URL(address, HOST);
  expect(compileGlob(glob)(url)).toBe(expected);
  expect(new Scope({ scope: glob }).holds(url)).toBe(expected);
  // Without a wildcard `network` matches a part of the URL.
  if (expected || /[*{]/.test(glob)) expect(compileUrlPattern(glob)(url.href)).toBe(expected);
});
