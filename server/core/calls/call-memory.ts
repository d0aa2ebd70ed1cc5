import { waitAtMost } from '../../../shared/async/wait.ts';
import type { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CallContext, CallEnd } from '../context.ts';
import type { Logger } from '../services.ts';

/** What the work of one call says that it has come to. */
export class KeptState {
  readonly #known: (() => JsonObject)[] = [];

  readonly keep: CallContext['keepState'] = (known) => void this.#known.push(known);

  /** What is known once the call has failed. @param produced what its payload knows */
  of(error: SpillwayError, produced: JsonObject = {}): JsonObject {
    const parts = [...this.#known.map(read), error.state ?? {}, produced];
    return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
  }
}

/** A defect here must not hide why the call has failed. */
function read(known: () => JsonObject): JsonObject {
  try {
    return known();
  } catch {
    return {};
  }
}

type Task = (end: CallEnd) => void | Promise<void>;

/** The answer of a call waits no longer than this for its cleanup. */
const CLEANUP_PATIENCE_MS = 700;

/** What a call has registered for after its end. */
export class CompletionHooks {
  /** Says whose call each line is about. */
  readonly logger: Logger;
  #tasks: Task[] | null = [];

  constructor(logger: Logger) {
    this.logger = logger;
  }

  get hasRun(): boolean {
    return this.#tasks === null;
  }

  readonly add = (task: Task): void => {
    // Work that continues after its call has ended was abandoned.
    if (this.#tasks === null) void this.#runInOrder([task], { isSuccess: false });
    else this.#tasks.push(task);
  };

  /** Runs the tasks in order; one that fails is logged, and slow ones continue in the background. */
  async run(end: CallEnd): Promise<void> {
    const tasks = this.#tasks ?? [];
    this.#tasks = null;
    if (tasks.length > 0) await waitAtMost(this.#runInOrder(tasks, end), CLEANUP_PATIENCE_MS);
  }

  async #runInOrder(tasks: readonly Task[], end: CallEnd): Promise<void> {
    for (const task of tasks) {
      try {
        await task(end);
      } catch (thrown) {
        this.logger.warn({ err: thrown }, 'a completion hook failed');
      }
    }
  }
}
