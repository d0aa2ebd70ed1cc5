import { expect, test } from 'vitest';
import { tokensOfLine } from '../../../../extension/read/page/write/snapshot-line.ts';
import { rounds } from '../../../support/depth.ts';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { randomPage } from '../../../support/page-lab/random-page.ts';
import fc from '../../../support/property.ts';

/** Snapshots that stop at their budget, and continue there. */
const lab = await openPageLab();
const BUDGET = 150;
const LARGER_BUDGET = 600;

/** Regions and tables that a part begins in are named again. */
const isContext = (line: string): boolean => line.startsWith('@');
const tokensOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + tokensOfLine(line), 0);

const repeat = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

const PAGES: Readonly<Record<string, string>> = {
  'text next to elements': `<div>${repeat(40, (at) => `word ${at} <p>paragraph ${at}</p> tail ${at}`)}</div>`,
  'text before lines of their own': `<div>${repeat(40, (at) => `word ${at} <h2>head ${at}</h2> tail<input aria-label="field ${at}">`)}</div>`,
  'line breaks': `<p>${repeat(60, (at) => `line ${at} with [e5 x] in it<br>`)}</p>`,
  'a table in a region': `<main><table><tr><th>a</th><th>b</th></tr>${repeat(60, (at) => `<tr><td>${at}</td><td><b>cell</b> ${at}</td></tr>`)}</table></main>`,
  'a grid with content around its rows': `<div role=grid><p>above</p>${repeat(40, (at) => `<div role=row><b role=gridcell>row ${at}</b></div><button>after ${at}</button>`)}</div><p>end</p>`,
  'a grid in another order': `<p>before</p><div role=grid>${repeat(60, (at) => `<div role=row aria-rowindex=${60 - at}><b role=gridcell>row ${at}</b></div>`)}</div><p>end</p>`,
  'nested lists': `<ul>${repeat(12, (at) => `<li>${at}<ul>${repeat(4, (in_) => `<li><a href="/${in_}">link ${in_}</a></li>`)}</ul></li>`)}</ul>`,
  'a shadow tree with slots': `<div><template shadowrootmode="open"><h2>Head</h2><slot></slot><p>Foot</p></template>${repeat(50, (at) => `<p>slotted ${at}</p>`)}</div><p>after</p>`,
  'a frame of the same origin': `<p>before</p><iframe width=400 height=200 srcdoc="${repeat(40, (at) => `<p>inner ${at}</p>`)}"></iframe><p>after</p>`,
};

async function expectSame(html: string, budget = BUDGET): Promise<void> {
  const { whole, parts } = await lab.call('readInParts', html, budget);
  for (const part of parts) expect(tokensOf(part)).toBeLessThanOrEqual(budget);
  const lines = parts.flatMap((part, at) => (at === 0 ? part : part.filter((line) => !isContext(line))));
  const contentOf = (all: readonly string[]): string[] =>
    all
      .filter((line) => !isContext(line) && !/^e\d+ clickable$/.test(line))
      // The line after a table escapes its bars, unless a part begins with it.
      .map((line) => line.replaceAll('\\|', '|'));
  expect(contentOf(lines)).toEqual(contentOf(whole));
}

test.each(Object.entries(PAGES))('the parts are the whole %s', async (_title, html) => {
  await expectSame(html);
  expect((await lab.call('readInParts', html, BUDGET)).parts.length).toBeGreaterThan(1);
});

test('the parts are the whole whatever the page is', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomPage, { minLength: 16, maxLength: 16 }), (pages) =>
      expectSame(pages.map(({ html }) => html).join(''), LARGER_BUDGET),
    ),
    { numRuns: rounds(25, 3) },
  );
});

test('a line that no budget holds is cut, and what follows is read', async () => {
  const { parts } = await lab.call('readInParts', `<p>${'word '.repeat(1_000)}</p><p>after</p>`, BUDGET);
  expect(parts.map((part) => tokensOf(part) <= BUDGET)).toEqual(parts.map(() => true));
  expect(parts.flat()).toEqual([expect.stringMatching(/^word .*…$/), 'after']);
});
