import { expect, test } from 'vitest';
import { parseAddress } from '../../../server/tools/crawl/address.ts';
import { Scope } from '../../../server/tools/crawl/scope.ts';

function admits(scope: string, start: string, href: string): boolean {
  const rules = new Scope({ scope });
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
  ['host', 'https://example.com/', 'https://com/', false],
  ['host', 'https://www.example.com/', 'https://blog.example.com/', true],
  ['host', 'https://www.example.co.uk/', 'https://blog.example.co.uk/', true],
  ['host', 'https://www.co.uk/', 'https://other.co.uk/', false],
  ['host', 'https://www.com/', 'https://example.com/', false],
  ['host', 'https://docs.example.com/', 'https://example.com/', false],
  ['host', 'http://127.0.0.1:4000/', 'http://127.0.0.1:5000/', true],
  ['host', 'http://127.0.0.1/', 'http://10.127.0.1/', false],
  ['host', 'http://localhost:4000/', 'http://localhost:4000/a', true],
  ['host', 'https://example.com./', 'https://www.example.com/', true],
  ['https://example.com/docs/**', 'https://example.com/', 'https://example.com/docs/a', true],
  ['https://example.com/docs/**', 'https://example.com/', 'https://example.com/blog/', false],
])('scope %s of %s holds %s: %s', (scope, start, href, expected) => {
  expect(admits(scope, start, href)).toBe(expected);
});

test('exclude wins over include', () => {
  const rules = new Scope({ scope: 'origin', include: ['/docs/**'], exclude: ['/docs/old/**'] });
  rules.addStart(new URL('https://example.com/'));
  const admitted = ['/docs/a', '/docs/old/a', '/blog/'].filter((path) => {
    const address = parseAddress(path, 'https://example.com');
    return address !== null && rules.admits(address);
  });
  expect(admitted).toEqual(['/docs/a']);
});
