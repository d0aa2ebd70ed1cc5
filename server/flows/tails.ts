import { BoundedMap, addTo } from '../../shared/base/maps.ts';
import type { SentText } from './sent.ts';

/** Places in the arguments of calls that are remembered, and how much of what was sent there. */
const PLACES_MAX = 100;
const TAIL_UNITS = 256;
/** On each side of a boundary in prose, enough to find a copy that crosses it. Encoded text needs several characters for each. */
const PROSE_UNITS = 64;
const isProse = (text: string): boolean =>
  text.length > 2 * PROSE_UNITS && (text.match(/\p{L} \p{L}/gu)?.length ?? 0) * 12 > text.length;

/** Longest text of one call to a place in several arguments. */
const JOINED_UNITS = 64 * 1024;

/** Texts of one call that may belong together, two by two, and their length. */
const PAIRS = { max: 40, units: 64 } as const;

/** By place, what an agent sent there last: a letter or a word at a time says nothing alone. */
export class Tails {
  readonly #tails = new BoundedMap<string, string>(PLACES_MAX);
  #path: readonly string[] = [];

  /** Adds what a call sends. Returns for each place the text before, and the same with what comes after it. */
  add(sent: readonly SentText[]): readonly { readonly before: string; readonly joined: string }[] {
    const added = new Map<string, string[]>();
    for (const [place, text] of sent.flatMap(({ streams }) => streams)) {
      addTo(added, place, place === 'path' ? this.#newIn(text) : text);
    }
    return [...added].flatMap(([place, texts]) => {
      const before = this.#tails.get(place) ?? '';
      const text = texts.join('');
      this.#tails.set(place, `${before}${text}`.slice(-TAIL_UNITS));
      const isAlone = text === '' || (before === '' && texts.length === 1);
      if (isAlone) return [];
      if (texts.length > 1) return [{ before, joined: `${before}${text.slice(0, JOINED_UNITS)}` }];
      // All of one argument is searched without this.
      const units = isProse(`${before}${text.slice(0, TAIL_UNITS)}`) ? PROSE_UNITS : TAIL_UNITS;
      return [{ before: before.slice(-units), joined: `${before.slice(-units)}${text.slice(0, units)}` }];
    });
  }

  /** The parts of a path that the one before did not have. */
  #newIn(path: string): string {
    const before = this.#path;
    this.#path = path.split(/[/.]/);
    return this.#path.filter((part) => !before.includes(part)).join('');
  }
}

/** Neighbours: what one field has, and the next one. */
export const pairsOf = (texts: readonly string[]): readonly string[] =>
  texts
    .slice(0, PAIRS.max)
    .map((text, at) => `${texts[at - 1] ?? ''} ${text}`)
    .filter(({ length }, at) => at > 0 && length <= PAIRS.units);
