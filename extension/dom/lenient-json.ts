import { lookUp } from './elements.ts';

/**
 * JSON, or JSON as templates and editors break it: comments, trailing commas, raw line breaks, escapes of HTML. Several
 * values in a row are a list.
 */
export function parseLeniently(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^(?:<!--[^{[]*?-->\s*)+/, '')
    .replace(/^(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/)/, '')
    .replace(/(?:\/\/\s*)?(?:-->|\]\]>)\s*(?:\*\/)?\s*$/, '')
    .replace(/;\s*$/, '')
    .trim();
  for (const mend of [(said: string) => said, mendJson, (said: string) => mendJson(unescaped(said))]) {
    try {
      return JSON.parse(mend(bare));
    } catch {
      // Try the next repair.
    }
  }
  const parts = splitJson(bare);
  return parts.length > 1 ? parts.flatMap((part) => parseLeniently(part) ?? []) : undefined;
}

/** The objects and lists that follow each other in a text. */
function splitJson(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\[^])*"|[{}[\]]/g)) {
    if (sign.startsWith('"')) continue;
    const isOpening = sign === '{' || sign === '[';
    if (isOpening && depth === 0) from = index;
    depth += isOpening ? 1 : -1;
    if (!isOpening && depth === 0) parts.push(text.slice(from, index + 1));
  }
  return parts;
}

/** Treats text inside and outside strings separately, so that no value changes. */
function mendJson(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[^])*"|,(?=\s*[}\]])|\/\*[^]*?\*\/|(?<![:"])\/\/[^\n]*/g, (part) => {
    if (!part.startsWith('"')) return '';
    const code = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return part.replace(/\p{Cc}/gu, code).replace(/\\'/g, "'");
  });
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', hellip: '…' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
};
const REFERENCE = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi;

/** Many templates escape the texts of a script as if it were HTML: `Salt &amp; Pepper`. */
export const unescaped = (text: string): string =>
  text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return lookUp(NAMED, String(name).toLowerCase()) ?? whole;
  });
