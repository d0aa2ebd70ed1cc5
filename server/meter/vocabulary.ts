import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';

/** The file of the build that holds the vocabulary of o200k, a third smaller than as a program. */
export const BUNDLED_VOCABULARY = 'o200k.br';

/** A token by its rank: its text, or its bytes where they are not UTF-8. */
type Vocabulary = (string | readonly number[])[];

/** Tokens that a line cannot hold, by rank: bytes, and texts with a line break. */
const Odd = z.array(z.tuple([z.int(), z.union([z.string(), z.array(z.int())])]));

/** A line with the odd tokens, then one line for each other token. */
export function vocabularyText(vocabulary: Vocabulary): string {
  const isLine = (token: Vocabulary[number]): token is string =>
    typeof token === 'string' && !token.includes('\n');
  const odd = vocabulary.flatMap((token, rank) => (isLine(token) ? [] : [[rank, token]]));
  return [JSON.stringify(odd), ...vocabulary.filter(isLine)].join('\n');
}

/** The vocabulary of a packed {@link vocabularyText}. */
export function unpackVocabulary(packed: Uint8Array): Vocabulary {
  const [first = '', ...tokens] = brotliDecompressSync(packed).toString('utf8').split('\n');
  const odd = new Map(Odd.parse(JSON.parse(first)));
  let line = 0;
  return Array.from({ length: tokens.length + odd.size }, (_, rank) => odd.get(rank) ?? tokens[line++] ?? '');
}
