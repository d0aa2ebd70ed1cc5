import type { Command } from 'commander';
import { cut } from '../../shared/cut.ts';
import { addCommands, addToolCommands } from './commands.ts';
import { serverCommand, settingNames, type ServerFlags } from './options.ts';
import { printError } from './print-error.ts';
import { serve } from './serve.ts';

function fail(thrown: unknown): never {
  printError(thrown);
  process.exit(1);
}

// Node would print the error as it is, which may quote a page.
process.on('uncaughtException', fail);

const program = serverCommand().action((flags: ServerFlags, command: Command) => {
  const [unknown] = command.args;
  // A misspelt command must not start a server.
  if (unknown !== undefined) command.error(`error: unknown command '${cut(unknown, 80)}'`);
  return serve(flags, settingNames(command));
});

addCommands(program);
await addToolCommands(program, process.argv.slice(2));
// After the commands, which would take it over and run with the arguments after it.
program.allowExcessArguments();
program.parseAsync().catch(fail);
