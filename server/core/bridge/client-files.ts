import { readFileSync } from 'node:fs';
import { pathsOf, type Machine } from './machine.ts';

/** A client whose settings `install` can write. */
interface ClientFile {
  readonly name: string;
  /** The path of its settings. */
  readonly file: (machine: Machine) => string;
}

const env = ({ env: variables }: Machine, name: string, otherwise: string): string =>
  variables[name] || otherwise;

function below(machine: Machine, ...parts: readonly string[]): string {
  return pathsOf(machine).join(machine.userHome, ...parts);
}

/** Where programs on this system keep a person's settings. */
function settingsFolder(machine: Machine, isMacToo: boolean): string {
  if (machine.platform === 'win32') return env(machine, 'APPDATA', below(machine, 'AppData', 'Roaming'));
  if (machine.platform === 'darwin' && !isMacToo) return below(machine, 'Library', 'Application Support');
  return env(machine, 'XDG_CONFIG_HOME', below(machine, '.config'));
}

export const CLIENT_FILES = {
  'claude-code': {
    name: 'Claude Code',
    file: (machine) =>
      pathsOf(machine).join(env(machine, 'CLAUDE_CONFIG_DIR', machine.userHome), '.claude.json'),
  },
  codex: {
    name: 'Codex',
    file: (machine) =>
      pathsOf(machine).join(env(machine, 'CODEX_HOME', below(machine, '.codex')), 'config.toml'),
  },
  cursor: { name: 'Cursor', file: (machine) => below(machine, '.cursor', 'mcp.json') },
  vscode: {
    name: 'VS Code',
    file: (machine) => pathsOf(machine).join(settingsFolder(machine, false), 'Code', 'User', 'mcp.json'),
  },
  windsurf: {
    name: 'Windsurf',
    file: (machine) => below(machine, '.codeium', 'windsurf', 'mcp_config.json'),
  },
  zed: {
    name: 'Zed',
    file: (machine) =>
      pathsOf(machine).join(
        settingsFolder(machine, true),
        machine.platform === 'win32' ? 'Zed' : 'zed',
        'settings.json',
      ),
  },
  gemini: { name: 'Gemini CLI', file: (machine) => below(machine, '.gemini', 'settings.json') },
} satisfies Readonly<Record<string, ClientFile>>;

/** A client by the name that `--client` takes. */
export type ClientKind = keyof typeof CLIENT_FILES;

const isClientKind = (name: string): name is ClientKind => Object.hasOwn(CLIENT_FILES, name);

/** The names that `--client` takes. */
export const CLIENT_KINDS: readonly ClientKind[] = Object.keys(CLIENT_FILES).filter(isClientKind);

/** A key of JSON, or a table of TOML. */
const ENTRY = /"spillway"\s*[:\]]|\.spillway\]/;

/** The names of the clients whose settings have Spillway, by whatever wrote it. Settings are only read. */
export function clientsWithEntry(machine: Machine): readonly string[] {
  return Object.values(CLIENT_FILES).flatMap(({ name, file }) => {
    try {
      return ENTRY.test(readFileSync(file(machine), 'utf8')) ? [name] : [];
    } catch {
      return [];
    }
  });
}
