import { toSpillwayError } from '../../shared/errors.ts';
import { addCommands } from './commands.ts';
import { serverCommand, type ServerFlags } from './options.ts';
import { serve } from './serve.ts';

/** Ends with a coded error on stderr; stdout may belong to a protocol. */
function fail(thrown: unknown): never {
  const error = toSpillwayError(thrown);
  process.stderr.write(`spillway: ${error.message}\n  ${error.hint} (${error.code})\n`);
  process.exit(1);
}

const program = serverCommand().action((flags: ServerFlags) => serve(flags));

addCommands(program);
program.parseAsync().catch(fail);
