import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sample } from '../../../support/depth.ts';
import type { AriaFunctions } from '../../../support/page-lab/aria-bundle.ts';
import { readChromiumTree, type TreeEntry } from '../../../support/page-lab/chromium-tree.ts';
import { openLab } from '../../../support/page-lab/lab.ts';
import { casesOf, nameOf, squash, testEach } from '../table.ts';
import { CHROMIUM_DIFFERENCES } from './differences.ts';
import { KEPT_ROLE_CASES } from './kept-role-cases.ts';
import { NAME_CASES } from './name-cases.ts';
import { ROLE_CASES } from './role-cases.ts';
import { DESCRIPTION_CASES, STATE_CASES } from './state-cases.ts';
import { fromChromium, fromOurs, statesOfChromium, statesOfOurs } from './vocabulary.ts';

/** Roles and names of a few hundred small pages against Chromium's own accessibility tree. */
const lab = await openLab<AriaFunctions>(
  resolve(import.meta.dirname, '../../../support/page-lab/aria-bundle.ts'),
);
const cdp = await lab.page.context().newCDPSession(lab.page);

type Ours = Awaited<ReturnType<AriaFunctions['compute']>>[number];

/** Each marked element of a page as we compute it, and as Chromium has it. */
async function both(html: string): Promise<(readonly [ours: Ours, theirs: TreeEntry])[]> {
  const all = await lab.call('compute', html);
  const tree = await readChromiumTree(cdp);
  return all.map((ours) => {
    const theirs = tree.get(ours.mark);
    if (theirs === undefined)
      throw new Error(`Element ${ours.mark} of ${html} is missing in Chromium's tree.`);
    return [ours, theirs] as const;
  });
}

const line = (role: string, name: string): string => `${role} "${squash(name)}"`.trim();

test('roles and names differ from those of Chromium only where they are meant to', async () => {
  const differing: Record<string, string[]> = {};
  const cases = sample(casesOf(ROLE_CASES + NAME_CASES + KEPT_ROLE_CASES), 2);
  for (const one of cases) {
    const found = await both(one.cells[0] ?? '');
    const isSame = found.every(
      ([{ role, tag, name }, theirs]) =>
        line(fromOurs(role, tag), name) === line(fromChromium(theirs.role), theirs.name),
    );
    if (!isSame) differing[nameOf(one)] = found.map(([{ role, name }]) => line(role, name));
  }
  const names = new Set(cases.map(nameOf));
  const known = casesOf(CHROMIUM_DIFFERENCES)
    .filter(({ title }) => names.has(title))
    .map(({ title, cells }) => [title, cells]);
  expect(differing).toEqual(Object.fromEntries(known));
});

testEach('descriptions as Chromium has them', DESCRIPTION_CASES, async (html = '') => {
  const found = await both(html);
  expect(found.map(([{ description }]) => description)).toEqual(
    found.map(([, theirs]) => squash(theirs.description)),
  );
});

describe('states as Chromium has them', () => {
  testEach('states', STATE_CASES, async (html = '') => {
    const found = await both(html);
    expect(found.map(([{ states }]) => statesOfOurs(states))).toEqual(
      found.map(([, { properties }]) => statesOfChromium(properties)),
    );
  });
});

test('a name that refers to much again and again is bounded', async () => {
  const target = `<div id="a">${'<b>x</b>'.repeat(500)}</div>`;
  const html = `${target}<button t>${'<i aria-labelledby="a"></i>'.repeat(500)}</button>`;
  const [button] = await lab.call('compute', html);
  // 10,000 elements are looked at: the button, and some twenty times the target and what it holds.
  expect(button?.name.replaceAll(' ', '').length).toBe(9_979);
});
