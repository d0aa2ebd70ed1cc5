import { toSpillwayError } from '../../../shared/errors.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { handOver, interceptChoosers, type FileChooser } from '../../platform/chromium/choosers.ts';
import type { ActFrames } from './act-frames.ts';
import type { Held } from './act-page.ts';

/** The line of a receipt about a file chooser that a step opened. */
export const chooserNote = (chooser: FileChooser | null | undefined): string | null =>
  chooser == null
    ? null
    : chooser.node === null
      ? 'asked for files with showOpenFilePicker(), which was cancelled: only a person can choose them'
      : 'opened a file chooser, which was not shown; to give it files, upload to the same target, for example upload e5 /path/to/file';

/**
 * File choosers that pages open while an act runs. No agent can answer one, and it should not appear on a person's
 * screen, so the browser reports it instead of showing it. This ends with the act: a person who clicks expects a
 * chooser.
 */
export class FileChoosers {
  /** The last that has opened. */
  #opened: FileChooser | null = null;
  /** Keeps choosers from being shown, once it starts. */
  readonly interception: ReturnType<typeof interceptChoosers>;

  constructor(private readonly lease: DebuggerLease) {
    this.interception = interceptChoosers(lease, (chooser) => (this.#opened = chooser));
  }

  get hasOpened(): boolean {
    return this.#opened !== null;
  }

  /** Returns the last chooser that opened since the previous call, or null. */
  take(): FileChooser | null {
    const opened = this.#opened;
    this.#opened = null;
    return opened;
  }

  /** The file field that a chooser belongs to; null if it is gone. */
  async fieldOf(chooser: FileChooser, frames: ActFrames, signal: AbortSignal): Promise<Held | null> {
    // Our script must be there before it can be passed anything.
    const pages = await frames.all(signal);
    try {
      if (!(await handOver(this.lease, chooser))) return null;
    } catch (thrown) {
      signal.throwIfAborted();
      this.lease.signal.throwIfAborted();
      // An agent cannot use an error about a field or a frame that is gone.
      if (toSpillwayError(thrown).code === 'internal_error') return null;
      throw thrown;
    }
    for (const page of pages) {
      const facts = await page.ask({ do: 'handed' }, signal);
      if (facts !== null) return { page, facts };
    }
    return null;
  }
}
