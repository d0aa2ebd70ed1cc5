import { CommanderError, type Command } from 'commander';
import fc from '../support/property.ts';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverCommand, settingsOf } from '../../server/cli/options.ts';
import { createSpillway, SpillwayError, type SpillwayOptions } from '../../server/library/index.ts';
import { parseOptions } from '../../server/library/options.ts';
import { SETTINGS, type Settings } from '../../server/settings.ts';

const PRIVATE = { headless: false, browserPath: null, windowSize: '1280x900' };

type Name = keyof Settings;

/** One setting, in literals. */
interface Row {
  readonly flag: string;
  readonly variable?: string;
  readonly byDefault: unknown;
  /** The value of the flag, the option of a program, and the setting of a server. */
  readonly takes: readonly (readonly [said: readonly string[], given: unknown, got: unknown])[];
  /** A text, or null where nothing that is written says so; and what a program gives instead. */
  readonly refuses: readonly (readonly [said: string | null, given: unknown])[];
  readonly says: string;
  /** On the command line, where that differs. */
  readonly saysOfText?: string;
}

const same = (value: number): Row['takes'][number] => [[String(value)], value, value];
const numbers = (
  min: number,
  max: number,
  takes: readonly number[] = [],
): Pick<Row, 'takes' | 'refuses'> => ({
  takes: [min, max, ...takes].map(same),
  refuses: [
    [String(min - 1), min - 1],
    [String(max + 1), max + 1],
    ['', ''],
    [' ', Number.NaN],
    ['-1e300', -1e300],
    ['1e300', 1e300],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['ten', 'ten'],
    [null, String(min)],
    [null, null],
  ],
});
const whole = (min: number, max: number): Pick<Row, 'takes' | 'refuses' | 'says'> => {
  const { takes, refuses } = numbers(min, max);
  const says = `It takes a whole number from ${min} to ${max}`;
  return { takes, refuses: [...refuses, [String(min + 0.5), min + 0.5]], says };
};
const notYesOrNo = {
  refuses: [
    [null, 'yes'],
    [null, 1],
    [null, null],
  ],
  says: 'It takes true or false',
} as const;

const ROWS: Record<Name, Row> = {
  mode: {
    flag: '--mode',
    variable: 'SPILLWAY_MODE',
    byDefault: 'default',
    takes: [[['apps'], 'apps', 'apps']],
    refuses: [[null, 1]],
    says: 'It takes the name of a mode',
  },
  tools: {
    flag: '--tools',
    variable: 'SPILLWAY_TOOLS',
    byDefault: undefined,
    takes: [
      [['read, act,read'], ['read', 'act'], ['read', 'act']],
      [[' , '], [], []],
    ],
    refuses: [
      [null, 'read'],
      [null, [1]],
    ],
    says: 'It takes a list of names',
  },
  home: {
    flag: '--home',
    variable: 'SPILLWAY_HOME',
    byDefault: join(homedir(), '.spillway'),
    takes: [
      [['/srv/spillway'], '/srv/spillway', '/srv/spillway'],
      [['Büro und Heim'], 'Büro und Heim', resolve('Büro und Heim')],
    ],
    refuses: [
      ['', ''],
      [null, null],
    ],
    says: 'It takes a folder',
  },
  outputModeDefault: {
    flag: '--output-mode-default',
    byDefault: 'inline',
    takes: ['inline', 'handle', 'auto'].map((mode) => [[mode], mode, mode]),
    refuses: [
      ['maybe', 'maybe'],
      ['', ''],
      ['Auto', 'Auto'],
    ],
    says: 'It takes one of inline, handle, auto',
  },
  outputHandleTtlHours: {
    flag: '--output-handle-ttl-hours',
    byDefault: 24,
    ...numbers(0, 87_600, [0.25]),
    says: 'It takes a number from 0 to 87600',
  },
  outputHandleSweepIntervalSeconds: {
    flag: '--output-handle-sweep-interval-seconds',
    byDefault: 300,
    ...whole(1, 86_400),
  },
  outputPageBytes: { flag: '--output-page-bytes', byDefault: 32_768, ...whole(256, 8_388_608) },
  outputMaxBytes: {
    flag: '--output-max-bytes',
    byDefault: 4_294_967_296,
    ...whole(1_048_576, 9_007_199_254_740_991),
  },
  sanitizeContent: {
    flag: '--no-sanitize-content',
    byDefault: true,
    takes: [[[], false, false]],
    ...notYesOrNo,
  },
  secrets: {
    flag: '--secrets',
    variable: 'SPILLWAY_SECRETS',
    byDefault: undefined,
    takes: [[['/s.env'], '/s.env', '/s.env']],
    refuses: [
      ['', ''],
      [null, null],
    ],
    says: 'It takes a file',
  },
  uploadRoot: {
    flag: '--upload-root',
    byDefault: undefined,
    takes: [
      [['/a'], ['/a'], ['/a']],
      [
        ['/a', '--upload-root', '/b:c'],
        ['/a', '/b:c'],
        ['/a', '/b:c'],
      ],
    ],
    refuses: [
      ['', ['']],
      [null, [5]],
    ],
    says: 'It takes a folder',
  },
  contentBoundaries: {
    flag: '--content-boundaries',
    byDefault: false,
    takes: [[[], true, true]],
    ...notYesOrNo,
  },
  networkCapture: {
    flag: '--network-capture',
    byDefault: false,
    takes: [
      [['on'], true, true],
      [['off'], false, false],
    ],
    refuses: [
      ['maybe', 'maybe'],
      ['', ''],
      ['true', 'true'],
      [null, 'on'],
    ],
    says: 'It takes true or false',
    saysOfText: 'It takes one of on, off',
  },
  networkBufferBytes: {
    flag: '--network-buffer-bytes',
    byDefault: 268_435_456,
    ...whole(1_048_576, 9_007_199_254_740_991),
  },
  networkBodyBytes: { flag: '--network-body-bytes', byDefault: 2_097_152, ...whole(1_024, 16_777_216) },
  evidenceKey: {
    flag: '--evidence-key',
    byDefault: undefined,
    takes: [[['/k.pem'], '/k.pem', '/k.pem']],
    refuses: [
      ['', ''],
      [null, null],
    ],
    says: 'It takes a file',
  },
  evidenceTimestampUrl: {
    flag: '--evidence-timestamp-url',
    variable: 'SPILLWAY_EVIDENCE_TIMESTAMP_URL',
    byDefault: undefined,
    takes: ['https://time.test/tsr', 'http://user:word@time.test:318/'].map((url) => [[url], url, url]),
    refuses: [
      ['', ''],
      ['time.test', 'time.test'],
      ['ftp://time.test/', 'ftp://time.test/'],
      [null, null],
    ],
    says: 'It takes an http or https address',
  },
  syncWaitMs: { flag: '--sync-wait-ms', byDefault: 45_000, ...whole(0, 3_600_000) },
  launch: {
    flag: '--launch',
    byDefault: null,
    takes: [
      [[], true, PRIVATE],
      [['--headless'], { headless: true }, { ...PRIVATE, headless: true }],
      [['--browser', '/b'], { browser: '/b' }, { ...PRIVATE, browserPath: '/b' }],
      [['--window-size', '800x600'], { windowSize: '800x600' }, { ...PRIVATE, windowSize: '800x600' }],
    ],
    refuses: [
      [null, 'yes'],
      [null, { headless: 'yes' }],
    ],
    says: 'It takes true, false or { headless, browser, windowSize }',
  },
};
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
