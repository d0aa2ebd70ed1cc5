import { expect, it } from 'vitest';
import { servePages } from '../../support/calling.ts';
import { launched } from '../../support/launched.ts';

/** Refs of several pages, tabs and sessions, in a browser that goes back to pages without loading them again. */
const { server, ok, openTab: open } = await launched();

const PAGE = (name: string): string =>
  `<!doctype html><title>${name}</title><h1>${name}</h1><button style="width:50px;height:20px">${name}</button>`;

/** Rows without keys: the first row shows the first item, whichever it is. */
const LIST = `<!doctype html><title>list</title><h1>Fruit</h1><ul></ul><output>-</output><script>
const list = document.querySelector('ul');
const show = (items) => {
  while (list.children.length > items.length) list.lastChild.remove();
  items.forEach((item, at) => {
    const row = list.children[at] ?? list.appendChild(document.createElement('li'));
    if (row.firstChild === null) row.innerHTML = '<span></span> <button>Buy</button>';
    row.querySelector('span').textContent = item;
    row.querySelector('button').onclick = () => (document.querySelector('output').textContent = item);
  });
};
show(['Apple', 'Banana', 'Cherry']);
addEventListener('hashchange', () => show(location.hash.slice(1).split(',')));
</script>`;

/** A dialog and an editor with texts around them that change, and keep their elements. */
const DESK = `<!doctype html><title>desk</title><main><p id=state>Draft</p>
<div role=textbox contenteditable aria-label=Notice onfocus="state.textContent = 'Not saved'">Text</div></main>
<footer>Imprint</footer><section role=dialog aria-label=Cookies><div><p id=asked>We store cookies.</p>
<button>Refuse</button></div></section><script>onhashchange = () => (asked.textContent = 'Delete the notice?');</script>`;

/** A field that another one asks for, between fields in groups. */
const FORM = `<!doctype html><title>form</title><main><h2>The stall</h2><fieldset><legend>Power</legend>
<label><input type=checkbox aria-label=Yes onchange="watts.hidden = false"> Yes</label></fieldset>
<div id=watts hidden><label>Watts <input></label></div><fieldset><legend>Days</legend><label><input type=checkbox> Friday</label></fieldset>
<div><label for=number>Certificate</label><input id=number></div></main>`;

/** Steps change the texts before its controls. Going on shows another thing in the same row. */
const CARD = `<!doctype html><title>card</title><div><h2 id=head>Pear</h2><p id=note>Unripe</p><button id=next>Next</button></div>
<ul><li><b id=row>Pear</b> <button id=buy>Buy</button></li></ul><output id=out></output><script>
let step = 0;
next.onclick = () => { step += 1; head.textContent = note.textContent = row.textContent = 'Part ' + 'ABC'[step]; out.textContent = step; };
buy.onclick = () => (out.textContent = 'bought');
onhashchange = () => (note.textContent = head.textContent = 'Of another person');</script>`;

const site = await servePages({
  card: CARD,
  desk: DESK,
  form: FORM,
  ...Object.fromEntries(['a', 'b', 'c'].map((name) => [name, PAGE(name)])),
  list: LIST,
  frames: `<!doctype html><iframe src="/a"></iframe><iframe src="//frame.test:PORT/b"></iframe>`,
});
const openTab = (path: string): Promise<string> => open(site.url(path));

async function show(tab: string, items: readonly string[]): Promise<void> {
  await server.call('navigate', { tab, url: `${site.url('/list')}#${items.join()}` });
  await expect.poll(() => textOf(tab, 'ul')).toBe(items.map((item) => `${item}Buy`).join(''));
}

async function textOf(tab: string, selector: string): Promise<string> {
  return (await server.call('read_page', { tab, format: 'text', selector })).text.replace(/\s/g, '');
}

const bought = (tab: string): Promise<string> => textOf(tab, 'output');

async function buttons(tab: string, by = server): Promise<Record<string, string>> {
  const { text } = await by.call('read_page', { tab, format: 'snapshot' });
  return Object.fromEntries(
    [...text.matchAll(/^((?:f\d+)*e\d+) button (\w+)/gm)].map(([, ref = '', name = '']) => [name, ref]),
  );
}

const shoot = (tab: string, ref: string | undefined, by = server) => by.call('screenshot', { tab, ref });

it('a ref of a page that was left is stale, never an element of the next one, and valid again when the user goes back', async () => {
  const tab = await openTab('/a');
  const { a } = await buttons(tab);
  expect((await shoot(tab, a)).isError).toBe(false);
  await server.call('navigate', { tab, url: site.url('/b') });
  const { b } = await buttons(tab);
  expect(b).not.toBe(a);
  expect((await shoot(tab, a)).code()).toBe('stale_ref');
  await server.call('navigate', { tab, action: 'back' });
  await ok('screenshot', { tab, ref: a });
  expect((await shoot(tab, b)).code()).toBe('stale_ref');
});

it('a step clicks the element of a ref, in a frame of its own process too, and none of a page that was left', async () => {
  const tab = await openTab('/frames');
  const { a, b } = await buttons(tab);
  for (const ref of [a, b]) await ok('interact', { tab, steps: [`click ${ref}`] });
  await server.call('navigate', { tab, url: site.url('/b') });
  for (const ref of [a, b]) {
    const stale = await server.call('interact', { tab, steps: [`click ${ref}`] });
    expect(stale.text).toContain('stale_ref');
  }
});

it('an element that shows another item now is stale, and the message has refs of what is like it', async () => {
  const tab = await openTab('/list');
  const { text } = await server.call('read_page', { tab, format: 'snapshot' });
  const [, banana = ''] = /Banana\W+(e\d+) button Buy/.exec(text) ?? [];
  // The elements stay: the row of the banana shows a cherry.
  await show(tab, ['Apple', 'Cherry']);
  const lost = await server.call('interact', { tab, steps: [`click ${banana}`] });
  expect(lost.text).toContain('stale_ref');
  expect(lost.text).toContain(`${banana} was button \\"Buy\\" in \\"Banana\\"`);
  expect(await bought(tab)).toBe('-');
  // Its former content is now shown by another element, and has only that one's ref.
  const [, cherry = ''] = /(e\d+) button \\"Buy\\" in \\"Cherry\\"/.exec(lost.text) ?? [];
  await ok('interact', { tab, steps: [`click ${cherry}`] });
  expect(await bought(tab)).toBe('Cherry');
});

it('an element is found after a reading of a part, and is stale once the text before it changes', async () => {
  const tab = await openTab('/desk');
  const { text } = await server.call('read_page', { tab, format: 'snapshot', selector: 'main, section' });
  const refOf = (role: string): string => new RegExp(`(e\\d+) ${role}`).exec(text)?.[1] ?? '';
  const press = `click ${refOf('button')}`;
  // The status before the editor changes, which keeps the focus.
  const editing = [`focus ${refOf('textbox')}`, 'press ControlOrMeta+End', `type ${refOf('textbox')} !`];
  const done = await server.call('interact', { tab, steps: [...editing, press] });
  expect(done.text).toContain('done 4');
  await server.call('navigate', { tab, url: `${site.url('/desk')}#other` });
  const lost = await server.call('interact', { tab, steps: [press] });
  expect(lost.text).toContain('stale_ref');
});

it('changes that a call makes itself count against no unique element, and those of others do', async () => {
  const tab = await openTab('/card');
  const { text } = await server.call('read_page', { tab, format: 'snapshot' });
  const [Next, Buy] = ['Next', 'Buy'].map((name) => new RegExp(`(e\\d+) button ${name}`).exec(text)?.[1]);
  const next = `click ${Next}`;
  const lost = await server.call('interact', { tab, steps: [next, next, `click ${Buy}`], show: 'none' });
  expect(lost.text).toContain(`${Buy} was button`);
  expect(await bought(tab)).toBe('2');
  await server.call('navigate', { tab, url: `${site.url('/card')}#other` });
  expect((await server.call('interact', { tab, steps: [next] })).text).toContain('stale_ref');
});

it('a field after one that another one asked for is found', async () => {
  const tab = await openTab('/form');
  const { text } = await server.call('read_page', { tab, format: 'snapshot' });
  const refOf = (line: string): string => new RegExp(`(e\\d+) ${line}`).exec(text)?.[1] ?? '';
  const steps = [`check ${refOf('checkbox Yes')}`, `fill ${refOf('textbox Certificate')} PX-77`];
  expect((await server.call('interact', { tab, steps })).text).toContain('Certificate = PX-77');
});
