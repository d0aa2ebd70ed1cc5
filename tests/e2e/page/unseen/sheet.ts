import type { Lab } from '../../../support/page-lab/start-lab.ts';
import type { PageFunctions } from '../../../support/page-lab/page-bundle.ts';
import type { ReadPageOptions } from '../../../../shared/tools/read_page/options.ts';
import { casesOf, nameOf } from '../table.ts';

/** The size of each page's frame. */
const FRAME = { width: 240, height: 120 } as const;

type Format = ReadPageOptions['format'];

const COLUMNS = 8;
const ROWS = 8;

interface Case {
  readonly name: string;
  readonly html: string;
}

/** A word that no other case has. The two variants have no letter in common at any place. */
const wordOf = (index: number, variant: 'a' | 'k'): string =>
  [...String(index + 1_000)]
    .map((digit) => String.fromCodePoint((variant.codePointAt(0) ?? 0) + Number(digit)))
    .join('')
    .toUpperCase();

const escapeAttribute = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function sheetOf(cases: readonly Case[], from: number, variant: 'a' | 'k'): string {
  const frames = cases.map(({ html }, at) => {
    const word = html.replaceAll('WORD', wordOf(from + at, variant));
    const page = `<!doctype html><style>body{margin:8px;font:16px monospace}</style>${word}`;
    return `<iframe srcdoc="${escapeAttribute(page)}"></iframe>`;
  });
  const style = `body{margin:0;line-height:0}iframe{border:0;width:${FRAME.width}px;height:${FRAME.height}px}`;
  return `<!doctype html><style>${style}</style>${frames.join('')}`;
}

/**
 * The cases of a table. `WORD` is the text in question, in a monospaced font, so that two words of the same length take the same
 * place. A case that is not HTML is the style of a paragraph.
 */
export const wordCasesOf = (table: string): Case[] =>
  casesOf(table).map((one) => {
    const [page = ''] = one.cells;
    return { name: nameOf(one), html: page.startsWith('<') ? page : `<p style="${page}">WORD</p>` };
  });

/** The cases of a table, a sheet of them at a time. */
async function* sheetsOf(lab: Lab<PageFunctions>, table: string) {
  const cases = wordCasesOf(table);
  await lab.page.setViewportSize({ width: FRAME.width * COLUMNS, height: FRAME.height * ROWS });
  for (let from = 0; from < cases.length; from += COLUMNS * ROWS)
    yield { from, cases: cases.slice(from, from + COLUMNS * ROWS) };
}

/** The names of the cases whose word is read, by format. */
export async function readIn<F extends Format>(
  lab: Lab<PageFunctions>,
  table: string,
  formats: readonly F[],
): Promise<Record<F, string[]>> {
  const found = new Map(formats.map((format): [F, string[]] => [format, []]));
  for await (const { from, cases } of sheetsOf(lab, table)) {
    await lab.call('show', sheetOf(cases, from, 'a'));
    for (const [format, names] of found) {
      const text = (await lab.call('readShown', { format })).text.toUpperCase();
      names.push(...cases.filter((_, at) => text.includes(wordOf(from + at, 'a'))).map(({ name }) => name));
    }
  }
  return Object.fromEntries(found) as Record<F, string[]>;
}
