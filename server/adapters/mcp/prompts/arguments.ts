import { z } from 'zod';
import { choicesOf } from './fields.ts';
import type { Prompt } from './prompt.ts';

type Given = Readonly<Record<string, string>>;

/** A scheme and more: the user meant an address, not a word of a text. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\S/i;

/**
 * The arguments as they were meant. Forms send their empty fields too, and choices are meant in whatever
 * case. Clients that take one line split it at its spaces, a word an argument. Where such a line begins
 * with words in place of the address, what its argument cannot be goes back to the text of the prompt,
 * in the order of the arguments; after an address a wrong choice stays, to be refused. Where a prompt
 * has no text, a word goes to the argument that can be it.
 */
export function sortArguments({ args, words }: Prompt, given: Given): Given {
  const fields = new Map(Object.entries(args.shape));
  const meant = (name: string, value: string): string =>
    choicesOf(fields.get(name)).find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
  const fits = (name: string, value: string | undefined): boolean =>
    z.safeParse(fields.get(name), value && meant(name, value)).success;
  const isMisplaced = (name: string, value: string): boolean => !fits(name, value) && !ADDRESS.test(value);
  const [first = ''] = fields.keys();
  const start = given[first]?.trim() ?? '';
  const isLine = start !== '' && isMisplaced(first, start);
  const sorted = new Map(Object.entries(given).filter(([name]) => !fields.has(name)));
  const isLeftOut = (name: string): boolean => !sorted.has(name) && !given[name]?.trim();
  const better = (value: string): string | undefined =>
    words === undefined
      ? [...fields.keys()].find((name) => isLeftOut(name) && fits(name, value))
      : isLine
        ? words
        : undefined;
  const text: string[] = [];
  for (const name of fields.keys()) {
    const value = given[name]?.trim();
    if (value === undefined || (value === '' && fits(name, undefined))) continue;
    const target = (isMisplaced(name, value) ? better(value) : name) ?? name;
    if (target === words) text.push(value);
    else sorted.set(target, meant(target, value));
  }
  if (words !== undefined && text.length > 0) sorted.set(words, text.join(' ').trim());
  return Object.fromEntries(sorted);
}
