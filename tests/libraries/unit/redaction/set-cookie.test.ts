import fc from '../../../support/property.ts';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../shared/base/json.ts';
import { alnum } from './canaries.ts';
import { exchange, redactor } from './chunks.ts';

const HIDDEN = '«redacted:cookie»';

/** Where a header can be stored, and how its value is read there. */
const PLACES: Readonly<Record<string, (header: string) => JsonValue>> = {
  'entry of HAR': (value) =>
    exchange({ response: { headers: [{ name: 'set-cookie', value }] } }).entry.response.headers[0]?.value ??
    '',
  'record of headers': (value) => redactor.value({ 'Set-Cookie': value })['Set-Cookie'],
  'list in a record': (value) => redactor.value({ 'set-cookie': [value] })['set-cookie'][0] ?? '',
  'pair of a name and a value': (value) => redactor.value({ name: 'Set-Cookie', value }).value,
};

const attribute = fc.oneof(
  fc.constantFrom('Path=/', 'Path=/a/b.c', 'path=/shop', 'Path='),
  fc.constantFrom('Domain=example.com', 'domain=.a.test', 'Domain=127.0.0.1'),
  fc.integer({ min: -1, max: 2 ** 40 }).map((age) => `Max-Age=${age}`),
  fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => `Expires=${date.toUTCString()}`),
  fc.constantFrom('Expires=Thu, 01-Jan-1970 00:00:00 GMT', 'expires=Thursday, 01-Jan-70 00:00:00 GMT'),
  fc.constantFrom('SameSite=Lax', 'samesite=none', 'SameSite=Strict', 'Priority=High'),
  fc.constantFrom('Secure', 'HttpOnly', 'secure', 'Partitioned', 'httponly'),
);
const wrap = fc.constantFrom<(secret: string) => string>(
  (secret) => secret,
  (secret) => `"${secret}"`,
  (secret) => `s%3A${secret}.x%2Fy`,
  (secret) => `${secret}=${secret}==`,
  (secret) => `a=${secret}&b=${secret}`,
  (secret) => `{"id":"${secret}","n":1}`,
  (secret) => `${secret} ${secret}`,
  (secret) => `${secret},${secret}`,
);
const cookie = fc.record({
  name: fc.constantFrom('id', '__Host-session', 'theme', 'a.b', 'Path', 'secure'),
  secret: alnum(20),
  wrap,
  attributes: fc.array(attribute, { maxLength: 8 }),
  gap: fc.constantFrom('; ', ';', ' ; '),
});

const write = (cookies: readonly { name: string; value: string; attributes: string[]; gap: string }[]) =>
  cookies.map(({ name, value, attributes, gap }) => [`${name}=${value}`, ...attributes].join(gap));

describe.each(Object.entries(PLACES))('Set-Cookie in a %s', (_, read) => {
  it('keeps names and attributes and loses each value, of one cookie or of several', () => {
    const cookies = fc.array(cookie, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cookies, fc.constantFrom('\n', ', '), (made, between) => {
        const sent = write(made.map(({ secret, wrap, ...rest }) => ({ ...rest, value: wrap(secret) })));
        const kept = write(made.map((rest) => ({ ...rest, value: HIDDEN }))).join(between);
        expect(read(sent.join(between))).toBe(kept);
        expect(read(kept)).toBe(kept);
      }),
    );
  });

  it('lets no secret through in what no attribute holds', () => {
    const where = fc.constantFrom<(secret: string) => string>(
      (secret) => secret,
      (secret) => `${secret}; Path=/`,
      (secret) => `id="x; ${secret}"; Path=/`,
      (secret) => `id=x; session=${secret}`,
      (secret) => `id=x; Domain=a.test ${secret}`,
      (secret) => `id=x; SameSite=${secret}`,
      (secret) => `id=x; Max-Age=${secret}`,
      (secret) => `id=x; Expires=${secret}`,
      (secret) => `id=x; Path=/,b=${secret}`,
      (secret) => `id=x; Path=${secret}`,
      (secret) => `=${secret}; Secure`,
      (secret) => `id = ${secret} ; Secure`,
      (secret) => `id=x; Secure, b=${secret}\nc=${secret}`,
    );
    fc.assert(
      fc.property(alnum(20), where, (secret, place) => {
        const kept = read(place(`x${secret}`));
        expect(kept).not.toContain(secret);
        expect(read(String(kept))).toBe(kept);
      }),
    );
  });
});

it('counts one secret for each cookie, and none for one that is removed', () => {
  const { report } = exchange({
    response: { headers: [{ name: 'Set-Cookie', value: 'a=1; Path=/\nb=2\nc=; Max-Age=0' }] },
  } satisfies JsonObject);
  expect(report.secrets).toEqual({ cookie: 2 });
});
