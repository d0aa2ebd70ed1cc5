import { z } from 'zod';

/** Chains of one home that a browser remembers. Each chain names the ends of those before it, so the newest suffice. */
export const MOST_ENDS = 32;

/** Names a home to browsers: the beginning of the SHA-256 of its path. */
export const HomeName = z.string().regex(/^[0-9a-f]{16}$/);

/** The last line of a chain of the ledger. */
export const ChainEnd = z.object({
  chain: z.string().regex(/^[0-9A-Za-z-]{1,80}$/),
  seq: z.int().min(1),
});
export type ChainEnd = z.infer<typeof ChainEnd>;

export const ChainEnds = z.array(ChainEnd).max(MOST_ENDS).readonly();
