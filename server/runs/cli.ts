import type { RunListOptions } from './list-command.ts';
import { type AddCommand, flag, homeFlag, jsonFlag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<RunListOptions>({
    name: 'run list',
    about: 'list runs of recipes and programs: which wait for a person, have failed, overlap, or are missing',
    options: [
      flag('--recipe <name>', 'only of this recipe'),
      flag('--every <time>', 'the interval of its schedule, 15m, 2h or 1d: also count the missing runs'),
      flag('--count <number>', 'how many runs', '20'),
      jsonFlag(),
      homeFlag(),
    ],
    run: async (flags, io) => (await import('./list-command.ts')).runList(flags, io),
  });
}
