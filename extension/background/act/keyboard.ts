import { keyOfCharacter, modifierBits, modifierKey, parseChord, type Chord, type Key } from './keys.ts';
import type { SendInput } from './send-input.ts';

/** What has to be done between keys that are not sent at once. */
export type BetweenKeys = () => Promise<void>;

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

  constructor(send: SendInput, isMac: boolean) {
    this.#sendInput = send;
    this.#isMac = isMac;
  }

  /**
   * Presses keys one after the other: `Tab Tab Enter`, `Control+A`.
   *
   * @throws SpillwayError `invalid_argument`
   */
  async press(session: string | null, keys: string, between?: BetweenKeys): Promise<void> {
    const chords = keys.split(/\s+/).map((text) => parseChord(text, this.#isMac));
    const sent: Promise<unknown>[] = [];
    for (const chord of chords) {
      if (between !== undefined && sent.length > 0) {
        await Promise.all(sent);
        await between();
      }
      sent.push(...this.#chord(session, chord));
    }
    await Promise.all(sent);
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
      else sent.push(...this.#chord(session, { modifiers: key.isShifted ? ['Shift'] : [], key }));
    }
    await Promise.all(sent);
  }

  /** Puts text in place of what is selected, in one event. */
  insert(session: string | null, text: string): Promise<unknown> {
    return this.#send(session, 'Input.insertText', { text });
  }

  #chord(session: string | null, { modifiers, key }: Chord): Promise<unknown>[] {
    const held = modifiers.map((_, index) => modifierBits(modifiers.slice(0, index + 1)));
    const bits = modifierBits(modifiers);
    const down = modifiers.map((name, index) =>
      this.#key(session, 'rawKeyDown', modifierKey(name), held[index] ?? 0),
    );
    const types =
      key.text !== '' && !modifiers.some((name) => name === 'Control' || name === 'Meta' || name === 'Alt');
    const command =
      this.#isMac && modifiers.includes('Meta') ? MAC_COMMANDS[key.key.toLowerCase()] : undefined;
    const stroke = [
      this.#key(session, types ? 'keyDown' : 'rawKeyDown', key, bits, {
        ...(types ? { text: key.text, unmodifiedText: key.text } : {}),
        ...(command === undefined ? {} : { commands: [command] }),
      }),
      this.#key(session, 'keyUp', key, bits),
    ];
    const up = modifiers
      .map((name, index) => this.#key(session, 'keyUp', modifierKey(name), held[index - 1] ?? 0))
      .reverse();
    return [...down, ...stroke, ...up];
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
