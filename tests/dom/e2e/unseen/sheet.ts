/** Many small pages at once, each in a frame of a sheet. */
export const FRAME = { width: 240, height: 120 } as const;
export const COLUMNS = 8;
const ROWS = 8;
export const PER_SHEET = COLUMNS * ROWS;
export const SHEET = { width: FRAME.width * COLUMNS, height: FRAME.height * ROWS } as const;

export type Case = { readonly name: string; readonly html: string };

/** A word that occurs in no other case. */
export const wordOf = (index: number): string =>
  [...String(index + 1_000)]
    .map((digit) => String.fromCodePoint(113 + Number(digit)))
    .join('')
    .toUpperCase();

const escapeAttribute = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** @param wordAt what is written for `WORD` in a case */
export function sheetOf(cases: readonly Case[], wordAt: (at: number) => string): string {
  const frames = cases.map(({ html }, at) => {
    const page = `<!doctype html><style>body{margin:8px;font:16px monospace}</style>${html.replaceAll('WORD', wordAt(at))}`;
    // A class of its own keeps the frame's own words out of its name.
    return `<iframe class="${wordOf(at).replace(/./g, (c) => `x${c}`)}" srcdoc="${escapeAttribute(page)}"></iframe>`;
  });
  const style = `body{margin:0;line-height:0}iframe{border:0;width:${FRAME.width}px;height:${FRAME.height}px}`;
  return `<!doctype html><style>${style}</style>${frames.join('')}`;
}
