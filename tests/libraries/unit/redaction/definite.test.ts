import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redactor } from './chunks.ts';
import { rounds } from '../../../support/depth.ts';

const TOKENS = rounds(20_000, 1_500);
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64URL = `${BASE62}-_`;

/** Random characters without a seed, since every token must be removed. */
function randomToken(alphabet: string, length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** Places where a value is secret whatever it looks like. */
const PLACES: readonly (readonly [name: string, around: (token: string) => string])[] = [
  ['a parameter of an address', (token) => `https://host.test/a?access_token=${token}&b=c`],
  ['a parameter of an address within one', (token) => `/go?u=https%3A%2F%2Fh%3Faccess_token%3D${token}%26x`],
  ['a fragment', (token) => `https://host.test/#id_token=${token}`],
  ['a password before a host', (token) => `postgres://u:${token}@host.test:5432/db`],
  ['an Authorization header', (token) => `Authorization: Bearer ${token}`],
  ['an Authorization header in code', (token) => `'Authorization': 'token ${token}'`],
  ['a quoted key', (token) => `log {"password":"${token}","a":1} end`],
  ['a quoted key in quoted JSON', (token) => `{"x":"{\\"client_secret\\":\\"${token}\\"}"}`],
  ['a quoted key in an attribute', (token) => `data-x="{&quot;token&quot;:&quot;${token}&quot;}"`],
];

/** For a text of one token per line, the tokens that survive redaction. */
function left(tokens: readonly string[], around: (token: string) => string): string[] {
  const lines = redactor.text(tokens.map(around).join('\n')).split('\n');
  expect(lines).toHaveLength(tokens.length);
  return tokens.filter((token, index) => lines[index]?.includes(token) !== false);
}

describe('where a value is secret whatever it looks like', () => {
  it.each(PLACES)('no random token stays: %s', (_name, around) => {
    for (const alphabet of [BASE62, BASE64URL]) {
      expect(
        left(
          Array.from({ length: TOKENS }, () => randomToken(alphabet, 32)),
          around,
        ),
      ).toEqual([]);
    }
  });

  const WORDS =
    'your my the some insert enter new old current confirm invalid missing example test demo'.split(' ');

  it.each(PLACES)('no secret that begins with a word stays: %s', (_name, around) => {
    const tokens = WORDS.flatMap((word) => [
      `${word}Secret123`,
      `${word}K8sD93kdLq02mVb7Xc11`,
      `${word}-K8sD93kdLq02mVb7Xc11`,
      `${word}_pass77_K8sD93`,
      `${word.toUpperCase()}PASS77K8SD93`,
      `K8sD93xxxxkdLq02mVb7Xc11`,
    ]);
    expect(left(tokens, around)).toEqual([]);
  });

  it.each(['mySecret123', '$ecret2new', '/K8sD93kd/Lq02mVb7Xc11', '***hunter2***'])(
    'the password %s goes from a quoted key',
    (password) => {
      expect(redactor.text(`log {"password":"${password}"}`)).toBe('log {"password":"«redacted:password»"}');
    },
  );

  /** A scheme and a sample within quotes are two words, and read as one secret of two words. */
  const ONE_WORD = PLACES.filter(([name]) => !name.endsWith('in code'));

  it.each(ONE_WORD)('samples stay: %s', (_name, around) => {
    const samples = ['YOUR_API_KEY', 'your-token-here', 'string', 'password', 'my-secret-key'];
    expect(left(samples, around)).toEqual(samples);
  });

  it.each([
    '{"password": "<your password>", "token": "${TOKEN}", "secret": "{{secret}}", "api_key": "***"}',
    '{"password": "••••••••", "token": "...", "secret": "…", "api_key": "[hidden]"}',
    'https://a.test/?token=%3Ctoken%3E&api_key={api_key}&access_token=%7Btoken%7D',
    '{"token": "process.env.TOKEN", "password": "%s", "secret": "0000"}',
    '{"PWD":"/home/ann2/my-project_3","cookie-password":"^0.7.2","pbkdf2-password":"1.2.1"}',
    'curl -H "Authorization: Bearer <your-token-here>"',
    'postgres://user:$PASSWORD@localhost/db postgres://user:[password]@localhost/db',
  ])('documentation stays: %s', (text) => expect(redactor.text(text)).toBe(text));
});
