import { z } from 'zod';
import type { Prompt } from './prompt.ts';

type Given = Readonly<Record<string, string>>;

/** A scheme and more: whoever wrote it meant an address, and no word of a text. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\S/i;

/**
 * The arguments as they were meant. Forms send their empty fields too. Clients that take one line split
 * it at its spaces, a word an argument: one that its argument cannot be goes back to the text of the
 * prompt, in the order of the arguments, or, where there is no text, to the argument that can be it.
 */
export function sortArguments({ args, words }: Prompt, given: Given): Given {
  const fields = new Map(Object.entries(args.shape));
  const fits = (name: string, value: unknown): boolean => z.safeParse(fields.get(name), value).success;
  const sorted = new Map(Object.entries(given).filter(([name]) => !fields.has(name)));
  const text: string[] = [];
  for (const name of fields.keys()) {
    const value = given[name]?.trim();
    if (value === undefined || (value === '' && fits(name, undefined))) continue;
    const isLeftOut = (other: string): boolean => !sorted.has(other) && !given[other]?.trim();
    const isMisplaced = !fits(name, value) && !ADDRESS.test(value);
    const better = words ?? [...fields.keys()].find((other) => isLeftOut(other) && fits(other, value));
    const home = (isMisplaced ? better : name) ?? name;
    if (home === words) text.push(value);
    else sorted.set(home, value);
  }
  if (words !== undefined && text.length > 0) sorted.set(words, text.join(' ').trim());
  return Object.fromEntries(sorted);
}
