import type { Lab } from '../../../support/page-lab/start-lab.ts';
import type { PageFunctions } from '../../../support/page-lab/page-bundle.ts';
import type { ReadPageOptions } from '../../../../shared/tools/read_page/options.ts';
import { FRAME, type WordCases } from './cases.ts';

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

/** The cases of some tables, a sheet of them at a time. */
async function* sheetsOf(lab: Lab<PageFunctions>, tables: WordCases) {
  const cases = Object.entries(tables).flatMap(([area, entries]) =>
    Object.entries(entries).map(([title, html]): Case => ({ name: `${area}: ${title}`, html })),
  );
  await lab.page.setViewportSize({ width: FRAME.width * COLUMNS, height: FRAME.height * ROWS });
  for (let from = 0; from < cases.length; from += COLUMNS * ROWS)
    yield { from, cases: cases.slice(from, from + COLUMNS * ROWS) };
}

/** The cases whose word a format reads, as `area: title`. */
export async function readIn(lab: Lab<PageFunctions>, tables: WordCases, format: Format): Promise<string[]> {
  const found: string[] = [];
  for await (const { from, cases } of sheetsOf(lab, tables)) {
    await lab.call('show', sheetOf(cases, from, 'a'));
    const text = (await lab.call('readShown', { format })).text.toUpperCase();
    found.push(...cases.filter((_, at) => text.includes(wordOf(from + at, 'a'))).map(({ name }) => name));
  }
  return found;
}

/** In which cases another word changes a pixel, as pictures of each sheet say. */
export async function paintedIn(lab: Lab<PageFunctions>, tables: WordCases): Promise<string[]> {
  const found: string[] = [];
  for await (const { from, cases } of sheetsOf(lab, tables)) {
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
