import { resolve } from 'node:path';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Command, type Option } from 'commander';
import { flagOf } from '../core/command.ts';
import { z } from 'zod';
import { invalidArgument } from '../../shared/base/errors.ts';
import { VERSION } from '../../shared/base/version.ts';
import { LAUNCH, resolveBrowser, SETTINGS, type Settings, type SettingNames } from '../core/settings.ts';
import { oneOf, readNumber, type Setting, setting, text, wholeNumber, yesOrNo } from '../core/flag.ts';
import { withOwnCommands } from '../core/machine/command-line.ts';
import { LOG_LEVELS, printMessage } from '../core/logger.ts';
import { parseAs } from '../../shared/base/json-schema.ts';

/** Settings that apply only to a server process: how it is reached, and where it logs. */
const SERVING = {
  http: setting({
    flag: '--http <port>',
    help: 'serve Streamable HTTP on loopback (0 picks a free port)',
    read: readNumber,
    schema: () => wholeNumber({ min: 0, max: 65_535 }),
  }),
  httpNoToken: setting({
    flag: '--http-no-token',
    help: 'with --http: no bearer token; any program on this machine can then control the browser',
    byDefault: false,
    schema: yesOrNo,
  }),
  httpTokenFile: setting({
    flag: '--http-token-file <file>',
    help: 'with --http: file of the bearer token, made with a new one if it is missing',
    schema: () => text('a file').overwrite((file) => resolve(file)),
  }),
  logLevel: setting({
    flag: '--log-level <level>',
    help: 'log level on stderr',
    choices: LOG_LEVELS,
    byDefault: 'info',
    schema: () => oneOf(LOG_LEVELS),
  }),
};

/** Instead of a mode name: choose by client. */
export const AUTO = 'auto';

type Values<Table extends Readonly<Record<string, Setting>>> = {
  [Name in keyof Table]: z.output<ReturnType<Table[Name]['schema']>>;
};

/** Flags of the server, as commander parsed and the settings bounded them. */
export type ServerFlags = Readonly<
  Omit<Settings, 'launch'> &
    Values<typeof LAUNCH> &
    Values<typeof SERVING> & {
      /** The switch; related options are separate. */
      launch: true | null;
    }
>;

/** Settings of a session of commands. */
export type SessionSettings = Settings & Pick<ServerFlags, 'logLevel'>;

/** The settings from the flags. */
export function settingsOf({ launch, headless, browser, windowSize, ...others }: ServerFlags): Settings {
  const launched = { headless, browserPath: resolveBrowser(browser), windowSize };
  return { ...others, launch: launch === null ? null : launched };
}

/**
 * A flag without effect is a mistake, and is reported.
 * @throws SpillwayError `invalid_argument`
 */
export function checkFlags(flags: ServerFlags): void {
  if (flags.mode === AUTO && flags.http !== undefined)
    throw invalidArgument(
      '--mode auto is for one client, over stdio.',
      'Over HTTP, pass --mode default or --mode apps.',
    );
  const rows = [
    ['--http-no-token', flags.httpNoToken, '--http'],
    ['--http-token-file', flags.httpTokenFile !== undefined, '--http'],
    ['--headless', flags.headless, '--launch'],
    ['--browser', flags.browser !== undefined, '--launch'],
    ['--window-size', flags.windowSize !== LAUNCH.windowSize.byDefault, '--launch'],
  ] as const;
  const isOn = { '--http': flags.http !== undefined, '--launch': flags.launch !== null };
  const [flag, , wanted] = rows.find(([, isGiven, needed]) => isGiven && !isOn[needed]) ?? [];
  if (flag === undefined) return;
  throw invalidArgument(`${flag} has no effect without ${wanted}.`, `Add ${wanted}, or leave ${flag} out.`);
}

const isMaker = (value: unknown): value is () => unknown => typeof value === 'function';

/** The flag of a setting, with its variable and its default. */
function optionOf(row: Setting): Option {
  const option = flagOf(row);
  if (row.variable !== undefined && process.env[row.variable] !== '') option.env(row.variable);
  const byDefault = isMaker(row.byDefault) ? row.byDefault() : row.byDefault;
  const word = row.choices?.find((choice) => (row.read ?? String)(choice) === byDefault);
  return option.default(byDefault, word && JSON.stringify(word));
}

export function settingNames(command: Command): SettingNames {
  const nameOf = (key: keyof SettingNames): string => {
    const option = command.options.find((each) => each.attributeName() === key);
    const isVariable = command.getOptionValueSource(key) === 'env';
    return (isVariable ? option?.envVar : option?.long) ?? key;
  };
  return { home: nameOf('home'), mode: nameOf('mode'), tools: nameOf('tools') };
}

/** Shown below the error of a wrong command line. */
export const seeHelpOf = (command: string): string =>
  withOwnCommands(`(run \`spillway ${command} --help\` for all options)`);

/** The root command with every flag of the server. Subcommands are added by `main.ts`. */
export function serverCommand(): Command {
  const command = new Command('spillway')
    .description(
      "Lets a coding agent work in the user's own browser. Without a command it serves MCP on stdio.",
    )
    .version(VERSION)
    // Commander quotes the argument that it refuses, which may be a misplaced token.
    .configureOutput({ outputError: printMessage })
    .showHelpAfterError(withOwnCommands('(run `spillway --help` for all flags)'));
  for (const row of Object.values({ ...SERVING, ...SETTINGS, ...LAUNCH })) command.addOption(optionOf(row));
  return command;
}

const UI_EXTENSION = 'io.modelcontextprotocol/ui';
/** No known client sends a longer first message. */
const FIRST_BYTES = 1024 * 1024;

const Capabilities = z.object({ extensions: z.object({ [UI_EXTENSION]: z.looseObject({}) }) });
/** `initialize` declares capabilities once, a request of 2026-07-28 in its `_meta`. */
const Opening = z.object({
  params: z.union([
    z.object({ capabilities: Capabilities }),
    z.object({ _meta: z.object({ 'io.modelcontextprotocol/clientCapabilities': Capabilities }) }),
  ]),
});

/**
 * `apps` if a client's first message declares MCP Apps, else `default`. The message can still be read
 * afterwards.
 */
export async function modeOfClient(input: Readable): Promise<'apps' | 'default'> {
  const chunks: Buffer[] = [];
  let text = '';
  while (!text.includes('\n') && text.length < FIRST_BYTES && !input.readableEnded) {
    const chunk: unknown = input.read();
    if (chunk instanceof Buffer) {
      chunks.push(chunk);
      text += chunk.toString('latin1');
    } else await Promise.race([once(input, 'readable'), once(input, 'end'), once(input, 'close')]);
    if (input.destroyed) break;
  }
  if (chunks.length > 0 && !input.readableEnded) input.unshift(Buffer.concat(chunks));
  return parseAs(Opening, text.slice(0, text.indexOf('\n'))) !== null ? 'apps' : 'default';
}
