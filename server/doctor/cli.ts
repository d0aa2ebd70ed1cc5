import type { DoctorCommandOptions } from './command.ts';
import { type AddCommand, flag, homeFlag, jsonFlag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<DoctorCommandOptions>({
    name: 'doctor',
    about: 'check each hop from the server to a page, and report the first failure with its fix',
    options: [
      flag(
        '--browser <names>',
        'browsers to check (comma-separated); default: those registered by install. With --launch: the browser to start',
      ),
      flag('--launch', 'check every hop with a private browser', false),
      flag('--headless', 'with --launch: without a window', false),
      jsonFlag(),
      homeFlag(),
    ],
    run: async (flags, io) => (await import('./command.ts')).runDoctor(flags, io),
  });
}
