import { abortable } from '../../../shared/base/async.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { launchBrowser, type LaunchedBrowser, type LaunchOptions } from './launch.ts';

/** Keeps at most one private browser: started once for all callers, replaced after it has ended. */
export class LaunchKeeper {
  #launching: Promise<LaunchedBrowser> | null = null;
  #launched: LaunchedBrowser | null = null;
  #isAbandoned = false;

  /** @param options its signal ends a launch in progress. */
  constructor(private readonly options: LaunchOptions) {}

  /** The browser has ended, even if its connections do not show it yet. */
  get hasLost(): boolean {
    return this.#isAbandoned || this.#launched?.isOver === true;
  }

  /** Answers to this browser alone. */
  get methods(): LaunchedBrowser['methods'] {
    return this.#launched?.methods ?? {};
  }

  /** It runs, but cannot be reached: Chromium does not restart an extension whose process was killed. */
  abandon(): void {
    this.#isAbandoned = this.#launched !== null;
  }

  /** The browser, started if need be. A caller that gives up does not stop it for the others. */
  async awaitLaunched(signal: AbortSignal | undefined): Promise<LaunchedBrowser> {
    if (this.#launching === null) {
      const launching = launchBrowser(this.options);
      this.#launching = launching;
      launching.then(
        (launched) => (this.#launched = launched),
        // The next call tries again.
        () => (this.#launching = null),
      );
    }
    return abortable(this.#launching, signal).catch((error: unknown) => {
      throw toSpillwayError(error);
    });
  }

  /** Releases a browser that has ended, so that {@link awaitLaunched} starts another. */
  forget(): void {
    const { logger } = this.options;
    this.#launched?.close().catch((error: unknown) => {
      logger.warn({ err: error }, 'the profile of a private browser that has ended could not be removed');
    });
    this.#launched = null;
    this.#launching = null;
    this.#isAbandoned = false;
  }

  /** Ends the browser, even while it is starting. */
  async close(): Promise<void> {
    const launched = await this.#launching?.catch(() => null);
    await launched?.close();
  }
}
