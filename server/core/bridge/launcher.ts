import { z } from 'zod';
import { BRIDGE_DIR_VARIABLE } from './directory.ts';
import { SERVER_SCRIPT_VARIABLE } from '../machine/command-line.ts';
import { pathsOf, type Machine, type Platform } from './machine.ts';
import { EXTENSION_ID, FIREFOX_ID, HOST_NAME } from '../../../shared/core/bridge/wire.ts';

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
  /** Of Chromium browsers. */
  allowed_origins: z.array(z.string()).default([]),
  /** Of Firefox browsers. */
  allowed_extensions: z.array(z.string()).default([]),
});
export type HostManifest = z.infer<typeof HostManifest>;

/** Whether a manifest lets our extension start the host. */
export const letsIn = (
  { allowed_origins: origins, allowed_extensions: ids }: HostManifest,
  family: BrowserFamily,
): boolean => (family === 'firefox' ? ids.includes(FIREFOX_ID) : origins.includes(EXTENSION_ORIGIN));

const DESCRIPTION = 'Spillway: connects the browser extension to local MCP servers';

/** Browsers of a family read the same manifests. */
export type BrowserFamily = 'chromium' | 'firefox';

const ALLOWED = {
  chromium: { allowed_origins: [EXTENSION_ORIGIN] },
  firefox: { allowed_extensions: [FIREFOX_ID] },
} as const;

/** The manifest that lets only our extension start the launcher. */
export function hostManifestText(launcher: string, family: BrowserFamily = 'chromium'): string {
  const manifest = {
    name: HOST_NAME,
    description: DESCRIPTION,
    path: launcher,
    type: 'stdio',
    ...ALLOWED[family],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * Whether Spillway, from any home, wrote a manifest under our name: it has our description, or starts a file
 * with a launcher's name. It may still name the extension of another build, which `install` repairs.
 */
export function isOurManifest({ name, description, path }: HostManifest): boolean {
  const isOurs = description === DESCRIPTION || /(?:^|[/\\])spillway-host(?:\.cmd)?$/.test(path);
  return name === HOST_NAME && isOurs;
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
    launcher: path.join(hostDirectory, machine.platform === 'win32' ? 'spillway-host.cmd' : 'spillway-host'),
    /** A copy of the built host, a single file. */
    hostScript: path.join(hostDirectory, 'host.mjs'),
    receipt: path.join(hostDirectory, 'install.json'),
    /** The manifests on Windows, where we choose their folder. */
    windowsManifests: {
      chromium: path.join(hostDirectory, MANIFEST_FILE),
      firefox: path.join(hostDirectory, `firefox-${MANIFEST_FILE}`),
    },
    /** A copy of the built extension: the browser remembers its folder. */
    extensionDirectory: path.join(home, 'extension'),
    /** The same for Firefox. */
    firefoxDirectory: path.join(home, 'firefox'),
  };
}

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

/**
 * The Node to write into a launcher. Homebrew's versioned folder disappears with its next upgrade, so its
 * stable link is used; any other path stays as it is.
 */
export function stableNodePath(
  machine: Machine,
  execPath: string,
  exists: (path: string) => boolean,
): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/(node(?:@\d+)?)\/[^/]+\/bin\/node$/.exec(execPath) ?? [];
  if (prefix === undefined || formula === undefined) return execPath;
  const link = pathsOf(machine).join(prefix, 'opt', formula, 'bin/node');
  return exists(link) ? link : execPath;
}

/** Only the launcher of a private launch sets it; any other unsets it, whatever the browser's environment. */
export const PRIVATE_VARIABLE = 'SPILLWAY_PRIVATE_LAUNCH';

const NOTE = 'Starts the native messaging host of Spillway. Written by `spillway install`; do not edit.';

/** How a system's launchers are written, and read back. */
interface Script {
  readonly head: readonly string[];
  readonly quote: (text: string) => string;
  readonly unquote: (quoted: string) => string;
  /** A quoted word, as a part of a pattern. */
  readonly word: string;
  /** Of quoted words. */
  readonly set: (name: string, value: string) => string;
  readonly start: (node: string, hostScript: string) => string;
  readonly tail: readonly string[];
  readonly newLine: string;
}

/** Inside single quotes, a POSIX shell takes every byte literally except the single quote. */
const SHELL: Script = {
  head: [
    '#!/bin/sh',
    `# ${NOTE}`,
    '# Options meant for another Node program would break the protocol on standard output.',
    `unset NODE_OPTIONS ${PRIVATE_VARIABLE}`,
  ],
  quote: (text) => `'${text.replaceAll("'", `'\\''`)}'`,
  unquote: (quoted) => quoted.slice(1, -1).replaceAll(`'\\''`, "'"),
  word: `'(?:[^']|'\\\\'')*'`,
  set: (name, value) => `export ${name}=${value}`,
  start: (node, hostScript) => `exec ${node} ${hostScript} "$@"`,
  tail: [],
  newLine: '\n',
};

/** A Windows path contains no double quote; of the other characters, only `%` is special within quotes. */
const BATCH: Script = {
  head: [
    '@echo off',
    `rem ${NOTE}`,
    'setlocal DisableDelayedExpansion',
    'rem The paths below are UTF-8.',
    'chcp 65001 >nul 2>nul <nul',
    'set "NODE_OPTIONS="',
    `set "${PRIVATE_VARIABLE}="`,
  ],
  quote: (text) => text.replaceAll('%', '%%'),
  unquote: (quoted) => quoted.replaceAll('%%', '%'),
  word: '[^"\\r\\n]+',
  set: (name, value) => `set "${name}=${value}"`,
  start: (node, hostScript) => `"${node}" "${hostScript}" %*`,
  tail: ['exit /b %ERRORLEVEL%'],
  newLine: '\r\n',
};

const scriptOf = (platform: Platform): Script => (platform === 'win32' ? BATCH : SHELL);

/** The launcher's text for a platform. */
export function launcherText(platform: Platform, facts: LauncherFacts): string {
  const { head, quote, set, start, tail, newLine } = scriptOf(platform);
  const variables = [
    [PRIVATE_VARIABLE, facts.isPrivate === true ? '1' : null],
    [BRIDGE_DIR_VARIABLE, facts.bridgeDirectory],
    [SERVER_SCRIPT_VARIABLE, facts.serverScript],
  ] as const;
  return [
    ...head,
    ...variables.flatMap(([name, value]) => (value === null ? [] : [set(name, quote(value))])),
    start(quote(facts.node), quote(facts.hostScript)),
    ...tail,
    '',
  ].join(newLine);
}

/** Reads back the text of {@link launcherText}, or null for a file that is not one of our launchers. */
export function parseLauncher(platform: Platform, text: string): LauncherFacts | null {
  const { unquote, word, set, start, newLine } = scriptOf(platform);
  /** The quoted words of a line, whose other parts are taken literally. */
  const read = (line: (...words: [string, string]) => string): (string | undefined)[] => {
    const literal = line('\0', '\0').replaceAll(/[$*]/g, '\\$&').replaceAll('\0', `(${word})`);
    const [, ...words] = new RegExp(`^${literal}${newLine}`, 'm').exec(text) ?? [];
    return words.map((quoted) => unquote(quoted ?? ''));
  };
  const [node, hostScript] = read(start);
  if (node === undefined || hostScript === undefined) return null;
  const variable = (name: string): string | null => read((value) => set(name, value))[0] ?? null;
  return {
    node,
    hostScript,
    bridgeDirectory: variable(BRIDGE_DIR_VARIABLE),
    serverScript: variable(SERVER_SCRIPT_VARIABLE),
    ...(variable(PRIVATE_VARIABLE) === null ? {} : { isPrivate: true }),
  };
}
