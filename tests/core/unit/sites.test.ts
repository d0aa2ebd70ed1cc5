import { expect, it } from 'vitest';
import { matchesSite, parseSitePattern, siteOf } from '../../../shared/core/policy/sites.ts';
import fc from '../../support/property.ts';

const matches = (pattern: string, url: string): boolean => {
  const parsed = parseSitePattern(pattern);
  if (parsed === null) throw new Error(`${pattern} is not a pattern.`);
  return matchesSite(parsed, siteOf(url));
};

it.each([
  ['https://bank.example/path?q#f', 'https://bank.example', '443'],
  ['https://bank.example./', 'https://bank.example', '443'],
  ['https://bank.example@evil.example/', 'https://evil.example', '443'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example', '443'],
  ['http://2130706433/', 'http://127.0.0.1', '80'],
  ['filesystem:https://bank.example/temporary/a', 'https://bank.example', '443'],
  ['file:///home/ada/taxes.pdf', 'file://', ''],
  ['https://bank。example/', 'https://bank.example', '443'],
  ['ht\ntps://ban\tk.example/', 'https://bank.example', '443'],
])('the site of an address %s is of %s', (url, origin, port) => {
  expect(siteOf(url)).toMatchObject({ origin, port });
});

it.each(['about:blank', 'data:text/html,hello', 'blob:null/0c3f', 'javascript:1', '', 'no address'])(
  'the site of an address %j has none',
  (url) => expect(siteOf(url)).toBeNull(),
);

it.each<[string, string, boolean]>([
  ['bank.com', 'https://www.bank.com/', true],
  ['bank.com', 'http://a.b.bank.com:8080/', true],
  ['bank.com', 'https://bank.com.evil.tld/', false],
  ['bank.com', 'https://bank.com@evil.tld/', false],
  ['bank.com', 'https://notbank.com/', false],
  ['bank.com', 'https://evil@bank.com/', true],
  ['bank.com', 'about:blank', false],
  ['*.bank.com', 'https://www.bank.com/', true],
  ['*.bank.com', 'https://bank.com/', false],
  ['.bank.com', 'https://www.bank.com/', true],
  ['.bank.com', 'https://bank.com/', true],
  ['https://bank.com', 'http://bank.com/', false],
  ['bank.com:443', 'http://bank.com/', false],
  ['=https://bank.com', 'https://bank.com:443/a', true],
  ['=https://bank.com', 'https://www.bank.com/', false],
  ['=https://bank.com', 'https://bank.com:8443/', false],
  ['=http://[::1]:3000', 'http://[::1]:3000/', true],
  ['127.0.0.1', 'http://1.127.0.0.1.example/', false],
  ['127.1', 'http://127.0.0.1:3000/', true],
  ['file:', 'file:///etc/passwd', true],
  ['*', 'about:blank', true],
  ['@private', 'http://169.254.169.254/latest/meta-data', true],
  ['@private', 'http://[::ffff:10.0.0.1]/', true],
  ['@private', 'http://127.0.0.1.nip.example/', false],
  ['@private', 'https://example.com/', false],
])('a pattern %s: %s %s', (pattern, url, expected) => expect(matches(pattern, url)).toBe(expected));

const wrong = ['', 'https://', 'bank.com/login', 'https://bank.com/a', 'a b', '*.127.0.0.1', 'a*.com'];
const short = ['@', '::1', 'a..com', '=a.com', '=https://*.a.com'];
it.each([...wrong, ...short, 'user@bank.com', 'bank.com:99999', 'chrome://settings', 'bank.com?x'])(
  'a pattern %j is not a site',
  (text) => expect(parseSitePattern(text)).toBeNull(),
);

const label = fc
  .stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
  .filter((text) => !text.startsWith('xn--'));
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));

it('whatever the address a host that only contains another one, anywhere, is not that one', () => {
  fc.assert(
    fc.property(host, label, (name, other) => {
      for (const url of [
        `https://${name}.${other}.invalid/`,
        `https://${other}.invalid/${name}`,
        `https://${other}.invalid/?${name}`,
        `https://${other}.invalid/#${name}`,
        `https://${name}@${other}.invalid/`,
        `https://${other}${name}-x.invalid/`,
        `data:text/html,${name}`,
        `blob:https://${other}.invalid/${name}`,
      ])
        expect(matches(name, url), url).toBe(false);
    }),
  );
});

it('whatever the address nothing is thrown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (url, pattern) => {
      const parsed = parseSitePattern(pattern);
      if (parsed !== null) matchesSite(parsed, siteOf(url));
    }),
  );
});
