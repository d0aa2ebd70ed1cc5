import { posix, win32 } from 'node:path';
import type { Files, Machine, Command, RunCommand } from '../../../server/core/bridge/machine.ts';

export const LINUX: Machine = { platform: 'linux', env: { PATH: '/usr/bin:/bin' }, userHome: '/home/ada' };
export const MAC: Machine = { platform: 'darwin', env: {}, userHome: '/Users/ada' };
export const WINDOWS: Machine = {
  platform: 'win32',
  env: {
    LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local',
    ProgramFiles: 'C:\\Program Files',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    SystemRoot: 'C:\\Windows',
  },
  userHome: 'C:\\Users\\Ada',
};

type Entry = { content: Buffer; mode: number };

/** A file system in memory with the path rules of any platform, for machines that tests do not run on. */
export class MemoryFiles implements Files {
  readonly entries = new Map<string, Entry>();
  readonly folders = new Set<string>();
  readonly links = new Map<string, string>();
  private readonly path: typeof posix;

  constructor(machine: Machine) {
    this.path = machine.platform === 'win32' ? win32 : posix;
  }

  put(path: string, content = '', mode = 0o644): this {
    this.entries.set(path, { content: Buffer.from(content), mode });
    for (let at = this.path.dirname(path); !this.folders.has(at); at = this.path.dirname(at))
      this.folders.add(at);
    return this;
  }

  text(path: string): string {
    const entry = this.entries.get(path);
    if (entry === undefined) throw new Error(`${path} is not there.`);
    return entry.content.toString();
  }

  snapshot(): string[] {
    return [...this.entries.keys(), ...this.folders].sort();
  }

  read = async (path: string): Promise<Buffer | null> =>
    (((await this.mode(path)) ?? 0) & 0o400) === 0 ? null : (this.entries.get(path)?.content ?? null);
  mode = async (path: string): Promise<number | null> =>
    this.entries.get(path)?.mode ?? (this.folders.has(path) || this.links.has(path) ? 0o755 : null);
  sizeBytes = async (path: string): Promise<number> => this.entries.get(path)?.content.length ?? 0;
  isDirectory = async (path: string): Promise<boolean> => this.folders.has(path);
  isExecutable = async (path: string): Promise<boolean> =>
    ((this.entries.get(this.links.get(path) ?? path)?.mode ?? 0) & 0o100) !== 0;
  realPath = async (path: string): Promise<string | null> => this.links.get(path) ?? path;

  linkTarget = async (path: string): Promise<string | null> => this.links.get(path) ?? null;

  async list(path: string): Promise<readonly string[] | null> {
    if (!this.folders.has(path)) return null;
    return this.snapshot()
      .filter((each) => each !== path && this.path.dirname(each) === path)
      .map((each) => this.path.basename(each));
  }

  async write(path: string, content: Uint8Array, mode: number): Promise<void> {
    if (!this.folders.has(this.path.dirname(path))) throw new Error(`No folder for ${path}.`);
    this.entries.set(path, { content: Buffer.from(content), mode });
  }

  async makeDirectory(path: string): Promise<void> {
    this.folders.add(path);
  }

  async removeFile(path: string): Promise<void> {
    this.entries.delete(path);
  }

  async removeEmptyDirectory(path: string): Promise<boolean> {
    return ((await this.list(path)) ?? []).length === 0 && this.folders.delete(path);
  }
}

/** A registry that understands the three commands built for it, and records each. */
export class MemoryRegistry {
  readonly values = new Map<string, string>();
  readonly commands: Command[] = [];

  run: RunCommand = async (command) => {
    this.commands.push(command);
    const [verb, key = '', ...rest] = command.args;
    const value = this.values.get(key);
    if (verb === 'query')
      return value === undefined ? null : `\r\n${key}\r\n    (Standard)    REG_SZ    ${value}\r\n\r\n`;
    if (verb === 'add') this.values.set(key, rest[rest.indexOf('/d') + 1] ?? '');
    if (verb === 'delete') this.values.delete(key);
    return '';
  };
}
