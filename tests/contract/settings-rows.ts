import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Settings } from '../../server/settings.ts';

const PRIVATE = { headless: false, browserPath: null, windowSize: '1280x900' };

export type Name = keyof Settings;

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

const SITE_LIST: Pick<Row, 'takes' | 'refuses' | 'says'> = {
  takes: [
    [
      ['example.com, https://a.example:8443,'],
      ['example.com', 'https://a.example:8443'],
      ['example.com', 'https://a.example:8443'],
    ],
    [['@banking'], ['@banking'], ['@banking']],
    [[' , '], [], []],
  ],
  refuses: [
    ['example.com/path', ['example.com/path']],
    ['@bankng', ['@bankng']],
    ['chrome://settings', ['chrome://settings']],
    [null, 'example.com'],
    [null, [1]],
  ],
  says: 'It takes a list of sites such as example.com, https://example.com:8443 or @banking',
};

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

const oneOf = (...choices: readonly string[]): Pick<Row, 'takes' | 'refuses' | 'says'> => ({
  takes: choices.map((choice) => [[choice], choice, choice]),
  refuses: [
    [`${choices[0]}s`, `${choices[0]}s`],
    ['', ''],
    [null, 1],
  ],
  says: `It takes one of ${choices.join(', ')}`,
});
const path = (what: 'file' | 'folder'): Pick<Row, 'takes' | 'refuses' | 'says'> => ({
  takes: [
    [['/srv/x'], '/srv/x', '/srv/x'],
    [['Büro und Heim'], 'Büro und Heim', resolve('Büro und Heim')],
  ],
  refuses: [
    ['', ''],
    [null, null],
  ],
  says: `It takes a ${what}`,
});

/** Every setting. */
export const ROWS: Record<Name, Row> = {
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
  toolSelection: { flag: '--tool-selection', byDefault: 'keyword', ...oneOf('keyword', 'ai', 'hybrid') },
  home: {
    flag: '--home',
    variable: 'SPILLWAY_HOME',
    byDefault: join(homedir(), '.spillway'),
    ...path('folder'),
  },
  outputModeDefault: {
    flag: '--output-mode-default',
    byDefault: 'inline',
    ...oneOf('inline', 'handle', 'auto'),
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
  secrets: { flag: '--secrets', variable: 'SPILLWAY_SECRETS', byDefault: undefined, ...path('file') },
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
  config: { flag: '--config', variable: 'SPILLWAY_CONFIG', byDefault: undefined, ...path('file') },
  upstream: {
    flag: '--upstream',
    byDefault: undefined,
    takes: [
      [['files=npx server'], ['files=npx server'], ['files=npx server']],
      [
        ['a=b', '--upstream', 'c=https://d.example/mcp'],
        ['a=b', 'c=https://d.example/mcp'],
        ['a=b', 'c=https://d.example/mcp'],
      ],
    ],
    refuses: [
      ['', ['']],
      ['npx server', ['npx server']],
      ['a=', ['a=']],
      ['a b=c', ['a b=c']],
      [null, [5]],
      [null, 'a=b'],
    ],
    says: 'It takes id=command or id=https://…',
  },
  allowedSites: {
    flag: '--allowed-sites',
    variable: 'SPILLWAY_ALLOWED_SITES',
    byDefault: undefined,
    ...SITE_LIST,
  },
  deniedSites: {
    flag: '--denied-sites',
    variable: 'SPILLWAY_DENIED_SITES',
    byDefault: undefined,
    ...SITE_LIST,
  },
  contentBoundaries: {
    flag: '--content-boundaries',
    byDefault: false,
    takes: [[[], true, true]],
    ...notYesOrNo,
  },
  budgetTokens: {
    flag: '--budget-tokens',
    byDefault: undefined,
    ...whole(1, 1_000_000_000),
  },
  approvals: { flag: '--approvals', byDefault: 'panel', ...oneOf('panel', 'client', 'deny') },
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
  evidenceKey: { flag: '--evidence-key', byDefault: undefined, ...path('file') },
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
