import { BRIDGE_DIR_VARIABLE } from '../directory.ts';
import { SERVER_SCRIPT_VARIABLE } from '../../machine/command-line.ts';
import { pathsOf, type Machine, type Platform } from './machine.ts';

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
export function launcherName(platform: Platform): string {
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
