import type { Clock, Logger } from '../core/services.ts';
import { cleanJsonText, isoTime, type CleanRecord } from '../redact/clean.ts';
import { StoredRecord } from '../redact/stored.ts';
import type { StoredRun } from './run-store.ts';

/** Lines that are kept. */
const KEPT_LINES = 5_000;
/** Lines that wait for the disk; beyond it the newest are left out. */
const QUEUE_LINES = 1_000;

/** The log of one run: redacted lines `{ ts, event, … }`, the oldest forgotten first. */
export class RunLog {
  readonly #run: StoredRun;
  readonly #services: { readonly clock: Clock; readonly logger: Logger };
  #queue: { readonly at_ms: number; readonly line: string }[] = [];
  #writing: Promise<void> | undefined;

  constructor(run: StoredRun, services: { clock: Clock; logger: Logger }) {
    this.#run = run;
    this.#services = services;
  }

  /** Returns at once; on a full disk the line is lost, not the run. */
  add(facts: CleanRecord): void {
    if (this.#queue.length >= QUEUE_LINES) return;
    const at_ms = this.#services.clock.now();
    this.#queue.push({ at_ms, line: cleanJsonText({ ts: isoTime(at_ms), ...facts }) });
    this.#writing ??= this.#write();
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    await Promise.resolve();
    this.#writing = undefined;
    try {
      this.#run.addLog(this.#queue.splice(0), KEPT_LINES);
    } catch (thrown) {
      this.#services.logger.warn({ err: thrown }, 'the log of a run was not written');
    }
  }
}

/**
 * The last lines of a log, oldest first: at most `count`, at most `bytes` of JSON, none
 * older than `since`. A larger line is reduced to its event and its size.
 */
export function readLog(
  run: StoredRun,
  { count, bytes, since = 0 }: { count: number; bytes: number; since?: number | undefined },
): { readonly lines: readonly CleanRecord[]; readonly total: number } {
  const kept = run.log(since, count);
  const lines: CleanRecord[] = [];
  let room = bytes;
  for (const line of kept.lines) {
    const entry = parseLine(line);
    if (entry === null) continue;
    const sizeBytes = Buffer.byteLength(line);
    const shown = sizeBytes <= bytes ? entry : shorten(entry, sizeBytes);
    room -= sizeBytes <= bytes ? sizeBytes + 1 : Buffer.byteLength(JSON.stringify(shown));
    if (room < 0) break;
    lines.unshift(shown);
  }
  return { lines, total: kept.total };
}

const shorten = ({ ts, event }: CleanRecord, sizeBytes: number): CleanRecord => ({
  ts: ts ?? null,
  event: event ?? null,
  oversized_bytes: sizeBytes,
});

/** Null for a damaged line. */
function parseLine(line: string): CleanRecord | null {
  try {
    const parsed = StoredRecord.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
