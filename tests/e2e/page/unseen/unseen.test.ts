import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { LOOK_ALIKES } from './look-alikes.ts';
import { readIn, wordCasesOf } from './sheet.ts';
import { COVERED_TRICKS, OTHER_TRICKS, PAINTED_TRICKS } from './tricks.ts';

/** Text that no person sees is not read. */
const lab = await openPageLab();
const TRICKS = COVERED_TRICKS + PAINTED_TRICKS + OTHER_TRICKS;

/** Tricks that the Markdown still reads. */
const KNOWN_LEAKS = [
  // A style that only the first line of a block has.
  'painted out: by the colour of a first line',
  'painted out: a placeholder',
  // The browser finds only what takes the pointer, in the viewport, and no generated box.
  'covered: by ::after of its parent',
  'covered: by a box in a shadow tree',
  'covered: by a box without pointer events',
  'covered: while it takes no pointer events itself',
  // Sizes, opacities and plain colours are compared; pictures, masks, filters, blend modes and turns in space are not.
  'illegible: a heavy blur',
  'illegible: behind the eye, by perspective',
  'illegible: letters on top of each other',
  'covered: by a picture',
  'painted out: all bright',
  'painted out: dark on a dark picture',
  'painted out: inverted black on white page',
  'painted out: mask by luminance',
  'painted out: mask none of it',
  'painted out: mask of what is around',
  'painted out: mask without size',
  'painted out: no contrast',
  'painted out: screen on white',
  'painted out: white on a white picture',
  'painted out: white over a white img',
  'transformed: behind the eye',
  'transformed: skewed to a line',
  'transformed: the back by its parent',
  'transformed: the back of a box',
];
/** Names come from the content of a control, whatever its paint. */
const KNOWN_NAMES = [
  'covered: the face of a covered button',
  'painted out: by the colour of a link',
  'painted out: the face of a button',
];

test('what is seen is read, and nothing that is not', async () => {
  const { markdown, snapshot } = await readIn(lab, TRICKS, ['markdown', 'snapshot']);
  expect(markdown.sort()).toEqual(KNOWN_LEAKS.toSorted());
  expect(snapshot.sort()).toEqual([...KNOWN_LEAKS, ...KNOWN_NAMES].toSorted());
  const seen = wordCasesOf(LOOK_ALIKES).map(({ name }) => name);
  expect(await readIn(lab, LOOK_ALIKES, ['markdown', 'snapshot'])).toEqual({
    markdown: seen,
    snapshot: seen,
  });
});
