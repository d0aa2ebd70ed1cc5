import type { Option } from 'commander';
import { readNumber, setting, wholeNumber } from '../core/flag.ts';
import { LOG_LEVELS } from '../core/logger.ts';
import { settings } from './settings.ts';
import type { WorkerCommandOptions } from './command.ts';
import { type AddCommand, flag, flagOf } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  const whole = (syntax: string, about: string, byDefault: number, max: number): Option => {
    const schema = () => wholeNumber({ min: 1, max });
    const row = setting({ flag: syntax, help: about, read: readNumber, byDefault, schema });
    return flagOf(row).default(byDefault);
  };
  add<WorkerCommandOptions>({
    name: 'worker',
    about: 'read pages for other machines, in private browsers',
    options: [
      flagOf(settings.queue).env('SPILLWAY_QUEUE').makeOptionMandatory(),
      flagOf(settings.queuePasswordFile).env('SPILLWAY_QUEUE_PASSWORD_FILE'),
      flagOf(settings.queueKeyFile).env('SPILLWAY_QUEUE_KEY_FILE'),
      whole('--lanes <number>', 'pages at once', 6, 256),
      whole('--browsers <number>', 'private browsers for pages', 1, 32),
      flag('--browser <path>', 'the Chromium to start'),
      whole('--job-seconds <seconds>', 'time that one page may take', 60, 600),
      whole('--job-megabytes <megabytes>', 'size of a page; scripts get 16 times as much memory', 64, 1_024),
      flag('--health-socket <path>', 'answer HTTP with its state on this socket (0600)'),
      flag('--log-level <level>', 'log level on stderr', 'info').choices(LOG_LEVELS),
    ],
    run: async (flags) => (await import('./command.ts')).runWorker(flags),
  });
}
