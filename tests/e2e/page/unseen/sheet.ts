import type { Lab } from '../../../support/page-lab/start-lab.ts';
import type { PageFunctions } from '../../../support/page-lab/page-bundle.ts';
import type { ReadPageOptions } from '../../../../shared/tools/read_page/options.ts';
import { casesOf, nameOf } from '../table.ts';

/** The pixels of each page's frame. */
const FRAME = { width: 240, height: 120 } as const;

type Format = ReadPageOptions['format'];

/** Channels that differ by less cannot be told apart by a person. */
const LEAST = 16;
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

/** Which frames of two pictures of a sheet differ. */
async function differing(lab: Lab<PageFunctions>, pictures: readonly string[]): Promise<boolean[]> {
  return lab.page.evaluate(
    async ({ urls, width, height, columns, rows, least }) => {
      const pixels = await Promise.all(
        urls.map(async (url) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
          const context = canvas.getContext('2d');
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
        }),
      );
      const [first = new Uint8ClampedArray(), second = new Uint8ClampedArray()] = pixels;
      const found = Array.from({ length: columns * rows }, () => false);
      for (let at = 0; at < first.length; at += 1)
        if (Math.abs((first[at] ?? 0) - (second[at] ?? 0)) >= least) {
          const pixel = Math.floor(at / 4);
          const [x, y] = [pixel % (width * columns), Math.floor(pixel / (width * columns))];
          found[Math.floor(y / height) * columns + Math.floor(x / width)] = true;
        }
      return found;
    },
    { urls: pictures, ...FRAME, columns: COLUMNS, rows: ROWS, least: LEAST },
  );
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

/** In which cases another word changes a pixel, as pictures of each sheet say. */
export async function paintedIn(lab: Lab<PageFunctions>, table: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { from, cases } of sheetsOf(lab, table)) {
    const pictures: string[] = [];
    for (const variant of ['k', 'a'] as const) {
      await lab.call('show', sheetOf(cases, from, variant));
      pictures.push(`data:image/png;base64,${(await lab.page.screenshot()).toString('base64')}`);
    }
    const painted = await differing(lab, pictures);
    found.push(...cases.filter((_, at) => painted[at] === true).map(({ name }) => name));
  }
  return found;
}
