import { defer, delay } from '../../../shared/base/async.ts';
import { PageError } from '../../dom/doorway.ts';
import type { TargetFacts, Want } from '../../core/ports/page-answers.ts';
import type { Given, News, StepKey } from './protocol.ts';

const LOOK_MS = 30;
/** Timers of a tab behind the front one run after a second. */
const TAKEN_MS = 1_100;
/** The same while requests are pending. */
const MAX_MS = 5_000;

type By = Extract<Want, { readonly by: unknown }>['by'];

/** A step's way to input, which the worker gives: see `Gate.send`. */
export class Hands {
  readonly #over = new AbortController();
  /** Wants that have no answer yet: they are answered in their order. */
  readonly #wanted: ReturnType<typeof defer<Given>>[] = [];
  #news: News = { isLoading: false, isBusy: false, restedMs: 0 };
  #heardAt = 0;

  constructor(
    readonly own: Element,
    private readonly hold: (el: Element) => TargetFacts,
    private readonly post: (want: Want) => void,
  ) {}

  /** Aborted when the step ends. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** The page waits for answers to requests that the step has led to. */
  get isLoading(): boolean {
    return this.#news.isLoading;
  }

  /** The tab loads something. */
  get isBusy(): boolean {
    return this.#news.isBusy;
  }

  /** How long the page has waited for no answer. */
  get restedMs(): number {
    return this.isLoading ? 0 : this.#news.restedMs + performance.now() - this.#heardAt;
  }

  /** Resolves once the input has been given. @throws PageError the worker's reason against it, or the signal's */
  async give(want: Want): Promise<Given> {
    this.signal.throwIfAborted();
    const given = defer<Given>();
    this.#wanted.push(given);
    this.post(want);
    return given.promise;
  }

  async key(key: StepKey, count = 1): Promise<void> {
    await this.give({ key, count });
  }

  /** Replaces the selection of the focused element by a text of the step, or types it there. */
  async text(el: Element, text: number, by: By): Promise<void> {
    await this.give({ text, by, at: this.at(el) });
  }

  /** For wants: the step's own element is the one that a person was shown. */
  at(el: Element): TargetFacts | null {
    return el === this.own ? null : this.hold(el);
  }

  take(given: Given): void {
    const { error } = given;
    const wanted = this.#wanted.shift();
    if (error === null) wanted?.resolve(given);
    else wanted?.reject(new PageError(error.code, error.message));
  }

  hear(news: News): void {
    this.#news = news;
    this.#heardAt = performance.now();
  }

  /**
   * Polls until the page has taken a press. False at the end of the time, which begins again while requests are pending.
   */
  async until(hasTaken: () => boolean | Promise<boolean>, takenMs = TAKEN_MS): Promise<boolean> {
    const pressedAt = performance.now();
    for (let until = pressedAt + takenMs; ;) {
      if (await hasTaken()) return true;
      const now = performance.now();
      // The page handles an answer after its arrival.
      if (this.isLoading) until = Math.min(now + takenMs, pressedAt + MAX_MS);
      if (now >= until) return false;
      await delay(LOOK_MS, this.signal);
    }
  }

  stop(): void {
    const over = new PageError('internal_error', 'The step is over.');
    this.#over.abort(over);
    for (const { reject } of this.#wanted.splice(0)) reject(over);
  }
}
