import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens by o200k. Text of pages is not a protocol: special tokens in it count as plain text. */
export const tokensOf = (text) => countTokens(text, { disallowedSpecial: new Set() });
