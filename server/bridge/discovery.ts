import { watch, type FSWatcher } from 'node:fs';
import { inspectFolder } from '../machine/private-folder.ts';
import { readRegistrations, type FoundHost } from './registrations.ts';

/** Where a file system gives no notice of changes, or the folder does not exist yet. */
const POLL_INTERVAL_MS = 1_000;

/** A live host and the folder that holds its secret. */
export interface LiveHost extends FoundHost {
  readonly directory: string;
}

/** What one look at the folders showed. */
export interface DiscoveryResult {
  readonly hosts: readonly LiveHost[];
  /** The hop that is missing, when there is no live host. */
  readonly missing: string | null;
}

/**
 * Looks for native hosts in the bridge directories: on every change that the file system reports,
 * and now and then in case it reports none.
 */
export class HostDiscovery {
  readonly #directories: readonly string[];
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #poll: NodeJS.Timeout | null = null;

  constructor(directories: readonly string[], onChange: () => void) {
    this.#directories = directories;
    this.#onChange = onChange;
  }

  /** Begins to watch. Holds no process open. */
  start(): void {
    if (this.#poll !== null) return;
    this.#poll = setInterval(() => {
      this.#watchAll();
      this.#onChange();
    }, POLL_INTERVAL_MS).unref();
    this.#watchAll();
  }

  stop(): void {
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
    for (const directory of [...this.#watchers.keys()]) this.#unwatch(directory);
  }

  /** Reads all folders now. */
  look(): DiscoveryResult {
    const hosts: LiveHost[] = [];
    const dead: string[] = [];
    const trusted: string[] = [];
    const refused: string[] = [];
    for (const directory of this.#directories) {
      const problem = inspectFolder(directory);
      if (problem?.isMissing === false) refused.push(problem.reason);
      if (problem !== null) continue;
      trusted.push(directory);
      for (const found of readRegistrations(directory)) {
        if (found.isAlive) hosts.push({ ...found, directory });
        else dead.push(`${directory} (pid ${found.registration.pid})`);
      }
    }
    return { hosts, missing: hosts.length > 0 ? null : this.#describeMissing({ dead, trusted, refused }) };
  }

  #describeMissing(seen: { dead: string[]; trusted: string[]; refused: string[] }): string {
    const { dead, trusted, refused } = seen;
    if (dead.length > 0) return `The native host that was registered in ${dead.join(', ')} has died.`;
    if (trusted.length > 0) return `No native host is registered in ${trusted.join(', ')}.`;
    if (refused.length > 0) return `The bridge directory cannot be trusted: ${refused.join(' ')}`;
    return `There is no bridge directory (${this.#directories.join(', ')}): no browser has started the native host yet.`;
  }

  #watchAll(): void {
    for (const directory of this.#directories) {
      const isUsable = inspectFolder(directory) === null;
      // A folder that was removed and made again needs a new watcher.
      if (!isUsable) this.#unwatch(directory);
      if (!isUsable || this.#watchers.has(directory)) continue;
      try {
        const watcher = watch(directory, { persistent: false }, () => this.#onChange());
        this.#watchers.set(directory, watcher);
        watcher.on('error', () => this.#unwatch(directory));
      } catch {
        // The poll sees what a watcher would have seen, only later.
      }
    }
  }

  #unwatch(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }
}
