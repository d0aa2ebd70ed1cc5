import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RedactionReport } from '../core/result.ts';
import type { CleanBytes } from '../redact/clean.ts';
import type { RunChange } from '../core/runs.ts';
import type { RunEnvironment, Thrown, Transaction } from './environment.ts';
import type { ItemsFile } from './items-file.ts';
import { addRedaction } from './redaction.ts';
import type { RunTally } from './records.ts';

/** One commit: serialised items with their line breaks, and a change of the state. */
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
  readonly #environment: RunEnvironment;
  readonly #file: ItemsFile;
  readonly #progress: () => RunTally['progress'];
  #tally: RunTally;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: {
    readonly environment: RunEnvironment;
    readonly file: ItemsFile;
    /** What the tally of the next transaction contains. */
    readonly progress: () => RunTally['progress'];
  }) {
    this.#environment = options.environment;
    this.#file = options.file;
    this.#progress = options.progress;
    this.#tally = options.environment.tally();
  }

  /** As it is on the disk, but for the progress. */
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
      await this.#write(this.#takeGroup());
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

  /** The lines first, then the transaction that counts them. Settles every step. */
  async #write(group: readonly Waiting[]): Promise<void> {
    let tally = this.#tally;
    try {
      let end = tally.file_bytes;
      const lines = group.flatMap((step) => step.lines);
      if (lines.length > 0) await this.#file.append(lines, end);
      const changes = group.map((step) => {
        const position = end;
        end += bytesOf(step.lines);
        // One that throws leaves a gap in the file that no row names.
        return (transaction: Transaction): void => {
          step.change?.(changeOf(this.#environment, transaction));
          const next = addItems(tally, step, { position, transaction });
          transaction.tally({ ...next, progress: this.#progress() });
          tally = next;
        };
      });
      const thrown = this.#environment.writeEach(changes);
      this.#tally = tally;
      group.forEach((step, index) => settle(step, thrown[index]));
    } catch (refused) {
      for (const step of group) step.reject(refused);
    }
  }
}

function settle(step: Waiting, thrown: Thrown | undefined): void {
  if (thrown === undefined) step.resolve();
  else step.reject(thrown.value);
}

const bytesOf = (lines: readonly CleanBytes[]): number => lines.reduce((sum, line) => sum + line.length, 0);

function changeOf(environment: RunEnvironment, transaction: Transaction): RunChange {
  return {
    get: (key) => environment.get(key),
    range: (range) => environment.range(range),
    put: (key, value) => transaction.put(key, value),
    remove: (key) => transaction.remove(key),
  };
}

/** Names the lines of a step, which begin at `position` of the file, and counts them. */
function addItems(
  tally: RunTally,
  step: Step,
  { position, transaction }: { readonly position: number; readonly transaction: Transaction },
): RunTally {
  let { items, array_bytes } = tally;
  let file_bytes = position;
  for (const line of step.lines) {
    const sizeBytes = line.length - 1;
    transaction.row(items, [file_bytes, sizeBytes, array_bytes + ITEM_LEAD_BYTES]);
    items += 1;
    array_bytes += ITEM_LEAD_BYTES + sizeBytes;
    file_bytes += line.length;
  }
  return { ...tally, items, array_bytes, file_bytes, redacted: addRedaction(tally.redacted, step.redacted) };
}
