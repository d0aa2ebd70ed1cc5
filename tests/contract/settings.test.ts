import { CommanderError, type Command } from 'commander';
import fc from '../support/property.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverCommand, settingsOf } from '../../server/cli/options.ts';
import { createSpillway, SpillwayError, type SpillwayOptions } from '../../server/library/index.ts';
import { parseOptions } from '../../server/library/options.ts';
import { SETTINGS } from '../../server/settings.ts';
import { type Name, ROWS } from './settings-rows.ts';

const NAMES = Object.keys(ROWS) as Name[];
const VARIABLES = NAMES.filter((name) => ROWS[name].variable !== undefined);

const parsed = (args: readonly string[]): Command =>
  serverCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse(args, { from: 'user' });

/** What a server gets of a setting through each door. */
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

it('every setting has its row here, its flag, and the name of its flag', () => {
  expect(NAMES).toEqual(Object.keys(SETTINGS));
  const long = (name: Name) => SETTINGS[name].flag.split(' ')[0];
  expect(NAMES.map(long)).toEqual(NAMES.map((name) => ROWS[name].flag));
  const { options } = serverCommand();
  for (const name of NAMES) expect(options.map((option) => option.attributeName())).toContain(name);
});

it('the variables are these', () => {
  const variables = NAMES.map((name) => SETTINGS[name].variable);
  expect(variables).toEqual(NAMES.map((name) => ROWS[name].variable));
});

describe.each(NAMES)('%s', (name) => {
  const { flag, byDefault, takes, refuses, says, saysOfText = says } = ROWS[name];

  it('has one default', () => {
    expect(byFlag(name, [])).toEqual(byDefault);
    expect(byProgram(name, {})).toEqual(byDefault);
    expect(byProgram(name, { [name]: undefined })).toEqual(byDefault);
  });

  it.each(takes)('takes %j, and %j of a program, as %j', (said, given, got) => {
    expect(byFlag(name, [flag, ...said])).toEqual(got);
    expect(byProgram(name, { [name]: given })).toEqual(got);
  });

  it.each(refuses)('refuses %j, and %j of a program, in the same words', (said, given) => {
    const refusal = refusalOf(() => byProgram(name, { [name]: given }));
    expect(refusal.code).toBe('invalid_argument');
    expect(refusal.message.replace(/\.\d+:/, ':')).toBe(`createSpillway: ${name}: ${says}.`);
    if (said === null) return;
    const { code, message } = refusalOf(() => byFlag(name, [flag, said]));
    expect(code).toBe('commander.invalidArgument');
    const option = SETTINGS[name].flag;
    expect(message).toBe(`error: option '${option}' argument '${said}' is invalid. ${saysOfText}.`);
  });
});

describe.each(VARIABLES)('the variable of %s', (name) => {
  const { flag, variable = '', byDefault, takes } = ROWS[name];

  it.each(takes)('says %j as a flag does', ([said = ''], _given, got) => {
    vi.stubEnv(variable, said);
    expect(byFlag(name, [])).toEqual(got);
    expect(byProgram(name, {})).toEqual(got);
    expect(byProgram(name, { [name]: undefined })).toEqual(got);
  });

  it.each(takes)('yields to the flag %j and the option %j', (said, given, got) => {
    vi.stubEnv(variable, 'other');
    expect(byFlag(name, [flag, ...said])).toEqual(got);
    expect(byProgram(name, { [name]: given })).toEqual(got);
  });

  it('says nothing when it is empty', () => {
    vi.stubEnv(variable, '');
    expect(byFlag(name, [])).toEqual(byDefault);
    expect(byProgram(name, {})).toEqual(byDefault);
  });
});

it.each([
  ['SPILLWAY_MODE', 'opneai', /^createSpillway: SPILLWAY_MODE: "opneai" is not one of default, /],
  [
    'SPILLWAY_TOOLS',
    'read,raed_page',
    /^createSpillway: SPILLWAY_TOOLS: .*"raed_page" \(did you mean read_page/,
  ],
])('the library names the variable %s=%s', (variable, value, message) => {
  vi.stubEnv(variable, value);
  expect(() => createSpillway()).toThrow(message);
});

it.each([null, 'home', 5, []])('%j is not a set of options', (options) => {
  vi.stubEnv('SPILLWAY_MODE', 'apps');
  expect(() => parseOptions(options as never)).toThrow(/^createSpillway: options: /);
});

it('of any number, both doors say the same', () => {
  const attempt = (work: () => unknown): unknown => {
    try {
      return work();
    } catch {
      return 'refused';
    }
  };
  const numeric = NAMES.filter((name) => typeof ROWS[name].byDefault === 'number');
  expect(numeric).toHaveLength(7);
  const value = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double(),
    fc.integer({ min: 0, max: 100_000 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...numeric), value, (name, number) => {
      const { flag } = ROWS[name];
      // The text of -0 is that of 0.
      const wanted = attempt(() => byProgram(name, { [name]: number === 0 ? 0 : number }));
      expect(attempt(() => byFlag(name, [flag, String(number)]))).toBe(wanted);
    }),
  );
});
