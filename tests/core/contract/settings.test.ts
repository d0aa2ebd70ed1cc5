import { CommanderError, type Command } from 'commander';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverCommand, settingsOf } from '../../../server/cli/options.ts';
import { SpillwayError, type SpillwayOptions } from '../../../server/library/index.ts';
import { parseOptions } from '../../../server/library/options.ts';
import { SETTINGS, type Settings } from '../../../server/core/settings.ts';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const PRIVATE = { headless: false, browserPath: null, windowSize: '1280x900' };

type Name = keyof Settings;

interface Kind {
  readonly says: string;
  readonly saysOfText?: string;
  /** The flag's value, the server's setting, and the program's option if that differs. */
  readonly takes: readonly (readonly [said: readonly string[], got: unknown, given?: unknown])[];
  /** Rejected as a text, and as a program's value. */
  readonly refuses: readonly unknown[];
  /** Rejected only as a program's value: it has no written form. */
  readonly refusesGiven?: readonly unknown[];
}

interface Row extends Kind {
  readonly flag: string;
  readonly variable?: string;
  readonly byDefault: unknown;
}

const SITES = ['example.com', 'https://a.example:8443'];
const sites: Kind = {
  says: 'It takes a list of sites such as example.com, https://example.com:8443 or @banking',
  takes: [
    [[`${SITES.join(', ')},`], SITES],
    [['@banking'], ['@banking']],
    [[' , '], []],
  ],
  refuses: [['example.com/path'], ['@bankng'], ['chrome://settings']],
  refusesGiven: ['example.com', [1]],
};
const number = (min: number, max: number, says = 'a number'): Kind => ({
  says: `It takes ${says} from ${min} to ${max}`,
  takes: [min, max].map((value) => [[String(value)], value]),
  refuses: [min - 1, max + 1, '', Number.NaN, -1e300, 1e300, Number.POSITIVE_INFINITY, 'ten'],
  refusesGiven: [String(min), null],
});
function whole(min: number, max: number): Kind {
  const kind = number(min, max, 'a whole number');
  return { ...kind, refuses: [...kind.refuses, min + 0.5] };
}
const oneOf = (...choices: readonly string[]): Kind => ({
  says: `It takes one of ${choices.join(', ')}`,
  takes: choices.map((choice) => [[choice], choice]),
  refuses: [`${choices[0]}s`, ''],
  refusesGiven: [true],
});
const path = (what: 'file' | 'folder'): Kind => ({
  says: `It takes a ${what}`,
  takes: [
    [['/srv/x'], '/srv/x'],
    [['Büro und Heim'], resolve('Büro und Heim'), 'Büro und Heim'],
  ],
  refuses: [''],
  refusesGiven: [null],
});
const twice = (flag: string, [one = '', other = '']: readonly string[]): Kind['takes'] => [
  [
    [one, flag, other],
    [one, other],
  ],
];
const mark = (got: boolean): Kind => ({
  says: 'It takes true or false',
  takes: [[[], got]],
  refuses: [],
  refusesGiven: ['yes', 1, null],
});

const optional = (flag: string, kind: Kind, variable?: string): Row => row(flag, undefined, kind, variable);
const row = (flag: string, byDefault: unknown, kind: Kind, variable?: string): Row => ({
  flag,
  byDefault,
  ...(variable !== undefined && { variable }),
  ...kind,
});

const ROWS: Record<Name, Row> = {
  mode: row(
    '--mode',
    'default',
    { says: 'It takes the name of a mode', takes: [[['apps'], 'apps']], refuses: [], refusesGiven: [1] },
    'SPILLWAY_MODE',
  ),
  tools: optional(
    '--tools',
    {
      says: 'It takes a list of names',
      takes: [
        [['read, act,read'], ['read', 'act']],
        [[' , '], []],
      ],
      refuses: [],
      refusesGiven: ['read', [1]],
    },
    'SPILLWAY_TOOLS',
  ),
  toolSelection: row('--tool-selection', 'keyword', oneOf('keyword', 'ai', 'hybrid')),
  home: row('--home', join(homedir(), '.spillway'), path('folder'), 'SPILLWAY_HOME'),
  outputModeDefault: row('--output-mode-default', 'inline', oneOf('inline', 'handle', 'auto')),
  outputHandleTtlHours: row('--output-handle-ttl-hours', 24, number(0, 87_600)),
  outputHandleSweepIntervalSeconds: row('--output-handle-sweep-interval-seconds', 300, whole(1, 86_400)),
  outputPageBytes: row('--output-page-bytes', 32_768, whole(256, 8_388_608)),
  outputMaxBytes: row('--output-max-bytes', 4_294_967_296, whole(1_048_576, 9_007_199_254_740_991)),
  sanitizeContent: row('--no-sanitize-content', true, mark(false)),
  secrets: optional('--secrets', path('file'), 'SPILLWAY_SECRETS'),
  uploadRoot: optional('--upload-root', {
    says: 'It takes a folder',
    takes: twice('--upload-root', ['/a', '/b:c']),
    refuses: [['']],
    refusesGiven: [[5]],
  }),
  downloadRoot: optional('--download-root', path('folder')),
  config: optional('--config', path('file'), 'SPILLWAY_CONFIG'),
  upstream: optional('--upstream', {
    says: 'It takes id=command or id=https://…',
    takes: twice('--upstream', ['a=npx b', 'c=https://d.example/mcp']),
    refuses: [[''], ['npx server'], ['a='], ['a b=c']],
    refusesGiven: [[5], 'a=b'],
  }),
  allowedSites: optional('--allowed-sites', sites, 'SPILLWAY_ALLOWED_SITES'),
  deniedSites: optional('--denied-sites', sites, 'SPILLWAY_DENIED_SITES'),
  contentBoundaries: row('--content-boundaries', false, mark(true)),
  budgetTokens: optional('--budget-tokens', whole(1, 1_000_000_000)),
  approvals: row('--approvals', 'panel', oneOf('panel', 'client', 'deny')),
  sitesApart: row('--sites-apart', 'ask', oneOf('ask', 'strict')),
  networkCapture: row('--network-capture', false, {
    says: 'It takes true or false',
    saysOfText: 'It takes one of on, off',
    takes: [
      [['on'], true],
      [['off'], false],
    ],
    refuses: ['maybe', '', 'true'],
    refusesGiven: ['on'],
  }),
  networkBufferBytes: row('--network-buffer-bytes', 268_435_456, whole(1_048_576, 9_007_199_254_740_991)),
  networkBodyBytes: row('--network-body-bytes', 2_097_152, whole(1_024, 16_777_216)),
  evidenceKey: optional('--evidence-key', path('file')),
  evidenceTimestampUrl: optional(
    '--evidence-timestamp-url',
    {
      says: 'It takes an http or https address',
      takes: ['https://time.test/tsr', 'http://user:word@time.test:318/'].map((url) => [[url], url]),
      refuses: ['', 'time.test', 'ftp://time.test/'],
      refusesGiven: [null],
    },
    'SPILLWAY_EVIDENCE_TIMESTAMP_URL',
  ),
  syncWaitMs: row('--sync-wait-ms', 45_000, whole(0, 3_600_000)),
  connectTimeoutMs: optional('--connect-timeout-ms', whole(1_000, 3_600_000), 'SPILLWAY_CONNECT_TIMEOUT_MS'),
  queue: optional(
    '--queue',
    {
      says: 'It takes redis://host:port or rediss://host:port, with a user but without a password',
      takes: ['redis://10.0.0.5', 'rediss://me@queue.test:6380/2', 'redis://[::1]:6379'].map((url) => [
        [url],
        url,
      ]),
      refuses: ['', 'queue.test:6379', 'redis://me:word@queue.test', 'http://queue.test'],
      refusesGiven: [null],
    },
    'SPILLWAY_QUEUE',
  ),
  queuePasswordFile: optional('--queue-password-file', path('file'), 'SPILLWAY_QUEUE_PASSWORD_FILE'),
  queueKeyFile: optional('--queue-key-file', path('file'), 'SPILLWAY_QUEUE_KEY_FILE'),
  launch: row('--launch', null, {
    says: 'It takes true, false or { headless, browser, windowSize }',
    takes: [
      [[], PRIVATE, true],
      [['--headless'], { ...PRIVATE, headless: true }, { headless: true }],
      [['--browser', 'b'], { ...PRIVATE, browserPath: resolve('b') }, { browser: 'b' }],
      [['--window-size', '800x600'], { ...PRIVATE, windowSize: '800x600' }, { windowSize: '800x600' }],
    ],
    refuses: [],
    refusesGiven: ['yes', { headless: 'yes' }],
  }),
};

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
  expect(NAMES.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
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
