import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import {
  type LauncherFacts,
  launcherText,
  parseLauncher,
  stableNodePath,
} from '../../../server/core/bridge/launcher.ts';
import { LINUX } from './memory-files.ts';
import { isPosix } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

const scratch = testFolder();
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

it.runIf(isPosix).each([
  'it\'s "quoted" %PATH%',
  // No backslash: Node itself loads no module from such a folder.
  'Jürgen 日本語 $HOME `id` $(id) !x * ? ~ & ; | < > #',
  '-n',
  'line\nbreak',
])(
  'the shell launcher, run with a bare PATH and an unusable NODE_OPTIONS starts the host in a folder named %j',
  (name) => {
    expect(runLauncher(name)).toEqual({
      args: ['chrome-extension://abc/', 'a b'],
      dir: join(scratch, name, 'bridge'),
      server: join(scratch, name, 'index.js'),
      options: null,
    });
  },
);

it('parseLauncher reads back whatever was written', () => {
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

const exists = (path: string): boolean => path === '/opt/homebrew/opt/node@20/bin/node';
it.each([
  ['/opt/homebrew/Cellar/node@20/20.19.0/bin/node', '/opt/homebrew/opt/node@20/bin/node'],
  ['/opt/homebrew/Cellar/node/24.1.0/bin/node', '/opt/homebrew/Cellar/node/24.1.0/bin/node'],
])('stableNodePath %s → %s', (execPath, expected) => {
  expect(stableNodePath(LINUX, execPath, exists)).toBe(expected);
});
