import { withoutEscapes } from '../../shared/json-escapes.ts';
import { parseJson } from '../../shared/json-schema.ts';

/** A text without the escapes that it does not need, if it is JSON: they could hide a secret from the rules for text. */
export function plainText(text: string): string {
  if (!/\\[u/]/.test(text) || !/^\s*[[{"]/.test(text)) return text;
  try {
    parseJson(text);
  } catch {
    return text;
  }
  return withoutEscapes(text);
}
