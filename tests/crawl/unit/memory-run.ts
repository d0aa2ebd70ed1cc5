import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import type { Clean, CleanJson } from '../../../server/libraries/redaction/clean.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import type { RunChange, RunKey, RunScope, RunState } from '../../../server/core/runs.ts';

const redactor = createRedactor({ enabled: true });

function compareKeys(one: RunKey, other: RunKey): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [left, right] = [one[at], other[at]];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

export class MemoryDisk {
  readonly items: JsonValue[] = [];
  readonly entries = new Map<string, { readonly key: RunKey; readonly value: CleanJson }>();
  commits = 0;
}

/** Says that the disk is unavailable: the process was killed. */
export class Killed extends Error {}

/**
 * A run's scope in memory with the guarantees of the real one: items and changes of a commit are both written or
 * neither; commits take effect a moment later. After `killAfter` commits nothing more is written.
 */
export class MemoryScope implements RunScope {
  readonly runId = 'run_TEST';
  readonly signal: AbortSignal;
  readonly call = null;
  readonly session = null;
  readonly decision = null;
  readonly logged: { readonly event: string; readonly facts: JsonObject }[] = [];
  latest = { done: 0, queued: 0, failed: 0 };
  readonly #disk: MemoryDisk;
  readonly #killAfter: number;

  constructor(disk: MemoryDisk, options: { signal?: AbortSignal; killAfter?: number } = {}) {
    this.#disk = disk;
    this.signal = options.signal ?? new AbortController().signal;
    this.#killAfter = options.killAfter ?? Infinity;
  }

  readonly state: RunState = {
    get: (key) => this.#disk.entries.get(JSON.stringify(key))?.value,
    range: ({ start, end, limit = Infinity }) =>
      [...this.#disk.entries.values()]
        .filter(({ key }) => compareKeys(key, start) >= 0 && compareKeys(key, end) < 0)
        .sort((one, other) => compareKeys(one.key, other.key))
        .slice(0, limit),
  };

  async commit({ items = [], change }: Parameters<RunScope['commit']>[0]): Promise<void> {
    await new Promise(setImmediate);
    if (this.#disk.commits >= this.#killAfter) throw new Killed('The process was killed.');
    this.#disk.commits += 1;
    const changes: RunChange = {
      ...this.state,
      put: (key, value) =>
        void this.#disk.entries.set(JSON.stringify(key), { key, value: structuredClone(value) }),
      remove: (key) => void this.#disk.entries.delete(JSON.stringify(key)),
    };
    change?.(changes);
    this.#disk.items.push(...items.map((item) => structuredClone(item)));
    await new Promise(setImmediate);
  }

  progress(progress: { done: number; queued: number; failed: number }): void {
    this.latest = progress;
  }

  readonly redact = <T extends JsonValue>(value: T): Clean<T> => redactor.value(value);

  log(event: string, facts: JsonObject): void {
    this.logged.push({ event, facts });
  }
}
