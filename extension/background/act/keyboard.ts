import { delay } from '../../../shared/async/wait.ts';
import { keyOfCharacter, modifierBits, modifierKey, parseChord, type Chord, type Key } from './keys.ts';
import type { SendInput } from './send-input.ts';

/** What has to be done between keys that are not sent at once. */
export type BetweenKeys = () => Promise<void>;

/** When a key that stays pressed repeats, and how often, as on most computers. */
const REPEATS_AFTER_MS = 500;
const REPEATS_MS = 50;

/** Characters that are sent without waiting for one another. */
const SENT_AT_ONCE = 20;

/** What a Mac's editing keys do, which its browsers leave to the system. */
const MAC_COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  v: 'paste',
  x: 'cut',
  z: 'undo',
};

/** The keyboard: keys as a person's, sent to the frame that has the focus. */
export class Keyboard {
  readonly #sendInput: SendInput;
  readonly #isMac: boolean;
  readonly #signal: AbortSignal;

  constructor(send: SendInput, isMac: boolean, signal: AbortSignal) {
    this.#sendInput = send;
    this.#isMac = isMac;
    this.#signal = signal;
  }

  /**
   * Presses keys one after the other: `Tab Tab Enter`, `Control+A`. The last one stays pressed for `hold` milliseconds.
   *
   * @throws SpillwayError `invalid_argument`
   */
  async press(
    session: string | null,
    keys: string,
    { between, hold = 0 }: { readonly between?: BetweenKeys; readonly hold?: number } = {},
  ): Promise<void> {
    const chords = keys.split(/\s+/).map((text) => parseChord(text, this.#isMac));
    const last = hold > 0 ? chords.pop() : undefined;
    const sent: Promise<unknown>[] = [];
    let before: Chord | null = null;
    for (const chord of chords) {
      // A page may learn of the caret that a key has moved a moment later.
      if (sent.length > 0 && (between !== undefined || chord.key.key !== before?.key.key))
        await Promise.all(sent);
      if (sent.length > 0) await between?.();
      before = chord;
      sent.push(...this.#stroke(session, chord));
    }
    await Promise.all(sent);
    if (last !== undefined) await this.#hold(session, last, { ms: hold, between });
  }

  async #hold(
    session: string | null,
    chord: Chord,
    { ms, between }: { readonly ms: number; readonly between: BetweenKeys | undefined },
  ): Promise<void> {
    const { down, again, up } = this.#chord(session, chord);
    await between?.();
    await Promise.all(down());
    let left = ms;
    for (let next = REPEATS_AFTER_MS; left > next; next = REPEATS_MS) {
      await delay(next, this.#signal);
      left -= next;
      await between?.();
      await again();
    }
    await delay(left, this.#signal);
    await Promise.all(up());
  }

  #stroke(session: string | null, chord: Chord): Promise<unknown>[] {
    const { down, up } = this.#chord(session, chord);
    return [...down(), ...up()];
  }

  /** Types text key by key; characters that no key has are inserted. */
  async type(session: string | null, text: string, between?: BetweenKeys): Promise<void> {
    const chars = [...text];
    // What has been sent still arrives when the call is cancelled, so little is sent at a time.
    for (let at = 0; at < chars.length; at += SENT_AT_ONCE) {
      if (at > 0) await between?.();
      await this.#typeAtOnce(session, chars.slice(at, at + SENT_AT_ONCE));
    }
  }

  async #typeAtOnce(session: string | null, chars: readonly string[]): Promise<void> {
    const sent: Promise<unknown>[] = [];
    for (const char of chars) {
      const key = keyOfCharacter(char);
      if (key === null) sent.push(this.insert(session, char));
      else sent.push(...this.#stroke(session, { modifiers: key.isShifted ? ['Shift'] : [], key }));
    }
    await Promise.all(sent);
  }

  /** Puts text in place of what is selected, in one event. */
  insert(session: string | null, text: string): Promise<unknown> {
    return this.#send(session, 'Input.insertText', { text });
  }

  /** The ways of a chord: pressed, pressed on, released. */
  #chord(
    session: string | null,
    { modifiers, key }: Chord,
  ): {
    readonly down: () => Promise<unknown>[];
    readonly again: () => Promise<unknown>;
    readonly up: () => Promise<unknown>[];
  } {
    const held = modifiers.map((_, index) => modifierBits(modifiers.slice(0, index + 1)));
    const bits = modifierBits(modifiers);
    const types =
      key.text !== '' && !modifiers.some((name) => name === 'Control' || name === 'Meta' || name === 'Alt');
    const command =
      this.#isMac && modifiers.includes('Meta') ? MAC_COMMANDS[key.key.toLowerCase()] : undefined;
    const strike = (more: object): Promise<unknown> =>
      this.#key(session, types ? 'keyDown' : 'rawKeyDown', key, bits, {
        ...(types ? { text: key.text, unmodifiedText: key.text } : {}),
        ...(command === undefined ? {} : { commands: [command] }),
        ...more,
      });
    return {
      down: () => [
        ...modifiers.map((name, index) =>
          this.#key(session, 'rawKeyDown', modifierKey(name), held[index] ?? 0),
        ),
        strike({}),
      ],
      again: () => strike({ autoRepeat: true }),
      up: () => [
        this.#key(session, 'keyUp', key, bits),
        ...modifiers
          .map((name, index) => [name, held[index - 1] ?? 0] as const)
          .reverse()
          .map(([name, left]) => this.#key(session, 'keyUp', modifierKey(name), left)),
      ],
    };
  }

  #key(
    session: string | null,
    type: string,
    { key, code, number, location = 0 }: Key,
    modifiers: number,
    more = {},
  ): Promise<unknown> {
    return this.#send(session, 'Input.dispatchKeyEvent', {
      type,
      key,
      code,
      windowsVirtualKeyCode: number,
      location,
      modifiers,
      ...more,
    });
  }

  #send(sessionId: string | null, method: string, params: object): Promise<unknown> {
    const sent = this.#sendInput(sessionId, method, params);
    sent.catch(() => undefined);
    return sent;
  }
}
