import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { namesOf } from './cases.ts';
import { COVERED_TRICKS } from './covered-tricks.ts';
import { LOOK_ALIKES } from './look-alike-cases.ts';
import { OTHER_TRICKS } from './other-tricks.ts';
import { PAINTED_TRICKS } from './painted-tricks.ts';
import { readIn } from './sheet.ts';

/** Text that no person sees is not read. That no person sees it, pictures say: `unseen.deep.test.ts`. */
const lab = await openPageLab();
const TRICKS = { ...COVERED_TRICKS, ...PAINTED_TRICKS, ...OTHER_TRICKS };

/** Tricks that the Markdown still reads. */
const KNOWN_LEAKS = [
  // A style that only the first line of a block has.
  'painted out: by the colour of a first line',
  // The value of a field is read, whatever its colour.
  'painted out: in an input',
  'painted out: in a textarea',
  'painted out: a placeholder',
  // The title is the name of the drawing.
  'drawings: title of a drawing without shapes',
];
/** Names come from the content of a control, whatever its paint. */
const KNOWN_NAMES = [
  'covered: the face of a covered button',
  'painted out: by the colour of a link',
  'painted out: the face of a button',
];

test.each([
  ['markdown', KNOWN_LEAKS],
  ['snapshot', [...KNOWN_LEAKS, ...KNOWN_NAMES]],
] as const)('%s reads what is seen, and nothing that is not', async (format, leaks) => {
  expect((await readIn(lab, TRICKS, format)).sort()).toEqual(leaks.toSorted());
  expect(await readIn(lab, LOOK_ALIKES, format)).toEqual(namesOf(LOOK_ALIKES));
});
