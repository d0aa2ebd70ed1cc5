import { onAbort } from '../../../shared/async/abort.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { CaptureLine } from '../../../shared/tools/network/lines.ts';
import type { PersonTabs } from '../../background/takeover/person-tabs.ts';
import type { CaptureFeed } from './feed.ts';

type PauseLine = Extract<CaptureLine, { kind: 'paused' | 'resumed' }>;

interface PausingFeedOptions {
  readonly tabId: number;
  readonly personTabs: PersonTabs;
  /** Begins to observe the tab. */
  readonly open: () => Promise<CaptureFeed>;
  readonly push: (line: PauseLine) => void;
}

/**
 * A feed that observes nothing while a person has the tab, and begins again afterwards. What was pending when they got
 * it is given up: its answer could hold what they typed.
 */
export class PausingFeed implements CaptureFeed {
  readonly #options: PausingFeedOptions;
  readonly #lost = new AbortController();
  readonly #stopListening: () => void;
  #inner: CaptureFeed | null = null;
  #source: CaptureFeed['source'] = 'debugger';
  /** Of feeds that were given up: `progress` never falls. */
  #earlier = 0;
  #isPaused = false;
  #isOver = false;
  /** How often it was paused: what was opened before the last time is not used. */
  #pauses = 0;
  /** That it has paused was said, and not yet that it has resumed. */
  #isTold = false;
  /** One attempt to observe after the other: a person may get the tab again before the first has attached. */
  #turn: Promise<void> = Promise.resolve();

  private constructor(options: PausingFeedOptions) {
    this.#options = options;
    this.#stopListening = options.personTabs.onChange((tabId, isTaken) => {
      if (tabId !== options.tabId) return;
      if (isTaken) this.#pause();
      else this.#resume();
    });
  }

  /** @throws SpillwayError of the attachment */
  static async open(options: PausingFeedOptions): Promise<PausingFeed> {
    await options.personTabs.loaded;
    const feed = new PausingFeed(options);
    try {
      if (options.personTabs.has(options.tabId)) feed.#pause();
      else await (feed.#turn = feed.#observe());
      return feed;
    } catch (thrown) {
      await feed.close();
      throw thrown;
    }
  }

  get source(): CaptureFeed['source'] {
    return this.#source;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get progress(): number {
    return this.#earlier + (this.#inner?.progress ?? 0);
  }

  async settle(): Promise<void> {
    await this.#inner?.settle();
  }

  async stopObserving(): Promise<void> {
    this.#end();
    await this.#inner?.stopObserving();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#inner?.close();
  }

  #end(): void {
    this.#isOver = true;
    this.#stopListening();
  }

  #pause(): void {
    if (this.#isPaused || this.#isOver) return;
    this.#isPaused = true;
    this.#pauses += 1;
    const inner = this.#inner;
    this.#inner = null;
    this.#earlier += inner?.progress ?? 0;
    void inner?.close();
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.push({ kind: 'paused', at_ms: Date.now() });
  }

  #resume(): void {
    if (!this.#isPaused || this.#isOver) return;
    this.#isPaused = false;
    this.#turn = this.#turn.then(() => this.#observe()).catch((thrown: unknown) => this.#lost.abort(thrown));
  }

  async #observe(): Promise<void> {
    if (this.#isPaused || this.#isOver || this.#inner !== null) return;
    const { open, push } = this.#options;
    const pauses = this.#pauses;
    let inner: CaptureFeed;
    try {
      inner = await open();
    } catch (thrown) {
      // A person was given the tab while it was attached to: it is observed when they give it back.
      if (this.#pauses > pauses) return;
      throw thrown;
    }
    if (this.#pauses > pauses || this.#isOver) return inner.close();
    this.#inner = inner;
    this.#source = inner.source;
    if (this.#isTold) push({ kind: 'resumed', at_ms: Date.now() });
    this.#isTold = false;
    const lose = (): void => {
      if (this.#inner !== inner) return;
      if (toSpillwayError(inner.lost.reason).code === 'person_has_tab') this.#pause();
      else this.#lost.abort(inner.lost.reason);
    };
    onAbort(inner.lost, lose);
  }
}
