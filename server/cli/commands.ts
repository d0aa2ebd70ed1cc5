import { resolve } from 'node:path';
import type { Command } from 'commander';
import { defaultHome } from './options.ts';

interface BrowserFlags {
  readonly browser?: string;
  readonly json: boolean;
  readonly home: string;
}

const HOME: [string, string, (dir: string) => string] = [
  '--home <dir>',
  "Spillway's home",
  (dir) => resolve(dir),
];

/** Adds install, uninstall and doctor; each is loaded when it runs, so that serving does not pay for it. */
export function addCommands(program: Command): void {
  program
    .command('install')
    .description('register the native host with the browsers of this user')
    .option(
      '--browser <names>',
      'chrome, chromium, edge, brave, vivaldi (with commas), or all; default: those found',
    )
    .option('--json', 'print the report as JSON', false)
    .option(...HOME, defaultHome())
    .action(async (flags: BrowserFlags) => {
      const [{ runInstall }, { processIo }] = await Promise.all([
        import('./install.ts'),
        import('./command-io.ts'),
      ]);
      process.exitCode = await runInstall(flags, processIo());
    });
  program
    .command('uninstall')
    .description('remove what install wrote')
    .option('--json', 'print the report as JSON', false)
    .option(...HOME, defaultHome())
    .action(async (flags: BrowserFlags) => {
      const [{ runUninstall }, { processIo }] = await Promise.all([
        import('./uninstall.ts'),
        import('./command-io.ts'),
      ]);
      process.exitCode = await runUninstall(flags, processIo());
    });
}
