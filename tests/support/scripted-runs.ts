import type { RunScope, RunWorker } from '../../server/core/runs.ts';
import type { JsonObject } from '../../shared/json.ts';

/** Runs of `crawl` that follow a script, for tests of the code around runs. */
export class ScriptedRuns implements RunWorker {
  #release: () => void = () => undefined;
  readonly #released: Promise<void>;
  /** Items of each run before it waits, and after. */
  readonly #items: { readonly before: number; readonly after: number };

  /** A run commits `before` items, waits for {@link release} or its cancel, and commits `after` more. */
  constructor(items: { readonly before: number; readonly after: number }) {
    this.#items = items;
    this.#released = new Promise((resolve) => (this.#release = resolve));
  }

  /** For `startMemoryServer`: the worker of `crawl`. */
  get workers() {
    return { crawl: (): Promise<RunWorker> => Promise.resolve(this) };
  }

  release(): void {
    this.#release();
  }

  async run(_args: JsonObject, scope: RunScope) {
    const { before, after } = this.#items;
    const page = (index: number) => ({ page: index, title: `Page ${index}` });
    const commit = async (first: number, count: number) => {
      const items = Array.from({ length: count }, (_, index) => page(first + index));
      await scope.commit({ items });
      scope.progress({ done: first + count, queued: before + after - first - count, failed: 0 });
    };
    await commit(0, before);
    await new Promise<void>((resolve, reject) => {
      if (scope.signal.aborted) reject(scope.signal.reason);
      scope.signal.addEventListener('abort', () => reject(scope.signal.reason), { once: true });
      this.#released.then(resolve, reject);
    });
    await commit(before, after);
    return { state: { pages: before + after }, coverage: [] };
  }
}
