/** A ref at the start of a line or an item, or of a node. */
const REF = /(?<=^|(?<!\\)[[|]|"ref":")((?:f\d+)*)e(\d+)(?=[ \]"|\n]|$)/gm;

/** Refs are unique in their browser: here those of each frame count from 1 again, in the order in which they were given. */
export function renumber(text: string): string {
  const numbers = new Map<string, Set<number>>();
  for (const [, prefix = '', number] of text.matchAll(REF))
    numbers.set(prefix, (numbers.get(prefix) ?? new Set()).add(Number(number)));
  const ranks = new Map(
    [...numbers].map(([prefix, given]) => {
      const sorted = [...given].sort((a, b) => a - b);
      return [prefix, new Map(sorted.map((number, at) => [number, at + 1]))];
    }),
  );
  return text.replace(
    REF,
    (_ref, prefix: string, number: string) => `${prefix}e${ranks.get(prefix)?.get(Number(number))}`,
  );
}
