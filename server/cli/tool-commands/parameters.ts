import { InvalidArgumentError, Option, type Command } from 'commander';
import { z } from 'zod';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { readNumber } from '../../setting.ts';

/** A parameter of a tool as an option of a command. */
export interface ParameterOption {
  readonly option: Option;
  readonly tool: string;
  /** Keys that lead to it in the tool's arguments: `['wait_for', 'text']`. */
  readonly path: readonly string[];
}

/** Arguments of several tools, by the tool's name. */
export type ArgumentsByTool = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The parameters of a tool as options: names in kebab-case, and descriptions, choices, defaults and
 * bounds of the tool's schema. The keys of an object become options of their own (`--wait-for-text`).
 *
 * @param without parameters to leave out
 * @throws Error for a parameter of a type that no option can hold
 */
export function parameterOptions(
  { name, input }: Pick<ToolManifest, 'name' | 'input'>,
  without: readonly string[] = [],
): readonly ParameterOption[] {
  const entries = Object.entries(input.shape).filter(([key]) => !without.includes(key));
  return entries.flatMap(([key, field]) => optionsOf(field, [key]).map((each) => ({ ...each, tool: name })));
}

interface Leaf {
  readonly option: Option;
  readonly path: readonly string[];
}

function optionsOf(field: unknown, path: readonly string[]): readonly Leaf[] {
  const { schema, description, byDefault } = unwrap(field);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, inner]) => optionsOf(inner, [...path, key]));
  const flag = path.join('-').replaceAll('_', '-');
  if (schema instanceof z.ZodBoolean)
    return switches(flag, byDefault).map(([shown, prefix]) => ({
      option: new Option(shown, `${prefix}${description}`),
      path,
    }));
  const option = new Option(`--${flag} <${placeholder(schema)}>`, description).default(byDefault);
  if (schema instanceof z.ZodEnum) option.choices(schema.options.map(String));
  if (schema instanceof z.ZodArray) {
    const { element } = schema;
    option.description = `${description} (repeatable)`;
    option.argParser((text, before: unknown) => [
      ...(Array.isArray(before) ? (before as unknown[]) : []),
      read(element, text),
    ]);
  } else if (!(schema instanceof z.ZodEnum)) option.argParser((text) => read(schema, text));
  return [{ option, path }];
}

/** A switch says what the default does not; one without a default says both. */
function switches(flag: string, byDefault: unknown): readonly (readonly [shown: string, prefix: string])[] {
  const on = [`--${flag}`, ''] as const;
  const off = [`--no-${flag}`, 'switch off: '] as const;
  if (byDefault === true) return [off];
  return byDefault === false ? [on] : [on, off];
}

interface Unwrapped {
  readonly schema: unknown;
  readonly description: string;
  readonly byDefault: unknown;
}

function unwrap(field: unknown): Unwrapped {
  let schema = field;
  let description: string | undefined;
  let byDefault: unknown;
  for (;;) {
    if (schema instanceof z.ZodType) description ??= schema.description;
    if (schema instanceof z.ZodDefault) byDefault ??= schema.def.defaultValue;
    else if (!(schema instanceof z.ZodOptional)) break;
    schema = schema.unwrap();
  }
  return { schema, description: description ?? '', byDefault };
}

function placeholder(schema: unknown): string {
  if (schema instanceof z.ZodArray) return placeholder(schema.element);
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodString) return 'text';
  throw new Error('An option holds text, a number, a choice, or a list of these.');
}

/** @throws InvalidArgumentError with what the schema takes */
function read(schema: unknown, text: string): unknown {
  const value = schema instanceof z.ZodNumber ? readNumber(text) : text;
  if (Number.isNaN(value)) throw new InvalidArgumentError('It takes a number.');
  if (!(schema instanceof z.ZodType)) return value;
  const parsed = schema.safeParse(value);
  if (parsed.success) return value;
  throw new InvalidArgumentError(`${parsed.error.issues.map(({ message }) => message).join('; ')}.`);
}

/** The options that were given on the command line, as arguments of their tools. */
export function givenArguments(command: Command, options: readonly ParameterOption[]): ArgumentsByTool {
  const given: Record<string, Record<string, unknown>> = {};
  for (const { option, tool, path } of options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    put((given[tool] ??= {}), path, command.getOptionValue(name));
  }
  return given;
}

function put(object: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  const inner: unknown = object[key];
  const next = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  object[key] = next;
  put(next, rest, value);
}
