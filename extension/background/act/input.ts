import type { Point } from '../../page/act/protocol.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import type { ActPage, Held } from './act-page.ts';
import { Dragger, type Drag } from './drag.ts';
import type { ForeignFrames } from './foreign-frames.ts';
import { Keyboard, type BetweenKeys } from './keyboard.ts';
import { sendUntil } from './send-input.ts';
import { Pointer, Spots, type Press, type SpotsOptions } from './pointer.ts';

interface KeysHow {
  readonly between?: BetweenKeys | undefined;
  readonly hold?: number | undefined;
}

/** Mouse and keyboard, however their input gets into the page. */
export interface Input {
  /** Keys can be pressed. */
  readonly hasKeys: boolean;
  /**
   * @returns what has to be known of how it arrived
   * @throws SpillwayError what keeps input from the element, `not_delivered`
   */
  press(held: Held, press: Press): Promise<string | null>;
  hover(held: Held, position: Point | null): Promise<void>;
  drag(drag: Drag): Promise<string | null>;
  /** Turns the wheel over an element, by so many pixels. */
  wheel(held: Held, by: Point, position: Point | null): Promise<void>;
  /**
   * Presses keys in the document that has the focus, and holds the last one for `hold` milliseconds.
   *
   * @throws SpillwayError `invalid_argument` for an unknown
   * key
   */
  keys(page: ActPage, keys: string, how?: KeysHow): Promise<void>;
  /** Types key by key. */
  type(held: Held, text: string, between?: BetweenKeys): Promise<void>;
  /** Puts text in place of what is selected in the element that has the focus. */
  insert(held: Held, text: string): Promise<void>;
  /** Releases what an act that failed midway has left pressed. */
  end(): Promise<void>;
}

/** Input as a person's, through the debugger: pages cannot tell it from one. */
export class TrustedInput implements Input {
  readonly hasKeys = true;
  readonly #spots: Spots;
  readonly #pointer: Pointer;
  readonly #dragger: Dragger;
  readonly #keyboard: Keyboard;
  readonly #lease: DebuggerLease;
  readonly #foreign: ForeignFrames;
  readonly #signal: AbortSignal;

  constructor(options: SpotsOptions & { readonly isMac: boolean; readonly foreign: ForeignFrames }) {
    const { debugger: attached, waitMs, signal, isMac, foreign } = options;
    const { lease } = attached;
    const send = sendUntil(lease, signal);
    this.#lease = lease;
    this.#foreign = foreign;
    this.#signal = signal;
    this.#spots = new Spots(options);
    const pointing = { spots: this.#spots, foreign, lease, waitMs, signal, send };
    this.#pointer = new Pointer(pointing);
    this.#dragger = new Dragger(this.#pointer, pointing);
    this.#keyboard = new Keyboard(send, isMac, signal);
  }

  press(held: Held, press: Press): Promise<string | null> {
    return this.#pointer.press(held, press);
  }

  hover(held: Held, position: Point | null): Promise<void> {
    return this.#pointer.hover(held, position);
  }

  drag(drag: Drag): Promise<string | null> {
    return this.#dragger.drag(drag);
  }

  wheel(held: Held, by: Point, position: Point | null): Promise<void> {
    return this.#pointer.wheel(held, by, position);
  }

  async keys(page: ActPage, keys: string, { between, hold = 0 }: KeysHow = {}): Promise<void> {
    const session = await this.#spots.sessionOf(page);
    await this.#typing(`press ${keys}`, (renew) =>
      this.#keyboard.press(session, keys, { between: both(between, renew), hold }),
    );
  }

  async type({ page, facts }: Held, text: string, between?: BetweenKeys): Promise<void> {
    const session = await this.#spots.sessionOf(page);
    await this.#typing(`Text for ${facts.line}`, (renew) =>
      this.#keyboard.type(session, text, both(between, renew)),
    );
  }

  async insert({ page, facts }: Held, text: string): Promise<void> {
    const session = await this.#spots.sessionOf(page);
    await this.#typing(`Text for ${facts.line}`, () =>
      text === '' ? this.#keyboard.press(session, 'Delete') : this.#keyboard.insert(session, text),
    );
  }

  /** Keys go to what has the focus, which may move to a frame between two of them. */
  #typing(what: string, work: (renew: BetweenKeys) => Promise<unknown>): Promise<unknown> {
    return this.#foreign.spare({ what, isWitnessed: false, within: null, signal: this.#signal }, work);
  }

  end(): Promise<void> {
    return this.#lease.releaseInput();
  }
}

const both =
  (first: BetweenKeys | undefined, second: BetweenKeys): BetweenKeys =>
  async () => {
    await first?.();
    await second();
  };
