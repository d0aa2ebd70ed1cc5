import { sample } from '../../support/depth.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { SERVER } from '../../../scripts/lib/server-process.ts';
import { PATIENCE } from '../../support/patience.ts';
import { within } from '../../support/within.ts';
import { testFolder } from '../../support/test-folder.ts';

const home = testFolder();

/** The built server with nothing between it and its pipes. */
function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [SERVER, '--home', home, ...args], {
    env: { ...process.env, ...env },
  });
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (streams.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (streams.stderr += chunk));
  const exited = once(child, 'close').then(([code]: unknown[]) => code);
  return { child, streams: streams, exited: () => within(PATIENCE.timeout, exited, 'the server to end') };
}

const message = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const call = (id: number, name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${name},"arguments":${args}}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const MALFORMED = [
  '',
  'null',
  '[]',
  '{}',
  '"text"',
  'not JSON at all',
  '{"jsonrpc":"2.0","id":2',
  'Content-Length: 12',
  '\u0000\u0001\u0002',
  nested(10_000),
  'x'.repeat(1_000_000),
  '{"jsonrpc":"1.0","id":3,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":4,"result":{}}',
  '{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"nobody asked"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}',
  '{"__proto__":{"jsonrpc":"2.0","id":6,"method":"tools/list"}}',
  '[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]',
];

/** Requests whose shape is wrong: each is answered by its id. */
const MALFORMED_REQUESTS = [
  '{"jsonrpc":"2.0","id":200,"method":"tools/call","params":[1]}',
  '{"jsonrpc":"2.0","id":201,"method":"tools/call","params":"text"}',
  '{"jsonrpc":"2.0","id":202,"method":"tools/list","params":null}',
  '{"jsonrpc":"2.0","id":203,"method":7}',
  '{"id":204,"method":"ping"}',
];

const FIRST_CALL = 100;
const ODD_CALLS = [
  call(100, '"tabs"', `{"action":${nested(10_000)}}`),
  call(101, '"tabs"', '{"__proto__":{"action":"list"}}'),
  call(102, '"tabs"', '{"action":"list","action":"dance"}'),
  call(103, '"read_page"', String.raw`{"tab":"\ud800"}`),
  call(104, '"read_page"', '{"output_inline_limit_bytes":1e999}'),
  call(105, '"oc_output_fetch"', String.raw`{"output_handle":"\u0000../../etc/passwd"}`),
  call(106, String.raw`"constructor"`, '{}'),
  call(107, 'null', '[]'),
  call(108, '{}', '"text"'),
  call(109, `"${'n'.repeat(100_000)}"`, '{}'),
];

it('a session over stdio survives invalid messages, answers every request, and writes nothing but messages', async () => {
  const { child, streams, exited } = start();
  const lines: string[] = [];
  const wanted = new Set(
    [...ODD_CALLS, ...MALFORMED_REQUESTS].map((line) => Number(/"id":(\d+)/.exec(line)?.[1])),
  );
  const answered = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const { id } = JSON.parse(line) as { id?: number };
      if (wanted.delete(Number(id)) && wanted.size === 0) resolve();
    });
  });
  child.stdin.write(`${[INITIALIZE, ...MALFORMED, ...MALFORMED_REQUESTS, ...ODD_CALLS].join('\n')}\n`);
  await within(PATIENCE.timeout, answered, 'the answers').catch((error: unknown) => {
    throw new Error(`${String(error)} Missing: ${[...wanted].join(', ')}. ${streams.stderr}`);
  });
  child.stdin.end();
  expect(await exited()).toBe(0);
  const got = lines.map(
    (line) => JSON.parse(line) as { jsonrpc: string; id?: number; result?: object; error?: { code: number } },
  );
  expect(got.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  for (const { id = 0, result } of got)
    if (id >= FIRST_CALL && id < 200) expect(result, `call ${id}`).toMatchObject({ isError: true });
  for (const { id = 0, error } of got)
    if (id >= 200) expect(error?.code, `request ${id}`).toBeLessThan(-32_000);
});

it.each(
  sample(
    [
      { args: ['instal'], code: 2, says: "unknown command 'instal'. Did you mean install" },
      { args: ['ledger', 'shw'], code: 2, says: 'Did you mean show?' },
      { args: ['install', '--clint', 'all'], code: 2, says: 'install --help` for all options' },
      { args: ['--verison'], code: 2, says: 'Did you mean --version?' },
      { args: ['--headless'], says: '--headless has no effect without --launch' },
      { args: ['--mode', 'auto', '--http', '0'], says: '--mode auto is for one client' },
      { args: ['--http-no-token'], says: '--http-no-token has no effect without --http' },
      { args: ['--http', '0'], env: { SPILLWAY_TOKEN: 'short' }, says: 'SPILLWAY_TOKEN' },
    ],
    3,
  ),
)('a start that fails says so on stderr alone $args', async ({ args, env, says, code = 1 }) => {
  const { streams, exited } = start(args, env ?? {});
  expect(await exited()).toBe(code);
  expect(streams.stderr).toContain(says);
  expect(streams.stdout).toBe('');
});

it('--mode auto takes apps for a client that shows them', async () => {
  const { child, streams, exited } = start(['--mode', 'auto']);
  const capabilities = { extensions: { 'io.modelcontextprotocol/ui': {} } };
  const opening = INITIALIZE.replace('"capabilities":{}', `"capabilities":${JSON.stringify(capabilities)}`);
  // As from a pipe: what it has asked is answered although it asks nothing more.
  child.stdin.end(`${opening}\n${message(2, 'tools/list')}\n`);
  expect(await exited()).toBe(0);
  expect(streams.stdout).toContain('ui://spillway/run.html');
});
