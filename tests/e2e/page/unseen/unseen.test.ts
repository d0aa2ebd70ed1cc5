import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import type { WordCases } from './cases.ts';
import { COVERED_TRICKS } from './covered-tricks.ts';
import { HELD_OUT_LOOK_ALIKES, HELD_OUT_TRICKS } from './held-out-cases.ts';
import { LOOK_ALIKES } from './look-alike-cases.ts';
import { OTHER_TRICKS } from './other-tricks.ts';
import { PAINTED_TRICKS } from './painted-tricks.ts';
import { sightings, type Sighting } from './sheet.ts';

/** Text that no person sees is not read. Pictures with and without each word say what a person sees. */
const lab = await openPageLab();

const TRICKS: WordCases = { ...COVERED_TRICKS, ...PAINTED_TRICKS, ...OTHER_TRICKS };

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

const named = (found: readonly Sighting[]): string[] => found.map(({ area, title }) => `${area}: ${title}`);
const all = {
  own: await sightings(lab, TRICKS),
  heldOut: await sightings(lab, HELD_OUT_TRICKS),
  alike: await sightings(lab, LOOK_ALIKES),
  heldOutAlike: await sightings(lab, HELD_OUT_LOOK_ALIKES),
};

describe('hidden text', () => {
  test('no word of a trick changes a pixel', () => {
    expect(all.own.length + all.heldOut.length).toBeGreaterThanOrEqual(150);
    expect(named([...all.own, ...all.heldOut].filter(({ isPainted }) => isPainted))).toEqual([]);
  });

  test('is not read', () => {
    expect(named(all.own.filter(({ isRead }) => isRead.markdown))).toEqual(KNOWN_LEAKS);
    const names = [...KNOWN_LEAKS, ...KNOWN_NAMES].sort();
    expect(named(all.own.filter(({ isRead }) => isRead.snapshot)).sort()).toEqual(names);
  });

  test('of the set that was held out is not read', () => {
    expect(named(all.heldOut.filter(({ isRead }) => isRead.markdown || isRead.snapshot))).toEqual([]);
  });
});

describe('visible text', () => {
  const alike = [...all.alike, ...all.heldOutAlike];

  test('changes pixels', () => {
    expect(alike.length).toBeGreaterThanOrEqual(60);
    expect(named(alike.filter(({ isPainted }) => !isPainted))).toEqual([]);
  });

  test('is read', () => {
    expect(named(alike.filter(({ isRead }) => !isRead.markdown || !isRead.snapshot))).toEqual([]);
  });
});
