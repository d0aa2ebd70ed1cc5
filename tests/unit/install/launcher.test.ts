import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from '../../support/property.ts';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type LauncherFacts,
  launcherText,
  parseLauncher,
  stableNodePath,
} from '../../../server/bridge/install/launcher.ts';
import { LINUX } from './memory-files.ts';
import { isPosix } from '../../support/posix.ts';
import { commandLine } from '../../../server/bridge/install/command-line.ts';

const scratch = mkdtempSync(join(tmpdir(), 'spillway-launcher-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Replaces host.js: reports its input. */
const REPORTER = `process.stdout.write(JSON.stringify({
  args: process.argv.slice(2), dir: process.env.SPILLWAY_BRIDGE_DIR, server: process.env.SPILLWAY_SERVER_SCRIPT, options: process.env.NODE_OPTIONS ?? null }));`;

const runLauncher = (name: string): unknown => {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  const facts: LauncherFacts = {
    node: join(folder, 'node'),
    hostScript: join(folder, 'host.mjs'),
    bridgeDirectory: join(folder, 'bridge'),
    serverScript: join(folder, 'index.js'),
  };
  symlinkSync(process.execPath, facts.node);
  writeFileSync(facts.hostScript, REPORTER);
  const launcher = join(folder, 'launcher');
  writeFileSync(launcher, launcherText('linux', facts));
  chmodSync(launcher, 0o700);
  const stdout = execFileSync(launcher, ['chrome-extension://abc/', 'a b'], {
    env: { PATH: '', NODE_OPTIONS: '--no-such-option' },
    cwd: '/',
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
};

describe.runIf(isPosix)('the shell launcher, run with a bare PATH and an unusable NODE_OPTIONS', () => {
  it.each([
    'it\'s "quoted" %PATH%',
    // No backslash: Node itself loads no module from such a folder.
    'Jürgen 日本語 $HOME `id` $(id) !x * ? ~ & ; | < > #',
    '-n',
    'line\nbreak',
  ])('starts the host in a folder named %j', (name) => {
    expect(runLauncher(name)).toEqual({
      args: ['chrome-extension://abc/', 'a b'],
      dir: join(scratch, name, 'bridge'),
      server: join(scratch, name, 'index.js'),
      options: null,
    });
  });
});

describe('parseLauncher', () => {
  it('reads back whatever was written', () => {
    const posixPath = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
    const windowsPath = posixPath.filter((text) => !/["\r]/.test(text));
    const facts = (path: fc.Arbitrary<string>) =>
      fc.record({
        node: path,
        hostScript: path,
        bridgeDirectory: fc.option(path),
        serverScript: fc.option(path),
      });
    for (const [platform, path] of [
      ['linux', posixPath],
      ['win32', windowsPath],
    ] as const)
      fc.assert(
        fc.property(facts(path), (each) => {
          expect(parseLauncher(platform, launcherText(platform, each))).toEqual(each);
        }),
      );
  });
});

it('writes the Windows launcher with UTF-8 paths, percent signs doubled and the exit code kept', () => {
  const text = launcherText('win32', {
    node: 'C:\\Program Files\\nodejs\\node.exe',
    hostScript: 'C:\\Users\\Jürgen 100%\\host.js',
    bridgeDirectory: 'C:\\Users\\Jürgen 100%\\.spillway\\bridge',
    serverScript: 'C:\\Spillway\\index.js',
  });
  expect(text.split('\r\n')).toEqual([
    '@echo off',
    'rem Starts the native messaging host of Spillway. Written by `spillway install`; do not edit.',
    'setlocal DisableDelayedExpansion',
    'rem The paths below are UTF-8.',
    'chcp 65001 >nul 2>nul <nul',
    'set "NODE_OPTIONS="',
    'set "SPILLWAY_PRIVATE_LAUNCH="',
    'set "SPILLWAY_BRIDGE_DIR=C:\\Users\\Jürgen 100%%\\.spillway\\bridge"',
    'set "SPILLWAY_SERVER_SCRIPT=C:\\Spillway\\index.js"',
    '"C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\Jürgen 100%%\\host.js" %*',
    'exit /b %ERRORLEVEL%',
    '',
  ]);
});

describe('stableNodePath', () => {
  const exists = (path: string): boolean => path === '/opt/homebrew/opt/node@20/bin/node';
  it.each([
    ['/opt/homebrew/Cellar/node@20/20.19.0/bin/node', '/opt/homebrew/opt/node@20/bin/node'],
    ['/opt/homebrew/Cellar/node/24.1.0/bin/node', '/opt/homebrew/Cellar/node/24.1.0/bin/node'],
  ])('%s → %s', (execPath, expected) => {
    expect(stableNodePath(LINUX, execPath, exists)).toBe(expected);
  });
});

describe('a command line', () => {
  it('of a Windows path', () => {
    expect(
      commandLine([String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\s\index.js`], 'win32'),
    ).toBe(String.raw`"C:\Program Files\nodejs\node.exe" C:\s\index.js`);
  });

  it.runIf(isPosix)('is the same words again to a shell', () => {
    const word = fc.string({ unit: 'binary-ascii' }).filter((text) => !text.includes('\0'));
    // The printf of the shell, which starts no process for each case.
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const script = `printf '%s\\0' ${commandLine(['first', ...words], 'linux')}`;
        const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
        expect(printed.split('\0')).toEqual(['first', ...words, '']);
      }),
      { numRuns: 12 },
    );
  });
});
