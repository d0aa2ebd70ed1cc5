import { CommanderError, type Command } from 'commander';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverCommand, settingsOf } from '../../server/cli/options.ts';
import { SpillwayError, type SpillwayOptions } from '../../server/library/index.ts';
import { parseOptions } from '../../server/library/options.ts';
import { SETTINGS } from '../../server/settings.ts';
import { type Name, ROWS } from './settings-rows.ts';

const NAMES = Object.keys(ROWS) as Name[];

const parsed = (args: readonly string[]): Command =>
  serverCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, outputError: () => undefined })
    .parse(args, { from: 'user' });

const byFlag = (name: Name, args: readonly string[]): unknown => settingsOf(parsed(args).opts())[name];
const byProgram = (name: Name, given: object): unknown => parseOptions(given as SpillwayOptions).app[name];

function refusalOf(work: () => unknown): { readonly code: unknown; readonly message: string } {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof SpillwayError || thrown instanceof CommanderError) return thrown;
    throw thrown;
  }
  throw new Error('It was not refused.');
}

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(ROWS[name].variable ?? '-', undefined);
  return () => vi.unstubAllEnvs();
});

it('every setting has its row here, its flag, its variable, and the name of its flag', () => {
  expect(NAMES).toEqual(Object.keys(SETTINGS));
  const options = serverCommand().options.map((option) => option.attributeName());
  for (const name of NAMES) {
    const { flag, variable } = SETTINGS[name];
    expect([flag.split(' ')[0], variable]).toEqual([ROWS[name].flag, ROWS[name].variable]);
    expect(options).toContain(name);
  }
});

describe.each(NAMES)('%s', (name) => {
  const {
    flag,
    variable,
    byDefault,
    takes,
    refuses,
    refusesGiven = [],
    says,
    saysOfText = says,
  } = ROWS[name];
  /** The same to a flag, and to a program. */
  const expectBoth = (args: readonly string[], given: object, got: unknown): void => {
    expect(byFlag(name, args)).toEqual(got);
    expect(byProgram(name, given)).toEqual(got);
  };

  it('has one default, also where its variable is empty', () => {
    expectBoth([], {}, byDefault);
    if (variable !== undefined) vi.stubEnv(variable, '');
    expectBoth([], { [name]: undefined }, byDefault);
  });

  const taken = takes.map(([said, got, given = got]) => ({ said, got, given }));
  it.each(taken)('takes $said as $got, by flag, variable and program', ({ said, got, given }) => {
    if (variable !== undefined) {
      vi.stubEnv(variable, said[0]);
      expectBoth([], { [name]: undefined }, got);
      vi.stubEnv(variable, 'other');
    }
    expectBoth([flag, ...said], { [name]: given }, got);
  });

  it.each([...refuses, ...refusesGiven].map((given) => [given]))('refuses %j of a program', (given) => {
    const refusal = refusalOf(() => byProgram(name, { [name]: given }));
    expect(refusal.code).toBe('invalid_argument');
    expect(refusal.message.replace(/\.\d+:/, ':')).toBe(`createSpillway: ${name}: ${says}.`);
  });

  it.each(refuses.map(String))('refuses the text %j in the same words', (said) => {
    const { code, message } = refusalOf(() => byFlag(name, [flag, said]));
    expect(code).toBe('commander.invalidArgument');
    expect(message).toContain(`argument '${said}' is invalid. ${saysOfText}.`);
  });
});
