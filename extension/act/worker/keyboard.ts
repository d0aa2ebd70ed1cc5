import { SpillwayError } from '../../../shared/base/errors.ts';
import { cut } from '../../../shared/base/cut.ts';
import { lookUp } from '../../../shared/base/json.ts';
import { KEYS, keyName } from '../../../shared/act/keys.ts';
import type { Modifier } from '../../../shared/act/step-words.ts';
import { delay } from '../../../shared/base/async.ts';
import type { Struck } from '../page/protocol.ts';
import type { ActPage, Held } from './act-page.ts';
import type { Device, Stroke } from '../../platform/device.ts';
import { sparing, type Acting, type BetweenKeys } from './acting.ts';

/**
 * A key, on a US keyboard (UI Events KeyboardEvent key and code
 * values).
 */
interface Key {
  readonly key: string;
  readonly code: string;
  /** As Windows numbers keys. */
  readonly number: number;
  /** The text it types; empty for keys without text. */
  readonly text: string;
  readonly location?: number;
  /** It is typed with Shift. */
  readonly isShifted?: boolean;
}

/** Bits as in `Device`. */
const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;
type PlainModifier = keyof typeof MODIFIER_BITS;
const isModifier = (name: string): name is PlainModifier => Object.hasOwn(MODIFIER_BITS, name);

/** Characters by the key that types them, without and with Shift. */
const SIGNS: readonly (readonly [plain: string, shifted: string, code: string, number: number])[] = [
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
  ['`', '~', 'Backquote', 192],
  [' ', ' ', 'Space', 32],
];
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** A character's key, or null if no key types it: it is inserted as text. */
function keyOfCharacter(char: string): Key | null {
  if (char === '\n' || char === '\r') return named('Enter');
  if (char === '\t') return named('Tab');
  const typed = { key: char, text: char };
  const upper = char.toUpperCase();
  if (/^[a-z]$/i.test(char))
    return { ...typed, code: `Key${upper}`, number: upper.charCodeAt(0), isShifted: char === upper };
  if (/^\d$/.test(char)) return { ...typed, code: `Digit${char}`, number: char.charCodeAt(0) };
  const digit = SHIFTED_DIGITS.indexOf(char);
  if (digit >= 0) return { ...typed, code: `Digit${digit}`, number: 48 + digit, isShifted: true };
  const sign = SIGNS.find(([plain, shifted]) => plain === char || shifted === char);
  if (sign === undefined) return null;
  const [plain, , code, number] = sign;
  return { ...typed, code, number, isShifted: plain !== char };
}

function named(name: string): Key {
  const [code, number, text = ''] = lookUp(KEYS, name) ?? ['', 0];
  return { key: name, code, number, text, ...(isModifier(name) ? { location: 1 } : {}) };
}

/** A key with its modifiers: `Control+Shift+A`. */
interface Chord {
  readonly modifiers: readonly PlainModifier[];
  readonly key: Key;
}

/** The key for `ControlOrMeta` on the browser's computer. */
export const plainModifier = (name: Modifier, isMac: boolean): PlainModifier =>
  name === 'ControlOrMeta' ? (isMac ? 'Meta' : 'Control') : name;

export const modifierBits = (modifiers: readonly PlainModifier[]): number =>
  modifiers.reduce((bits, name) => bits | MODIFIER_BITS[name], 0);

/**
 * Reads keys with modifiers: `Enter`, `Control+A`, `Shift+Tab`, `a`, `+`.
 * @throws SpillwayError `invalid_argument` naming the unknown key
 */
export function parseChord(text: string, isMac: boolean): Chord {
  const parts =
    text === '+' ? ['+'] : text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part) => {
    const name = keyName(part);
    if (name === 'ControlOrMeta') return plainModifier(name, isMac);
    if (isModifier(name)) return name;
    throw unknownKey(part);
  });
  const key = keyNamed(last, modifiers);
  // A keyboard types `?` and `A` only with Shift.
  const lacksShift = key.isShifted === true && !modifiers.includes('Shift');
  return { modifiers: lacksShift ? [...modifiers, 'Shift'] : modifiers, key };
}

/** The key as a keyboard sends it: people write `Control+K` for `k`. */
function caseOf(name: string, modifiers: readonly PlainModifier[]): string {
  const isShifted = modifiers.includes('Shift');
  if (isShifted && /^\d$/.test(name)) return SHIFTED_DIGITS.charAt(Number(name));
  if (isShifted) return SIGNS.find(([plain]) => plain === name)?.[1] ?? name.toUpperCase();
  if (!/^[a-z]$/i.test(name)) return name;
  return modifiers.length > 0 ? name.toLowerCase() : name;
}

function keyNamed(name: string, modifiers: readonly PlainModifier[]): Key {
  const known = keyName(name);
  if (Object.hasOwn(KEYS, known)) return named(known);
  const fn = /^F([1-9]|1\d|2[0-4])$/i.exec(known)?.[1];
  if (fn !== undefined) return { key: `F${fn}`, code: `F${fn}`, number: 111 + Number(fn), text: '' };
  const typed = caseOf(known, modifiers);
  const key = [...typed].length === 1 ? keyOfCharacter(typed) : null;
  if (key === null) throw unknownKey(name);
  return key;
}

const unknownKey = (name: string): SpillwayError =>
  new SpillwayError(
    'invalid_argument',
    `press: ${JSON.stringify(cut(name, 40))} is not a key. Keys are named as in KeyboardEvent.key: Enter, Tab, ArrowDown, F5, a, with modifiers as ControlOrMeta+A.`,
  );

/** When and how often a pressed key repeats, as on most computers. */
const REPEATS_AFTER_MS = 500;
const REPEATS_MS = 50;

/** Characters sent without waiting for acknowledgement. */
const SENT_AT_ONCE = 20;

/** Editing commands of keys with Meta on a Mac, whose browsers leave them to the system. */
const MAC_COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  v: 'paste',
  x: 'cut',
  z: 'undo',
  'Shift+Z': 'redo',
  Backspace: 'deleteToBeginningOfLine',
};
/** Commands that move the caret, and with Shift select up to there. */
const MAC_MOVES: Readonly<Record<string, string>> = {
  ArrowDown: 'moveToEndOfDocument',
  ArrowUp: 'moveToBeginningOfDocument',
  ArrowLeft: 'moveToLeftEndOfLine',
  ArrowRight: 'moveToRightEndOfLine',
};

export function macCommand({ modifiers, key: { key } }: Chord): string | undefined {
  const others = modifiers.filter((name) => name !== 'Meta');
  if (others.length === modifiers.length) return undefined;
  const move = lookUp(MAC_MOVES, key);
  if (move !== undefined && others.join('') === 'Shift') return `${move}AndModifySelection`;
  return (others.length === 0 ? move : undefined) ?? MAC_COMMANDS[[...others, key].join('+')];
}

/**
 * Presses keys one after another in the focused document: `Tab Tab Enter`, `Control+A`. The last one stays
 * pressed for `hold` milliseconds.
 * @throws SpillwayError `invalid_argument` for an unknown key, `debugger_unavailable`
 */
export async function pressKeys(
  acting: Acting,
  page: ActPage,
  keys: string,
  hold = 0,
  between?: BetweenKeys,
): Promise<void> {
  const chords = keys.split(/\s+/).map((text) => parseChord(text, acting.isMac));
  const last = hold > 0 ? chords.pop() : undefined;
  await typing(acting, page, `press ${keys}`, between, async (device, pause) => {
    for (const [index, chord] of chords.entries()) {
      if (index > 0) {
        await pause();
        await page.ask({ do: 'rest', until: 'idle' }, acting.signal);
      }
      await Promise.all(stroke(acting, device, chord));
    }
    if (last === undefined) return;
    const { down, again, up } = chordOf(acting, device, last);
    await pause();
    await Promise.all(down());
    let left = hold;
    for (let next = REPEATS_AFTER_MS; left > next; next = REPEATS_MS) {
      await delay(next, acting.signal);
      left -= next;
      await pause();
      await again();
    }
    await delay(left, acting.signal);
    await Promise.all(up());
  });
}

/**
 * How line breaks and tabs are typed: by Enter and Tab, which may send a form and move the focus; by Shift+Enter, which
 * chats take for a new line; or inserted like other characters without a key.
 */
export type Breaks = 'pressed' | 'soft' | 'inserted';

/** The chord that types a character; null to insert it. */
function chordOfCharacter(char: string, breaks: Breaks): Chord | null {
  const isBreak = char === '\n' || char === '\r';
  const isInserted = char === '\t' ? breaks !== 'pressed' : isBreak && breaks === 'inserted';
  const key = isInserted ? null : keyOfCharacter(char);
  if (key === null) return null;
  return { modifiers: key.isShifted === true || (isBreak && breaks === 'soft') ? ['Shift'] : [], key };
}

/** Types text key by key; characters without a key are inserted. */
export async function typeText(
  acting: Acting,
  held: Held,
  text: string,
  breaks: Breaks,
  between?: BetweenKeys,
): Promise<void> {
  const chars = [...text];
  await typing(acting, held.page, `Text for ${held.facts.line}`, between, async (device, pause) => {
    // Sent keys still arrive after a cancel, so only a few are sent at a time.
    const { isBrief } = held.facts;
    const count = isBrief ? 1 : SENT_AT_ONCE;
    for (let at = 0; at < chars.length; at += count) {
      if (at > 0) await pause();
      // Pages may move the focus to the next box only as they draw.
      if (at > 0 && isBrief) await held.page.ask({ do: 'rest', until: 'drawn' }, acting.signal);
      const sent = chars.slice(at, at + count).flatMap((char) => {
        const chord = chordOfCharacter(char, breaks);
        if (chord === null) return [device.insert(char)];
        return stroke(acting, device, chord);
      });
      await Promise.all(sent);
    }
  });
}

/** The same, kept out of password fields. @throws SpillwayError as {@link sparing}, which tells whether it arrived */
export const typeKeys = (acting: Acting, held: Held, text: string, breaks: Breaks): Promise<void> =>
  sparing(acting, (between) => typeText(acting, held, text, breaks, between), held);

/** Replaces the selection of the focused element in one event. */
export async function insertText(acting: Acting, { page, facts }: Held, text: string): Promise<void> {
  await typing(acting, page, `Text for ${facts.line}`, undefined, async (device) => {
    if (text !== '') await device.insert(text);
    else await Promise.all(stroke(acting, device, parseChord('Delete', acting.isMac)));
  });
}

/** Keys go to the focused element, and the focus may move to a frame between two of them. */
async function typing(
  acting: Acting,
  page: ActPage,
  what: string,
  between: BetweenKeys | undefined,
  work: (device: Keys, pause: BetweenKeys) => Promise<void>,
): Promise<void> {
  const script = scriptKeys(acting, page);
  if (acting.input === null) return work(script, async () => between?.());
  const drawing = await acting.input.drawingOf(page);
  const sending = { what, isWitnessed: false, within: null };
  await acting.gate.send(page.receiver, sending, (devices, renew) => {
    const device = devices(drawing);
    const insert: Keys['insert'] = (text) => device.insert(text, () => script.insert(text));
    return work({ key: device.key, insert }, async () => {
      await between?.();
      await renew();
    });
  });
}

interface Keys extends Pick<Device, 'key'> {
  insert(text: string): Promise<unknown>;
}

/** The keys of a script in the page. After one that fails, no further one is given. */
function scriptKeys({ gate, signal }: Acting, page: ActPage): Keys {
  let last: Promise<unknown> = Promise.resolve();
  const give = (struck: Struck): Promise<unknown> => {
    last = last.then(() => {
      gate.hasBegun = true;
      return page.change({ do: 'strike', struck }, signal);
    });
    last.catch(() => undefined);
    return last;
  };
  return { key: (phase, stroke) => give({ phase, ...stroke }), insert: (insert) => give({ insert }) };
}

function stroke(acting: Acting, device: Keys, chord: Chord): Promise<unknown>[] {
  const { down, up } = chordOf(acting, device, chord);
  return [...down(), ...up()];
}

/** The phases of a chord: pressed, held, released. */
function chordOf({ isMac }: Acting, device: Keys, { modifiers, key }: Chord) {
  const strokeOf = ({ key: name, code, number, location = 0 }: Key, held: number): Stroke => {
    return { key: name, code, number, location, modifiers: held };
  };
  /** With the first `count` modifiers held. */
  const bitsOf = (count: number): number => modifierBits(modifiers.slice(0, count));
  const bits = bitsOf(modifiers.length);
  const types =
    key.text !== '' && !modifiers.some((name) => name === 'Control' || name === 'Meta' || name === 'Alt');
  const command = isMac ? macCommand({ modifiers, key }) : undefined;
  const strike = (isRepeat = false): Promise<unknown> =>
    device.key('down', {
      ...strokeOf(key, bits),
      ...(types && { text: key.text }),
      ...(command !== undefined && { command }),
      isRepeat,
    });
  return {
    down: () => [
      ...modifiers.map((name, index) => device.key('down', strokeOf(named(name), bitsOf(index + 1)))),
      strike(),
    ],
    again: () => strike(true),
    up: () => [
      device.key('up', strokeOf(key, bits)),
      ...modifiers
        .toReversed()
        .map((name, at) => device.key('up', strokeOf(named(name), bitsOf(modifiers.length - 1 - at)))),
    ],
  };
}
