import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RedactionReport } from '../core/result.ts';
import type { CleanBytes } from '../redact/clean.ts';
import type { RunChange } from '../core/runs.ts';
import { addRedaction } from './redaction.ts';
import type { RunTally } from './records.ts';
import type { StoredRun } from './run-store.ts';

/** One commit: serialised items, and a change of the state. */
export interface Step {
  readonly lines: readonly CleanBytes[];
  readonly redacted: RedactionReport | null;
  readonly change: ((change: RunChange) => void) | undefined;
}

interface Waiting extends Step {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Items of one transaction together: this much is in memory in addition to waiting items. */
const GROUP_BYTES = 4 * 1024 * 1024;
/** Two bytes precede each item of a stored array. */
const ITEM_LEAD_BYTES = 2;

/**
 * Commits steps one group after the other: what arrived while a group was being written is
 * the next group. So many commits at once cost the fsyncs of one, and hold the thread once.
 */
export class GroupWriter {
  readonly #run: StoredRun;
  readonly #progress: () => RunTally['progress'];
  #tally: RunTally;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** @param progress what the tally of the next transaction contains */
  constructor(run: StoredRun, progress: () => RunTally['progress']) {
    this.#run = run;
    this.#progress = progress;
    this.#tally = run.tally();
  }

  get tally(): RunTally {
    return { ...this.#tally, progress: this.#progress() };
  }

  /** Resolves when the step is on the disk. */
  commit(step: Step): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...step, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  /** Waits until no write is pending. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Steps of the same turn belong together, and what else this thread has to do comes between two groups.
      await nextTurn();
      this.#write(this.#takeGroup());
    }
    this.#writing = undefined;
  }

  #takeGroup(): Waiting[] {
    let sizeBytes = 0;
    const end = this.#waiting.findIndex((step, index) => {
      sizeBytes += bytesOf(step.lines);
      return index > 0 && sizeBytes > GROUP_BYTES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** One transaction, in which a step that throws is undone alone. Settles every step. */
  #write(group: readonly Waiting[]): void {
    let tally = this.#tally;
    try {
      const settled = this.#run.write(() =>
        group.map((step) => {
          try {
            this.#run.write(() => {
              step.change?.(this.#run.change());
              const next = addItems(this.#run, tally, step);
              this.#run.putTally({ ...next, progress: this.#progress() });
              tally = next;
            });
            return step.resolve;
          } catch (thrown) {
            return () => step.reject(thrown);
          }
        }),
      );
      this.#tally = tally;
      for (const settle of settled) settle();
    } catch (refused) {
      for (const step of group) step.reject(refused);
    }
  }
}

const bytesOf = (lines: readonly CleanBytes[]): number => lines.reduce((sum, line) => sum + line.length, 0);

/** Appends the items of a step, and counts them. */
function addItems(run: StoredRun, tally: RunTally, step: Step): RunTally {
  let { items, array_bytes } = tally;
  for (const line of step.lines) {
    run.addItem(items, array_bytes + ITEM_LEAD_BYTES, line);
    items += 1;
    array_bytes += ITEM_LEAD_BYTES + line.length;
  }
  return { ...tally, items, array_bytes, redacted: addRedaction(tally.redacted, step.redacted) };
}
