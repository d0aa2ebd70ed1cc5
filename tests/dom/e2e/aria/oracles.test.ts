import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sample } from '../../../support/depth.ts';
import type { AriaFunctions } from '../../../support/page-lab/aria-bundle.ts';
import { openLab, openPageLab } from '../../../support/page-lab/lab.ts';
import { squash } from '../../../support/page-lab/texts.ts';
import { pageCases, testPages } from '../../../support/page-cases.ts';
import { ariaRoleOf, CHROMIUM_DIFFERENCES, MATRIX_DIFFERENCES, readDifferences } from './differences.ts';
import { nameMatrix } from './name-matrix.ts';
import type { CDPSession } from 'playwright';

interface TreeEntry {
  /** In Chromium's own terms; empty if the tree omits the element. */
  readonly role: string;
  readonly name: string;
  readonly description: string;
  /** Computed properties by name, such as `checked` or `expanded`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface DomNode {
  readonly backendNodeId: number;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
}

function markOf({ attributes = [] }: DomNode): string | null {
  for (let at = 0; at + 1 < attributes.length; at += 2)
    if (attributes[at] === 't') return attributes[at + 1] ?? null;
  return null;
}

function* marked(node: DomNode): Generator<readonly [string, number]> {
  const mark = markOf(node);
  if (mark !== null) yield [mark, node.backendNodeId];
  for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) yield* marked(child);
}

/** Reads the accessibility tree of the shown page, by the `t` attributes of its elements. */
async function readChromiumTree(cdp: CDPSession): Promise<ReadonlyMap<string, TreeEntry>> {
  const { root } = await cdp.send('DOM.getDocument', { depth: -1, pierce: true });
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const byNode = new Map(nodes.map((node) => [node.backendDOMNodeId, node]));
  const entries = [...marked(root)].map(([mark, id]): [string, TreeEntry] => {
    const node = byNode.get(id);
    if (node === undefined || node.ignored)
      return [mark, { role: '', name: '', description: '', properties: {} }];
    const properties = (node.properties ?? []).map(({ name, value }) => [name, value.value] as const);
    return [
      mark,
      {
        role: String(node.role?.value ?? ''),
        name: String(node.name?.value ?? ''),
        description: String(node.description?.value ?? ''),
        properties: Object.fromEntries(properties),
      },
    ];
  });
  return new Map(entries);
}

/** Chromium's own words for roles that ARIA lacks or names differently. */
const CHROMIUM_ROLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'IframePresentational generic none Abbr Audio Canvas DescriptionList Figcaption Iframe LabelText Legend PluginObject Video ' +
      'ColorWell Date DateTime InputTime LineBreak sectionheader sectionfooter'
    )
      .split(' ')
      .map((role) => [role, '']),
  ),
  image: 'img',
  DisclosureTriangle: 'button',
  MathMLMath: 'math',
  SvgRoot: 'img',
};

const fromChromium = (role: string): string => CHROMIUM_ROLES[role] ?? role;

/** States that both can express, in our words. */
const SHARED =
  /^(?:checked|pressed|selected|expanded|collapsed|disabled|required|readonly|invalid|multiple|menu|dialog)\b/;

const statesOfOurs = (states: readonly string[]): string[] =>
  states.filter((state) => SHARED.test(state)).sort();

const isSet = (value: unknown): boolean => value === true || value === 'true';

/** The states of a node of Chromium's tree in our words. */
function statesOfChromium(properties: Readonly<Record<string, unknown>>): string[] {
  const states: string[] = [];
  for (const name of ['checked', 'pressed'])
    if (properties[name] === 'mixed') states.push(`${name} mixed`);
    else if (isSet(properties[name])) states.push(name);
  for (const name of ['selected', 'disabled', 'required', 'readonly'])
    if (isSet(properties[name])) states.push(name);
  if (isSet(properties.multiselectable)) states.push('multiple');
  if (properties.expanded !== undefined) states.push(isSet(properties.expanded) ? 'expanded' : 'collapsed');
  if (typeof properties.hasPopup === 'string' && properties.hasPopup !== 'false')
    states.push(isSet(properties.hasPopup) ? 'menu' : properties.hasPopup);
  if (properties.invalid !== undefined && properties.invalid !== 'false') states.push('invalid');
  return states.sort();
}

/** Roles and names of a few hundred small pages against Chromium's own accessibility tree. */
const lab = await openLab<AriaFunctions>(
  resolve(import.meta.dirname, '../../../support/page-lab/aria-bundle.ts'),
);
const cdp = await lab.page.context().newCDPSession(lab.page);

type Ours = Awaited<ReturnType<AriaFunctions['compute']>>[number];

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

test('roles and names differ from Chromium’s only where intended', async () => {
  const differing: Record<string, string[]> = {};
  const cases = sample([...pageCases('dom/roles-and-names'), ...pageCases('dom/kept-roles')], 2);
  for (const { name: page, html } of cases) {
    const found = await both(html);
    const isSame = found.every(
      ([{ role, tag, name }, theirs]) =>
        line(ariaRoleOf(role, tag), name) === line(fromChromium(theirs.role), theirs.name),
    );
    if (!isSame) differing[page] = found.map(([{ role, name }]) => line(role, name));
  }
  const names = new Set(cases.map(({ name }) => name));
  const known = readDifferences(CHROMIUM_DIFFERENCES)
    .filter(({ title }) => names.has(title))
    .map(({ title, cells }) => [title, cells]);
  expect(differing).toEqual(Object.fromEntries(known));
});

test('names by each source and around each part differ from Chromium’s only where intended', async () => {
  const cases = nameMatrix();
  const found = await both(cases.map(({ html }) => html).join(''));
  const ours = found.map(([{ name }]) => name);
  const right = cases.map(({ name }, at) => name ?? ours[at]);
  expect(ours.map((name, at) => [cases[at]?.title, name])).toEqual(
    right.map((name, at) => [cases[at]?.title, name]),
  );
  const unused = new Set(readDifferences(MATRIX_DIFFERENCES));
  const patterns = [...unused].map((one) => {
    const [title, name] = [one.title, one.cells[0] ?? ''].map(
      (text) => new RegExp(`^${text.replace(/[[\](){}.*+?]/g, '\\$&').replaceAll('\\*', '.*')}$`),
    );
    return { one, title, name };
  });
  const unknown = found.flatMap(([{ name }, theirs], at) => {
    if (squash(theirs.name) === name) return [];
    const known = patterns.find((each) => each.title?.test(cases[at]?.title ?? '') && each.name?.test(name));
    if (known !== undefined) unused.delete(known.one);
    return known === undefined ? [[cases[at]?.title, name, theirs.name]] : [];
  });
  expect({ unknown, unused: [...unused] }).toEqual({ unknown: [], unused: [] });
});

testPages('descriptions as Chromium has them', 'dom/descriptions', async ({ html }) => {
  const found = await both(html);
  expect(found.map(([{ description }]) => description)).toEqual(
    found.map(([, theirs]) => squash(theirs.description)),
  );
});

describe('states as Chromium has them', () => {
  testPages('states', 'dom/states', async ({ html }) => {
    const found = await both(html);
    expect(found.map(([{ states }]) => statesOfOurs(states))).toEqual(
      found.map(([, { properties }]) => statesOfChromium(properties)),
    );
  });
});

/** The element around the words of a role, which are its title. */
const SHAPES: Readonly<Record<string, (words: string) => string>> = {
  inline: (words) => `<b>${words}</b>`,
  block: (words) => `<div>${words}</div>`,
  'nested block': (words) => `<div><i></i><div><p>${words}</p></div></div>`,
  link: (words) => `<div><a href="/x">${words}</a></div>`,
};
/** Roles by what they must be in. */
const NAMED_BY_CONTENT: Readonly<Record<string, string>> = {
  group: 'button checkbox link radio switch',
  menu: 'menuitem menuitemcheckbox menuitemradio',
  listbox: 'option',
  tablist: 'tab',
  tree: 'treeitem',
};
const NAMED_BY_LABEL =
  'textbox searchbox combobox slider spinbutton scrollbar listbox tree menu menubar tablist tabpanel toolbar radiogroup grid ' +
  'group region alertdialog navigation main form search banner contentinfo complementary feed alert';

describe('a role is the same to all who ask, however its words are laid out', async () => {
  const pageLab = await openPageLab();
  const pageCdp = await pageLab.page.context().newCDPSession(pageLab.page);
  const each = (roles: string, make: (role: string, shape: string, words: string) => string) =>
    roles.split(' ').flatMap((role) =>
      Object.keys(SHAPES).map((shape) => {
        const words = `${role} with ${shape}`;
        return [words, role, make(role, shape, words)] as const;
      }),
    );
  const cases = [
    ...Object.entries(NAMED_BY_CONTENT).flatMap(([outer, roles]) =>
      each(
        roles,
        (role, shape, words) =>
          `<div role="${outer}"><div t="${words}" role="${role}" tabindex="0" aria-current="true">${SHAPES[shape]?.(words)}</div></div>`,
      ),
    ),
    ...each(
      NAMED_BY_LABEL,
      (role, shape, words) =>
        `<div t="${words}" role="${role}" tabindex="0" aria-current="true" aria-label="${words}">${SHAPES[shape]?.('x')}</div>`,
    ),
  ];
  const [outline = '', controls = '', nodes = ''] = await pageLab.call(
    'readFormats',
    cases.map(([, , html]) => html).join(''),
    [{ format: 'snapshot' }, { format: 'snapshot', interactive_only: true }, { format: 'nodes' }],
  );
  const found = await pageLab.call(
    'findEach',
    cases.map(([words]) => words),
  );
  const items = nodes
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  const tree = await readChromiumTree(pageCdp);

  test.each(cases)('%s', (words, role, html) => {
    const { ref, states } = items.find(({ attributes }) => attributes.t === words);
    const isLinked = html.includes(`>${words}</a>`);
    const line = new RegExp(
      `^${ref} ${role} \\[current\\] ${isLinked ? `\\[e\\d+ ${words}\\]` : words}(?: = x)?$`,
      'm',
    );
    expect(outline).toMatch(line);
    expect(controls).toMatch(line);
    // The text of a link is the link.
    expect(found[cases.findIndex(([one]) => one === words)]).toMatch(
      isLinked ? new RegExp(`^e\\d+ ${words}$`) : `${ref} ${role} [current] ${words}`,
    );
    expect([states, tree.get(words)]).toMatchObject([['current'], { role, name: words }]);
  });
});

test('a name that refers to much again and again is bounded', async () => {
  const target = `<div id="a">${'<b>x</b>'.repeat(500)}</div>`;
  const html = `${target}<button t>${'<i aria-labelledby="a"></i>'.repeat(500)}</button>`;
  const [button] = await lab.call('compute', html);
  // 10,000 elements are visited: the button, and some twenty times the target and its content.
  expect(button?.name.replaceAll(' ', '').length).toBe(9_979);
});
