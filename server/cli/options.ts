import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { LIMITS } from '../../shared/limits.ts';
import { VERSION } from '../../shared/version.ts';
import { parseSelectors } from '../core/selection.ts';
import type { SettingNames } from '../options.ts';
import { LOG_LEVELS, type LogLevel } from './logger.ts';

/** Flags of the server, as commander parsed and bounded them. */
export interface ServerFlags {
  readonly http?: number;
  readonly httpNoToken: boolean;
  readonly mode: string;
  readonly tools?: readonly string[];
  readonly launch: boolean;
  readonly headless: boolean;
  readonly browser?: string;
  readonly home: string;
  readonly outputModeDefault: 'inline' | 'handle' | 'auto';
  readonly outputHandleTtlHours: number;
  readonly outputHandleSweepIntervalSeconds: number;
  readonly outputPageBytes: number;
  readonly outputMaxBytes: number;
  readonly sanitizeContent: boolean;
  readonly contentBoundaries: boolean;
  readonly networkCapture: 'on' | 'off';
  readonly networkBufferBytes: number;
  readonly syncWaitMs: number;
  readonly logLevel: LogLevel;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly fraction?: boolean;
}

function number({ min, max, fraction = false }: Range): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const whole = fraction || Number.isInteger(value);
    if (text.trim() === '' || !Number.isFinite(value) || !whole || value < min || value > max) {
      throw new InvalidArgumentError(`It takes a ${fraction ? '' : 'whole '}number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** `SPILLWAY_HOME`, unless it is empty, or `~/.spillway`. */
function defaultHome(): string {
  return resolve(process.env['SPILLWAY_HOME'] || join(homedir(), '.spillway'));
}

/** An empty path, as of a variable that is not set, would mean the current folder. */
export function homeFolder(dir: string): string {
  if (dir === '') throw new InvalidArgumentError('It takes a folder.');
  return resolve(dir);
}

/** A flag that is given again adds its words. An empty one says nothing: the default set stays. */
function toolSelectors(text: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...(parseSelectors(text) ?? [])])];
}

/** The variable holds where no flag is given. An empty one says nothing, as one that is not set. */
const orVariable = (option: Option, name: string): Option =>
  process.env[name] === '' ? option : option.env(name);

const modeOption = (): Option => new Option('--mode <mode>', 'how tools are presented').default('default');
const toolsOption = (): Option =>
  new Option('--tools <names>', 'tools and categories that sessions list, between commas').argParser(
    toolSelectors,
  );

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
  return new Command('spillway')
    .description(
      "Lets a coding agent work in the user's own browser. Without a command it serves MCP on stdio.",
    )
    .version(VERSION)
    .showHelpAfterError('(spillway --help lists every flag)')
    .option(
      '--http <port>',
      'serve Streamable HTTP on loopback (0 takes a free port)',
      number({ min: 0, max: 65_535 }),
    )
    .option(
      '--http-no-token',
      'with --http: no bearer token; any program on this machine can then drive the browser',
      false,
    )
    .addOption(orVariable(modeOption(), 'SPILLWAY_MODE'))
    .addOption(orVariable(toolsOption(), 'SPILLWAY_TOOLS'))
    .option('--launch', 'start a private Chromium with the extension on the first call', false)
    .option('--headless', 'with --launch: without a window', false)
    .option('--browser <path>', 'with --launch: the Chromium to start')
    .option('--home <dir>', 'where outputs and the journal are kept', homeFolder, defaultHome())
    .addOption(
      new Option('--output-mode-default <mode>', 'output_mode of calls that give none')
        .choices(['inline', 'handle', 'auto'])
        .default('inline'),
    )
    .option(
      '--output-handle-ttl-hours <hours>',
      'how long a handle lives (0: expired at once)',
      number({ min: 0, max: 87_600, fraction: true }),
      LIMITS.outputHandleTtlHours,
    )
    .option(
      '--output-handle-sweep-interval-seconds <seconds>',
      'how often expired handles are removed',
      number({ min: 1, max: 86_400 }),
      LIMITS.outputHandleSweepIntervalSeconds,
    )
    .option(
      '--output-page-bytes <bytes>',
      'serialised content of one page of oc_output_fetch',
      number({ min: 256, max: LIMITS.outputFetchBytesMax }),
      LIMITS.outputPageBytes,
    )
    .option(
      '--output-max-bytes <bytes>',
      'size of the store; the oldest handles go first',
      number({ min: 1_048_576, max: Number.MAX_SAFE_INTEGER }),
      LIMITS.outputMaxBytes,
    )
    .option('--no-sanitize-content', 'do not redact secrets or remove invisible characters')
    .option('--content-boundaries', 'put nonce fences around page text', false)
    .addOption(
      new Option('--network-capture <state>', "capture the network of a client's tabs from the start")
        .choices(['on', 'off'])
        .default('off'),
    )
    .option(
      '--network-buffer-bytes <bytes>',
      'ring of captured requests of a client; the oldest go first',
      number({ min: 1_048_576, max: Number.MAX_SAFE_INTEGER }),
      LIMITS.networkBufferBytes,
    )
    .option(
      '--sync-wait-ms <ms>',
      'a call that takes longer answers a run id',
      number({ min: 0, max: 3_600_000 }),
      LIMITS.syncWaitMs,
    )
    .addOption(new Option('--log-level <level>', 'log on stderr').choices(LOG_LEVELS).default('info'));
}
