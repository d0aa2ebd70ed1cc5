/** What is written around a raised or lowered part. */
export interface ScriptSigns {
  readonly open: string;
  readonly close: string;
}

const PLAIN: ScriptSigns = { open: '', close: '' };

/** Raised, but no power: marks of trade, references to notes, endings of ordinal numbers and titles. */
const NO_POWER =
  /^(?:[®™©℠ªº*†‡§¶]+|[[(]\s*[\p{L}\p{N}*†‡, –-]{1,12}\s*[\])]|st|nd|rd|th|er|re|ère|ème|tm|sm|lle|mme)$/iu;
/** One number or name. */
const ONE = /^[\p{L}\p{N}]+$/u;
/** In brackets already. */
const BRACKETED = /^\([^()]*\)$/;

/**
 * The signs that keep the meaning of a raised (`^`) or lowered (`_`) part in plain text: `x^2`,
 * `10^(-3)`, `10^(6)5`, `a_(n+1)`. An index of a letter that can be read as nothing else stays as it
 * is: `H2O`, `x1`, but `log_(2)8`.
 *
 * @param content what is raised or lowered
 * @param neighbours the character before and the one after it, empty where there is a blank
 */
export function scriptSigns(
  sign: string,
  content: string,
  neighbours: { readonly base: string; readonly after: string },
): ScriptSigns {
  const { base, after } = neighbours;
  const text = content.trim();
  if (sign === '^' && NO_POWER.test(text) && !BRACKETED.test(text)) return PLAIN;
  if (sign === '_' && /^\p{N}+$/u.test(text) && /^[\p{L})\]]$/u.test(base) && !/^\p{N}/u.test(after))
    return PLAIN;
  const isOne = (ONE.test(text) && !/^[\p{L}\p{N}]/u.test(after)) || BRACKETED.test(text);
  return isOne ? { open: sign, close: '' } : { open: `${sign}(`, close: ')' };
}
