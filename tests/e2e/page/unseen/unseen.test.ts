import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { LOOK_ALIKES } from './look-alikes.ts';
import { readIn, wordCasesOf } from './sheet.ts';
import { COVERED_TRICKS, OTHER_TRICKS, PAINTED_TRICKS } from './tricks.ts';

/** Text that no person sees is not read. */
const lab = await openPageLab();
const TRICKS = COVERED_TRICKS + PAINTED_TRICKS + OTHER_TRICKS;

/** Names come from the content of a control, whatever its paint. */
const KNOWN_NAMES = [
  'covered: the face of a covered button',
  'painted out: by the colour of a link',
  'painted out: the face of a button',
];

test('what is seen is read, and nothing that is not', async () => {
  const { markdown, snapshot } = await readIn(lab, TRICKS, ['markdown', 'snapshot']);
  expect(markdown).toEqual([]);
  expect(snapshot.sort()).toEqual(KNOWN_NAMES);
  const seen = wordCasesOf(LOOK_ALIKES).map(({ name }) => name);
  expect(await readIn(lab, LOOK_ALIKES, ['markdown', 'snapshot'])).toEqual({
    markdown: seen,
    snapshot: seen,
  });
});
