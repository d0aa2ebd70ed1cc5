import { constants } from 'node:os';
import { Option, type Command } from 'commander';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { cancelledBy } from '../../core/calls/call.ts';
import { withOutputFields } from '../../core/registry/derive.ts';
import type { AppOptions } from '../../options.ts';
import type { Setting } from '../../setting.ts';
import { LAUNCH, SETTINGS } from '../../settings.ts';
import { createLogSink, printError } from '../logger.ts';
import { checkFlags, flagOf, SERVING, settingsOf, type ServerFlags } from '../options.ts';
import { givenArguments, parameterOptions, type ParameterOption } from './parameters.ts';
import { EXIT, runToolCommand, type CommandRequest } from './run.ts';

export { EXIT };
import type { ToolCommand } from './table.ts';
import { Terminal } from './terminal.ts';

/** Flags of the server that a command takes after its name; before it, it takes all of them. */
const COMMAND_FLAGS: Readonly<Partial<Record<keyof ServerFlags, Setting>>> = {
  launch: SETTINGS.launch,
  ...LAUNCH,
  home: SETTINGS.home,
  sanitizeContent: SETTINGS.sanitizeContent,
  contentBoundaries: SETTINGS.contentBoundaries,
  logLevel: SERVING.logLevel,
};

/**
 * Adds the argument and options of a command to `command`, which is a child of the server's own, and
 * what it does. The options are the parameters of its tools, then flags of the server.
 */
export function fillToolCommand(command: Command, row: ToolCommand): void {
  const options = toolOptions(row);
  const [syntax, help] = row.operand;
  command
    .argument(syntax, help)
    .addHelpText('after', FOOTER)
    .showHelpAfterError(`(run spillway ${row.name} --help for all options)`);
  for (const { option } of options) command.addOption(option);
  command.optionsGroup('Output and connection:');
  command.addOption(new Option('--json', 'print the result as one JSON object'));
  for (const setting of idleFlags(options)) command.addOption(flagOf(setting));
  command.action(async () => perform(() => requestOf(command, row, options)));
}

const FOOTER =
  '\nThe result goes to stdout; notes, progress and failures go to stderr. Flags of the server can be given before the command.' +
  '\nExit codes: 0 it worked, 1 it failed, 2 the command line is wrong; 130 after Ctrl-C.';

/** The options that are parameters of a command's tools. */
export function toolOptions({ tools }: ToolCommand): readonly ParameterOption[] {
  return tools.flatMap(({ tool, without }) => {
    const manifest = MANIFESTS.find(({ name }) => name === tool);
    return manifest === undefined ? [] : parameterOptions(withOutput(manifest), without).map(sharedBrowser);
  });
}

const withOutput: (manifest: ToolManifest) => ToolManifest = withOutputFields('inline');

/** A private browser is the only one, so that its id says nothing: with --launch the name means the server's flag. */
function sharedBrowser(parameter: ParameterOption): ParameterOption {
  const { option } = parameter;
  if (option.attributeName() !== 'browser') return parameter;
  const shared = new Option('--browser <id>', `${option.description}; ${LAUNCH.browser.help}`);
  return { ...parameter, option: shared };
}

/** The flags of the server whose names no parameter has. */
function idleFlags(options: readonly ParameterOption[]): readonly Setting[] {
  const taken = options.map(({ option }) => option.long);
  return Object.values(COMMAND_FLAGS).filter((row) => !taken.includes(row.flag.split(' ')[0]));
}

/** What a command line asks for. */
export function requestOf(
  command: Command,
  row: ToolCommand,
  options: readonly ParameterOption[],
): CommandRequest {
  const before = command.parent;
  if (before === null) throw new SpillwayError('internal_error', 'A command has no server around it.');
  const flags: ServerFlags = { ...before.opts<ServerFlags>(), ...givenFlags(command) };
  const isLogged = (['cli', 'env'] as const).some(
    (source) =>
      command.getOptionValueSource('logLevel') === source ||
      before.getOptionValueSource('logLevel') === source,
  );
  const isLaunched = flags.launch !== null;
  const given = givenArguments(
    command,
    options.filter(({ option }) => !isLaunched || option.attributeName() !== 'browser'),
  );
  const named = isLaunched ? flags : { ...flags, browser: before.opts<ServerFlags>().browser };
  checkFlags(named);
  const app: AppOptions = {
    ...settingsOf(named),
    // How tools are presented to a model is not how they are presented to a terminal.
    mode: 'default',
    tools: undefined,
    outputModeDefault: 'inline',
    logger: createLogSink(isLogged ? flags.logLevel : 'error'),
  };
  return { calls: row.plan(command.args, given), json: command.getOptionValue('json') === true, app };
}

function givenFlags(command: Command): Partial<ServerFlags> {
  const flags = Object.entries(command.opts<Partial<ServerFlags>>());
  return Object.fromEntries(
    flags.filter(([name]) => name in COMMAND_FLAGS && command.getOptionValueSource(name) === 'cli'),
  );
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a command in this process, which ends with its exit code. A second signal ends it at once. */
async function perform(request: () => CommandRequest): Promise<never> {
  const cancel = new AbortController();
  let signalled: number | null = null;
  for (const signal of SIGNALS)
    process.once(signal, () => {
      signalled ??= 128 + constants.signals[signal];
      cancel.abort(cancelledBy(signal === 'SIGINT' ? 'Ctrl-C' : signal));
    });
  const terminal = new Terminal(process.stdout, process.stderr);
  let code: number;
  try {
    code = await runToolCommand(request(), { terminal, signal: cancel.signal });
  } catch (thrown) {
    printError(thrown);
    code = toSpillwayError(thrown).code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
  }
  process.exit(signalled ?? code);
}
