import { Option, type Command } from 'commander';
import { RISKS } from '../../shared/policy/names.ts';

interface ReportFlags {
  readonly json: boolean;
  readonly home?: string;
}

interface ShowFlags extends ReportFlags {
  readonly agent?: string;
  readonly site?: string;
  readonly tool?: string;
  readonly risk?: string;
  readonly outcome?: string;
  readonly since?: string;
  readonly count: string;
}

/** Options that commands share. */
interface SharedOptions {
  readonly home: [string, string, (dir: string) => string];
  readonly json: [string, string, boolean];
  readonly homeOf: (flags: ReportFlags) => string;
}

/** Adds `ledger show`, `ledger verify` and `ledger export`. */
export function addLedgerCommands(program: Command, { home, json, homeOf }: SharedOptions): void {
  const ledger = program.command('ledger').description('who asked, who decided, and what was done on pages');
  ledger
    .command('show')
    .description('print the newest lines, oldest first')
    .option('--agent <name>', 'of agents whose name contains this')
    .option('--site <host>', 'of this host and its subdomains')
    .option('--tool <name>', 'of this tool')
    .addOption(new Option('--risk <risk>', 'with this risk').choices(RISKS))
    .option('--outcome <word>', 'with this outcome or error code: done, failed, denied, …')
    .option('--since <time>', 'an ISO time, or an age: 15m, 2h, 1d')
    .option('--count <number>', 'how many lines', '50')
    .option(...json)
    .option(...home)
    .action(async (flags: ShowFlags) => {
      const { runLedgerShow, processIo } = await load();
      process.exitCode = await runLedgerShow({ ...flags, home: homeOf(flags) }, processIo());
    });
  ledger
    .command('verify')
    .description('check that no line was altered, removed, inserted or moved, and that no end is missing')
    .option(...json)
    .option(...home)
    .action(async (flags: ReportFlags) => {
      const { runLedgerVerify, processIo } = await load();
      process.exitCode = await runLedgerVerify({ ...flags, home: homeOf(flags) }, processIo());
    });
  ledger
    .command('export')
    .description('print every sound line as JSON, exactly as it is stored')
    .option(...home)
    .action(async (flags: ReportFlags) => {
      const { runLedgerExport, processIo } = await load();
      process.exitCode = await runLedgerExport({ home: homeOf(flags) }, processIo());
    });
}

const load = async () => ({ ...(await import('./ledger.ts')), ...(await import('./command-io.ts')) });
