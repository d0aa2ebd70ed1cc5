import { z } from 'zod';
import { BRIDGE_DIR_VARIABLE } from '../directory.ts';
import { SERVER_SCRIPT_VARIABLE } from '../../machine/command-line.ts';
import { pathsOf, type Machine, type Platform } from './machine.ts';
import { EXTENSION_ID, HOST_NAME } from '../../../shared/bridge/wire.ts';
import { parseAs } from '../../../shared/json-schema.ts';

/** The origin by which the browser names our extension to a native host. */
export const EXTENSION_ORIGIN = `chrome-extension://${EXTENSION_ID}/`;

/** File name of the host's manifest, which browsers derive from the host's name. */
export const MANIFEST_FILE = `${HOST_NAME}.json`;

/** The fields of a native messaging host's manifest that browsers read. */
export const HostManifest = z.object({
  name: z.string(),
  description: z.string().optional(),
  path: z.string(),
  type: z.string().optional(),
  allowed_origins: z.array(z.string()).default([]),
});
export type HostManifest = z.infer<typeof HostManifest>;

const DESCRIPTION = 'Spillway: connects the browser extension to local MCP servers';

/** The manifest that lets only our extension start the launcher. */
export function hostManifestText(launcher: string): string {
  const manifest = {
    name: HOST_NAME,
    description: DESCRIPTION,
    path: launcher,
    type: 'stdio',
    allowed_origins: [EXTENSION_ORIGIN],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Null if it is not a host manifest. */
export const parseHostManifest = (text: string): HostManifest | null => parseAs(HostManifest, text);

/**
 * Whether Spillway, from any home, wrote a manifest under our name: it has our description, or starts a file
 * with a launcher's name. It may still name the extension of another build, which `install` repairs.
 */
export function isOurManifest(manifest: HostManifest): boolean {
  const file = manifest.path.split(/[/\\]/).at(-1);
  const isOurs =
    manifest.description === DESCRIPTION || file === launcherName('linux') || file === launcherName('win32');
  return manifest.name === HOST_NAME && isOurs;
}

/**
 * Where Spillway keeps the files of `install`, below a home (`~/.spillway`, `--home`, `SPILLWAY_HOME`). These
 * two folders contain nothing else. Host and extension are copies: a package may move, and package managers
 * clean their caches.
 */
export function installPlaces(machine: Machine, home: string) {
  const path = pathsOf(machine);
  const hostDirectory = path.join(home, 'host');
  return {
    /** Launcher, host and receipt; on Windows also the manifest, which the registry points to. */
    hostDirectory,
    launcher: path.join(hostDirectory, launcherName(machine.platform)),
    /** A copy of the built host, a single file. */
    hostScript: path.join(hostDirectory, 'host.mjs'),
    receipt: path.join(hostDirectory, 'install.json'),
    /** The manifest on Windows, where we choose its folder. */
    windowsManifest: path.join(hostDirectory, MANIFEST_FILE),
    /** A copy of the built extension: the browser remembers its folder. */
    extensionDirectory: path.join(home, 'extension'),
  };
}
export type InstallPlaces = ReturnType<typeof installPlaces>;

/** Browsers start native hosts with a bare PATH. */
export interface LauncherFacts {
  /** The Node executable. */
  readonly node: string;
  /** The built `host.js`. */
  readonly hostScript: string;
  /**
   * Where the host listens and registers itself. Null lets it choose among the folders that servers search,
   * which works even if the runtime folder changes; a private launch names its own.
   */
  readonly bridgeDirectory: string | null;
  /** The built `index.js`, for a copied host that does not have it next to it; otherwise null. */
  readonly serverScript: string | null;
  /** Only the profile of a private browser names this launcher: see `HostHello.private`. */
  readonly isPrivate?: true;
}

/** File name of the launcher on a platform. */
function launcherName(platform: Platform): string {
  return platform === 'win32' ? 'spillway-host.cmd' : 'spillway-host';
}

/** The launcher's text for a platform. */
export function launcherText(platform: Platform, facts: LauncherFacts): string {
  return platform === 'win32' ? commandScript(facts) : shellScript(facts);
}

/** Reads back the text of {@link launcherText}, or null for a file that is not one of our launchers. */
export function parseLauncher(platform: Platform, text: string): LauncherFacts | null {
  return platform === 'win32' ? parseCommandScript(text) : parseShellScript(text);
}

/**
 * The Node to write into a launcher. Homebrew's versioned folder disappears with its next upgrade, so its
 * stable link is used; any other path stays as it is.
 */
export function stableNodePath(
  machine: Machine,
  execPath: string,
  exists: (path: string) => boolean,
): string {
  const cellar = /^(?<prefix>.*)\/Cellar\/(?<formula>node(?:@\d+)?)\/[^/]+\/bin\/node$/.exec(execPath);
  if (cellar?.groups === undefined) return execPath;
  const { prefix = '', formula = '' } = cellar.groups;
  const link = pathsOf(machine).join(prefix, 'opt', formula, 'bin/node');
  return exists(link) ? link : execPath;
}

/** Only the launcher of a private launch sets it; any other unsets it, whatever the browser's environment. */
export const PRIVATE_VARIABLE = 'SPILLWAY_PRIVATE_LAUNCH';

const NOTE = 'Starts the native messaging host of Spillway. Written by `spillway install`; do not edit.';

/** Inside single quotes, a POSIX shell takes every byte literally except the single quote. */
const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const unquoteShell = (text: string): string => text.slice(1, -1).replaceAll(`'\\''`, "'");

const variablesOf = ({
  bridgeDirectory,
  serverScript,
  isPrivate,
}: LauncherFacts): (readonly [string, string])[] => [
  ...(isPrivate === true ? [[PRIVATE_VARIABLE, '1'] as const] : []),
  ...(bridgeDirectory === null ? [] : [[BRIDGE_DIR_VARIABLE, bridgeDirectory] as const]),
  ...(serverScript === null ? [] : [[SERVER_SCRIPT_VARIABLE, serverScript] as const]),
];

function shellScript(facts: LauncherFacts): string {
  const { node, hostScript } = facts;
  return [
    '#!/bin/sh',
    `# ${NOTE}`,
    '# Options meant for another Node program would break the protocol on standard output.',
    `unset NODE_OPTIONS ${PRIVATE_VARIABLE}`,
    ...variablesOf(facts).flatMap(([name, value]) => [`${name}=${quoteShell(value)}`, `export ${name}`]),
    `exec ${quoteShell(node)} ${quoteShell(hostScript)} "$@"`,
    '',
  ].join('\n');
}

function parseShellScript(text: string): LauncherFacts | null {
  const word = `'(?:[^']|'\\\\'')*'`;
  const [, node, hostScript] = new RegExp(`^exec (${word}) (${word}) "\\$@"$`, 'm').exec(text) ?? [];
  if (node === undefined || hostScript === undefined) return null;
  const variable = (name: string): string | null => {
    const value = new RegExp(`^${name}=(${word})$`, 'm').exec(text)?.[1];
    return value === undefined ? null : unquoteShell(value);
  };
  return {
    node: unquoteShell(node),
    hostScript: unquoteShell(hostScript),
    bridgeDirectory: variable(BRIDGE_DIR_VARIABLE),
    serverScript: variable(SERVER_SCRIPT_VARIABLE),
    ...(variable(PRIVATE_VARIABLE) === null ? {} : { isPrivate: true }),
  };
}

/** A Windows path contains no double quote; of the other characters, only `%` is special within quotes. */
const quoteCommand = (text: string): string => text.replaceAll('%', '%%');
const unquoteCommand = (text: string): string => text.replaceAll('%%', '%');

function commandScript(facts: LauncherFacts): string {
  const { node, hostScript } = facts;
  return [
    '@echo off',
    `rem ${NOTE}`,
    'setlocal DisableDelayedExpansion',
    'rem The paths below are UTF-8.',
    'chcp 65001 >nul 2>nul <nul',
    'set "NODE_OPTIONS="',
    `set "${PRIVATE_VARIABLE}="`,
    ...variablesOf(facts).map(([name, value]) => `set "${name}=${quoteCommand(value)}"`),
    `"${quoteCommand(node)}" "${quoteCommand(hostScript)}" %*`,
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n');
}

function parseCommandScript(text: string): LauncherFacts | null {
  const [, node, hostScript] = /^"([^"\r\n]*)" "([^"\r\n]*)" %\*\r$/m.exec(text) ?? [];
  if (node === undefined || hostScript === undefined) return null;
  const variable = (name: string): string | null => {
    const value = new RegExp(`^set "${name}=([^"\\r\\n]+)"\\r$`, 'm').exec(text)?.[1];
    return value === undefined ? null : unquoteCommand(value);
  };
  return {
    node: unquoteCommand(node),
    hostScript: unquoteCommand(hostScript),
    bridgeDirectory: variable(BRIDGE_DIR_VARIABLE),
    serverScript: variable(SERVER_SCRIPT_VARIABLE),
    ...(variable(PRIVATE_VARIABLE) === null ? {} : { isPrivate: true }),
  };
}
