import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { LOOK_ALIKES } from './look-alikes.ts';
import { paintedIn, wordCasesOf } from './sheet.ts';
import { COVERED_TRICKS, OTHER_TRICKS, PAINTED_TRICKS } from './tricks.ts';

/** The cases of `unseen.test.ts` are what they are said to be: pictures with and without each word tell. */
const lab = await openPageLab();

test.each([
  ['covered', COVERED_TRICKS],
  ['painted out', PAINTED_TRICKS],
  ['hidden otherwise', OTHER_TRICKS],
])('no word of what is %s changes a pixel', async (_how, cases) => {
  expect(await paintedIn(lab, cases)).toEqual([]);
});

test('each word of what is seen changes pixels', async () => {
  expect(await paintedIn(lab, LOOK_ALIKES)).toEqual(wordCasesOf(LOOK_ALIKES).map(({ name }) => name));
});
