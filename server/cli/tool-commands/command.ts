import { Option, type Command } from 'commander';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { withOutputFields } from '../../core/registry/registry.ts';
import { flagOf } from '../../core/command.ts';
import type { Setting } from '../../core/flag.ts';
import { LAUNCH, SETTINGS } from '../../core/settings.ts';
import { checkFlags, seeHelpOf, settingsOf, type ServerFlags, type SessionSettings } from '../options.ts';
import { givenArguments, parameterOptions, type ParameterOption } from './parameters.ts';
import type { CommandRequest } from './run.ts';
import { TOOL_COMMANDS, type ToolCommand } from './table.ts';

/** Server flags that a command takes after its name; before its name, it takes all of them. */
const COMMAND_FLAGS: Readonly<Partial<Record<keyof ServerFlags, Setting>>> = {
  launch: SETTINGS.launch,
  ...LAUNCH,
  home: SETTINGS.home,
  sanitizeContent: SETTINGS.sanitizeContent,
  contentBoundaries: SETTINGS.contentBoundaries,
};

/** Facts that a command gets when it runs. */
export interface KnownToCommand {
  /** Standard input, for an argument that is `-`. */
  readonly input: string | null;
  /** The session has a current tab. */
  readonly hasTab: boolean;
}

/** Runs a command, or has a server run it. */
export type PerformCommand = (requestOf: (known: KnownToCommand) => CommandRequest) => Promise<void>;

/**
 * Adds the commands that are made from tools. Options come from schemas, which takes milliseconds, so only a
 * command whose name is on the command line gets them.
 */
export function addToolCommands(program: Command, words: readonly string[], perform: PerformCommand): void {
  program.commandsGroup('Tools, in the session of this folder:');
  for (const row of TOOL_COMMANDS) {
    const command = program.command(row.name).description(row.summary);
    if (words.includes(row.name)) fillToolCommand(command, row, perform);
  }
}

/**
 * Adds a command's argument, options and action to `command`, a child of the server's own. The options are
 * the parameters of its tools, then flags of the server.
 */
export function fillToolCommand(command: Command, row: ToolCommand, perform: PerformCommand): void {
  const options = toolOptions(row);
  if (row.operand !== null) command.argument(...row.operand);
  command.addHelpText('after', FOOTER).showHelpAfterError(seeHelpOf(row.name));
  for (const { option } of options) command.addOption(option);
  command.optionsGroup('Output and connection:');
  command.addOption(new Option('--json', 'print the result as one JSON object'));
  command.addOption(
    new Option('--session <name>', 'whose tabs and refs it uses; default: those of the working folder'),
  );
  for (const setting of idleFlags(options)) command.addOption(flagOf(setting));
  command.action(() => perform((known) => requestOf(command, row, options, known)));
}

const FOOTER =
  '\nThe result goes to stdout; notes, progress and failures go to stderr. Flags of the server can be given before the command.' +
  '\nExit codes: 0 it worked, 1 it failed, 2 the command line is wrong; 130 after Ctrl-C.' +
  '\nThe first command of a folder starts its session, which `spillway stop` or ten idle minutes end.';

/** The options that are parameters of a command's tools. */
export function toolOptions({ tools }: ToolCommand): readonly ParameterOption[] {
  return tools.flatMap(({ tool, without }) => {
    const manifest = MANIFESTS.find(({ name }) => name === tool);
    return manifest === undefined ? [] : parameterOptions(withOutput(manifest), without).map(sharedBrowser);
  });
}

const withOutput: (manifest: ToolManifest) => ToolManifest = withOutputFields('inline');

/** A private browser is the only one, so its id is useless: with --launch the name means the server's flag. */
function sharedBrowser(parameter: ParameterOption): ParameterOption {
  const { option } = parameter;
  if (option.attributeName() !== 'browser') return parameter;
  const shared = new Option('--browser <id>', `${option.description}; ${LAUNCH.browser.help}`);
  return { ...parameter, option: shared };
}

/** The server flags whose names no parameter has. */
function idleFlags(options: readonly ParameterOption[]): readonly Setting[] {
  const taken = options.map(({ option }) => option.long);
  return Object.values(COMMAND_FLAGS).filter((row) => !taken.includes(row.flag.split(' ')[0]));
}

function requestOf(
  command: Command,
  row: ToolCommand,
  options: readonly ParameterOption[],
  { input, hasTab }: KnownToCommand,
): CommandRequest {
  const before = command.parent;
  if (before === null) throw new SpillwayError('internal_error', 'A command has no server around it.');
  const flags: ServerFlags = { ...before.opts<ServerFlags>(), ...givenFlags(command) };
  const isLaunched = flags.launch !== null;
  const given = givenArguments(
    command,
    options.filter(({ option }) => !isLaunched || option.attributeName() !== 'browser'),
  );
  const named = isLaunched ? flags : { ...flags, browser: before.opts<ServerFlags>().browser };
  checkFlags(named);
  const settings: SessionSettings = {
    ...settingsOf(named),
    // Nobody reads the log of a session that did not ask for it.
    logLevel: before.getOptionValueSource('logLevel') === 'cli' ? named.logLevel : 'error',
    // A mode's tools for models are not the ones for a terminal.
    mode: 'default',
    tools: undefined,
    outputModeDefault: 'inline',
  };
  const operands = command.args.flatMap((word) =>
    word === '-' && input !== null ? wordsIn(input, row) : [word],
  );
  return {
    ...row.plan(operands, given, hasTab),
    json: command.getOptionValue('json') === true,
    settings,
    given: settingsGiven(before, command),
  };
}

/** Standard input as arguments: for a list each line, unless all of it is one JSON text. */
function wordsIn(input: string, { operand }: ToolCommand): readonly string[] {
  const text = input.replace(/\r?\n$/, '');
  const isList = operand?.[0].includes('...') === true && jsonIn(text) === undefined;
  return isList ? text.split(/\r?\n/).filter((line) => line.trim() !== '') : [text];
}

/** The settings that the command line gives. */
function settingsGiven(...commands: readonly Command[]): readonly (keyof SessionSettings)[] {
  const names = commands.flatMap((command) =>
    Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli'),
  );
  const launch = names.some((name) => name === 'launch' || name === 'headless' || name === 'windowSize');
  return [...names.filter(isSetting), ...(launch ? (['launch'] as const) : [])];
}

const isSetting = (name: string): name is keyof SessionSettings =>
  name === 'logLevel' || (name in SETTINGS && name !== 'launch');

function givenFlags(command: Command): Partial<ServerFlags> {
  const flags = Object.entries(command.opts<Partial<ServerFlags>>());
  return Object.fromEntries(
    flags.filter(([name]) => name in COMMAND_FLAGS && command.getOptionValueSource(name) === 'cli'),
  );
}
