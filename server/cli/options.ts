import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { VERSION } from '../../shared/version.ts';
import type { SettingNames } from '../options.ts';
import { FLAGS, LaunchOptions, oneOf, readNumber, Settings, wholeNumber } from '../settings.ts';
import { LOG_LEVELS } from './logger.ts';

/** What only a server of its own can be told: how it is reached, and where it logs to. */
const Serving = z.strictObject({
  http: wholeNumber({ min: 0, max: 65_535 }).optional().register(FLAGS, {
    flag: '--http <port>',
    help: 'serve Streamable HTTP on loopback (0 takes a free port)',
    read: readNumber,
  }),
  httpNoToken: z.boolean().default(false).register(FLAGS, {
    flag: '--http-no-token',
    help: 'with --http: no bearer token; any program on this machine can then drive the browser',
  }),
  logLevel: oneOf(LOG_LEVELS).default('info').register(FLAGS, {
    flag: '--log-level <level>',
    help: 'log on stderr',
    choices: LOG_LEVELS,
  }),
});

const SERVER_OPTIONS = { ...Serving.shape, ...Settings.shape, ...LaunchOptions.shape };

/** Flags of the server, as commander parsed and the settings bounded them. */
export type ServerFlags = Readonly<
  Omit<Settings, 'launch'> &
    z.output<typeof LaunchOptions> &
    z.output<typeof Serving> & {
      /** The switch; what belongs to it stands beside it. */
      launch: true | null;
    }
>;

/** The settings that the flags say. */
export function settingsOf({ launch, headless, browser, ...others }: ServerFlags): Settings {
  return { ...others, launch: Settings.shape.launch.parse(launch === null ? false : { headless, browser }) };
}

/** Reads the text of a setting as `schema` bounds it. */
export function textParser<T>(schema: z.ZodType<T>): (text: string) => T {
  const { choices, read = String } = FLAGS.get(schema) ?? {};
  return (text) => {
    if (choices?.includes(text) === false)
      throw new InvalidArgumentError(`It takes one of ${choices.join(', ')}.`);
    const parsed = schema.safeParse(read(text));
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`${parsed.error.issues.map(({ message }) => message).join('; ')}.`);
  };
}

/** The flag of a setting. */
function optionOf(schema: z.ZodType): Option[] {
  const row = FLAGS.get(schema);
  if (row === undefined) return [];
  const option = new Option(row.flag, row.help);
  if (row.choices !== undefined) option.choices(row.choices);
  if (option.required) {
    const parse = textParser(schema);
    // A list that is given again adds its words.
    option.argParser((text, before: unknown) => {
      const value = parse(text);
      return Array.isArray(value) && Array.isArray(before) ? [...new Set([...before, ...value])] : value;
    });
  }
  if (row.variable !== undefined && process.env[row.variable] !== '') option.env(row.variable);
  const byDefault = schema.parse(undefined);
  const word = row.choices?.find((choice) => (row.read ?? String)(choice) === byDefault);
  return [option.default(byDefault, word && JSON.stringify(word))];
}

/** What the user wrote, as messages about it say. */
export function settingNames(command: Command): SettingNames {
  const nameOf = (key: keyof SettingNames): string => {
    const option = command.options.find((each) => each.attributeName() === key);
    const isVariable = command.getOptionValueSource(key) === 'env';
    return (isVariable ? option?.envVar : option?.long) ?? key;
  };
  return { mode: nameOf('mode'), tools: nameOf('tools') };
}

/** The root command with every flag of the server. Subcommands are added by `main.ts`. */
export function serverCommand(): Command {
  const command = new Command('spillway')
    .description(
      "Lets a coding agent work in the user's own browser. Without a command it serves MCP on stdio.",
    )
    .version(VERSION)
    .showHelpAfterError('(spillway --help lists every flag)');
  for (const schema of Object.values(SERVER_OPTIONS)) {
    for (const option of optionOf(schema)) command.addOption(option);
  }
  return command;
}
