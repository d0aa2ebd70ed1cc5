import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import { isToken, keyOf, parseAddress } from '../../../server/tools/crawl/address.ts';

const identity = (href: string): string | undefined => parseAddress(href)?.identity;

test.each([
  ['http://Example.COM:80/a', 'http://example.com/a'],
  ['https://example.com:443', 'https://example.com/'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com/a#part', 'https://example.com/a'],
  ['https://example.com/a#', 'https://example.com/a'],
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
  ['https://example.com/?utm_source=x', 'https://example.com/'],
  ['https://example.com/a;jsessionid=1A2B?x=1', 'https://example.com/a?x=1'],
  ['https://example.com/?PHPSESSID=abc&x=1', 'https://example.com/?x=1'],
  ['https://example.com/?sid=a8f3kd92ls&x=1', 'https://example.com/?x=1'],
  ['https://example.com/?sid=blog&x=1', 'https://example.com/?sid=blog&x=1'],
])('%s is the page %s', (href, expected) => {
  expect(identity(href)).toBe(expected);
});

test.each([
  'mailto:a@example.com',
  'javascript:void 0',
  'ftp://example.com/',
  'data:text/html,x',
  'http://',
  '',
])('%s is not an address of a page', (href) => {
  expect(parseAddress(href)).toBeNull();
});

test('what is asked for keeps its parameters and their order', () => {
  expect(parseAddress('https://u:p@example.com/?utm_source=x&b=%7e&a=1#c')?.href).toBe(
    'https://example.com/?utm_source=x&b=%7e&a=1',
  );
});

test('an identity is an address whose identity is itself', () => {
  const part = fc.string({ unit: fc.constantFrom(...'ab%47eE2/.;=&?~ä-_') });
  fc.assert(
    fc.property(part, part, (path, query) => {
      const first = identity(`https://example.com/${path}?${query}`);
      if (first !== undefined) expect(identity(first)).toBe(first);
    }),
  );
});

test('keys are short and differ', () => {
  expect(keyOf('https://example.com/')).toMatch(/^[\w-]{22}$/);
  expect(keyOf('a')).not.toBe(keyOf('b'));
});

test.each([
  ['a8f3kd92ls', true],
  ['2026-01-01', false],
  ['introduction', false],
  ['12345678', false],
  ['a1', false],
])('%s looks like a token: %s', (text, expected) => {
  expect(isToken(text)).toBe(expected);
});
