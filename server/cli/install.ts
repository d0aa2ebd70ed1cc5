import { stopAllSessions } from './session/start.ts';
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { SpillwayError } from '../../shared/errors.ts';
import { BRIDGE_DIR_VARIABLE } from '../bridge/directory.ts';
import { commandLine, findBuildDirectory, withOwnCommands } from '../machine/command-line.ts';
import { BROWSER_KINDS, type BrowserKind } from '../bridge/install/browsers.ts';
import { nodeFiles } from '../bridge/install/files.ts';
import { install, type InstalledBrowser, type InstallReport } from '../bridge/install/install.ts';
import { stableNodePath } from '../bridge/install/launcher.ts';
import { currentMachine, type Platform, runCommand } from '../bridge/install/machine.ts';
import type { Written } from '../bridge/install/receipt.ts';
import { alignColumns, styleOf, type CommandIo } from './command-io.ts';
import { uninstall, type UninstallReport } from '../bridge/install/uninstall.ts';

/** Programs that copy their input, in the order in which they are tried. */
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
    // Some stay to serve the clipboard, in a process of their own.
    child.once('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

/** Flags of `spillway install`. */
export interface InstallCommandOptions {
  /** One browser, several with commas, or `all`; the browsers that are found when not given. */
  readonly browser?: string | undefined;
  readonly json?: boolean | undefined;
  /** Spillway's home. */
  readonly home: string;
  /** Fixed for host and servers alike (`SPILLWAY_BRIDGE_DIR`); chosen by the host when not given. */
  readonly bridgeDirectory?: string | undefined;
  /** Folder of the build; found by itself when not given. */
  readonly distDirectory?: string | undefined;
}

/**
 * `spillway install`: writes launcher, extension copy and host manifests and says what it wrote.
 * Resolves to the exit code: 0 when at least one browser is ready and none is in conflict.
 */
export async function runInstall(options: InstallCommandOptions, io: CommandIo): Promise<number> {
  const machine = currentMachine();
  const report = await install({
    machine,
    files: nodeFiles,
    run: runCommand,
    home: options.home,
    node: stableNodePath(machine, process.execPath, existsSync),
    distDirectory: options.distDirectory ?? findBuildDirectory(),
    bridgeDirectory: nonEmpty(options.bridgeDirectory) ?? nonEmpty(process.env[BRIDGE_DIR_VARIABLE]) ?? null,
    browsers: options.browser === undefined ? 'found' : parseBrowsers(options.browser),
  });
  if (options.json === true) io.write(`${JSON.stringify(report, null, 2)}\n`);
  else {
    // Only for someone who reads along: a script that installs keeps its clipboard.
    const isCopied = io.isTerminal && (await copyText(report.extension.path, machine.platform));
    io.write(formatInstall(report, io, isCopied));
  }
  const isReady = report.browsers.some((each) => each.status === 'ready');
  return isReady && report.browsers.every((each) => each.status !== 'conflict') ? 0 : 1;
}

/** `chrome,edge` or `all`. Throws `invalid_argument` for an unknown name. */
export function parseBrowsers(text: string): 'all' | readonly BrowserKind[] {
  if (text === 'all') return 'all';
  return text.split(',').map((name) => {
    const kind = BROWSER_KINDS.find((candidate) => candidate === name.trim());
    if (kind !== undefined) return kind;
    throw new SpillwayError('invalid_argument', `--browser: "${name}" is not a supported browser.`, {
      hint: `Use ${BROWSER_KINDS.join(', ')} or all.`,
    });
  });
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** The account for a person. */
function formatInstall(report: InstallReport, io: CommandIo, isCopied: boolean): string {
  const style = styleOf(io);
  const rows: [string, string, Written['action']][] = [
    ['launcher', report.launcher.path, report.launcher.action],
    ['host', report.host.path, report.host.action],
    ['extension', report.extension.path, report.extension.action],
    ...report.browsers.flatMap(rowsOf),
  ];
  const paint = (action: Written['action'], line: string): string =>
    action === 'foreign'
      ? `${style.bad('✗')} ${line}`
      : action === 'unchanged'
        ? `${style.faint('=')} ${line}`
        : `${style.good('✓')} ${line}`;
  const lines = alignColumns(rows).map((line, at) => `  ${paint(rows[at]?.[2] ?? 'unchanged', line)}`);
  const notes = report.browsers.flatMap((each) => (each.note === null ? [] : [each.note]));
  if (report.browsers.length === 0)
    notes.push(
      `No browser was found. Choose one with --browser: ${BROWSER_KINDS.join(', ')}, or all of them.`,
    );
  return [
    ...lines,
    ...notes.flatMap((note) => ['', `  ${style.caution('!')} ${note}`]),
    ...nextSteps(report, isCopied, style.strong),
    '',
  ].join('\n');
}

function rowsOf(browser: InstalledBrowser): [string, string, Written['action']][] {
  return [...browser.manifests, ...browser.registry].map(({ path, action }) => [browser.name, path, action]);
}

/** The keys by which the folder dialog of a system takes a path: it does not show hidden folders. */
const PASTE_KEYS = {
  darwin: 'press Cmd+Shift+G, paste with Cmd+V and press Return',
  win32: 'paste into the field "Folder" with Ctrl+V and press Enter',
  linux: 'press Ctrl+L, paste with Ctrl+V and press Enter',
} as const;

function nextSteps(report: InstallReport, isCopied: boolean, strong: (text: string) => string): string[] {
  if (!report.browsers.some((each) => each.status === 'ready')) return [];
  const { command, args } = report.client;
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
    `  4. Run \`${commandLine([command, args[0] ?? '', 'doctor'])}\` to check that every part works.`,
    '',
    strong('Add Spillway to your agent:'),
    `  Claude Code   claude mcp add spillway -- ${commandLine([command, ...args])}`,
    `  Codex         codex mcp add spillway -- ${commandLine([command, ...args])}`,
    `  Others        ${JSON.stringify({ mcpServers: { spillway: { command, args } } })}`,
  ];
}

/** Flags of `spillway uninstall`. */
export interface UninstallCommandOptions {
  readonly json?: boolean | undefined;
  readonly purge?: boolean | undefined;
  /** Spillway's home. */
  readonly home: string;
}

/**
 * `spillway uninstall`: removes exactly what install wrote and names what it left. Resolves to the
 * exit code, always 0: that another product's manifest stays is not a failure.
 */
export async function runUninstall(options: UninstallCommandOptions, io: CommandIo): Promise<number> {
  const machine = currentMachine();
  await stopAllSessions(options.home);
  const report = await uninstall({
    machine,
    files: nodeFiles,
    run: runCommand,
    home: options.home,
    purge: options.purge === true,
  });
  io.write(
    options.json === true
      ? `${JSON.stringify(report, null, 2)}\n`
      : formatUninstall(report, options.purge === true, io),
  );
  return 0;
}

function formatUninstall(report: UninstallReport, isPurge: boolean, io: CommandIo): string {
  const style = styleOf(io);
  const kept = isPurge ? [] : report.data;
  if (report.removed.length === 0 && report.left.length === 0 && kept.length === 0)
    return `  Spillway is not installed for this user in ${report.home}.\n`;
  // If a folder no longer exists, its files do not either.
  const outermost = report.removed.filter(
    (path) =>
      !report.removed.some((other) => path.startsWith(other) && /^[/\\]/.test(path.slice(other.length))),
  );
  const removed = outermost.map((path) => `  ${style.good('✓')} removed  ${path}`);
  const left = report.left.map(({ path, reason }) => `  ${style.caution('!')} left     ${path}: ${reason}`);
  const data = kept.map(
    ({ path, files, bytes }) =>
      `  ${style.faint('=')} kept     ${path}: ${files} ${files === 1 ? 'file' : 'files'}, ${bytes.toLocaleString('en')} bytes`,
  );
  const purge =
    kept.length === 0
      ? []
      : ['', withOwnCommands('  `spillway uninstall --purge` removes what servers have stored, too.')];
  const last =
    report.removed.length === 0
      ? []
      : ['', '  Remove the extension itself in chrome://extensions of each browser profile.'];
  return [...removed, ...left, ...data, ...purge, ...last, ''].join('\n');
}
