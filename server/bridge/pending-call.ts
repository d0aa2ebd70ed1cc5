import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { BridgeCallOptions } from '../core/services.ts';
import { onAbort } from '../../shared/async/abort.ts';
import type { StreamReceiver } from './stream-receiver.ts';

/** Idle times that a reader may let text wait before its call is given up. */
const READER_IDLE_TIMES = 2;

/** One pending call: settles once, with whichever is first: result, silence, signal, lost connection. */
export class PendingCall {
  readonly result: Promise<unknown>;
  readonly receiver: StreamReceiver | null;
  readonly #method: string;
  readonly #idleTimeoutMs: number;
  readonly #timer: NodeJS.Timeout;
  #resolve: (value: unknown) => void = () => undefined;
  #reject: (error: SpillwayError) => void = () => undefined;
  #stopListening: () => void = () => undefined;
  #isSettled = false;
  #isTouched = false;
  #readerIdleTimes = 0;

  /** Called with the error when the call ends before its answer came, so that the peer is notified. */
  onGivenUp: ((error: SpillwayError) => void) | null = null;
  /** Called once, however the call ends. */
  onSettled: (() => void) | null = null;

  constructor(method: string, options: Partial<BridgeCallOptions>, receiver: StreamReceiver | null) {
    this.#method = method;
    this.#idleTimeoutMs = options.idleTimeoutMs ?? LIMITS.callTimeoutMs;
    this.receiver = receiver;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // The caller gets the error; a call without a waiter causes no unhandled rejection.
    this.result.catch(() => undefined);
    this.#timer = setTimeout(() => this.#onSilence(), this.#idleTimeoutMs);
    const { signal } = options;
    this.#stopListening = onAbort(signal, () => this.giveUp(toSpillwayError(signal?.reason)));
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** A sign of life: the idle time begins again. */
  touch(): void {
    this.#isTouched = true;
    this.#readerIdleTimes = 0;
    if (!this.#isSettled) this.#timer.refresh();
  }

  resolve(value: unknown): void {
    if (this.#finish()) this.#resolve(value);
  }

  reject(error: SpillwayError): void {
    if (!this.#finish()) return;
    this.receiver?.fail(error);
    this.#reject(error);
  }

  /** Ends the call and tells the other end. */
  giveUp(error: SpillwayError): void {
    if (this.#isSettled) return;
    this.onGivenUp?.(error);
    this.reject(error);
  }

  #finish(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    this.onSettled?.();
    return true;
  }

  /**
   * A process that was stopped finds its timers due before it has read its input: one
   * round of reading goes first.
   */
  #onSilence(): void {
    this.#isTouched = false;
    setImmediate(() => {
      if (this.#isSettled || this.#isTouched) return;
      if (this.receiver?.hasUnread !== true) {
        const seconds = this.#idleTimeoutMs / 1_000;
        return this.giveUp(new SpillwayError('timeout', `${this.#method} sent nothing for ${seconds} s.`));
      }
      this.#readerIdleTimes += 1;
      if (this.#readerIdleTimes < READER_IDLE_TIMES) return void this.#timer.refresh();
      this.giveUp(new SpillwayError('slow_consumer', `The stream of ${this.#method} was not read.`));
    });
  }
}
