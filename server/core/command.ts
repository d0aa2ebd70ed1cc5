import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import type { CommandIo } from './command-io.ts';
import type { Setting } from './flag.ts';
import { SETTINGS } from './settings.ts';

/** A command in the help, and its action, which is loaded when it runs, so that serving does not pay for it. */
export interface CommandRow<Flags> {
  /** The group comes first for a command in a group. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly (readonly [syntax: string, about: string])[];
  readonly options: readonly Option[];
  /** Resolves to the exit code. */
  readonly run: (flags: Flags, io: CommandIo, operands: readonly string[]) => Promise<number>;
}

/** Adds a command that is not a tool: `cli.ts` of a capability calls it for each of its commands. */
export type AddCommand = <Flags extends object>(row: CommandRow<Flags>) => void;

/** The program, for commands of other capabilities. */
export interface CommandHost {
  /** Ends the sessions of commands of a home. */
  readonly stopSessions: (home: string) => Promise<unknown>;
}

/** An option of a command. */
export const flag = (syntax: string, about: string, byDefault?: unknown): Option =>
  new Option(syntax, about).default(byDefault);

export const homeFlag = (): Option =>
  flag('--home <dir>', "Spillway's home (default: SPILLWAY_HOME or ~/.spillway)").argParser(
    textParser(SETTINGS.home),
  );

export const jsonFlag = (): Option => flag('--json', 'print the report as JSON', false);

/** Parses the text of a setting within the bounds of `schema`. */
function textParser<T>({ choices, read = String, schema }: Setting<z.ZodType<T>>): (text: string) => T {
  return (text) => {
    if (choices?.includes(text) === false)
      throw new InvalidArgumentError(`It takes one of ${choices.join(', ')}.`);
    const parsed = schema().safeParse(read(text));
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`${parsed.error.issues.map(({ message }) => message).join('; ')}.`);
  };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A setting's flag for a command, without a default: the server's flags before it supply the others. */
export function flagOf(row: Setting): Option {
  const option = new Option(row.flag, row.help);
  if (row.choices !== undefined) option.choices(row.choices);
  if (option.required) {
    const parse = textParser(row);
    // Repeating a list adds its words.
    option.argParser((text, before: unknown) => {
      const value = parse(text);
      return isList(value) && isList(before) ? [...new Set([...before, ...value])] : value;
    });
  }
  return option;
}
