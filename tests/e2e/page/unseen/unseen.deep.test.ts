import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { namesOf } from './cases.ts';
import { COVERED_TRICKS } from './covered-tricks.ts';
import { LOOK_ALIKES } from './look-alike-cases.ts';
import { OTHER_TRICKS } from './other-tricks.ts';
import { PAINTED_TRICKS } from './painted-tricks.ts';
import { paintedIn } from './sheet.ts';

/** The cases of `unseen.test.ts` are what they are said to be: pictures with and without each word tell. */
const lab = await openPageLab();

test.each(Object.entries({ ...COVERED_TRICKS, ...PAINTED_TRICKS, ...OTHER_TRICKS }))(
  'no word of what is %s changes a pixel',
  async (area, cases) => {
    expect(await paintedIn(lab, { [area]: cases })).toEqual([]);
  },
);

test('each word of what is seen changes pixels', async () => {
  expect(await paintedIn(lab, LOOK_ALIKES)).toEqual(namesOf(LOOK_ALIKES));
});
