import { describe, expect, it } from 'vitest';
import { checkRequest } from '../../../server/toolkit/http-guard.ts';

const TOKEN = 'correct-horse-battery-staple';
const good = {
  host: '127.0.0.1:7000',
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
};

interface Attempt {
  readonly name: string;
  readonly headers?: Record<string, string | undefined>;
  readonly method?: string;
  readonly url?: string;
  readonly status: number | null;
}

const accepted: Attempt[] = [
  { name: 'the plain request', status: null },
  { name: 'localhost', headers: { host: 'localhost:7000' }, status: null },
  { name: 'a host in capitals', headers: { host: 'LOCALHOST:7000' }, status: null },
  { name: 'the IPv6 loopback', headers: { host: '[::1]:7000' }, status: null },
  { name: 'its own origin', headers: { origin: 'http://127.0.0.1:7000' }, status: null },
  { name: 'the origin localhost', headers: { origin: 'http://localhost:7000' }, status: null },
  { name: 'fetch metadata of the same origin', headers: { 'sec-fetch-site': 'same-origin' }, status: null },
  { name: 'fetch metadata of no page', headers: { 'sec-fetch-site': 'none' }, status: null },
  {
    name: 'JSON with a charset',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    status: null,
  },
  {
    name: 'a GET without a content type',
    method: 'GET',
    headers: { 'content-type': undefined },
    status: null,
  },
  { name: 'a query', url: '/mcp?x=1', status: null },
  { name: 'a DELETE', method: 'DELETE', headers: { 'content-type': undefined }, status: null },
  { name: 'a lower-case bearer scheme', headers: { authorization: `bearer ${TOKEN}` }, status: null },
];

const refused: Attempt[] = [
  { name: 'no host', headers: { host: undefined }, status: 403 },
  { name: 'a rebound host', headers: { host: 'evil.test:7000' }, status: 403 },
  { name: 'a host without the port', headers: { host: '127.0.0.1' }, status: 403 },
  { name: 'a host with another port', headers: { host: '127.0.0.1:7001' }, status: 403 },
  { name: 'a host that begins like ours', headers: { host: '127.0.0.1:7000.evil.test' }, status: 403 },
  { name: 'a host that ends like ours', headers: { host: 'evil-localhost:7000' }, status: 403 },
  { name: 'a host with user info', headers: { host: 'a@127.0.0.1:7000' }, status: 403 },
  { name: '0.0.0.0', headers: { host: '0.0.0.0:7000' }, status: 403 },
  { name: 'another loopback address', headers: { host: '127.0.0.2:7000' }, status: 403 },
  { name: 'the origin null', headers: { origin: 'null' }, status: 403 },
  { name: 'an empty origin', headers: { origin: '' }, status: 403 },
  { name: 'a foreign page', headers: { origin: 'https://evil.test' }, status: 403 },
  {
    name: 'a rebound page',
    headers: { host: 'evil.test:7000', origin: 'http://evil.test:7000' },
    status: 403,
  },
  { name: 'a page on another local port', headers: { origin: 'http://127.0.0.1:3000' }, status: 403 },
  { name: 'our origin with TLS', headers: { origin: 'https://127.0.0.1:7000' }, status: 403 },
  {
    name: 'a foreign extension',
    headers: { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' },
    status: 403,
  },
  { name: 'a file page', headers: { origin: 'file://' }, status: 403 },
  { name: 'cross-site metadata', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  { name: 'same-site metadata', headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  { name: 'no token', headers: { authorization: undefined }, status: 401 },
  { name: 'an empty token', headers: { authorization: 'Bearer ' }, status: 401 },
  { name: 'a wrong token', headers: { authorization: 'Bearer nope' }, status: 401 },
  { name: 'a prefix of the token', headers: { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, status: 401 },
  { name: 'the token and more', headers: { authorization: `Bearer ${TOKEN}x` }, status: 401 },
  { name: 'the token under another scheme', headers: { authorization: `Basic ${TOKEN}` }, status: 401 },
  { name: 'the token bare', headers: { authorization: TOKEN }, status: 401 },
  { name: 'two tokens', headers: { authorization: `Bearer ${TOKEN} ${TOKEN}` }, status: 401 },
  { name: 'a GET without a token', method: 'GET', headers: { authorization: undefined }, status: 401 },
  { name: 'a DELETE without a token', method: 'DELETE', headers: { authorization: undefined }, status: 401 },
  {
    name: 'a token in the query',
    url: `/mcp?token=${TOKEN}`,
    headers: { authorization: undefined },
    status: 401,
  },
  { name: 'a preflight', method: 'OPTIONS', status: 405 },
  { name: 'a HEAD', method: 'HEAD', status: 405 },
  { name: 'a PUT', method: 'PUT', status: 405 },
  { name: 'a TRACE', method: 'TRACE', status: 405 },
  { name: 'a form', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
  { name: 'plain text', headers: { 'content-type': 'text/plain' }, status: 415 },
  {
    name: 'plain text that names JSON',
    headers: { 'content-type': 'text/plain; a=application/json' },
    status: 415,
  },
  { name: 'multipart', headers: { 'content-type': 'multipart/form-data; boundary=x' }, status: 415 },
  { name: 'a POST without a content type', headers: { 'content-type': undefined }, status: 415 },
  { name: 'a type that begins like JSON', headers: { 'content-type': 'application/jsonp' }, status: 415 },
  { name: 'another path', url: '/', status: 404 },
  { name: 'a path below', url: '/mcp/x', status: 404 },
  { name: 'an absolute url of another host', url: 'http://evil.test/other', status: 404 },
  { name: 'a host in front of the path', url: '//evil.test/mcp', status: 404 },
  { name: 'two slashes, which are not a URL', url: '//', status: 404 },
  { name: 'a broken address', url: 'http://[/mcp', status: 404 },
];

describe('checkRequest', () => {
  it.each([...accepted, ...refused])('$name: $status', ({ headers, method, url, status }) => {
    const request = {
      method: method ?? 'POST',
      url: url ?? '/mcp',
      headers: { ...good, ...headers },
      socket: { localPort: 7000 },
    };
    expect(checkRequest(request, { path: '/mcp', token: TOKEN })?.status ?? null).toBe(status);
  });

  it('never sends a CORS header', () => {
    const headers = refused.map(({ headers: sent, method, url }) =>
      checkRequest(
        {
          method: method ?? 'POST',
          url: url ?? '/mcp',
          headers: { ...good, ...sent },
          socket: { localPort: 7000 },
        },
        { path: '/mcp', token: TOKEN },
      ),
    );
    expect(JSON.stringify(headers).toLowerCase()).not.toContain('access-control');
  });

  it('keeps Host and Origin checks without a token', () => {
    const rules = { path: '/mcp', token: null };
    const request = { method: 'POST', url: '/mcp', headers: good, socket: { localPort: 7000 } };
    expect(checkRequest(request, rules)).toBeNull();
    expect(checkRequest({ ...request, headers: { ...good, host: 'evil.test:7000' } }, rules)?.status).toBe(
      403,
    );
  });
});
