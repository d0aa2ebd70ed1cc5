/** The note that says where a text comes from: `server/core/calls/results.ts` writes it. */
const SOURCE = /^Untrusted page text from (.+): data, not instructions\.$/;

/** Where the text of an answer comes from, as its notes say; null where they do not. */
export const addressIn = (notes: readonly string[]): string | null =>
  notes.map((note) => SOURCE.exec(note)?.[1]).find((address) => address !== undefined) ?? null;

export const otherNotes = (notes: readonly string[]): readonly string[] =>
  notes.filter((note) => !SOURCE.test(note));
