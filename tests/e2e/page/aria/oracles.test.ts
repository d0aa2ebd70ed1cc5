import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AriaFunctions, Computed } from '../../../support/page-lab/aria-bundle.ts';
import { readChromiumTree, type TreeEntry } from '../../../support/page-lab/chromium-tree.ts';
import { openLab } from '../../../support/page-lab/lab.ts';
import { CHROMIUM_DIFFERENCES, type Difference } from './differences.ts';
import { DESCRIPTION_CASES } from './description-cases.ts';
import { DRAWING_CASES } from './drawing-cases.ts';
import { KEPT_ROLE_CASES } from './kept-role-cases.ts';
import { LIBRARY_DIFFERENCES } from './library-differences.ts';
import { NAME_CASES } from './name-cases.ts';
import { ROLE_CASES } from './role-cases.ts';
import { NOT_FILLED_YET, STATE_CASES } from './state-cases.ts';
import {
  fromChromium,
  fromLibrary,
  fromOurs,
  statesOfChromium,
  statesOfOurs,
  type Comparison,
} from './vocabulary.ts';

/**
 * Roles and names of a few hundred small pages against two oracles: the library of the Testing
 * Library project, and Chromium's own accessibility tree.
 */
const lab = await openLab<AriaFunctions>(
  resolve(import.meta.dirname, '../../../support/page-lab/aria-bundle.ts'),
);

const CASES = Object.entries({ ...ROLE_CASES, ...NAME_CASES, ...DRAWING_CASES, ...KEPT_ROLE_CASES }).flatMap(
  ([area, cases]) => Object.entries(cases).map(([title, html]) => ({ at: `${area}: ${title}`, html })),
);

/** White space in a name has no meaning, and implementations differ in it. */
const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();

interface Found {
  readonly at: string;
  readonly computed: Computed;
  readonly tree: TreeEntry;
}

const found: Found[] = [];

beforeAll(async () => {
  const cdp = await lab.page.context().newCDPSession(lab.page);
  for (const { at, html } of CASES) {
    const all = await lab.call('compute', html);
    const tree = await readChromiumTree(cdp);
    for (const computed of all) {
      const entry = tree.get(computed.mark);
      if (entry === undefined)
        throw new Error(`${at}: element ${computed.mark} is missing in Chromium's tree.`);
      found.push({ at, computed, tree: entry });
    }
  }
});

function compare(oracle: (one: Found) => { role: string; name: string }): Comparison[] {
  return found.flatMap((one): Comparison[] => {
    const { role, name, tag } = one.computed;
    const theirs = oracle(one);
    const shared = { at: one.at, tag };
    return [
      { ...shared, of: 'role', ours: fromOurs(role, tag), theirs: theirs.role },
      { ...shared, of: 'name', ours: squash(name), theirs: squash(theirs.name) },
    ];
  });
}

const byChromium = (): Comparison[] =>
  compare(({ tree }) => ({ role: fromChromium(tree.role), name: tree.name }));
const byLibrary = (): Comparison[] =>
  compare(({ computed }) => ({ role: fromLibrary(computed.libraryRole), name: computed.libraryName }));

const isOf = (row: Difference, one: Comparison): boolean =>
  row.at?.includes(one.at) === true || row.when?.(one) === true;

describe.each([
  ['Chromium', byChromium, CHROMIUM_DIFFERENCES],
  ['dom-accessibility-api', byLibrary, LIBRARY_DIFFERENCES],
])('against %s', (_oracle, comparisons, rows) => {
  test('every difference is a known one', () => {
    const differing = comparisons().filter(({ ours, theirs }) => ours !== theirs);
    expect(differing.filter((one) => !rows.some((row) => isOf(row, one)))).toEqual([]);
  });

  test('every known difference is there', () => {
    const differing = comparisons().filter(({ ours, theirs }) => ours !== theirs);
    const places = new Set(differing.map(({ at }) => at));
    const stale = rows.flatMap((row) => [
      ...(row.at ?? []).filter((at) => !places.has(at)),
      ...(row.when === undefined || differing.some(row.when) ? [] : [row.why]),
    ]);
    expect(stale).toEqual([]);
  });
});

describe('descriptions as Chromium has them', () => {
  test.each(Object.entries(DESCRIPTION_CASES))('%s', async (_title, html) => {
    const cdp = await lab.page.context().newCDPSession(lab.page);
    const all = await lab.call('compute', html);
    const tree = await readChromiumTree(cdp);
    expect(all.map(({ description }) => description)).toEqual(
      all.map(({ mark }) => squash(tree.get(mark)?.description ?? '')),
    );
  });
});

describe('states as Chromium has them', () => {
  test.each(Object.entries(STATE_CASES))('%s', async (_title, html) => {
    const cdp = await lab.page.context().newCDPSession(lab.page);
    const all = await lab.call('compute', html);
    const tree = await readChromiumTree(cdp);
    expect(all.map(({ states }) => statesOfOurs(states))).toEqual(
      all.map(({ mark }) => statesOfChromium(tree.get(mark)?.properties ?? {})),
    );
  });

  test('a required field is not invalid before a person has been there', async () => {
    const all = await lab.call('compute', NOT_FILLED_YET);
    expect(all.map(({ states }) => states)).toEqual(all.map(() => ['required']));
  });
});

test('a name that refers to much again and again is bounded', async () => {
  const target = `<div id="a">${'<b>x</b>'.repeat(500)}</div>`;
  const html = `${target}<button t>${'<i aria-labelledby="a"></i>'.repeat(500)}</button>`;
  const [button] = await lab.call('compute', html);
  // 10,000 elements are looked at: the button, and some twenty times the target and what it holds.
  expect(button?.name.replaceAll(' ', '').length).toBe(9_979);
});

test('there are cases enough to mean something', () => {
  expect(CASES.length).toBeGreaterThan(400);
  expect(found.length).toBeGreaterThan(550);
});
