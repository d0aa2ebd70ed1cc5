import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import type { Gate } from '../core/calls/gate.ts';
import type { LogSink } from '../core/services.ts';
import type { AppOptions } from '../options.ts';
import { SETTINGS, type Setting, settingsSchema } from '../settings.ts';
import { isObject } from '../../shared/json.ts';

const hasMethods =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function');

const NAME_ERROR = 'It takes 1 to 100 characters';

/** Options of `createSpillway`: the settings of a server, and what only a program can give. */
export const SpillwayOptions = z.strictObject({
  ...settingsSchema().shape,
  /** Said of this client in the extension's popup. */
  name: z.string({ error: NAME_ERROR }).min(1, NAME_ERROR).max(100, NAME_ERROR).default('library'),
  /** pino's shape; its lines are redacted. Default: nothing is logged. */
  logger: z
    .custom<LogSink>(hasMethods(['debug', 'info', 'warn', 'error']), "It takes a logger of pino's shape")
    .optional(),
  /** Asked before each call; calls that need approval become pending. Default: all calls may run. */
  gate: z.custom<Gate>(hasMethods(['check']), 'It takes an object with a method check').optional(),
});
export type SpillwayOptions = z.input<typeof SpillwayOptions>;

/** What `createSpillway` was given, with every default. */
export interface ParsedOptions {
  readonly app: AppOptions;
  readonly name: string;
  readonly gate: Gate | undefined;
}

/**
 * An option that is given holds, then the variable of the environment, then the default.
 * @throws SpillwayError `invalid_argument` that names each option or variable that does not fit.
 */
export function parseOptions(options: SpillwayOptions): ParsedOptions {
  const { input, variables } = withEnvironment(options);
  const parsed = SpillwayOptions.safeParse(input);
  const nameOf = (key: string): string => variables.get(key) ?? key;
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      const [first, ...rest] = path.map(String);
      return `${first === undefined ? 'options' : [nameOf(first), ...rest].join('.')}: ${message}`;
    });
    throw new SpillwayError('invalid_argument', `createSpillway: ${problems.join('; ')}.`, {
      hint: 'Correct the named option.',
    });
  }
  const { name, gate, logger = SILENT, ...settings } = parsed.data;
  const names = {
    mode: `createSpillway: ${nameOf('mode')}`,
    tools: `createSpillway: ${nameOf('tools')}`,
  };
  return { name, gate, app: { ...settings, names, logger } };
}

interface Given {
  readonly input: unknown;
  /** Option → the variable that it was read from. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Anything but an options object is left for the schema to refuse. */
function withEnvironment(options: unknown): Given {
  const variables = new Map<string, string>();
  if (!isObject(options)) return { input: options, variables };
  const input: Record<string, unknown> = { ...options };
  for (const [key, { variable, read = String }] of Object.entries<Setting>(SETTINGS)) {
    const text = variable === undefined ? undefined : process.env[variable];
    if (variable === undefined || text === undefined || text === '' || input[key] !== undefined) continue;
    input[key] = read(text);
    variables.set(key, variable);
  }
  return { input, variables };
}

const nothing = (): void => undefined;
const SILENT: LogSink = { debug: nothing, info: nothing, warn: nothing, error: nothing };
