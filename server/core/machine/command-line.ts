import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';

/**
 * Folder of the build that belongs to the running code: the nearest folder above `from` with `host.js` or a
 * `dist`, since this may run from `dist`, from one of its chunks or from source.
 */
export function findBuildDirectory(from: string = import.meta.dirname): string {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'host.js')) && existsSync(join(at, 'index.js'))) return at;
    if (existsSync(join(at, 'package.json'))) return join(at, 'dist');
    if (dirname(at) === at) return from;
  }
}

const PLAIN = /^[A-Za-z0-9_\\/.:@%+=,-]+$/;

/** Words as a person types them in a terminal of `platform`: quoted where needed. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32';
  return words
    .map((word) => {
      if (PLAIN.test(word) && (isWindows || !word.includes('\\'))) return word;
      return isWindows ? `"${word.replaceAll('"', '""')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
    })
    .join(' ');
}

/** Tells an installed host, which is a copy, where the server is. */
export const SERVER_SCRIPT_VARIABLE = 'SPILLWAY_SERVER_SCRIPT';

/** npm's cache of packages that `npx` runs. */
const NPX_CACHE = /[\\/]_npx[\\/]/;

/** Node and the built server, both absolute, which start Spillway from any folder. Null if no server is found. */
export function serverProgram(node: string = ownNode()): readonly [string, string] | null {
  const script = process.env[SERVER_SCRIPT_VARIABLE] ?? join(findBuildDirectory(), 'index.js');
  return existsSync(script) ? [node, script] : null;
}

/** As this process was started: a stable link to a versioned Node stays one. */
const ownNode = (): string => (isAbsolute(process.argv0) ? process.argv0 : process.execPath);

/** In every client configuration, so that a large page does not fill the agent's context. */
export const CLIENT_ARGUMENTS = ['--output-mode-default', 'auto'] as const;

/**
 * How a client starts the server `script`: by name if it runs from npm's cache, which is cleaned and has many
 * versions.
 */
export function clientCommand(node: string, script: string, platform: string) {
  if (!NPX_CACHE.test(script)) return { command: node, args: [script, ...CLIENT_ARGUMENTS] };
  const words = ['npx', '-y', 'spillway@latest', ...CLIENT_ARGUMENTS];
  // Windows cannot start a script by its name.
  const [command = '', ...args] = platform === 'win32' ? ['cmd', '/c', ...words] : words;
  return { command, args };
}

/** The command that runs this installation: its name if a terminal finds it, else its path. */
function ownProgram(): string {
  const started = process.argv[1] ?? '';
  const folder = dirname(started);
  // Windows starts the script itself.
  if (NPX_CACHE.test(folder)) return 'npx spillway';
  if (/^spillway(?:\.cmd)?$/.test(basename(started))) {
    if ((process.env['PATH'] ?? '').split(delimiter).includes(folder)) return 'spillway';
  }
  const program = serverProgram();
  return program === null ? 'spillway' : commandLine(program);
}

/** A text whose commands, such as `spillway doctor` in backquotes, are in this installation's form. */
export function withOwnCommands(text: string): string {
  if (!text.includes('`spillway ')) return text;
  return text.replaceAll('`spillway ', `\`${ownProgram()} `);
}
