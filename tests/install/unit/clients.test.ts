import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CLIENT_FILES,
  CLIENT_KINDS,
  clientsWithEntry,
  type ClientKind,
} from '../../../server/core/bridge/client-files.ts';
import { planClients, removeClients, writeClients } from '../../../server/install/clients.ts';
import { nodeFiles, type Machine } from '../../../server/core/bridge/machine.ts';
import { isPosix } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';
import { LINUX, MAC, MemoryFiles, WINDOWS } from './memory-files.ts';

const ENTRY = { command: '/opt/node', args: ['/srv/index.js', '--output-mode-default', 'auto'] };
const SERVER = '"command": "/opt/node"';
function benchOn(machine: Machine, settings: Readonly<Record<string, string>> = {}) {
  const files = new MemoryFiles(machine);
  for (const [path, text] of Object.entries(settings)) files.put(path, text);
  const own = { machine, files };
  return {
    files,
    add: async (clients: 'found' | readonly ClientKind[] = 'found', entry = ENTRY) =>
      writeClients(own, await planClients({ ...own, clients }, entry)),
    remove: (clients: 'found' | readonly ClientKind[] = 'found') => removeClients({ ...own, clients }),
  };
}

const JSONC = `{
    "theme": "dark", /* at night */
    "context_servers": {
        "other": { "command": "x", "args": [], }, // mine
    },
}
`;
const TOML = `# My settings.
model = "o3"

[mcp_servers.other]
command = "x" # mine

[profiles.fast]
model = "small"
`;
const ZED = '/home/ada/.config/zed/settings.json';
const CODEX = '/home/ada/.codex/config.toml';
const SECTIONS: Partial<Record<ClientKind, string>> = { vscode: 'servers', zed: 'context_servers' };
describe('settings of clients', () => {
  it('are read to say which start Spillway', async () => {
    const own = { machine: { ...LINUX, userHome: testFolder() }, files: nodeFiles };
    expect(clientsWithEntry(own.machine)).toEqual([]);
    await writeClients(own, await planClients({ ...own, clients: CLIENT_KINDS }, ENTRY));
    expect(clientsWithEntry(own.machine)).toEqual(CLIENT_KINDS.map((kind) => CLIENT_FILES[kind].name));
    await removeClients({ ...own, clients: ['zed', 'codex'] });
    expect(clientsWithEntry(own.machine)).toHaveLength(CLIENT_KINDS.length - 2);
  });

  it.runIf(isPosix)('are read behind a link, and neither from a pipe nor from a device', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'file'), 'four sails');
    symlinkSync('file', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const read = (path: string) => nodeFiles.read(path);
    expect((await read(join(folder, 'link')))?.toString()).toBe('four sails');
    expect(await Promise.all([join(folder, 'pipe'), '/dev/zero', folder].map(read))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it.each([
    [LINUX, 'vscode', '/home/ada/.config/Code/User/mcp.json'],
    [MAC, 'vscode', '/Users/ada/Library/Application Support/Code/User/mcp.json'],
    [WINDOWS, 'zed', 'C:\\Users\\Ada\\AppData\\Roaming\\Zed\\settings.json'],
    [LINUX, 'claude-code', '/home/ada/.claude.json'],
  ] as const)('are where the client reads them: %#', async (machine, client, path) => {
    const [written] = await benchOn(machine).add([client]);
    expect(written).toMatchObject({ client, path, action: 'written' });
  });

  it('start the server in the shape of each client, and go again without a trace', async () => {
    const bench = benchOn(LINUX);
    for (const { path, client } of await bench.add(CLIENT_KINDS)) {
      const text = bench.files.text(path);
      if (client === 'codex')
        expect(text).toMatch(/^\[mcp_servers\.spillway\]\ncommand = "\/opt\/node"\nargs = /);
      else
        expect(JSON.parse(text)).toEqual({
          [SECTIONS[client] ?? 'mcpServers']: { spillway: expect.objectContaining(ENTRY) },
        });
    }
    expect((await bench.remove()).length).toBe(CLIENT_KINDS.length);
    expect([...bench.files.entries.keys()]).toEqual([]);
  });

  it.each([
    ['zed', ZED, JSONC],
    ['zed', ZED, JSONC.replaceAll('\n', '\r\n')],
    ['zed', ZED, '{}'],
    ['zed', ZED, '{"context_servers":{}}\n'],
    ['zed', ZED, '{"context_servers": {"spillway": {"command": "mine", "env": {"A": "1"}}}}'],
    ['codex', CODEX, TOML],
    ['codex', CODEX, 'model = "o3"'],
    ['codex', CODEX, `${TOML}\n[mcp_servers.spillway]\ncommand = "old"\nstartup_timeout_sec = 9\n`],
    ['codex', CODEX, '[mcp_servers.spillway]\ncommand = "old"\n\n# Ask Ada.\n[more]\nb = 2\n'],
    ['codex', CODEX, '[mcp_servers.spillway]\r\ncommand = "old"\r\n\r\n# The end.'],
    ['zed', ZED, `{"pasted": "${'-'.repeat(16_000_000)}"}`],
  ] as const)('keep what is in them, and are as before byte for byte: %#', async (client, path, before) => {
    const bench = benchOn(LINUX, { [path]: before });
    const [{ action, backup } = { action: '', backup: '' }] = await bench.add([client]);
    const after = bench.files.text(path);
    expect(action).toBe('updated');
    expect(bench.files.text(backup)).toBe(before);
    expect(after).toContain('/opt/node');
    for (const [kept] of before.matchAll(/\/\/ .*|\/\*.*?\*\/|# .*|"env".*?\}|\w+_sec = 9/g))
      expect(after).toContain(kept);
    const [again] = await bench.add([client], { ...ENTRY, args: [] });
    expect(again?.action).toBe('updated');
    expect(await bench.remove([client])).toEqual([path]);
    expect(bench.files.text(path)).toBe(before);
    expect([...bench.files.entries.keys()]).toEqual([path]);
  });

  it('keep what a person has changed since', async () => {
    const bench = benchOn(LINUX, { [ZED]: JSONC, [CODEX]: TOML });
    await bench.add();
    bench.files.put(ZED, bench.files.text(ZED).replace('"dark"', '"light"'));
    bench.files.put(
      CODEX,
      `${bench.files.text(CODEX)}\n[mcp_servers.spillway.env]\nA = "1"\n\n# Ask Ada.\n[more]\nb = 2\n`,
    );
    await bench.remove();
    expect(bench.files.text(ZED)).toBe(JSONC.replace('dark', 'light'));
    expect(bench.files.text(CODEX)).toBe(`${TOML}\n# Ask Ada.\n[more]\nb = 2\n`);
    expect(bench.files.text(CODEX)).not.toContain('spillway');
  });

  it('are found where they are, and stay as they are when they say it already', async () => {
    const bench = benchOn(LINUX, { [ZED]: JSONC });
    expect((await bench.add()).map(({ client }) => client)).toEqual(['zed']);
    const first = bench.files.text(ZED);
    expect(first).toContain(SERVER);
    expect((await bench.add()).map(({ action }) => action)).toEqual(['unchanged']);
    expect(bench.files.text(ZED)).toBe(first);
    bench.files.put(ZED, '{');
    const hint = expect.stringContaining(`delete ${ZED}.before-spillway`);
    await expect(bench.remove()).rejects.toMatchObject({ hint });
  });

  it.each([
    ['zed', ZED, '{ "theme": dark }', 'unexpected d in line 1'],
    ['zed', ZED, '{\n "a": 1\n "b": 2 }', 'a comma is missing in line 3'],
    ['zed', ZED, '{} {}', 'unexpected { in line 1'],
    ['zed', ZED, '{', 'unexpected end'],
    ['zed', ZED, '{"context_servers": []}', 'unexpected ['],
    ['codex', CODEX, 'model = ', 'Invalid TOML'],
    ['codex', CODEX, 'mcp_servers = { spillway = { command = "x" } }', '[mcp_servers.spillway]'],
    ['codex', CODEX, TOML, 'this user cannot open it'],
  ] as const)(
    'that cannot be read are named, and nothing is changed: %#',
    async (client, path, text, problem) => {
      const bench = benchOn(LINUX);
      bench.files.put(path, text, text === TOML ? 0o200 : 0o600);
      const added = bench.add(['cursor', client]);
      await expect(added).rejects.toMatchObject({
        code: 'client_config_invalid',
        message: expect.stringContaining('Nothing was changed'),
        hint: expect.stringContaining(path),
      });
      for (const part of [path, problem]) await expect(added).rejects.toThrow(part);
      expect([...bench.files.entries.keys()]).toEqual([path]);
      expect(bench.files.text(path)).toBe(text);
    },
  );
});
