/** A part of a sentence that an agent or a page wrote: it is shown as a quote, with nothing hidden. */
export interface Quote {
  readonly quote: string;
}
/** Our own words with quotes in them. */
export type Sentence = readonly (string | Quote)[];

export type SentencePart = string | Quote | Sentence;

/** Marks a text as not our own. */
export const quote = (text: string): Quote => ({ quote: text });

/** A sentence: ``say`Click ${quote(name)}.` ``. Nested sentences become part of it. */
export function say(words: readonly string[], ...parts: readonly SentencePart[]): Sentence {
  return words.flatMap((word, at): Sentence => {
    const part = parts[at];
    if (part === undefined) return [word];
    return typeof part === 'string' || 'quote' in part ? [word, part] : [word, ...part];
  });
}
