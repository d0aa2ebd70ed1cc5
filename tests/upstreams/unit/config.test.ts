import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { environmentOf } from '../../../server/upstreams/answers.ts';
import { configSchema, fillVariables, readUpstreams } from '../../../server/upstreams/config.ts';
import { isObject } from '../../../shared/base/json.ts';
import { temporaryHome } from '../../support/home.ts';

let home: string;
beforeEach(async () => void (home = await temporaryHome()));

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof SpillwayError && thrown.code === 'invalid_argument') return thrown.message;
    throw thrown;
  }
  throw new Error('It was not refused.');
}

const read = (value: unknown) => {
  writeFileSync(join(home, 'spillway.json'), typeof value === 'string' ? value : JSON.stringify(value));
  return readUpstreams({ home });
};
const fieldsOf = (part: unknown): string[] =>
  isObject(part) || Array.isArray(part)
    ? [
        ...Object.keys(Object(Reflect.get(part, 'properties'))),
        ...Object.values<unknown>({ ...part }).flatMap(fieldsOf),
      ]
    : [];

it('every field has a row in docs/upstreams.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/upstreams.md'), 'utf8');
  const fields = fieldsOf(z.toJSONSchema(configSchema(), { io: 'input', unrepresentable: 'any' }));
  expect(fields).toEqual(expect.arrayContaining(['baseUrl', 'redirectPort']));
  const missing = fields.filter((name) => !page.includes(`| \`${name}\``));
  expect([...new Set(missing)].sort()).toEqual(['$schema', 'upstreams']);
});

describe('spillway.json', () => {
  const server = { output: 'policy', sampling: false, timeoutMs: 60_000 };
  const headers = { authorization: 'Bearer ${TOKEN}' };
  it.each<[object, object]>([
    [
      { command: 'npx', args: ['server'] },
      { ...server, env: {} },
    ],
    [
      { url: 'https://a.example/mcp', headers },
      { ...server, transport: 'http' },
    ],
    [
      { url: 'https://a.example/openapi.json', baseUrl: 'https://b.example/v1' },
      { timeoutMs: 60_000, headers: {} },
    ],
  ])('takes %j, with the defaults %j', (entry, defaults) => {
    expect(read({ upstreams: [{ id: 'a', ...entry }] })).toEqual([{ id: 'a', ...entry, ...defaults }]);
  });

  it.each<[unknown, string]>([
    ['upstreams', 'It is not JSON (line 1, column 1).'],
    ['{\n  "upstreams": [], // "none"\n}', 'It is not JSON (line 2, column 20).'],
    ['{ "upstreams": ["', ': It is not JSON: its end is missing.'],
    [[], ': It takes an object.'],
    [{ servers: [] }, ': unknown field servers.'],
    [{ upstreams: {} }, '.upstreams: It takes a list.'],
  ])('says where %j is wrong', (value, problem) => expect(problemOf(() => read(value))).toContain(problem));

  const url = 'https://b.example';
  it.each<[object, string]>([
    [{}, ': It takes one of command, url, docData and file.'],
    [{ command: 'b', url }, ': It takes one of'],
    [{ url, file: 'c.yaml' }, ': It takes one of docData, url and file.'],
    [{ id: 'a b', command: 'c' }, '.id: It takes 1 to 32 letters'],
    [{ url: 'file:///b' }, '.url: It takes an http or https address.'],
    [{ url: 'https://me:the-password@b.example/mcp' }, '.url: It takes an address without a user name'],
    [{ docData: {}, baseUrl: 'http:\\\\:the-password@b.example' }, '.baseUrl: It takes an address without'],
    [{ url, headers: { 'x key': 'a' } }, '.headers.x key: It is not the name of a header.'],
    [{ url, transport: 'ws' }, '.transport: It takes http or sse.'],
    [{ command: 'b', args: [1] }, '.args[0]: It takes text.'],
    [{ command: 'b', output: 'raw' }, '.output: It takes policy or passthrough.'],
    [{ url, oauth: { clientSecret: 'x', issuer: url } }, '.oauth.clientId: It is needed with clientSecret.'],
    [{ url, oauth: { clientId: 'a', clientSecret: 'x' } }, '.oauth.issuer: It is needed with clientSecret'],
    [{ url, oauth: { grant: 'client_credentials', clientId: 'a' } }, '.oauth.clientSecret: It is needed'],
    [{ url, oauth: { redirectPort: 0 } }, '.oauth.redirectPort: It takes a whole number from 1 to 65535.'],
    [{ url, oauth: { clientMetadataUrl: 'http://a.test/x' } }, '.oauth.clientMetadataUrl: It takes an https'],
    [{ url, oauth: { grant: 'password' } }, '.oauth.grant: It takes authorization_code or'],
  ])('says where the entry %j is wrong', (entry, problem) => {
    const message = problemOf(() => read({ upstreams: [{ id: 'a', ...entry }] }));
    expect(message).toContain(`upstreams[0]${problem}`);
    expect(message).not.toContain('the-password');
  });
});

it('an upstream gets common variables and its own, and nothing else of ours', () => {
  const ours = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', TOKEN: 'secret', SPILLWAY_HOME: '/s' };
  const env = fillVariables({ KEY: 'a-${PATH}', PATH: '/own' }, 'env');
  const own = { SPILLWAY_UPSTREAM_DEPTH: '1', PATH: '/own', KEY: `a-${process.env['PATH']}` };
  expect(environmentOf(env, ours)).toEqual({ HOME: '/h', LC_ALL: 'C', ...own });
  const missing = () => fillVariables({ KEY: '${NONE}' }, 'env');
  expect(problemOf(missing)).toBe('env.KEY: The environment has no NONE.');
});
