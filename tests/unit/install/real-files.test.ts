import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readExtension } from '../../../server/bridge/install/extension-files.ts';
import { makeDirectories, nodeFiles } from '../../../server/bridge/install/files.ts';
import { currentMachine } from '../../../server/bridge/install/machine.ts';
import { parseRegistryValue } from '../../../server/bridge/install/registry.ts';
import { runInstall } from '../../../server/cli/install.ts';
import { runUninstall } from '../../../server/cli/uninstall.ts';
import { VERSION } from '../../../shared/version.ts';
import { isPosix } from '../../support/posix.ts';

const scratch = mkdtempSync(join(tmpdir(), 'spillway-install-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const tree = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

describe.runIf(isPosix)('nodeFiles', () => {
  it('creates folders for their owner alone and names the new ones', async () => {
    const deep = join(scratch, 'x', 'y', 'z');
    expect(await makeDirectories(nodeFiles, deep)).toEqual([
      join(scratch, 'x'),
      join(scratch, 'x', 'y'),
      deep,
    ]);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(await makeDirectories(nodeFiles, deep)).toEqual([]);
  });
});

describe.runIf(isPosix)('the commands on a real disk', () => {
  it('install what a second run finds unchanged, and uninstall to the last file', async () => {
    const user = join(scratch, 'Jürgen Ö\'s "home"');
    const dist = join(user, 'dist');
    mkdirSync(join(dist, 'extension'), { recursive: true });
    writeFileSync(join(dist, 'index.js'), '');
    writeFileSync(join(dist, 'host.js'), '');
    writeFileSync(join(dist, 'extension', 'manifest.json'), '{"version":"0.1.0"}');
    const before = tree(user);
    vi.stubEnv('HOME', user);
    vi.stubEnv('XDG_CONFIG_HOME', join(user, 'config'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const messages: string[] = [];
    const io = { write: (text: string) => void messages.push(text), isTerminal: false };
    const home = join(user, 'spillway');
    const options = { browser: 'all', home, bridgeDirectory: join(user, 'bridge'), distDirectory: dist };
    expect(await runInstall(options, io)).toBe(0);
    expect(messages.join('')).toContain('Choose "Load unpacked"');
    const args = [join(dist, 'index.js'), '--output-mode-default', 'auto'];
    const [, typed] = /claude mcp add spillway -- (.*)/.exec(messages.join('')) ?? [];
    expect(execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${typed}`], { encoding: 'utf8' })).toBe(
      [process.execPath, ...args, ''].join('\n'),
    );
    const [config] = /\{"mcpServers".*\}/.exec(messages.join('')) ?? [''];
    expect(JSON.parse(config)).toEqual({ mcpServers: { spillway: { command: process.execPath, args } } });
    expect(statSync(join(home, 'host', 'spillway-host')).mode & 0o777).toBe(0o700);
    expect(await runInstall({ ...options, json: true }, io)).toBe(0);
    expect(JSON.parse(messages.at(-1) ?? '')).toMatchObject({ home, launcher: { action: 'unchanged' } });
    expect(await runUninstall({ home }, io)).toBe(0);
    expect(tree(user)).toEqual(before);
    expect(await runUninstall({ home }, io)).toBe(0);
    expect(messages.at(-1)).toContain('Spillway is not installed');
  });
});

describe('parsing what others say', () => {
  it('computes from its key the id that the browser gave to our extension', async () => {
    const source = resolve(import.meta.dirname, '../../../extension/public/manifest.json');
    const folder = join(scratch, 'extension');
    mkdirSync(folder);
    // The build adds the version.
    const manifest = readFileSync(source, 'utf8').replace('{', `{ "version": "${VERSION}",`);
    writeFileSync(join(folder, 'manifest.json'), manifest);
    const built = await readExtension(currentMachine(), nodeFiles, folder);
    expect(built?.id).toBe('bnboliiaafojflkfnohnppmemdphbhek');
  });

  it.each([
    ['\r\nHKEY\r\n    (Default)    REG_SZ    C:\\a b\\x.json\r\n\r\n', 'C:\\a b\\x.json'],
    ['ERROR: The system was unable to find the specified registry key', null],
  ])('reads %j from reg query', (stdout, expected) => {
    expect(parseRegistryValue(stdout)).toBe(expected);
  });
});
