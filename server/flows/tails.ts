import { BoundedMap } from '../../shared/bounded-map.ts';
import type { SentText } from './sent.ts';

/** Places in the arguments of calls that are remembered, and how much of what was sent there. */
const PLACES_MAX = 100;
const TAIL_UNITS = 256;
/** Longest text of one call to a place in several arguments. */
const JOINED_UNITS = 64 * 1024;

/** By place, what an agent sent there last: a letter or a word at a time says nothing alone. */
export class Tails {
  readonly #tails = new BoundedMap<string, string>(PLACES_MAX);
  #path: readonly string[] = [];

  /** Adds what a call sends. Returns for each place the text before, and the same with what comes after it. */
  add(sent: readonly SentText[]): readonly { readonly before: string; readonly joined: string }[] {
    const added = new Map<string, string[]>();
    for (const [place, text] of sent.flatMap(({ streams }) => streams)) {
      const texts = added.get(place) ?? [];
      added.set(place, texts);
      texts.push(place === 'path' ? this.#newIn(text) : text);
    }
    return [...added].flatMap(([place, texts]) => {
      const before = this.#tails.get(place) ?? '';
      const text = texts.join('');
      this.#tails.set(place, `${before}${text}`.slice(-TAIL_UNITS));
      const isAlone = text === '' || (before === '' && texts.length === 1);
      // All of one argument is searched without this.
      const units = texts.length > 1 ? JOINED_UNITS : TAIL_UNITS;
      return isAlone ? [] : [{ before, joined: `${before}${text.slice(0, units)}` }];
    });
  }

  /** The parts of a path that the one before did not have. */
  #newIn(path: string): string {
    const before = this.#path;
    this.#path = path.split(/[/.]/);
    return this.#path.filter((part) => !before.includes(part)).join('');
  }
}
