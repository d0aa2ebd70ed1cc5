import { isObject } from '../../shared/base/json.ts';

/** Work in bounded parts: it yields after each, and returns its result. */
export type Work<T> = Generator<undefined, T, void>;

/** Longest time that one turn of the event loop gives to work in slices, in milliseconds, apart from its last part. */
const SLICE_MS = 20;
let endsAt = 0;
let turns: Promise<void> = Promise.resolve();

/**
 * Undefined while the current slice has time left. Then a promise that resolves in a turn of its own: however many
 * callers wait, pings and frames are answered between two of them.
 */
export function pause(): Promise<void> | undefined {
  if (performance.now() < endsAt) return undefined;
  turns = turns.then(
    () =>
      new Promise((resolve) =>
        // An immediate follows what was just received without a look at what came meanwhile. The second one follows that look.
        setImmediate(() =>
          setImmediate(() => {
            endsAt = performance.now() + SLICE_MS;
            resolve();
          }),
        ),
      ),
  );
  return turns;
}

/** Does work of any size in slices. @throws what the work throws */
export async function inSlices<T>(work: Work<T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** Does small work at once. @throws what the work throws */
export function atOnce<T>(work: Work<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/** Units of a text that one part of work reads. */
export const PIECE_UNITS = 16_384;

export const isLong = (text: string): boolean => text.length > PIECE_UNITS;

/** Units at the end of a piece in which a line may end. */
const LINE_UNITS = 4_096;

/** A text in pieces, which end with a line where they can, and never within a code point: lines are read where they are. */
export function* piecesOf(text: string, units = PIECE_UNITS): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + units);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1;
    const cut = Math.max(start, end - LINE_UNITS);
    const lineEnd = text.slice(cut, end).lastIndexOf('\n') + 1;
    if (lineEnd > 0) end = cut + lineEnd;
    yield text.slice(start, end);
    start = end;
  }
}

const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b];

/**
 * Whether a JSON text without spaces has more than `max` values: parsing takes a time that grows with them, and next to none
 * for the text in strings. Spaces in empty lists and objects count for one.
 */
export function hasMoreValues(text: string, max: number): boolean {
  let values = 1;
  // A value and what separates it from the next have two characters or more.
  for (let at = text.length > max * 2 ? 0 : text.length; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === COMMA) values += 1;
    // The sign that closes an empty one.
    else if ((unit === BRACKET || unit === BRACE) && text.charCodeAt(at + 1) !== unit + 2) values += 1;
    if (values > max) return true;
  }
  return false;
}

/** Values of one answer of a page or another server, which are parsed at once. */
export const ANSWER_VALUES_MAX = 200_000;

/** A value and all values in it. */
export function* valuesIn(value: unknown): Generator<unknown, void> {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    yield one;
    if (Array.isArray(one)) for (const member of one) open.push(member);
    else if (isObject(one)) for (const name of Object.keys(one)) open.push(one[name]);
  }
}

/** The place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = end;
    while (text.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((end - slashes) % 2 === 0) return end;
  }
  return text.length;
}

/** Of an expression's steps and a text's units: about a tenth of a second of RE2. */
export const MATCH_WORK = 5_000_000;

/** The part of a text that an RE2 expression sees at once. @param steps of its program */
export const partToMatch = (text: string, steps: number): string =>
  text.slice(0, Math.ceil(MATCH_WORK / steps));
