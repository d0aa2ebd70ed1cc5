import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Counter } from '../../server/meter/count-queue.ts';
import { LiveMeter } from '../../server/meter/index.ts';
import { silentLogger as logger } from './app-options.ts';

const PLAIN = { disallowedSpecial: new Set<string>() };

/** Tokens of o200k. */
export const tokensOf = (text: string): number => countTokens(text, PLAIN);

/** Counts in this process what servers count in a thread. */
const countHere: Counter = {
  count: async (texts) => texts.map(tokensOf),
  close: async () => undefined,
};

/** A meter that needs no thread. */
export const createTestMeter = (
  budgetTokens: number | null = null,
  counter: Counter = countHere,
): LiveMeter => new LiveMeter({ budgetTokens, counter, logger });
