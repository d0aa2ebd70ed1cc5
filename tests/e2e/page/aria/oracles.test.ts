import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AriaFunctions } from '../../../support/page-lab/aria-bundle.ts';
import { readChromiumTree } from '../../../support/page-lab/chromium-tree.ts';
import { openLab } from '../../../support/page-lab/lab.ts';
import { CHROMIUM_DIFFERENCES } from './differences.ts';
import { DESCRIPTION_CASES } from './description-cases.ts';
import { DRAWING_CASES } from './drawing-cases.ts';
import { KEPT_ROLE_CASES } from './kept-role-cases.ts';
import { NAME_CASES } from './name-cases.ts';
import { ROLE_CASES } from './role-cases.ts';
import { NOT_FILLED_YET, STATE_CASES } from './state-cases.ts';
import { fromChromium, fromOurs, statesOfChromium, statesOfOurs } from './vocabulary.ts';

/**
 * Roles and names of a few hundred small pages against Chromium's own accessibility tree.
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
  readonly ours: string;
  readonly theirs: string;
  /** As we say it, without Chromium's vocabulary. */
  readonly said: string;
}

const found: Found[] = [];
const line = (role: string, name: string): string => `${role} "${squash(name)}"`.trim();

beforeAll(async () => {
  const cdp = await lab.page.context().newCDPSession(lab.page);
  for (const { at, html } of CASES) {
    const all = await lab.call('compute', html);
    const tree = await readChromiumTree(cdp);
    for (const { mark, role, name, tag } of all) {
      const entry = tree.get(mark);
      if (entry === undefined) throw new Error(`${at}: element ${mark} is missing in Chromium's tree.`);
      found.push({
        at,
        ours: line(fromOurs(role, tag), name),
        theirs: line(fromChromium(entry.role), entry.name),
        said: line(role, name),
      });
    }
  }
});

describe('roles and names', () => {
  const KNOWN = Object.assign({}, ...CHROMIUM_DIFFERENCES.map(({ at }) => at)) as Record<string, string[]>;

  test('differ from those of Chromium only where they are meant to', () => {
    const differing = found.filter(({ ours, theirs }) => ours !== theirs);
    expect(differing.filter(({ at }) => !(at in KNOWN))).toEqual([]);
    expect(Object.keys(KNOWN).filter((known) => !differing.some(({ at }) => at === known))).toEqual([]);
  });

  test.each(Object.entries(KNOWN))('%s', (known, said) => {
    expect(found.flatMap((one) => (one.at === known ? [one.said] : []))).toEqual(said);
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
