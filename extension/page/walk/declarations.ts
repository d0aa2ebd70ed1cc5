/** Names and values of a style attribute, lower case and without `!important`; the last of a name counts. */
export type Declarations = ReadonlyMap<string, string>;

/**
 * Reads a style attribute without a style engine: a document that was only parsed has none.
 * Semicolons inside quotes and brackets (`url(data:…;…)`) do not end a declaration.
 */
export function parseDeclarations(css: string): Declarations {
  const found = new Map<string, string>();
  for (const part of css.replace(/\/\*[^]*?(?:\*\/|$)/g, ' ').match(PART) ?? []) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const value = part
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
      .toLowerCase();
    if (value !== '') found.set(part.slice(0, colon).trim().toLowerCase(), value);
  }
  return found;
}

const PART = /(?:[^;"'()]|"[^"]*"?|'[^']*'?|\((?:[^()"']|"[^"]*"?|'[^']*'?)*\)?|\))+/g;

/** A length in pixels, as far as the source tells; null if it depends on the page. */
export function pixels(value: string | undefined): number | null {
  const found = /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|em|rem|)$/.exec(value ?? '');
  if (found === null) return null;
  const [, number = '', unit = ''] = found;
  if (unit === '' && Number(number) !== 0) return null;
  return Number(number) * (UNIT_PX[unit] ?? 1);
}

/** An em as browsers have it where no style sheet says otherwise. */
const UNIT_PX: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, em: 16, rem: 16 };
