import { toSpillwayError } from '../../shared/errors.ts';
import { abortable } from '../../shared/async/wait.ts';
import { launchBrowser, type LaunchedBrowser, type LaunchOptions } from './launch.ts';

/** Keeps at most one private browser: started once for all who ask, replaced after it has ended. */
export class LaunchKeeper {
  readonly #options: LaunchOptions;
  #launching: Promise<LaunchedBrowser> | null = null;
  #launched: LaunchedBrowser | null = null;

  /** @param options its signal ends a launch in progress. */
  constructor(options: LaunchOptions) {
    this.#options = options;
  }

  /** The browser has ended, also where its connections do not show it yet. */
  get hasLost(): boolean {
    return this.#launched?.isOver === true;
  }

  /** The browser, started if need be. A caller that leaves does not stop it for the others. */
  async launched(signal: AbortSignal | undefined): Promise<LaunchedBrowser> {
    if (this.#launching === null) {
      const launching = launchBrowser(this.#options);
      this.#launching = launching;
      launching.then(
        (launched) => (this.#launched = launched),
        // The next call tries again.
        () => (this.#launching = null),
      );
    }
    try {
      return await abortable(this.#launching, signal);
    } catch (error) {
      throw toSpillwayError(error);
    }
  }

  /** Lets a browser that has ended go, so that {@link launched} starts another. */
  forget(): void {
    const { logger } = this.#options;
    this.#launched?.close().catch((error: unknown) => {
      logger.warn({ err: error }, 'the profile of a private browser that has ended could not be removed');
    });
    this.#launched = null;
    this.#launching = null;
  }

  /** Ends the browser, also one that is just starting. */
  async close(): Promise<void> {
    const launched = await this.#launching?.catch(() => null);
    await launched?.close();
  }
}
