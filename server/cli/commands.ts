import { type Command, Option } from 'commander';
import { expectPrivateHome } from '../core/machine/private-folder.ts';
import { SETTINGS } from '../core/settings.ts';
import { valueIn } from '../../shared/base/maps.ts';
import { EFFECTS, RISKS } from '../../shared/core/policy/names.ts';
import type { CommandIo } from '../core/command-io.ts';
import type { DoctorCommandOptions } from '../doctor/command.ts';
import type { InstallCommandOptions, UninstallCommandOptions } from '../install/command.ts';
import type { LedgerShowOptions, LedgerVerifyOptions } from '../ledger/command.ts';
import { flagOf, seeHelpOf, textParser, type ServerFlags } from './options.ts';
import type { RemoteCommandOptions } from '../remote/command.ts';
import type { RunAnswerOptions } from '../programs/command.ts';
import { readNumber, setting, wholeNumber } from '../core/flag.ts';
import { LOG_LEVELS } from '../core/logger.ts';
import type { RulesOptions } from '../people/rules-command.ts';
import type { RunListOptions } from '../runs/list-command.ts';
import type { StopOptions } from './session/start.ts';
import type { VerifyBundleOptions } from '../evidence/command.ts';
import type { ConfigPlaces } from '../upstreams/index.ts';
import type { WorkerCommandOptions } from '../queue/command.ts';

/** Flags of the server that commands also take; Spillway's home is from the command's or the server's. */
const SHARED = [
  'config',
  'upstream',
  'connectTimeoutMs',
  'outputMaxBytes',
  'queue',
  'queuePasswordFile',
  'queueKeyFile',
] as const;

/** A command in the help, and its action, which is loaded when it runs, so that serving does not pay for it. */
interface CommandRow<Flags> {
  /** The group comes first for a command in a group. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly (readonly [syntax: string, about: string])[];
  readonly options: readonly Option[];
  /** Resolves to the exit code. */
  readonly run: (flags: Flags, io: CommandIo, operands: readonly string[]) => Promise<number>;
}

const GROUPS: Readonly<Record<string, string>> = {
  run: 'runs of recipes and programs',
  ledger: 'who asked, who decided, and what was done on pages',
  upstream: 'other servers whose tools are offered',
};

const flag = (syntax: string, about: string, byDefault?: unknown): Option =>
  new Option(syntax, about).default(byDefault);
const home = (): Option =>
  flag('--home <dir>', "Spillway's home (default: SPILLWAY_HOME or ~/.spillway)").argParser(
    textParser(SETTINGS.home),
  );
const json = (): Option => flag('--json', 'print the report as JSON', false);

/** Adds every command that is not a tool. */
export function addCommands(program: Command): void {
  // Otherwise the server's own --browser and --home would swallow a command's.
  program.enablePositionalOptions();
  const groups = new Map<string, Command>();
  const groupOf = (name: string): Command =>
    valueIn(groups, name, () => program.command(name).description(GROUPS[name] ?? ''));
  function add<Flags extends object>(row: CommandRow<Flags>): void {
    const { name, about, arguments: operands = [], options, run } = row;
    const [group = '', own] = name.split(' ');
    const command = own === undefined ? program.command(name) : groupOf(group).command(own);
    command.description(about).showHelpAfterError(seeHelpOf(name));
    for (const [syntax, meaning] of operands) command.argument(syntax, meaning);
    for (const option of options) command.addOption(option);
    command.action(async () => {
      const { home: homeOfServer, ...server } = program.opts<ServerFlags>();
      const shared = Object.fromEntries(SHARED.map((key) => [key, server[key]]));
      const flags = { ...shared, home: homeOfServer, ...command.opts<Flags & { readonly home?: string }>() };
      // A bundle is checked without a home, and doctor says what is wrong with it.
      if (name !== 'doctor' && options.some(({ long }) => long === '--home')) expectPrivateHome(flags.home);
      const { processIo } = await import('../core/command-io.ts');
      process.exitCode = await run(flags, processIo(), command.args);
    });
  }
  addInstallation(add);
  addTerminal(add);
  addLedger(add);
  addUpstream(add);
  addWorker(add);
}

type Add = <Flags extends object>(row: CommandRow<Flags>) => void;

function addInstallation(add: Add): void {
  add<InstallCommandOptions>({
    name: 'install',
    about: 'register the native host with the browsers of this user',
    options: [
      flag(
        '--browser <names>',
        'chrome, chromium, edge, brave, vivaldi (comma-separated), or all; default: every browser found',
      ),
      flag(
        '--client <names>',
        'also add the server to claude-code, codex, cursor, vscode, windsurf, zed, gemini (comma-separated), or all that are found',
      ),
      json(),
      home(),
    ],
    run: async (flags, io) => (await import('../install/command.ts')).runInstall(flags, io),
  });
  add<UninstallCommandOptions>({
    name: 'uninstall',
    about: 'remove everything that install wrote, and name what servers have stored',
    options: [
      flag(
        '--client <names>',
        'take the server out of the settings of these clients, or of all, and remove nothing else',
      ),
      flag('--purge', 'also remove outputs, runs, recipes, journal and ledger', false),
      json(),
      home(),
    ],
    run: async (flags, io) => {
      const { runUninstall } = await import('../install/command.ts');
      return runUninstall(flags, io, (await import('./session/start.ts')).stopAllSessions);
    },
  });
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
      json(),
      home(),
    ],
    run: async (flags, io) => (await import('../doctor/command.ts')).runDoctor(flags, io),
  });
  add<Omit<RemoteCommandOptions, 'host'>>({
    name: 'remote',
    about: 'share this browser with agents on an SSH host',
    arguments: [['<host>', 'as ssh takes it: an alias, a name, or user@name']],
    options: [flag('--browser <name>', 'name or label of the browser; default: the only one that runs')],
    run: async (flags, io, [host = '']) =>
      (await import('../remote/command.ts')).runRemote({ ...flags, host }, io),
  });
  add<Omit<VerifyBundleOptions, 'file'>>({
    name: 'verify-bundle',
    about: 'check every hash, size and byte of an evidence bundle',
    arguments: [['<file>', 'a WACZ that oc_evidence_bundle created']],
    options: [
      flag('--sha256 <hash>', 'also check that the whole file has this SHA-256'),
      flag('--public-key <file>', 'also check that it is signed with this key (PEM)'),
      flag(
        '--timestamp-ca <file>',
        'also check that its time stamp leads to a certificate in this file (PEM)',
      ),
      json(),
    ],
    run: async (flags, io, [file = '']) =>
      (await import('../evidence/command.ts')).runVerifyBundle({ ...flags, file }, io),
  });
}

function addTerminal(add: Add): void {
  add<StopOptions>({
    name: 'stop',
    about: "end this folder's session of commands; its tabs stay open",
    options: [
      flag('--session <name>', 'the session of this name instead'),
      flag('--all', 'every session', false),
      home(),
    ],
    run: async (flags, io) => (await import('./session/start.ts')).runStop(flags, io),
  });
  add<Pick<RunAnswerOptions, 'home'>>({
    name: 'run answer',
    about: 'answer a question of a program, or its next one',
    arguments: [
      ['<run_id>', 'of the program'],
      ['<answer>', 'yes or no, a text, a choice, or the JSON of a form'],
    ],
    options: [home()],
    run: async ({ home: folder }, io, [runId = '', answer = '']) =>
      (await import('../programs/command.ts')).runAnswer({ runId, answer, home: folder }, io),
  });
  add<RunListOptions>({
    name: 'run list',
    about: 'list runs of recipes and programs: which wait for a person, have failed, overlap, or are missing',
    options: [
      flag('--recipe <name>', 'only of this recipe'),
      flag('--every <time>', 'the interval of its schedule, 15m, 2h or 1d: also count the missing runs'),
      flag('--count <number>', 'how many runs', '20'),
      json(),
      home(),
    ],
    run: async (flags, io) => (await import('../runs/list-command.ts')).runList(flags, io),
  });
  add<RulesOptions>({
    name: 'rules',
    about: 'open the rules for agents in your browser, with a rule filled in if the flags propose one',
    options: [
      flag('--from <sites>', 'propose a rule about text read on these sites (comma-separated)'),
      flag('--to <sites>', 'that comes to these sites'),
      flag('--effect <effect>', 'what happens').choices(EFFECTS),
      flag('--browser <name>', 'name or label of the browser; default: the only one that runs'),
    ],
    run: async (flags, io) => (await import('../people/rules-command.ts')).runRules(flags, io),
  });
  add({
    name: 'skill',
    about: 'print the skill (SKILL.md) that tells an agent how to use these commands',
    options: [],
    run: async (_flags, io) => {
      io.write(await (await import('../widgets/files.ts')).readSkill());
      return 0;
    },
  });
}

function addLedger(add: Add): void {
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
      json(),
      home(),
    ],
    run: async (flags, io) => (await import('../ledger/command.ts')).runLedgerShow(flags, io),
  });
  add<LedgerVerifyOptions>({
    name: 'ledger verify',
    about: 'check that no line was altered, removed, inserted or moved, and that no end is missing',
    options: [json(), home()],
    run: async (flags, io) => (await import('../ledger/command.ts')).runLedgerVerify(flags, io),
  });
  add<LedgerVerifyOptions>({
    name: 'ledger export',
    about: 'print every sound line as JSON, exactly as it is stored',
    options: [home()],
    run: async (flags, io) => (await import('../ledger/command.ts')).runLedgerExport(flags, io),
  });
}

function addUpstream(add: Add): void {
  const load = () => import('../upstreams/command.ts');
  const operand = [['<id>', 'of the upstream']] as const;
  add<ConfigPlaces>({
    name: 'upstream list',
    about: 'connect to each, and print how it is',
    options: [home()],
    run: async (flags, io) => (await load()).runUpstreamList(flags, io),
  });
  add<ConfigPlaces & { readonly yes: boolean }>({
    name: 'upstream accept',
    about: 'look at an upstream and its tools, and let agents use them',
    arguments: operand,
    options: [flag('--yes', 'do not ask', false), home()],
    run: async (flags, io, [id = '']) => {
      const { runUpstreamAccept, askOnTerminal: ask } = await load();
      return runUpstreamAccept({ ...flags, id, ask }, io);
    },
  });
  add<ConfigPlaces & { readonly open: boolean }>({
    name: 'upstream login',
    about: 'sign in to an upstream that asks for it (OAuth)',
    arguments: operand,
    options: [flag('--no-open', 'print the address, and open no browser', true), home()],
    run: async (flags, io, [id = '']) => {
      const { runUpstreamLogin, onTerminalLine: onLine } = await load();
      const open = async (address: string): Promise<void> => {
        if (flags.open) await (await import('open')).default(address);
      };
      return runUpstreamLogin({ ...flags, id, open, onLine }, io);
    },
  });
  add<ConfigPlaces>({
    name: 'upstream logout',
    about: 'forget the sign-in to an upstream',
    arguments: operand,
    options: [home()],
    run: async (flags, io, [id = '']) => (await load()).runUpstreamLogout({ ...flags, id }, io),
  });
}

function addWorker(add: Add): void {
  const whole = (syntax: string, about: string, byDefault: number, max: number): Option => {
    const schema = () => wholeNumber({ min: 1, max });
    const row = setting({ flag: syntax, help: about, read: readNumber, byDefault, schema });
    return flagOf(row).default(byDefault);
  };
  add<WorkerCommandOptions>({
    name: 'worker',
    about: 'read pages for other machines, in private browsers',
    options: [
      flagOf(SETTINGS.queue).env('SPILLWAY_QUEUE').makeOptionMandatory(),
      flagOf(SETTINGS.queuePasswordFile).env('SPILLWAY_QUEUE_PASSWORD_FILE'),
      flagOf(SETTINGS.queueKeyFile).env('SPILLWAY_QUEUE_KEY_FILE'),
      whole('--lanes <number>', 'pages at once', 6, 256),
      whole('--browsers <number>', 'private browsers for pages', 1, 32),
      flag('--browser <path>', 'the Chromium to start'),
      whole('--job-seconds <seconds>', 'time that one page may take', 60, 600),
      whole('--job-megabytes <megabytes>', 'size of a page; scripts get 16 times as much memory', 64, 1_024),
      flag('--health-socket <path>', 'answer HTTP with its state on this socket (0600)'),
      flag('--log-level <level>', 'log level on stderr', 'info').choices(LOG_LEVELS),
    ],
    run: async (flags) => (await import('../queue/command.ts')).runWorker(flags),
  });
}
