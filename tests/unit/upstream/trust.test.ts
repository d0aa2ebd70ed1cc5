import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runUpstreamAccept, runUpstreamList } from '../../../server/cli/upstream.ts';
import { trustOf } from '../../../server/upstream/index.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, program, startWithUpstreams } from '../../support/upstream-rig.ts';

let home: string;
let server: MemoryServer | undefined;
let printed = '';
const io = { write: (text: string) => void (printed += text), isTerminal: false };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'spillway-trust-'));
  printed = '';
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(home, { recursive: true });
});

async function write(...flags: string[]): Promise<void> {
  const upstreams = [{ id: 'odd', command: process.execPath, args: [FAULTS, ...flags] }];
  await writeFile(join(home, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
}

const accept = (isYes: boolean) =>
  runUpstreamAccept({ home, id: 'odd', yes: false, ask: async () => isYes }, io);

const start = async (...flags: string[]): Promise<MemoryServer> =>
  (server = await startWithUpstreams(
    [],
    {},
    { upstreamParts: { entries: [program('odd', [FAULTS, ...flags])], trust: trustOf(home) } },
  ));

const shown = async (name: string) =>
  (await server?.client.listTools())?.tools.find((tool) => tool.name === name);

it('a tool that nobody has accepted shows nothing of its server, and is not called', async () => {
  await write();
  const { call } = await start();
  const tool = await shown('odd_echo');
  expect(tool?.description).toContain('spillway upstream accept odd');
  expect(tool?.description).not.toContain('Does echo');
  expect(tool?.inputSchema.properties).toBeUndefined();
  expect((await call('odd_echo', { value: 'a' })).code()).toBe('upstream_not_accepted');
});

it('one that is accepted meanwhile is offered without a restart', async () => {
  await write();
  const { call } = await start();
  expect(await accept(false)).toBe(1);
  expect((await call('odd_echo', { value: 'a' })).code()).toBe('upstream_not_accepted');
  expect(await accept(true)).toBe(0);
  expect(printed).toContain(process.execPath);
  expect(printed).toContain('Does echo.');
  expect((await stat(join(home, 'upstreams.json'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home, 'upstreams.json'), 'utf8')).not.toContain(FAULTS);
  await vi.waitFor(async () => expect((await shown('odd_echo'))?.description).toBe('Does echo.'), PATIENCE);
  expect((await call('odd_echo', { value: 'a' })).text).toBe('a');
});

it('a description that changes after it was accepted is not shown, and its tool is not called', async () => {
  await write();
  await accept(true);
  const changed = join(home, 'changed.mjs');
  const source = await readFile(FAULTS, 'utf8');
  // The same command, and another program behind it.
  await writeFile(changed, source);
  const upstreams = [{ id: 'odd', command: process.execPath, args: [changed] }];
  await writeFile(join(home, 'spillway.json'), JSON.stringify({ upstreams }));
  await accept(true);
  await writeFile(changed, source.replace("flags.includes('changed')", 'true'));
  const { call } = (server = await startWithUpstreams(
    [],
    {},
    { upstreamParts: { entries: [program('odd', [changed])], trust: trustOf(home) } },
  ));
  expect((await shown('odd_echo'))?.description).not.toContain('evil.example');
  expect((await call('odd_echo', { value: 'a' })).code()).toBe('upstream_changed');
  printed = '';
  expect(await accept(true)).toBe(0);
  expect(printed).toContain('(changed)');
  await vi.waitFor(async () => expect((await call('odd_echo', { value: 'a' })).text).toBe('a'), PATIENCE);
});

it('everything that a model sees of a tool is printed before it is accepted, however long it is', async () => {
  const wordy = join(home, 'wordy.mjs');
  const source = await readFile(FAULTS, 'utf8');
  const more = "title: `Title of ${name}\u202e`, description: `${'x'.repeat(20_000)} the end of";
  await writeFile(wordy, source.replace('description: `Does', more));
  const upstreams = [{ id: 'odd', command: process.execPath, args: [wordy, 'y'.repeat(600)] }];
  await writeFile(join(home, 'spillway.json'), JSON.stringify({ upstreams }));
  expect(await accept(false)).toBe(1);
  for (const part of ['the end of echo', 'called “Title of echo\\u{202e}”', 'y'.repeat(600)])
    expect(printed).toContain(part);
  expect(printed).toMatch(/answers \{.*"count":\{"type":"integer"\}/);
});

it('another command under an accepted id has to be accepted again', async () => {
  await write();
  await accept(true);
  const { call } = await start('changed');
  expect((await call('odd_echo', { value: 'a' })).code()).toBe('upstream_changed');
});

it('of many that are accepted at once none is lost', async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `u${n}`);
  await Promise.all(ids.map((id) => trustOf(home).accept({ id, target: 'one', tools: [] })));
  expect(ids.filter((id) => !trustOf(home).isAccepted(id, 'one'))).toEqual([]);
  expect(await readdir(home)).toEqual(['upstreams.json']);
});

it('a damaged file trusts nothing', async () => {
  await write();
  await accept(true);
  await writeFile(join(home, 'upstreams.json'), '{}');
  const { call } = await start();
  expect((await call('odd_echo', { value: 'a' })).code()).toBe('upstream_not_accepted');
});

it('the list says what waits', async () => {
  await write();
  expect(await runUpstreamList({ home }, io)).toBe(0);
  expect(printed).toMatch(/✓ odd .* not accepted: spillway upstream accept odd/);
});
