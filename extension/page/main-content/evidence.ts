import { plain } from './article.ts';

/** A shorter body may be an extract. */
const MIN_BODY_SHARE = 0.75;
/** With less of the text in the body, the body is of something else. */
const MIN_COMMON_SHARE = 0.75;
/** Beginning and end of a block, by which it is looked up. */
const EDGE_UNITS = 30;

/**
 * Which blocks a page's data says belong to its article: tells blocks of the article from others by the
 * `articleBody` of JSON-LD. Null where the data has no body, or one that is cut or of another text.
 */
export function bodyEvidence(body: string, blocks: readonly string[]): ((text: string) => boolean) | null {
  const whole = plain(body.replace(/<[^>]*>|&\w+;/g, ' '));
  const isIn = (text: string): boolean => {
    const own = plain(text);
    return whole.includes(own.slice(0, EDGE_UNITS)) || whole.includes(own.slice(-EDGE_UNITS));
  };
  let [chars, common] = [0, 0];
  for (const text of blocks) {
    chars += text.length;
    if (isIn(text)) common += text.length;
  }
  return whole.length < MIN_BODY_SHARE * chars || common < MIN_COMMON_SHARE * chars ? null : isIn;
}
