import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { environmentOf } from '../../../server/upstream/environment.ts';
import { expectHeaders, fillVariables, readUpstreams } from '../../../server/upstream/config.ts';
import { splitWords } from '../../../server/upstream/words.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'spillway-config-'));
});
afterEach(() => rmSync(home, { recursive: true }));

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

describe('spillway.json', () => {
  it.each([
    [{ clientSecret: 'x', issuer: 'https://a.test' }, 'oauth.clientId: It is needed with clientSecret.'],
    [{ clientId: 'a', clientSecret: 'x' }, 'oauth.issuer: It is needed with clientSecret, which is sent to'],
    [
      { grant: 'client_credentials', clientId: 'a' },
      'oauth.clientSecret: It is needed for client_credentials.',
    ],
    [{ redirectPort: 0 }, 'oauth.redirectPort: It takes a whole number from 1 to 65535.'],
    [{ clientMetadataUrl: 'http://a.test/x' }, 'oauth.clientMetadataUrl: It takes an https address.'],
    [{ grant: 'password' }, 'oauth.grant: It takes authorization_code or client_credentials.'],
    [{ secret: 'x' }, 'oauth: unknown field secret.'],
  ])('refuses the sign-in %j', (oauth, said) => {
    expect(problemOf(() => read({ upstreams: [{ id: 'far', url: 'https://a.test/mcp', oauth }] }))).toContain(
      said,
    );
  });

  it('is not needed', () => {
    expect(readUpstreams({ home })).toEqual([]);
    expect(problemOf(() => readUpstreams({ home, config: join(home, 'none.json') }))).toMatch(
      'cannot be read (ENOENT)',
    );
  });

  it('names servers by command and by address', () => {
    const common = { output: 'policy', sampling: false, timeoutMs: 60_000 };
    expect(
      read({
        upstreams: [
          { id: 'files', command: 'npx', args: ['server'] },
          { id: 'far', url: 'https://a.example/mcp', headers: { authorization: 'Bearer ${TOKEN}' } },
        ],
      }),
    ).toEqual([
      { ...common, id: 'files', command: 'npx', args: ['server'], env: {} },
      {
        ...common,
        id: 'far',
        url: 'https://a.example/mcp',
        transport: 'http',
        headers: { authorization: 'Bearer ${TOKEN}' },
      },
    ]);
  });

  it('names services by their documents, and a file from its own folder', () => {
    const common = { timeoutMs: 60_000, headers: {} };
    expect(
      read({
        upstreams: [
          { id: 'near', file: 'docs/near.yaml' },
          { id: 'far', url: 'https://a.example/openapi.json', baseUrl: 'https://b.example/v1' },
        ],
      }),
    ).toEqual([
      { ...common, id: 'near', file: join(home, 'docs/near.yaml') },
      { ...common, id: 'far', url: 'https://a.example/openapi.json', baseUrl: 'https://b.example/v1' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['text', 'upstreams', 'It is not JSON (line 1, column 1).'],
    ['a comment', '{\n  // here\n  "upstreams": []\n}', 'It is not JSON (line 2, column 3).'],
    ['a comment at the end', '{\n  "upstreams": [], // "none"\n}', 'It is not JSON (line 2, column 20).'],
    ['a last comma', '{"upstreams": [1,]}', 'It is not JSON (line 1, column 18).'],
    ['half of it', '{ "upstreams": ["', ': It is not JSON: its end is missing.'],
    ['a list', [], ': It takes an object.'],
    ['an unknown field', { servers: [] }, ': unknown field servers.'],
    ['no list', { upstreams: {} }, '.upstreams: It takes a list.'],
    [
      'no target',
      { upstreams: [{ id: 'a' }] },
      ': upstreams[0]: It takes one of command, url, docData and file.',
    ],
    [
      'two targets',
      { upstreams: [{ id: 'a', command: 'b', url: 'https://c.example' }] },
      ': upstreams[0]: It takes one of',
    ],
    [
      'two documents',
      { upstreams: [{ id: 'a', url: 'https://b.example', file: 'c.yaml' }] },
      ': upstreams[0]: It takes one of docData, url and file.',
    ],
    [
      'a document and a command',
      { upstreams: [{ id: 'a', file: 'c.yaml', command: 'd' }] },
      'upstreams[0]: unknown field command.',
    ],
    ['a bad id', { upstreams: [{ id: 'a b', command: 'c' }] }, ': upstreams[0].id: It takes 1 to 32 letters'],
    [
      'a bad address',
      { upstreams: [{ id: 'a', url: 'file:///b' }] },
      ': upstreams[0].url: It takes an http or https address.',
    ],
    [
      'a user name in an address',
      { upstreams: [{ id: 'a', url: 'https://me:the-password@b.example/mcp' }] },
      'upstreams[0].url: It takes an address without a user name or password. Give credentials in headers.',
    ],
    [
      'a password in a base address',
      { upstreams: [{ id: 'a', docData: {}, baseUrl: 'http:\\\\:the-password@b.example' }] },
      'upstreams[0].baseUrl: It takes an address without',
    ],
    [
      'a bad header',
      { upstreams: [{ id: 'a', url: 'https://b.example', headers: { 'x key': 'a' } }] },
      'upstreams[0].headers.x key: It is not the name of a header.',
    ],
    [
      'a bad transport',
      { upstreams: [{ id: 'a', url: 'https://b.example', transport: 'ws' }] },
      'upstreams[0].transport: It takes http or sse.',
    ],
    [
      'a bad argument',
      { upstreams: [{ id: 'a', command: 'b', args: [1] }] },
      'upstreams[0].args[0]: It takes text.',
    ],
    [
      'a bad variable',
      { upstreams: [{ id: 'a', command: 'b', env: { C: 1 } }] },
      'upstreams[0].env.C: It takes text.',
    ],
    ['a bad field', { upstreams: [{ id: 'a', command: 'b', arg: [] }] }, 'upstreams[0]: unknown field arg.'],
    [
      'a bad output',
      { upstreams: [{ id: 'a', command: 'b', output: 'raw' }] },
      'upstreams[0].output: It takes policy or passthrough.',
    ],
  ])('that has %s says where', (_what, value, problem) => {
    const message = problemOf(() => read(value));
    expect(message).toContain(problem);
    expect(message).not.toContain('the-password');
  });

  it('may begin with the mark of UTF-8, and has folders from its own', () => {
    const upstreams = [{ id: 'a', command: 'b', cwd: 'c' }];
    expect(read(`\uFEFF${JSON.stringify({ upstreams })}`)).toMatchObject([{ cwd: join(home, 'c') }]);
  });
});

it('--upstream is a command line, or an address', () => {
  const [first, second] = readUpstreams({
    home,
    upstream: ['files=npx -y "a server" \'b c\'', 'far=https://d.example/mcp'],
  });
  expect(first).toMatchObject({ id: 'files', command: 'npx', args: ['-y', 'a server', 'b c'] });
  expect(second).toMatchObject({ id: 'far', url: 'https://d.example/mcp' });
  expect(problemOf(() => readUpstreams({ home, upstream: ['a="b'] }))).toBe(
    '--upstream a="b: A quote does not end.',
  );
});

it.each<[string, readonly string[] | null]>([
  ['', []],
  ['a  b', ['a', 'b']],
  [String.raw`a\ b "c \"d" 'e\f'`, ['a b', 'c "d', String.raw`e\f`]],
  ['""', ['']],
  ["'a", null],
])('the words of %j are %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

it('an upstream gets common variables and its own, and nothing else of ours', () => {
  const ours = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', TOKEN: 'secret', SPILLWAY_HOME: '/s' };
  const env = fillVariables({ KEY: 'a-${TOKEN}', PATH: '/own' }, { where: 'env', environment: ours });
  expect(environmentOf(env, ours)).toEqual({
    SPILLWAY_UPSTREAM_DEPTH: '1',
    PATH: '/own',
    HOME: '/h',
    LC_ALL: 'C',
    KEY: 'a-secret',
  });
  const missing = () => fillVariables({ KEY: '${NONE}' }, { where: 'env', environment: ours });
  expect(problemOf(missing)).toBe('env.KEY: The environment has no NONE.');
});

it('a header that cannot be sent is named, and its value is not said', () => {
  expect(problemOf(() => expectHeaders({ 'x-a': 'b', 'x-key': 'one\ntwo' }, 'headers'))).toBe(
    'headers.x-key: Its value has a line break, or a character beyond Latin-1.',
  );
  expectHeaders({ 'x-a': 'caf\u00e9 \n' }, 'headers');
});
