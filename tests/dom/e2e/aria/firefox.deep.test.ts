import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { bundle } from '../../../../scripts/lib/bundle.mjs';
import { atEndOfFile } from '../../../support/end-of-file.ts';
import { spawnFirefox } from '../../../support/firefox.ts';
import type { AriaFunctions } from '../../../support/page-lab/aria-bundle.ts';
import { LAB } from '../../../support/page-lab/lab-name.ts';
import { squash } from '../../../support/page-lab/texts.ts';
import { pageCases } from '../../../support/page-cases.ts';
import { ariaRoleOf, FIREFOX_DIFFERENCES, readDifferences } from './differences.ts';

/* Roles and names of small pages, and of the fixtures, against Firefox's own accessibility tree. */

const firefox = await spawnFirefox();
atEndOfFile(() => firefox.close());

type Ours = Awaited<ReturnType<AriaFunctions['compute']>>[number];

interface TreeEntry {
  readonly mark: string;
  /** Of ARIA; empty for what only Firefox names. */
  readonly role: string;
  /** In Firefox's own terms; empty if the tree omits the element. */
  readonly kind: string;
  readonly name: string;
}

const FIXTURES = resolve(import.meta.dirname, '../../../../fixtures');
const script = await bundle(resolve(import.meta.dirname, '../../../support/page-lab/aria-bundle.ts'));

/** Shows pages one after another in the front tab, and reads of each what we compute, and what Firefox has. */
const READ = (pages: readonly string[]): string => `(async () => {
  const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService);
  const box = Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false });
  Cu.evalInSandbox(${JSON.stringify(script)}, box);
  const compute = Cu.evalInSandbox('(html) => ${LAB}.compute(html).then(JSON.stringify)', box);
  // The tree follows the page when it is drawn.
  const drawn = () =>
    new Promise((done) => content.requestAnimationFrame(() => content.requestAnimationFrame(done)));
  const marked = (root) => [...root.querySelectorAll('*')].flatMap((el) => [
    ...(el.hasAttribute('t') ? [el] : []),
    ...(el.openOrClosedShadowRoot === null ? [] : marked(el.openOrClosedShadowRoot)),
  ]);
  const all = [];
  for (const html of ${JSON.stringify(pages)}) {
    const ours = JSON.parse(await compute(html));
    await drawn();
    const theirs = marked(content.document).map((el) => {
      const node = service.getAccessibleFor(el);
      return {
        mark: el.getAttribute('t'),
        role: node?.computedARIARole ?? '',
        kind: node === null ? '' : service.getStringRole(node.role),
        name: node?.name ?? '',
      };
    });
    all.push([ours, theirs]);
  }
  return all;
})()`;

/** Firefox's words for roles that ARIA lacks or names differently. */
const ROLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries('caption generic none presentation text'.split(' ').map((role) => [role, ''])),
  image: 'img',
  'graphics-document': 'img',
};
/** Kinds of elements for which Firefox has no role of ARIA. */
const KINDS: Readonly<Record<string, string>> = { summary: 'button', 'password text': 'textbox' };
/** Firefox names by content what ARIA names by its author alone. */
const NAMED_BY_AUTHOR = new Set(['', 'definition', 'listitem', 'paragraph']);
/** The marker of an item is a part of its content there. */
const MARKERS = /(?:^| )(?:[•◦▪]|\d+\.)(?= )/g;

const line = (role: string, name: string): string =>
  NAMED_BY_AUTHOR.has(role) ? role : `${role} "${squash(name.replace(MARKERS, ''))}"`;
const lineOfOurs = ({ role, tag, name }: Ours): string => line(ariaRoleOf(role, tag), name);
function lineOfTheirs({ role, kind, name }: TreeEntry, tag: string): string {
  // A picture that has not loaded is its text.
  if (kind === 'text' && tag === 'img') return line('img', name);
  return line(role === '' ? (KINDS[kind] ?? '') : (ROLES[role] ?? role), name);
}

/** Elements of Firefox's tree, by page: what we compute and what it has. */
async function both(pages: readonly string[]): Promise<(readonly (readonly [string, string])[])[]> {
  const read = await firefox.scope.besideFrontPage<(readonly [Ours[], TreeEntry[]])[]>(READ(pages));
  return read.map(([ours, theirs]) => {
    const byMark = new Map(theirs.map((entry) => [entry.mark, entry]));
    return ours.flatMap((own) => {
      const entry = byMark.get(own.mark);
      if (entry === undefined || entry.kind === '') return [];
      const lines = [lineOfOurs(own), lineOfTheirs(entry, own.tag)] as const;
      return lines.some((one) => one !== '') ? [lines] : [];
    });
  });
}

const cases = pageCases('dom/roles-and-names');
const paths = ['pages', 'sites'].flatMap((folder) =>
  readdirSync(resolve(FIXTURES, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => `${folder}/${name}`),
);
/** The start tags of elements that a page shows. */
const TAGS =
  /<(?!(?:html|head|body|meta|title|style|script|link|base|template|slot|source|track)\b)([a-z][\w-]*)(?=[\s>/])/g;
const fixtures = paths.map((path) => readFileSync(resolve(FIXTURES, path), 'utf8').replaceAll(TAGS, '<$1 t'));
const found = await both([...cases.map(({ html }) => html), ...fixtures]);
const isOther = ([ours, theirs]: readonly [string, string]): boolean => ours !== theirs;

test('roles and names of small pages differ from Firefox’s only where intended', () => {
  const differing = cases.flatMap((one, at) => {
    const lines = (found[at] ?? []).filter(isOther);
    return lines.length === 0 ? [] : [[one.name, lines.map((pair) => pair.join(' / '))]];
  });
  const known = readDifferences(FIREFOX_DIFFERENCES).map(({ title, cells }) => [title, cells]);
  expect(Object.fromEntries(differing)).toEqual(Object.fromEntries(known));
});

test('99 of 100 elements of Firefox’s tree have its role and name, over the pages of the fixtures', () => {
  const elements = found
    .slice(cases.length)
    .flatMap((lines, at) => lines.map((pair) => ({ page: paths[at], pair })));
  const differing = elements.filter(({ pair }) => isOther(pair));
  expect(elements.length).toBeGreaterThan(1_000);
  expect(differing.length / elements.length, JSON.stringify(differing)).toBeLessThan(0.01);
});
