import { expect, it } from 'vitest';
import { checkRequest } from '../../../server/core/http-guard.ts';

const TOKEN = 'correct-horse-battery-staple';
const good = { host: '127.0.0.1:7000', authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

interface Attempt {
  readonly headers?: Record<string, string | undefined>;
  readonly method?: string;
  readonly url?: string;
}

const bearer = (token: string): Attempt => ({ headers: { authorization: token } });
const of = (name: string, ...values: (string | undefined)[]): Attempt[] =>
  values.map((value) => ({ headers: { [name]: value } }));

const ATTEMPTS: readonly (readonly [number | null, readonly Attempt[]])[] = [
  [
    null,
    [
      {},
      ...of('host', 'localhost:7000', 'LOCALHOST:7000', '[::1]:7000'),
      ...of('origin', 'http://127.0.0.1:7000', 'http://localhost:7000'),
      ...of('sec-fetch-site', 'same-origin', 'none'),
      ...of('content-type', 'application/json; charset=utf-8'),
      { method: 'GET', headers: { 'content-type': undefined } },
      { method: 'DELETE', headers: { 'content-type': undefined } },
      { url: '/mcp?x=1' },
      bearer(`bearer ${TOKEN}`),
    ],
  ],
  [
    403,
    [
      ...of('host', undefined, 'evil.test:7000', '127.0.0.1', '127.0.0.1:7001', '127.0.0.1:7000.evil.test'),
      ...of('host', 'evil-localhost:7000', 'a@127.0.0.1:7000', '0.0.0.0:7000', '127.0.0.2:7000'),
      ...of('origin', 'null', '', 'https://evil.test', 'http://127.0.0.1:3000', 'https://127.0.0.1:7000'),
      ...of('origin', 'chrome-extension://abcdefghijklmnopabcdefghijklmnop', 'file://'),
      { headers: { host: 'evil.test:7000', origin: 'http://evil.test:7000' } },
      ...of('sec-fetch-site', 'cross-site', 'same-site'),
    ],
  ],
  [
    401,
    [
      ...of('authorization', undefined, 'Bearer ', 'Bearer nope', TOKEN, `Basic ${TOKEN}`),
      ...of('authorization', `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN} ${TOKEN}`),
      ...['GET', 'DELETE'].map((method) => ({ method, headers: { authorization: undefined } })),
      { url: `/mcp?token=${TOKEN}`, headers: { authorization: undefined } },
    ],
  ],
  [405, ['OPTIONS', 'HEAD', 'PUT', 'TRACE'].map((method) => ({ method }))],
  [
    415,
    [
      ...of('content-type', undefined, 'application/x-www-form-urlencoded', 'application/jsonp'),
      ...of(
        'content-type',
        'text/plain',
        'text/plain; a=application/json',
        'multipart/form-data; boundary=x',
      ),
    ],
  ],
  [
    404,
    ['/', '/mcp/x', 'http://evil.test/other', '//evil.test/mcp', '//', 'http://[/mcp'].map((url) => ({
      url,
    })),
  ],
];
const check = ({ method = 'POST', url = '/mcp', headers }: Attempt, token: string | null = TOKEN) =>
  checkRequest(
    { method, url, headers: { ...good, ...headers }, socket: { localPort: 7000 } },
    { path: '/mcp', token },
  );

it.each(ATTEMPTS.flatMap(([status, attempts]) => attempts.map((each) => [status, each] as const)))(
  'checkRequest answers %s to %j, without a CORS header',
  (status, attempt) => {
    const refusal = check(attempt);
    expect(refusal?.status ?? null).toBe(status);
    expect(JSON.stringify(refusal).toLowerCase()).not.toContain('access-control');
  },
);

it('checkRequest keeps Host and Origin checks without a token', () => {
  expect(check({}, null)).toBeNull();
  expect(check({ headers: { host: 'evil.test:7000' } }, null)?.status).toBe(403);
});
