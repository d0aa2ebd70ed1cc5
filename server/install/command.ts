import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { invalidArgument, toSpillwayError } from '../../shared/base/errors.ts';
import { BRIDGE_DIR_VARIABLE } from '../core/bridge/directory.ts';
import {
  clientCommand,
  commandLine,
  findBuildDirectory,
  withOwnCommands,
} from '../core/machine/command-line.ts';
import { BROWSER_KINDS, type BrowserKind } from '../core/bridge/browsers.ts';
import { FIREFOX_ROWS } from '../core/bridge/firefox.ts';
import { CLIENT_KINDS, type ClientKind } from '../core/bridge/client-files.ts';
import { planClients, removeClients, writeClients, type ClientReport } from './clients.ts';
import { nodeFiles, currentMachine, type Platform, runCommand } from '../core/bridge/machine.ts';
import { install, type InstallReport } from './install.ts';
import { stableNodePath } from '../core/bridge/launcher.ts';
import type { Written } from './receipt.ts';
import { systemClock } from '../core/services.ts';
import { alignColumns, printReport, quiet, styleOf, type CommandIo } from '../core/command-io.ts';
import { uninstall, type UninstallReport } from './uninstall.ts';

/** Programs that copy their input to the clipboard, in the order in which they are tried. */
const COPIERS: Readonly<Record<Platform, readonly (readonly [string, ...string[]])[]>> = {
  darwin: [['pbcopy']],
  win32: [['clip.exe']],
  linux: [['wl-copy'], ['xclip', '-selection', 'clipboard'], ['xsel', '--clipboard', '--input']],
};

/** Puts a text into the clipboard; says whether a program took it. */
async function copyText(text: string, platform: Platform): Promise<boolean> {
  for (const [program, ...args] of COPIERS[platform]) if (await pipeTo(program, args, text)) return true;
  return false;
}

function pipeTo(program: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: 2_000 });
    child.once('error', () => resolve(false));
    // Some stay to serve the clipboard, in their own process.
    child.once('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

/** Flags of `spillway install`. */
export interface InstallCommandOptions {
  /** One browser, several separated by commas, or `all`; default: the browsers that are found. */
  readonly browser?: string | undefined;
  /** Clients whose settings are written too, separated by commas, or `all` that are found. */
  readonly client?: string | undefined;
  readonly json?: boolean | undefined;
  /** Spillway's home. */
  readonly home: string;
  /** The same for host and servers (`SPILLWAY_BRIDGE_DIR`); by default the host chooses. */
  readonly bridgeDirectory?: string | undefined;
  /** Folder of the build; found automatically by default. */
  readonly distDirectory?: string | undefined;
}

/**
 * `spillway install`: writes launcher, extension copy and host manifests and reports them. Resolves to the
 * exit code: 0 if at least one browser is ready, none is in conflict, and the settings of all clients are written.
 */
export async function runInstall(options: InstallCommandOptions, io: CommandIo): Promise<number> {
  const machine = currentMachine();
  const node = stableNodePath(machine, process.execPath, existsSync);
  const distDirectory = options.distDirectory ?? findBuildDirectory();
  const settings = { machine, files: nodeFiles };
  const entry = clientCommand(node, join(distDirectory, 'index.js'), machine.platform);
  // Unreadable settings must show before anything is written.
  const changes =
    options.client === undefined
      ? []
      : await planClients({ ...settings, clients: parseClients(options.client) }, entry);
  const browsers = await install({
    ...settings,
    run: runCommand,
    home: options.home,
    node,
    distDirectory,
    bridgeDirectory: options.bridgeDirectory || process.env[BRIDGE_DIR_VARIABLE] || null,
    browsers: options.browser === undefined ? 'found' : parseBrowsers(options.browser),
  });
  const report = { ...browsers, clients: await writeClients(settings, changes) };
  // Only for a person at a terminal: a script that installs keeps its clipboard.
  const isCopied =
    options.json !== true && io.isTerminal && (await copyText(report.extension.path, machine.platform));
  const done = { isCopied, hasLooked: options.client !== undefined };
  printReport(io, options, report, () => formatInstall(report, io, done));
  const isReady = report.browsers.some((each) => each.status === 'ready');
  const hasFailed =
    report.browsers.some((each) => each.status === 'conflict') ||
    report.clients.some((each) => each.action === 'failed');
  if (isReady && options.json !== true && io.isTerminal) await waitUntilLoaded(io);
  return isReady && !hasFailed ? 0 : 1;
}

/** @throws SpillwayError `invalid_argument` for an unknown name */
function parseKinds<Kind extends string>(
  text: string,
  kinds: readonly Kind[],
  flag: string,
  what: string,
  hint = '',
): readonly Kind[] {
  return text.split(',').map((name) => {
    const kind = kinds.find((candidate) => candidate === name.trim());
    if (kind !== undefined) return kind;
    throw invalidArgument(`${flag}: "${name}" is not a ${what}.`, `Use ${kinds.join(', ')} or all${hint}.`);
  });
}

/** `codex,zed` or `all`. @throws SpillwayError `invalid_argument` for an unknown name */
const parseClients = (text: string): 'found' | readonly ClientKind[] =>
  text === 'all'
    ? 'found'
    : parseKinds(
        text,
        CLIENT_KINDS,
        '--client',
        'client that install knows',
        '; docs/clients.md has the lines for others',
      );

/** `chrome,edge` or `all`. @throws SpillwayError `invalid_argument` for an unknown name */
export const parseBrowsers = (text: string): 'all' | readonly BrowserKind[] =>
  text === 'all' ? text : parseKinds(text, BROWSER_KINDS, '--browser', 'supported browser');

type Report = InstallReport & { readonly clients: readonly ClientReport[] };
interface Done {
  /** The path is in the clipboard. */
  readonly isCopied: boolean;
  /** Agents were to be found. */
  readonly hasLooked: boolean;
}
type InstallRow = [string, string, Written['action']];

/** The report for a person. */
function formatInstall(report: Report, io: CommandIo, done: Done): string {
  const style = styleOf(io);
  const rows: InstallRow[] = [
    ['launcher', report.launcher.path, report.launcher.action],
    ['host', report.host.path, report.host.action],
    ['extension', report.extension.path, report.extension.action],
    ['for Firefox', report.firefox.path, report.firefox.action],
    ...report.browsers.flatMap(({ name, manifests, registry }) =>
      [...manifests, ...registry].map(({ path, action }): InstallRow => [name, path, action]),
    ),
    ...report.clients.map(({ name, path, action }): InstallRow => [name, path, action]),
  ];
  const marks = {
    foreign: style.bad('✗'),
    failed: style.bad('✗'),
    unchanged: style.faint('='),
    written: style.good('✓'),
    updated: style.good('✓'),
  };
  const lines = alignColumns(rows).map((line, at) => `  ${marks[rows[at]?.[2] ?? 'unchanged']} ${line}`);
  const notes = [...report.browsers, ...report.clients].flatMap(({ note }) => (note === null ? [] : [note]));
  if (report.browsers.length === 0)
    notes.push(
      `No browser was found. Choose one with --browser: ${BROWSER_KINDS.join(', ')}, or all of them.`,
    );
  return [
    ...lines,
    ...notes.flatMap((note) => ['', `  ${style.caution('!')} ${note}`]),
    ...nextSteps(report, done, style.strong),
    '',
  ].join('\n');
}

/**
 * How a system's folder dialog takes a path: it does not show hidden folders. Linux has GTK's dialog, in which Enter
 * chooses nothing, and that of a desktop portal, whose button stays grey while "Recent" is shown.
 */
const PASTE_KEYS = {
  darwin: 'press Cmd+Shift+G, paste with Cmd+V, press Return, and press "Select"',
  win32: 'paste into the field "Folder" with Ctrl+V, and press "Select Folder"',
  linux: 'click "Home", press Ctrl+L, paste with Ctrl+V, and press "Open" or "Select", not Enter',
} as const;

const LOOK_MS = 60_000;
const LOOKS = 10;

/** Says when a browser has loaded the extension, and each minute what is missing so far. */
async function waitUntilLoaded(io: CommandIo): Promise<void> {
  const { createBridge } = await import('../core/bridge/index.ts');
  const bridge = createBridge({ logger: quiet, clock: systemClock });
  const style = styleOf(io);
  io.write(style.faint('  … waiting until a browser loads it; Ctrl+C leaves\n'));
  try {
    for (let left = LOOKS; left > 0; left -= 1) {
      const missing = await bridge.ready({ timeoutMs: LOOK_MS }).then(() => null, toSpillwayError);
      if (missing !== null) {
        io.write(`  … not loaded yet. ${missing.message}\n`);
        io.write(
          '    If the dialog has closed and no extension appeared, open it again and press its button.\n',
        );
        continue;
      }
      const names = bridge.browsers().flatMap(({ connected, facts }) => (connected ? [facts.name] : []));
      io.write(`  ${style.good('✓')} loaded: ${names.join(', ')} has connected\n`);
      return;
    }
  } finally {
    await bridge.close();
  }
}

function nextSteps(
  report: Report,
  { isCopied, hasLooked }: Done,
  strong: (text: string) => string,
): string[] {
  const ready = report.browsers.filter(({ status }) => status === 'ready');
  if (ready.length === 0) return [];
  const firefoxes = ready.filter(({ browser }) => Object.hasOwn(FIREFOX_ROWS, browser));
  const inFirefox = firefoxes.length === 0 ? [] : firefoxSteps(report.firefox.path, strong);
  if (firefoxes.length === ready.length) return [...inFirefox, ...agentSteps(report, hasLooked, strong)];
  const folder = report.extension.path;
  const paste = `${isCopied ? 'The path is in the clipboard' : 'Copy that path'}: in the dialog, ${PASTE_KEYS[currentMachine().platform]}.`;
  const isReload = report.extension.action === 'updated';
  return [
    '',
    strong(isReload ? 'Next, in each browser profile:' : 'Next, once in each browser profile:'),
    '  1. Open chrome://extensions and switch "Developer mode" on.',
    isReload
      ? '  2. Press the reload button on Spillway, because its files have changed; if it is not there yet,\n' +
        `     choose "Load unpacked" and the folder ${folder}`
      : `  2. Choose "Load unpacked" and the folder ${folder}`,
    `     ${paste}`,
    '  3. Click the puzzle piece in the toolbar, and the pin next to Spillway.',
    withOwnCommands('  4. Run `spillway doctor` to check that every part works.'),
    ...inFirefox,
    ...agentSteps(report, hasLooked, strong),
  ];
}

/** Firefox keeps an extension that Mozilla has not signed until it ends. */
const firefoxSteps = (folder: string, strong: (text: string) => string): string[] => [
  '',
  strong('In Firefox, after each start:'),
  '  1. Open about:debugging#/runtime/this-firefox and press "Load Temporary Add-on…".',
  `  2. Choose ${join(folder, 'manifest.json')}`,
];

function agentSteps(
  { clients, client: { command, args } }: Report,
  hasLooked: boolean,
  strong: (text: string) => string,
): string[] {
  if (clients.length > 0) return ['', '  Then restart your agent, and ask it to open a page.'];
  return [
    '',
    strong(
      hasLooked
        ? 'None of the agents that install knows was found. Add Spillway to yours:'
        : 'Add Spillway to your agent, or run this again with --client all:',
    ),
    `  Claude Code   claude mcp add spillway -- ${commandLine([command, ...args])}`,
    `  Codex         codex mcp add spillway -- ${commandLine([command, ...args])}`,
    `  Others        ${JSON.stringify({ mcpServers: { spillway: { command, args } } })}`,
  ];
}

/** Flags of `spillway uninstall`. */
export interface UninstallCommandOptions {
  /** Only from the settings of these clients, separated by commas, or `all` that `install` changed. */
  readonly client?: string | undefined;
  readonly json?: boolean | undefined;
  readonly purge?: boolean | undefined;
  /** Spillway's home. */
  readonly home: string;
}

const NO_CLIENT = '  No client has Spillway from `spillway install --client`.\n';

/**
 * `spillway uninstall`: removes exactly the files of `install` and names the rest. Resolves to the exit code,
 * always 0: another product's remaining manifest is not a failure.
 */
export async function runUninstall(
  options: UninstallCommandOptions,
  io: CommandIo,
  stopSessions: (home: string) => Promise<unknown>,
): Promise<number> {
  const settings = { machine: currentMachine(), files: nodeFiles };
  const clients = options.client === undefined ? 'found' : parseClients(options.client);
  const undone = await removeClients({ ...settings, clients });
  if (options.client !== undefined) {
    const text = entriesGone(undone, io).map((line) => `${line}\n`);
    printReport(io, options, { clients: undone }, () => text.join('') || NO_CLIENT);
    return 0;
  }
  await stopSessions(options.home);
  const done = await uninstall({
    ...settings,
    run: runCommand,
    home: options.home,
    purge: options.purge === true,
  });
  const report = { ...done, clients: undone };
  printReport(io, options, report, () => formatUninstall(report, options.purge === true, io));
  return 0;
}

const entriesGone = (clients: readonly string[], io: CommandIo): string[] =>
  clients.map((path) => `  ${styleOf(io).good('✓')} entry removed from ${path}`);

function formatUninstall(
  report: UninstallReport & { readonly clients: readonly string[] },
  isPurge: boolean,
  io: CommandIo,
): string {
  const style = styleOf(io);
  const kept = isPurge ? [] : report.data;
  if ([report.removed, report.clients, report.left, kept].every(({ length }) => length === 0))
    return `  Spillway is not installed for this user in ${report.home}.\n`;
  // If a folder no longer exists, neither do its files.
  const outermost = report.removed.filter(
    (path) =>
      !report.removed.some((other) => path.startsWith(other) && /^[/\\]/.test(path.slice(other.length))),
  );
  const removed = outermost.map((path) => `  ${style.good('✓')} removed  ${path}`);
  const left = report.left.map(
    ({ path, reason }) => `  ${style.caution('!')} left     ${path}: ${withOwnCommands(reason)}`,
  );
  const data = kept.map(
    ({ path, what, files, bytes }) =>
      `  ${style.faint('=')} kept     ${path}: ${what}, ${files} ${files === 1 ? 'file' : 'files'}, ${bytes.toLocaleString('en')} bytes`,
  );
  const lines = [...removed, ...entriesGone(report.clients, io), ...left, ...data];
  if (kept.length > 0)
    lines.push(
      '',
      withOwnCommands(
        '  What is kept is yours, and a new installation uses it. `spillway uninstall --purge` removes it, too.',
      ),
    );
  if (report.removed.length > 0)
    lines.push('', '  Remove the extension itself in chrome://extensions of each browser profile.');
  return [...lines, ''].join('\n');
}
