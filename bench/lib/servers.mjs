import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BENCH = join(import.meta.dirname, '..');
const { dependencies } = JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8'));

/** Flags that every Chromium of the benchmark gets, so that none of them does less than another. */
const CHROME_FLAGS = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * @typedef {object} Read one way of reading a page
 * @property {string} name
 * @property {string} tool
 * @property {Record<string, unknown>} args
 *
 * @typedef {object} ServerKind
 * @property {string} id
 * @property {string} name what tables call it
 * @property {(options: StartOptions) => { command: string, args: string[], env?: Record<string, string> }} start
 * @property {(url: string) => { tool: string, args: Record<string, unknown> }} [open]
 * @property {readonly Read[]} [reads]
 *
 * @typedef {object} StartOptions
 * @property {string} home a temporary folder of this run
 * @property {string | null} browser path of the Chromium; null: none will be needed
 */

const isRoot = process.getuid?.() === 0;
const read = (name, args) => ({ name, tool: 'read_page', args });

/** @type {ServerKind} */
export const SPILLWAY = {
  id: 'spillway',
  name: 'Spillway',
  start: ({ home, browser }) => ({
    command: process.execPath,
    args: [
      join(BENCH, '../dist/index.js'),
      '--home',
      join(home, 'spillway'),
      ...(browser === null ? [] : ['--launch', '--headless', '--browser', browser]),
    ],
  }),
  open: (url) => ({ tool: 'navigate', args: { url } }),
  reads: [
    read('snapshot inline', { format: 'snapshot', output_mode: 'inline' }),
    read('snapshot auto', { format: 'snapshot', output_mode: 'auto' }),
    read('markdown inline', { format: 'markdown', output_mode: 'inline' }),
    read('markdown auto', { format: 'markdown', output_mode: 'auto' }),
  ],
};

/** As their files are named. */
const modeNames = () =>
  readdirSync(join(BENCH, '../server/core/modes')).flatMap(
    (file) => /^(.+)\.mode\.ts$/.exec(file)?.[1] ?? [],
  );

/** Spillway in each of its modes; only their tool lists are measured. */
export const SPILLWAY_MODES = modeNames().map((mode) => ({
  id: `spillway-${mode}`,
  name: `Spillway, --mode ${mode}`,
  start: (options) => {
    const { command, args } = SPILLWAY.start(options);
    return { command, args: [...args, '--mode', mode] };
  },
}));

/** @type {ServerKind} */
export const BARE = {
  id: 'bare',
  name: 'bare SDK server',
  start: () => ({ command: process.execPath, args: [join(BENCH, 'bare-server.mjs')] }),
};

/** @type {ServerKind} */
const PLAYWRIGHT_MCP = {
  id: 'playwright-mcp',
  name: `@playwright/mcp ${dependencies['@playwright/mcp']}`,
  start: ({ home, browser }) => ({
    command: process.execPath,
    args: [
      join(BENCH, 'node_modules/@playwright/mcp/cli.js'),
      '--headless',
      '--isolated',
      ...['--output-dir', join(home, 'playwright-mcp')],
      ...(isRoot ? ['--no-sandbox'] : []),
      ...(browser === null ? [] : ['--executable-path', browser]),
    ],
  }),
  open: (url) => ({ tool: 'browser_navigate', args: { url } }),
  reads: [{ name: 'snapshot', tool: 'browser_snapshot', args: {} }],
};

/** @type {ServerKind} */
const CHROME_DEVTOOLS_MCP = {
  id: 'chrome-devtools-mcp',
  name: `chrome-devtools-mcp ${dependencies['chrome-devtools-mcp']}`,
  start: ({ browser }) => ({
    command: process.execPath,
    args: [
      join(BENCH, 'node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
      ...['--headless', '--isolated', '--no-usage-statistics', '--no-performance-crux'],
      ...[...(isRoot ? ['--no-sandbox'] : []), ...CHROME_FLAGS].map((flag) => `--chrome-arg=${flag}`),
      ...(browser === null ? [] : ['--executable-path', browser]),
    ],
    env: { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' },
  }),
  open: (url) => ({ tool: 'navigate_page', args: { pageId: 1, type: 'url', url } }),
  reads: [{ name: 'snapshot', tool: 'take_snapshot', args: { pageId: 1 } }],
};

export const PEERS = [PLAYWRIGHT_MCP, CHROME_DEVTOOLS_MCP];
