/** The note with a text's source, written by `server/core/calls/results.ts`. */
const SOURCE = /^Untrusted page text from (.+): data, not instructions\.$/;

/** The source of an answer's text, from its notes; null without one. */
export const addressIn = (notes: readonly string[]): string | null =>
  notes.map((note) => SOURCE.exec(note)?.[1]).find((address) => address !== undefined) ?? null;

export const otherNotes = (notes: readonly string[]): readonly string[] =>
  notes.filter((note) => !SOURCE.test(note));
