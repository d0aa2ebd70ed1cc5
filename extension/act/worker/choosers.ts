import { delay } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { handOver, interceptChoosers, type FileChooser } from '../../platform/chromium/choosers.ts';
import type { Held } from './act-page.ts';
import type { ActFrames } from './act-frames.ts';
import type { ActTraffic } from './settle.ts';

/** How long a chooser may take to open. */
const OPEN_MS = 1_500;
/** The same while requests are pending: the page may first ask its server where files go. */
const MAX_MS = 5_000;
const LOOK_MS = 30;

interface Opening {
  readonly frames: ActFrames;
  readonly traffic: ActTraffic;
  readonly signal: AbortSignal;
}

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

  /** Returns the last chooser that opened since the previous call, or null. */
  take(): FileChooser | null {
    const opened = this.#opened;
    this.#opened = null;
    return opened;
  }

  /**
   * The file field of the chooser that a press on an element opens. Null if none opens.
   * @throws SpillwayError `target_unsuitable`, `stale_ref`
   */
  async fieldOf(line: string, { frames, traffic, signal }: Opening): Promise<Held | null> {
    const pressedAt = performance.now();
    for (let until = pressedAt + OPEN_MS; this.#opened === null; await delay(LOOK_MS, signal)) {
      const now = performance.now();
      if (traffic.pending.length > 0) until = Math.min(now + OPEN_MS, pressedAt + MAX_MS);
      if (now >= until) return null;
    }
    const chooser = this.#opened;
    this.#opened = null;
    if (chooser.node === null)
      throw new SpillwayError(
        'target_unsuitable',
        `${line} asks for files in a way that only a person can answer (showOpenFilePicker).`,
      );
    // Our script must be there before it can be passed anything.
    const pages = await frames.all(signal);
    const isHanded = await handOver(this.lease, chooser).catch((thrown: unknown) => {
      signal.throwIfAborted();
      this.lease.signal.throwIfAborted();
      // An agent cannot use an error about a field or a frame that is gone.
      if (toSpillwayError(thrown).code === 'internal_error') return false;
      throw thrown;
    });
    for (const page of isHanded ? pages : []) {
      const ask = { do: 'find', target: '', follows: false, isLast: true, isHanded } as const;
      const [facts] = (await page.ask(ask, signal)).found;
      if (facts !== undefined) return { page, facts };
    }
    throw new SpillwayError('stale_ref', `${line} opened a file chooser whose file field is gone.`);
  }
}
