import type { Command } from 'commander';
import { toSpillwayError } from '../../shared/errors.ts';
import { addCommands } from './commands.ts';
import { serverCommand, settingNames, type ServerFlags } from './options.ts';
import { serve } from './serve.ts';

/** Ends with a coded error on stderr; stdout may belong to a protocol. */
function fail(thrown: unknown): never {
  const error = toSpillwayError(thrown);
  process.stderr.write(`spillway: ${error.message}\n  ${error.hint} (${error.code})\n`);
  process.exit(1);
}

const program = serverCommand().action((flags: ServerFlags, command: Command) => {
  const [stray] = command.args;
  // A misspelt command must not start a server.
  if (stray !== undefined) command.error(`error: unknown command '${stray.slice(0, 80)}'`);
  return serve(flags, settingNames(command));
});

addCommands(program);
// After the commands, which would take it over and run with whatever stands behind them.
program.allowExcessArguments();
program.parseAsync().catch(fail);
