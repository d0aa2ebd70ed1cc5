import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { runUpstreamAccept, runUpstreamList } from '../../../server/upstreams/command.ts';
import { trustOf } from '../../../server/upstreams/index.ts';
import { temporaryHome } from '../../support/home.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, program, startUpstreams } from '../../support/upstream-rig.ts';

let home: string;
let server: MemoryServer;
let printed = '';
const io = { write: (text: string) => void (printed += text), isTerminal: false };
beforeEach(async () => {
  home = await temporaryHome();
  printed = '';
});

async function write(...args: string[]): Promise<void> {
  const upstreams = [{ id: 'odd', command: process.execPath, args }];
  await writeFile(join(home, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
}

async function variant(from: string, to: string): Promise<string> {
  const path = join(home, 'variant.mjs');
  const near = join(dirname(FAULTS), 'mcp-on-stdio');
  const text = (await readFile(FAULTS, 'utf8')).replace('./mcp-on-stdio', near);
  await writeFile(path, text.replace(from, to));
  return path;
}

const accept = (isYes: boolean) =>
  runUpstreamAccept({ home, id: 'odd', yes: false, ask: async () => isYes }, io);

const start = async (...args: string[]): Promise<MemoryServer> => {
  const upstreamParts = { entries: [program('odd', args)], trust: trustOf(home) };
  return (server = await startUpstreams([], {}, { upstreamParts }));
};

const shown = async (name: string) =>
  (await server.client.listTools()).tools.find((tool) => tool.name === name);
const codeOfEcho = async () => (await server.call('odd_echo', { value: 'a' })).code();
it('a tool that nobody has accepted shows nothing of its server, and is not called', async () => {
  await write(FAULTS);
  await start(FAULTS);
  const tool = await shown('odd_echo');
  expect(tool?.description).toContain('index.js upstream accept odd');
  expect(tool?.description).not.toContain('Does echo');
  expect(tool?.inputSchema.properties).toEqual({});
  expect(await codeOfEcho()).toBe('upstream_not_accepted');
  expect(await runUpstreamList({ home }, io)).toBe(0);
  expect(printed).toMatch(/✓ odd .* not accepted: `\S+ \S+index.js upstream accept odd`/);
});

it('a newly accepted tool is offered without a restart', async () => {
  await write(FAULTS);
  await start(FAULTS);
  expect(await accept(false)).toBe(1);
  expect(await codeOfEcho()).toBe('upstream_not_accepted');
  expect(await accept(true)).toBe(0);
  expect(printed).toContain(process.execPath);
  expect(printed).toContain('Does echo.');
  expect((await stat(join(home, 'upstreams.json'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home, 'upstreams.json'), 'utf8')).not.toContain(FAULTS);
  await vi.waitFor(async () => expect((await shown('odd_echo'))?.description).toBe('Does echo.'), PATIENCE);
  expect(await codeOfEcho()).toBeUndefined();
});

it('a description that changes after it was accepted is not shown, and its tool is not called', async () => {
  // The same command, with another program behind it.
  const path = await variant('', '');
  await write(path);
  await accept(true);
  await variant("flags.includes('changed')", 'true');
  await start(path);
  expect((await shown('odd_echo'))?.description).not.toContain('evil.example');
  expect(await codeOfEcho()).toBe('upstream_changed');
  printed = '';
  expect(await accept(true)).toBe(0);
  expect(printed).toContain('(changed)');
  await vi.waitFor(async () => expect(await codeOfEcho()).toBeUndefined(), PATIENCE);
});

it('everything that a model sees of a tool is printed before it is accepted, however long it is', async () => {
  const more = "title: `Title of ${name}\u202e`, description: `${'x'.repeat(20_000)} the end of";
  await write(await variant('description: `Does', more), 'y'.repeat(600));
  expect(await accept(false)).toBe(1);
  for (const part of ['the end of echo', 'called “Title of echo\\u{202e}”', 'y'.repeat(600)])
    expect(printed).toContain(part);
  expect(printed).toMatch(/answers \{.*"count":\{"type":"integer"\}/);
});

it.each([
  ['another command under an accepted id', ['changed'], 'upstream_changed'],
  ['what a damaged file accepts', [], 'upstream_not_accepted'],
])('%s has to be accepted again', async (_what, flags, code) => {
  await write(FAULTS);
  await accept(true);
  if (flags.length === 0) await writeFile(join(home, 'upstreams.json'), '{}');
  await start(FAULTS, ...flags);
  expect(await codeOfEcho()).toBe(code);
});

it('what was accepted stays so for a server that still has it, and a tool that is new is not a change', async () => {
  const trust = trustOf(home);
  const tool = (rawName: string, description: string) =>
    ({ rawName, description, inputSchema: {}, isReadOnly: true }) as const;
  const seen = [tool('a', '1'), tool('a', '2'), tool('a', '3'), tool('constructor', '1')];
  for (const each of seen.slice(0, 2)) await trust.accept({ id: 'odd', target: 'one', tools: [each] });
  const judged = seen.map((each) => trust.judge('odd', 'one', each));
  expect(judged).toEqual([null, null, 'changed', 'not_accepted']);
});

it('resources and prompts of an upstream without tools wait for a person too', async () => {
  const path = await variant('({ tools })', '({ tools: [] })');
  await write(path, 'offers');
  await start(path, 'offers');
  const read = () => server.client.readResource({ uri: 'upstream://odd/file:///a' });
  const hint = expect.stringContaining('upstream accept odd');
  await expect(read()).rejects.toMatchObject({ data: { error: { hint } } });
  await runUpstreamList({ home }, io);
  expect(printed).toMatch(/0 tools, not accepted: `\S+ \S+index.js upstream accept/);
  await accept(true);
  await vi.waitFor(() => expect(read()).resolves.toHaveProperty('contents'), PATIENCE);
});

it('no acceptance is lost when many come at once', async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `u${n}`);
  await Promise.all(ids.map((id) => trustOf(home).accept({ id, target: 'one', tools: [] })));
  expect(ids.filter((id) => !trustOf(home).isAccepted(id, 'one'))).toEqual([]);
  expect(await readdir(home)).toEqual(['upstreams.json']);
});

it('an id that only the flag of another server names is refused with the flag to write', async () => {
  await expect(accept(true)).rejects.toMatchObject({
    code: 'invalid_argument',
    hint: expect.stringContaining("spillway --upstream 'odd=…' upstream") as unknown,
  });
});
