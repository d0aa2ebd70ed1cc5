import { type Command, Option } from 'commander';
import { expectPrivateHome } from '../machine/private-folder.ts';
import { SETTINGS } from '../settings.ts';
import { RISKS } from '../../shared/policy/names.ts';
import { addUpstreamCommands } from './upstream-commands.ts';
import { textParser } from './options.ts';
import { TOOL_COMMANDS } from './tool-commands/table.ts';

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
function addLedgerCommands(program: Command, { home, json, homeOf }: SharedOptions): void {
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

interface SharedFlags {
  readonly config?: string;
  readonly upstream?: readonly string[];
  readonly connectTimeoutMs?: number;
  readonly outputMaxBytes?: number;
}
interface CommandFlags {
  readonly browser?: string;
  readonly json: boolean;
  readonly home?: string;
}

interface UninstallFlags extends CommandFlags {
  readonly purge: boolean;
}

interface DoctorFlags extends CommandFlags {
  readonly launch: boolean;
  readonly headless: boolean;
}

interface VerifyFlags {
  readonly publicKey?: string;
  readonly sha256?: string;
  readonly json: boolean;
}

const HOME: [string, string, (dir: string) => string] = [
  '--home <dir>',
  "Spillway's home (default: SPILLWAY_HOME or ~/.spillway)",
  textParser(SETTINGS.home),
];
const JSON_REPORT: [string, string, boolean] = ['--json', 'print the report as JSON', false];

/**
 * Adds the commands that are made from tools. Options are made from schemas, which takes milliseconds:
 * only a command whose name is among the words of the command line gets them.
 */
export async function addToolCommands(program: Command, words: readonly string[]): Promise<void> {
  for (const row of TOOL_COMMANDS) {
    const command = program.command(row.name).description(row.summary);
    if (!words.includes(row.name)) continue;
    const { EXIT, fillToolCommand } = await import('./tool-commands/command.ts');
    command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.ok : EXIT.usage));
    fillToolCommand(command, row);
  }
}

/** Adds install, uninstall, doctor, verify-bundle, ledger and upstream; each is loaded when it runs, so that serving does not pay for it. */
export function addCommands(program: Command): void {
  // Without this the server's own --browser and --home would take those of a command.
  program.enablePositionalOptions();
  const homeOf = (flags: CommandFlags): string => {
    const home = flags.home ?? program.opts<{ home: string }>().home;
    expectPrivateHome(home);
    return home;
  };
  program
    .command('install')
    .description('register the native host with the browsers of this user')
    .option(
      '--browser <names>',
      'chrome, chromium, edge, brave, vivaldi (comma-separated), or all; default: every browser found',
    )
    .option(...JSON_REPORT)
    .option(...HOME)
    .action(async (flags: CommandFlags) => {
      const { runInstall, processIo } = await loadInstall();
      process.exitCode = await runInstall({ ...flags, home: homeOf(flags) }, processIo());
    });
  program
    .command('uninstall')
    .description('remove everything that install wrote, and name what servers have stored')
    .option('--purge', 'also remove outputs, runs, recipes, journal and ledger', false)
    .option(...JSON_REPORT)
    .option(...HOME)
    .action(async (flags: UninstallFlags) => {
      const { runUninstall, processIo } = await loadUninstall();
      process.exitCode = await runUninstall({ ...flags, home: homeOf(flags) }, processIo());
    });
  program
    .command('doctor')
    .description('check each hop from the server to a page, and report the first failure with its fix')
    .option(
      '--browser <names>',
      'browsers to check (comma-separated); default: those registered by install. With --launch: the Chromium to start',
    )
    .option('--launch', 'check every hop with a private browser', false)
    .option('--headless', 'with --launch: without a window', false)
    .option(...JSON_REPORT)
    .option(...HOME)
    .action(async (flags: DoctorFlags) => {
      const { runDoctor, processIo } = await loadDoctor();
      // Flags of the server that say what the doctor looks at, too.
      const { config, upstream, connectTimeoutMs, outputMaxBytes } = program.opts<SharedFlags>();
      const shared = { config, upstream, connectTimeoutMs, outputMaxBytes };
      process.exitCode = await runDoctor({ ...flags, ...shared, home: homeOf(flags) }, processIo());
    });
  program
    .command('verify-bundle')
    .description('check every hash, size and byte of an evidence bundle')
    .argument('<file>', 'a tar.gz or WACZ that oc_evidence_bundle created')
    .option('--sha256 <hash>', 'also check that the whole file has this SHA-256')
    .option('--public-key <file>', 'also check that it is signed with this key (PEM)')
    .option(
      '--timestamp-ca <file>',
      'also check that its time stamp leads to a certificate in this file (PEM)',
    )
    .option(...JSON_REPORT)
    .action(async (file: string, flags: VerifyFlags) => {
      const { runVerifyBundle, processIo } = await loadVerifyBundle();
      process.exitCode = await runVerifyBundle({ ...flags, file }, processIo());
    });
  program
    .command('run')
    .description('programs that wait for a person')
    .command('answer')
    .description('answer the question of a program, or the next one that it will ask')
    .argument('<run_id>', 'of the program')
    .argument('<answer>', 'yes or no, a text, a choice, or the JSON of a form')
    .option(...HOME)
    .action(async (runId: string, answer: string, flags: { readonly home?: string }) => {
      const { runAnswer } = await import('./run-answer.ts');
      const { processIo } = await import('./command-io.ts');
      const options = { runId, answer, home: homeOf({ ...flags, json: false }) };
      process.exitCode = await runAnswer(options, processIo());
    });
  addLedgerCommands(program, { home: HOME, json: JSON_REPORT, homeOf });
  addUpstreamCommands(program, { home: HOME, homeOf });
}

const loadVerifyBundle = async () => ({
  ...(await import('./verify-bundle.ts')),
  ...(await import('./command-io.ts')),
});
const loadInstall = async () => ({ ...(await import('./install.ts')), ...(await import('./command-io.ts')) });
const loadUninstall = async () => ({
  ...(await import('./install.ts')),
  ...(await import('./command-io.ts')),
});
const loadDoctor = async () => ({ ...(await import('./doctor.ts')), ...(await import('./command-io.ts')) });
