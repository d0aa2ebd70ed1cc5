import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { processIo } from '../../../server/core/command-io.ts';
import { runInstall, runUninstall } from '../../../server/install/command.ts';
import { isPosix } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

it('the commands have a terminal without colours, too', () => {
  vi.stubEnv('NO_COLOR', '1');
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  expect(processIo().isTerminal).toBe(true);
  process.stdout.isTTY = isTTY;
  vi.unstubAllEnvs();
});

const scratch = testFolder();
const tree = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

it.runIf(isPosix)(
  'the commands on a real disk install what a second run finds unchanged, and uninstall to the last file',
  async () => {
    const user = join(scratch, 'Jürgen Ö\'s "home"');
    const dist = join(user, 'dist');
    mkdirSync(join(dist, 'extension'), { recursive: true });
    writeFileSync(join(dist, 'index.js'), '');
    writeFileSync(join(dist, 'host.js'), '');
    writeFileSync(join(dist, 'extension', 'manifest.json'), '{"version":"0.1.0"}');
    mkdirSync(join(user, '.cursor'));
    writeFileSync(join(user, '.gemini'), 'in the place of its folder');
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
    // The folder is hidden: its path is typed.
    expect(messages.join('')).toMatch(
      /Copy that path: in the dialog, (click "Home", press Ctrl\+L|press Cmd\+Shift\+G)/,
    );
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
    expect(await runInstall({ ...options, client: 'gemini,cursor' }, io)).toBe(1);
    expect(messages.at(-1)).toMatch(/✓ Cursor .*The settings of Gemini .*\.gemini cannot .*1\. Open/s);
    const below = join(dist, 'host.js', 'home');
    const refused = { code: 'invalid_argument', message: expect.stringContaining(dist) };
    await expect(runInstall({ ...options, home: below }, io)).rejects.toMatchObject(refused);
    expect(await runUninstall({ home }, io, () => Promise.resolve([]))).toBe(0);
    expect(tree(user)).toEqual(before);
    expect(await runUninstall({ home }, io, () => Promise.resolve([]))).toBe(0);
    expect(messages.at(-1)).toContain('Spillway is not installed');
  },
);
