import { InvalidArgumentError, Option, type Command } from 'commander';
import { z } from 'zod';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { isJsonList } from '../../../shared/base/json.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { readNumber } from '../../core/flag.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';

/** A tool's parameter as a command's option. */
export interface ParameterOption {
  readonly option: Option;
  readonly tool: string;
  /** The path to it in the tool's arguments: `['wait_for', 'text']`. */
  readonly path: readonly string[];
}

/** Arguments of several tools, by the tool's name. */
export type ArgumentsByTool = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The parameters of a tool as options: names in kebab-case; descriptions, choices, defaults and bounds from
 * the tool's schema. The keys of an object become separate options (`--wait-for-text`). Anything but texts,
 * numbers, choices and lists of them is given as JSON.
 * @param without parameters to leave out
 */
export function parameterOptions(
  { name, input }: Pick<ToolManifest, 'name' | 'input'>,
  without: readonly string[] = [],
): readonly ParameterOption[] {
  const entries = Object.entries(input.shape).filter(([key]) => !without.includes(key));
  return entries.flatMap(([key, field]) => optionsOf(field, [key]).map((each) => ({ ...each, tool: name })));
}

function optionsOf(field: unknown, path: readonly string[]): readonly Omit<ParameterOption, 'tool'>[] {
  const { schema, description, byDefault } = unwrap(field);
  if (schema instanceof z.ZodObject && isPlainObject(schema))
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
      parseParameter(element, text),
    ]);
  } else if (!(schema instanceof z.ZodEnum)) option.argParser((text) => parseParameter(schema, text));
  return [{ option, path }];
}

/** A switch turns its default around; one without a default can say both. */
function switches(flag: string, byDefault: unknown): readonly (readonly [shown: string, prefix: string])[] {
  const on = [`--${flag}`, ''] as const;
  const off = [`--no-${flag}`, 'switch off: '] as const;
  if (byDefault === true) return [off];
  return byDefault === false ? [on] : [on, off];
}

function unwrap(field: unknown) {
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

/** Its keys can be separate options. */
function isPlainObject({ shape }: z.ZodObject): boolean {
  const fields = Object.values(shape);
  return fields.length > 0 && fields.every(isPlain);
}

/** Its value is one word of a command line, or several. */
function isPlain(field: unknown): boolean {
  const { schema } = unwrap(field);
  return schema instanceof z.ZodBoolean || placeholder(schema) !== 'json';
}

function placeholder(schema: unknown): string {
  if (schema instanceof z.ZodArray) return placeholder(unwrap(schema.element).schema);
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodString) return 'text';
  return 'json';
}

/** The one required parameter. */
export function requiredParameter({ input }: Pick<ToolManifest, 'input'>): string | undefined {
  return Object.entries(input.shape).find(([, field]) => !isOptional(field))?.[0];
}

const isOptional = (field: unknown): boolean =>
  field instanceof z.ZodType && field.safeParse(undefined).success;

/** A parameter as the argument of a command: its syntax and its help. */
export function operandOf(
  shape: z.core.$ZodLooseShape,
  name: string,
  isRequired: boolean,
): readonly [syntax: string, help: string] {
  const { schema, description } = unwrap(shape[name]);
  const rest = schema instanceof z.ZodArray ? '...' : '';
  const kinds = schema instanceof z.ZodEnum ? ` (choices: ${schema.options.join(', ')})` : '';
  const more = placeholder(schema) === 'json' ? ' (text or JSON; - reads it from stdin)' : kinds;
  return [isRequired ? `<${name}${rest}>` : `[${name}${rest}]`, `${description}${more}`];
}

/**
 * The value of the argument.
 * @throws SpillwayError `invalid_argument` for a word that is neither an accepted text nor JSON
 */
export function operandValue(
  shape: z.core.$ZodLooseShape,
  name: string,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const [first] = words;
  if (first === undefined) return {};
  const { schema } = unwrap(shape[name]);
  const isList = schema instanceof z.ZodArray;
  try {
    const value = isList
      ? words.map((word) => parseParameter(schema.element, word))
      : parseParameter(schema, first);
    // A whole list may come as one JSON text.
    const whole = isList && words.length === 1 ? jsonIn(first) : undefined;
    return { [name]: isJsonList(whole) ? whole : value };
  } catch (thrown) {
    throw invalidArgument(`${name}: ${messageOf(thrown)}`);
  }
}

/** @throws InvalidArgumentError with what the schema takes */
function parseParameter(wrapped: unknown, text: string): unknown {
  const { schema } = unwrap(wrapped);
  // The tool validates it, as in any call.
  if (placeholder(schema) === 'json') return jsonIn(text) ?? text;
  const value = schema instanceof z.ZodNumber ? readNumber(text) : text;
  if (Number.isNaN(value)) throw new InvalidArgumentError('It takes a number.');
  if (!(schema instanceof z.ZodType)) return value;
  const parsed = schema.safeParse(value);
  if (parsed.success) return value;
  throw new InvalidArgumentError(`${parsed.error.issues.map(({ message }) => message).join('; ')}.`);
}

/** The options on the command line, as arguments of their tools. */
export function givenArguments(command: Command, options: readonly ParameterOption[]): ArgumentsByTool {
  const given = new Map<string, Record<string, unknown>>();
  for (const { option, tool, path } of options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    const own = given.get(tool) ?? {};
    put(own, path, command.getOptionValue(name));
    given.set(tool, own);
  }
  return Object.fromEntries(given);
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
