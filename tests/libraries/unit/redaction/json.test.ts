import fc from '../../../support/property.ts';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../shared/base/json.ts';
import { createRedactor } from '../../../../server/libraries/redaction/index.ts';
import { asStream, redactor } from './chunks.ts';

const NAMES = 'monkeyApi keyId tokenId tokenCount publicKey primaryKey isTokenAccess'.split(' ');

describe('JSON values', () => {
  it('refuses cycles, and accepts values that occur twice', () => {
    const shared = { a: [1] };
    expect(redactor.value({ one: shared, two: [shared, shared] })).toEqual({
      one: { a: [1] },
      two: [{ a: [1] }, { a: [1] }],
    });
    const list: JsonValue[] = [];
    list.push({ list });
    expect(() => redactor.value({ list })).toThrow('A value that contains itself is not JSON.');
  });

  it('replaces the value of a header, key or parameter with a secret name', () => {
    const made = (put: (kind: string, value: string) => string) => ({
      headers: [
        { name: 'Authorization', value: put('authorization', 'Bearer x') },
        { name: 'accept', value: '*/*' },
        { name: 'X-CSRF-Token', value: put('csrf', 'abc') },
      ],
      cookies: [{ name: 'theme', value: put('cookie', 'dark'), path: '/' }],
      queryString: [{ name: 'access_token', value: put('token', 'x') }],
      requestHeaders: {
        Cookie: put('cookie', 'a=b'),
        'Set-Cookie': [`a=${put('cookie', 'b')}`, `c=${put('cookie', 'd')}`],
        'x-amz-security-token': put('token', 'F'),
        host: 'a',
      },
      postData: {
        params: [{ name: 'user[password]', value: put('password', 'x') }],
        text: `password=${put('password', 'hunter2')}&a=1`,
      },
      db_password: put('password', 'x'),
      stripeSecretKey: put('api-key', 'x'),
      SharedAccessKey: put('api-key', 'x'),
      refreshToken: put('token', 'x'),
      NODE_AUTH_TOKEN: put('token', 'x'),
      keyApi: put('api-key', 'x'),
      stripe_token_access: put('token', 'x'),
      secretClient: put('secret', 'x'),
    });
    expect(redactor.value(made((_kind, value) => value))).toEqual(made((kind) => `«redacted:${kind}»`));
  });

  it('leaves similar names alone', () => {
    const value = {
      password: { type: 'string', minLength: 8 },
      secret: true,
      token: 5,
      tokens: 120,
      max_tokens: 4096,
      code: 'ENOENT',
      passport: 'x',
      tokenizer: 'o200k',
      ...Object.fromEntries(NAMES.map((name) => [name, 'x'])),
      empty: { password: '', authorization: null },
      node: { role: 'textbox', name: 'Search', value: 'shoes' },
    };
    expect(redactor.value(value)).toBe(value);
  });

  it.each([
    ['otp', 482913, '«redacted:otp»'],
    ['cvv', 123, '«redacted:card»'],
    ['password', 12345, '«redacted:password»'],
  ])('replaces the number under %s', (key, number, expected) => {
    expect(redactor.value({ [key]: number })).toEqual({ [key]: expected });
  });

  it('keeps __proto__ and colliding keys as data', () => {
    const parsed: { [key: string]: string } = JSON.parse(
      '{"__proto__":"a\u200bb","long key \u200bwith it":"1","long key with it":"2"}',
    );
    expect(JSON.stringify(redactor.value(parsed))).toBe(
      '{"__proto__":"ab","long key with it#2":"1","long key with it":"2"}',
    );
    expect(JSON.stringify(redactor.value({ 'long key with it': 2, 'long key \u200bwith it': 1 }))).toBe(
      '{"long key with it":2,"long key with it#2":1}',
    );
  });

  it('keeps the structure of any value, and gives the same object when nothing changes', () => {
    const shapeOf = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shapeOf)
        : typeof value === 'object' && value !== null
          ? Object.values(value).map(shapeOf)
          : null;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonValue;
        const cleaned: JsonValue = redactor.value(json);
        expect(shapeOf(cleaned)).toEqual(shapeOf(json));
        expect(redactor.value(cleaned)).toBe(cleaned);
      }),
    );
  });
});

it('payloads cleans items one by one, as they are asked for', async () => {
  const { payload, report } = await redactor.payload({
    kind: 'items',
    mimeType: 'application/json',
    items: asStream([{ password: 'x' }, 'a\u200bb', 7]),
  });
  expect(report().secrets).toEqual({});
  if (payload.kind !== 'items') throw new Error('Items stay items.');
  const items = [];
  for await (const item of payload.items) items.push(item);
  expect(items).toEqual([{ password: '«redacted:password»' }, 'ab', 7]);
  expect(report()).toEqual({ secrets: { password: 1 }, invisibleCharacters: 1, instructionLike: 0 });
});

it('payloads is the identity when it is turned off', async () => {
  const off = createRedactor({ enabled: false });
  const value = { password: 'x' };
  const payload = { kind: 'json', mimeType: 'application/json', value } as const;
  expect(off.value(value)).toBe(value);
  expect(off.text('?token=abcd\u200b')).toBe('?token=abcd\u200b');
  const passed = await off.payload(payload);
  expect(passed.payload).toBe(payload);
  expect(passed.report()).toEqual({ secrets: {}, invisibleCharacters: 0, instructionLike: 0 });
});
