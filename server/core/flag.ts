import { resolve } from 'node:path';
import { z } from 'zod';

/** A setting's text form, on the command line and in the environment. */
export interface Flag<Default = unknown> {
  /** In commander's form. One without an argument is a switch. */
  readonly flag: string;
  /** Applies if nothing is given. An empty one counts as not given. */
  readonly variable?: string;
  readonly help: string;
  /** The value, or a function that makes it. Absent: none. */
  readonly byDefault?: Default;
  /** The accepted texts, if they are few. */
  readonly choices?: readonly string[];
  /** Default: the text itself. */
  readonly read?: (text: string) => unknown;
}

/** A setting: its text side, and the schema of its value, which is created when there is a value to read. */
export interface Setting<Schema extends z.ZodType = z.ZodType> extends Flag {
  readonly schema: () => Schema;
}

type Given<Schema extends z.ZodType> = z.core.util.NoUndefined<z.output<Schema>>;

/** @param spec has the schema of a value that is given; without a default there may be none */
export function setting<Schema extends z.ZodType>(
  spec: Flag<undefined> & { readonly schema: () => Schema },
): Setting<z.ZodOptional<Schema>>;
export function setting<Schema extends z.ZodType>(
  spec: Flag<Given<Schema> | (() => Given<Schema>)> & { readonly schema: () => Schema },
): Setting<z.ZodDefault<Schema>>;
export function setting({ schema, ...flag }: Flag & { readonly schema: () => z.ZodType }): Setting {
  const { byDefault } = flag;
  return {
    ...flag,
    schema: () => (byDefault === undefined ? schema().optional() : schema().default(byDefault)),
  };
}

/** An empty text is not a number, though `Number` reads it as 0. */
export const readNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** A setting that is a whole number, with one message for every violation. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: Range) {
  const error = `It takes a whole number from ${min} to ${max}`;
  return z.int({ error, abort: true }).min(min, error).max(max, error);
}

/** A setting that is a number. */
export function fraction({ min, max }: Required<Range>) {
  const error = `It takes a number from ${min} to ${max}`;
  return z.number({ error }).min(min, error).max(max, error);
}

/** A setting that accepts any text that is not empty. */
export const text = (what: string) => {
  const error = `It takes ${what}`;
  return z.string({ error }).min(1, error);
};

/** A setting that is one of a few words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: `It takes one of ${words.join(', ')}` });

export const yesOrNo = () => z.boolean({ error: 'It takes true or false' });

/** A setting that is a path from the working folder. */
export const path = (what: string) => text(what).overwrite((given) => resolve(given));
