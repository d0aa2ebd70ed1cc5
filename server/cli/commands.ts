import type { Command } from 'commander';
import { expectPrivateHome } from '../core/machine/private-folder.ts';
import { valueIn } from '../../shared/base/maps.ts';
import { flag, homeFlag, type AddCommand, type CommandHost, type CommandRow } from '../core/command.ts';
import { CAPABILITY_COMMANDS } from './commands.generated.ts';
import { seeHelpOf, type ServerFlags } from './options.ts';
import type { StopOptions } from './session/start.ts';

/** Flags of the server that commands also take; Spillway's home is from the command's or the server's. */
const SHARED = [
  'config',
  'upstream',
  'connectTimeoutMs',
  'outputMaxBytes',
  'queue',
  'queuePasswordFile',
  'queueKeyFile',
] as const;

const GROUPS: Readonly<Record<string, string>> = {
  run: 'runs of recipes and programs',
  ledger: 'who asked, who decided, and what was done on pages',
  upstream: 'other servers whose tools are offered',
};

/** Adds every command that is not a tool. */
export function addCommands(program: Command): void {
  // Otherwise the server's own --browser and --home would swallow a command's.
  program.enablePositionalOptions();
  const groups = new Map<string, Command>();
  const groupOf = (name: string): Command =>
    valueIn(groups, name, () => program.command(name).description(GROUPS[name] ?? ''));
  function add<Flags extends object>(row: CommandRow<Flags>): void {
    const { name, about, arguments: operands = [], options, run } = row;
    const [group = '', own] = name.split(' ');
    const command = own === undefined ? program.command(name) : groupOf(group).command(own);
    command.description(about).showHelpAfterError(seeHelpOf(name));
    for (const [syntax, meaning] of operands) command.argument(syntax, meaning);
    for (const option of options) command.addOption(option);
    command.action(async () => {
      const { home: homeOfServer, ...server } = program.opts<ServerFlags>();
      const shared = Object.fromEntries(SHARED.map((key) => [key, server[key]]));
      const flags = { ...shared, home: homeOfServer, ...command.opts<Flags & { readonly home?: string }>() };
      // A bundle is checked without a home, and doctor says what is wrong with it.
      if (name !== 'doctor' && options.some(({ long }) => long === '--home')) expectPrivateHome(flags.home);
      const { processIo } = await import('../core/command-io.ts');
      process.exitCode = await run(flags, processIo(), command.args);
    });
  }
  for (const addOwn of [addStop, ...CAPABILITY_COMMANDS]) addOwn(add, HOST);
}

const HOST: CommandHost = {
  stopSessions: async (home) => (await import('./session/start.ts')).stopAllSessions(home),
};

function addStop(add: AddCommand): void {
  add<StopOptions>({
    name: 'stop',
    about: "end this folder's session of commands; its tabs stay open",
    options: [
      flag('--session <name>', 'the session of this name instead'),
      flag('--all', 'every session', false),
      homeFlag(),
    ],
    run: async (flags, io) => (await import('./session/start.ts')).runStop(flags, io),
  });
}
