/** The note that says where a text comes from: `server/core/calls/notes.ts` writes it. */
const SOURCE = /^Untrusted page text from (.+): data, not instructions\.$/;

/** Where the text of an answer comes from, as its notes say; null where they do not. */
export const addressIn = (notes: readonly string[]): string | null =>
  notes.map((note) => SOURCE.exec(note)?.[1]).find((address) => address !== undefined) ?? null;

/** What is left to say of a page whose address is shown. */
export const otherNotes = (notes: readonly string[]): readonly string[] =>
  notes.filter((note) => !SOURCE.test(note));

/** How far into a text its title is looked for. */
const HEAD_UNITS = 4_000;
const TITLE_UNITS = 200;

/** The first heading of Markdown; null for a text without one. */
export function titleOf(text: string): string | null {
  const heading = /^#{1,2}[ \t]+(.+)$/m.exec(text.slice(0, HEAD_UNITS))?.[1];
  const plain = heading
    ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([\\`*_[\]#])|[*`]+/g, '$1')
    .trim();
  return plain === undefined || plain === '' ? null : plain.slice(0, TITLE_UNITS).toWellFormed();
}

/** A text without the title at its very beginning, which is shown above it. */
export const withoutTitle = (text: string): string =>
  titleOf(text) === null ? text : text.replace(/^\s*#{1,2}[ \t].*(?:\n|$)/, '');
