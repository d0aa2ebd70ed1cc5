import type { InstallCommandOptions, UninstallCommandOptions } from './command.ts';
import { type AddCommand, type CommandHost, flag, homeFlag, jsonFlag } from '../core/command.ts';

export function addCommands(add: AddCommand, { stopSessions }: CommandHost): void {
  add<InstallCommandOptions>({
    name: 'install',
    about: 'register the native host with the browsers of this user',
    options: [
      flag(
        '--browser <names>',
        'chrome, chromium, edge, brave, vivaldi (comma-separated), or all; default: every browser found',
      ),
      flag(
        '--client <names>',
        'also add the server to claude-code, codex, cursor, vscode, windsurf, zed, gemini (comma-separated), or all that are found',
      ),
      jsonFlag(),
      homeFlag(),
    ],
    run: async (flags, io) => (await import('./command.ts')).runInstall(flags, io),
  });
  add<UninstallCommandOptions>({
    name: 'uninstall',
    about: 'remove everything that install wrote, and name what servers have stored',
    options: [
      flag(
        '--client <names>',
        'take the server out of the settings of these clients, or of all, and remove nothing else',
      ),
      flag('--purge', 'also remove outputs, runs, recipes, journal and ledger', false),
      jsonFlag(),
      homeFlag(),
    ],
    run: async (flags, io) => {
      const { runUninstall } = await import('./command.ts');
      return runUninstall(flags, io, stopSessions);
    },
  });
}
