import type { RemoteCommandOptions } from './command.ts';
import { type AddCommand, flag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<Omit<RemoteCommandOptions, 'host'>>({
    name: 'remote',
    about: 'share this browser with agents on an SSH host',
    arguments: [['<host>', 'as ssh takes it: an alias, a name, or user@name']],
    options: [flag('--browser <name>', 'name or label of the browser; default: the only one that runs')],
    run: async (flags, io, [host = '']) => (await import('./command.ts')).runRemote({ ...flags, host }, io),
  });
}
