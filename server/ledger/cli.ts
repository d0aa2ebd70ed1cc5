import { RISKS } from '../../shared/core/policy/names.ts';
import type { LedgerShowOptions, LedgerVerifyOptions } from './command.ts';
import { type AddCommand, flag, homeFlag, jsonFlag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<LedgerShowOptions>({
    name: 'ledger show',
    about: 'print the newest lines, oldest first',
    options: [
      flag('--agent <name>', 'of agents whose name contains this'),
      flag('--site <host>', 'of this host and its subdomains'),
      flag('--tool <name>', 'of this tool'),
      flag('--risk <risk>', 'with this risk').choices(RISKS),
      flag('--outcome <word>', 'with this outcome or error code: done, failed, denied, …'),
      flag('--since <time>', 'an ISO time, or an age: 15m, 2h, 1d'),
      flag('--count <number>', 'how many lines', '50'),
      jsonFlag(),
      homeFlag(),
    ],
    run: async (flags, io) => (await import('./command.ts')).runLedgerShow(flags, io),
  });
  add<LedgerVerifyOptions>({
    name: 'ledger verify',
    about: 'check that no line was altered, removed, inserted or moved, and that no end is missing',
    options: [jsonFlag(), homeFlag()],
    run: async (flags, io) => (await import('./command.ts')).runLedgerVerify(flags, io),
  });
  add<LedgerVerifyOptions>({
    name: 'ledger export',
    about: 'print every sound line as JSON, exactly as it is stored',
    options: [homeFlag()],
    run: async (flags, io) => (await import('./command.ts')).runLedgerExport(flags, io),
  });
}
