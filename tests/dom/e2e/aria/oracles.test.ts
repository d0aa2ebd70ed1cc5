import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sample } from '../../../support/depth.ts';
import type { AriaFunctions } from '../../../support/page-lab/aria-bundle.ts';
import { openLab, openPageLab } from '../../../support/page-lab/lab.ts';
import { casesOf, nameOf, squash, testEach } from '../table.ts';
import { NAME_CASES } from './name-cases.ts';
import { ariaRoleOf, CHROMIUM_DIFFERENCES, MATRIX_DIFFERENCES } from './differences.ts';
import { nameMatrix } from './name-matrix.ts';
import { ROLE_CASES } from './role-cases.ts';
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

const STATE_CASES = `
check boxes ¦ <input t type="checkbox"><input t type="checkbox" checked><input t type="radio" checked>
switches and roles that are checked ¦ <div t role="switch" aria-checked="true"></div><div t role="checkbox" aria-checked="mixed" tabindex="0"></div><div t role="menuitemcheckbox" aria-checked="false"></div>
native state over ARIA ¦ <input t type="checkbox" checked aria-checked="false"><input t type="checkbox" aria-checked="true"><input t type="radio" aria-checked="mixed">
pressed ¦ <button t aria-pressed="true">a</button><button t aria-pressed="mixed">b</button><button t aria-pressed="false">c</button>
expanded ¦ <button t aria-expanded="true">a</button><button t aria-expanded="false">b</button><details open><summary t>c</summary></details><details><summary t>d</summary></details><details open><summary t aria-expanded="false">e</summary></details><button t popovertarget="p">f</button><div id="p" popover><button t popovertarget="p">g</button></div>
selected ¦ <div role="tablist"><button t role="tab" aria-selected="true">a</button><button t role="tab" aria-selected="false">b</button></div>
selected options ¦ <select multiple size="3"><option t selected>a</option><option t>b</option></select>
several may be selected ¦ <select t multiple><option>a</option></select><div t role="listbox" aria-multiselectable="true"></div>
disabled ¦ <button t disabled>a</button><fieldset disabled><input t></fieldset><div t role="button" aria-disabled="true">b</div><select><option t disabled>x</option></select>
of every kind inside what is disabled by ARIA ¦ <div role="group" aria-disabled="true"><button t>a</button><a t href="/x">b</a><p t>c</p><input t><div t role="option" aria-disabled="false" tabindex="0">d</div></div>
required ¦ <input t required value="x"><div t role="textbox" aria-required="true" tabindex="0">x</div>
readonly ¦ <input t readonly value="x"><textarea t readonly>x</textarea><div t role="textbox" aria-readonly="true" tabindex="0">x</div><input t type="checkbox" readonly>
declared invalid ¦ <input t aria-invalid="true"><input t aria-invalid="false"><input t aria-invalid="spelling"><input t aria-invalid="">
invalid by its type ¦ <input t type="email" value="x"><input t type="url" value="x"><input t type="email" value="a@b.test">
invalid by its bounds ¦ <input t type="number" min="1" max="3" value="9"><input t type="number" step="2" value="3"><input t type="date" min="2026-01-02" value="2026-01-01"><input t type="number" min="1" value="2">
invalid, and declared valid ¦ <input t type="email" value="x" aria-invalid="false">
invalid that is never checked ¦ <input t type="email" value="x" disabled><input t type="email" value="x" readonly>
a form around what is invalid ¦ <form t aria-label="F"><fieldset t><input type="email" value="x"></fieldset></form>
a form control with a message of a script ¦ <input t value="x" data-problem="No.">
popups ¦ <button t aria-haspopup="menu">a</button><button t aria-haspopup="dialog">b</button><button t aria-haspopup="true">c</button>
`;

const DESCRIPTION_CASES = `
none ¦ <button t>a</button>
aria-describedby ¦ <input t aria-describedby="d"><p id="d">Hint <b>x</b></p>
one that is hidden ¦ <button t aria-describedby="d">a</button><p id="d" hidden>One</p>
aria-description ¦ <button t aria-description="d">a</button>
aria-describedby before aria-description ¦ <button t aria-describedby="d" aria-description="x">a</button><p id="d">One</p>
a title that is not the name ¦ <button t title="t">a</button><a t href="/x" title="t">a</a><input t aria-label="n" title="t">
elements set by script ¦ <button t data-note="#d">a</button><p id="d">One</p>
`;

/** Roles that an author takes away, parts of drawings, cells of grids, rows of tables, and references that count twice, across trees or by script. */
const KEPT_ROLE_CASES = `
# role none on what can have the focus
fields and lists of choices ¦ <select t role="none" aria-label="a"><option>x</option></select><textarea t role="presentation" aria-label="b"></textarea>
a frame with a title ¦ <iframe t role="none" title="Map"></iframe>
picture that is tabbable ¦ <img t role="none" tabindex="0" alt="Mill" src="data:,">
row and cell ¦ <table><tr><th>a</th><th>b</th></tr><tr t role="none" tabindex="0"><td t role="none" tabindex="-1">x</td><td>y</td></tr></table>
items of a list without its role ¦ <ol role="presentation"><li t>a</li><li t aria-label="B">b</li></ol>
reference that leads nowhere ¦ <nav t role="none" aria-labelledby="gone">x</nav>
reference that leads to something ¦ <b id="a">One</b><nav t role="none" aria-labelledby="a">x</nav>
editable as plain text ¦ <h2 t role="none" contenteditable="plaintext-only">x</h2>
# more parts of drawings
text ¦ <svg width="50" height="50"><text t y="9">Go</text></svg>
group of role img ¦ <svg width="50" height="50"><g t role="img"><title>G</title><rect width="5" height="5"/></g></svg>
link without an address ¦ <svg width="50" height="50"><a t><text y="9">Go</text></a></svg>
shape with an empty title ¦ <svg width="50" height="50"><rect t width="5" height="5"><title> </title></rect></svg>
whole drawing of role none ¦ <svg t role="none" width="9" height="9"><title>S</title><rect width="9" height="9"/></svg>
drawing in a button ¦ <button t><svg width="9" height="9"><title>Close</title><rect width="9" height="9"/></svg></button>
drawing in a link, named by reference ¦ <a t href="/x"><svg role="img" aria-labelledby="s d" width="9" height="9"><title id="s">Sail</title><desc id="d">white</desc></svg></a>
# cells of grids
selected and focusable ¦ <table role="grid" aria-label="G"><tbody><tr><td t tabindex="0" aria-selected="true">x</td><td t tabindex="-1">y</td></tr></tbody></table>
headers ¦ <table role="grid" aria-label="G"><tr><th t>A</th><th t>B</th></tr><tr><th t scope="row">c</th><td t>d</td></tr></table>
header that sorts ¦ <table role="grid" aria-label="G"><tr><th t aria-sort="ascending"><button t>A</button></th></tr></table>
body without its role ¦ <table role="grid" aria-label="G"><tbody role="presentation"><tr t><td t>x</td></tr></tbody></table>
treegrid with levels ¦ <table role="treegrid" aria-label="G"><tr t aria-level="1" aria-expanded="true"><td t>x</td></tr></table>
# references set by script
over a label ¦ <b id="a">One</b><input t aria-label="x" data-label="#a">
over the label of a field ¦ <b id="a">One</b><label>Two <input t data-label="#a"></label>
on a region ¦ <b id="a">One</b><section t data-label="#a">x</section>
on a role that is taken away ¦ <b id="a">One</b><nav t role="none" data-label="#a">x</nav>
# parts of drawings
shapes with a title ¦ <svg width="50" height="50"><rect t width="9" height="9"><title>R</title></rect><path t d="M0 0L5 5"><title>P</title></path><circle t r="5"/></svg>
groups ¦ <svg width="50" height="50"><g t><title>G</title><rect width="5" height="5"/></g><g t><rect width="5" height="5"/></g></svg>
pictures ¦ <svg width="50" height="50"><image t href="data:," width="5" height="5"/><image t href="data:," width="5" height="5"><title>I</title></image></svg>
links ¦ <svg width="50" height="50"><a t href="/x"><title>L</title><rect width="5" height="5"/></a></svg>
# rows and terms
row of a grid ¦ <table role="grid"><tr t><td>a</td><td>b</td></tr></table>
# references that count again
in a row ¦ <div role="grid"><div t role="row"><span role="gridcell"><a id="a" href="/x">Ann</a></span><span role="gridcell"><b id="b" role="button" tabindex="0" aria-label="Remove" aria-labelledby="b a">x</b></span></div></div>
set by script into another tree ¦ <b id="a">One</b><div><template shadowrootmode="open"><button t data-label="#a">x</button></template></div>
# decorations part no words
in a link ¦ <a t href="/x">(<img src="data:," alt="">reload)</a>
`;

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
  const cases = sample(casesOf(ROLE_CASES + NAME_CASES + KEPT_ROLE_CASES), 2);
  for (const one of cases) {
    const found = await both(one.cells[0] ?? '');
    const isSame = found.every(
      ([{ role, tag, name }, theirs]) =>
        line(ariaRoleOf(role, tag), name) === line(fromChromium(theirs.role), theirs.name),
    );
    if (!isSame) differing[nameOf(one)] = found.map(([{ role, name }]) => line(role, name));
  }
  const names = new Set(cases.map(nameOf));
  const known = casesOf(CHROMIUM_DIFFERENCES)
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
  const unused = new Set(casesOf(MATRIX_DIFFERENCES));
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
