import { describe, expect, it } from 'vitest';
import { calling, servePages } from '../../support/calling.ts';
import { file } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';

const PAGES: Readonly<Record<string, string>> = {
  shop: `<title>Shop</title><h1>Shop</h1>
    <button id="count" onclick="this.textContent = 'Pressed ' + ++presses">Press</button>
    <button id="nothing" onclick="new Image().src = '/favicon.ico?' + ++icons">Nothing</button>
    <button id="menu" aria-haspopup="menu" aria-expanded="false">More</button>
    <button id="route" onclick="fetch('/api/route').then(async (r) => {
      document.querySelector('h1').textContent = await r.text(); history.pushState(0, '', '/routed') })">Route</button>
    <button id="ask" onclick="document.querySelector('h1').textContent = 'Hello ' + prompt('Name?')">Ask</button>
    <button id="twice" onclick="fetch('/api/route').then((r) => r.text()).then((text) => setTimeout(() => {
      document.querySelector('h1').textContent = 'Later: ' + text }, 0))">Twice</button>
    <button id="swallowed">Swallowed</button>
    <button id="held" onclick="fetch('/held/1?q=' + 'a'.repeat(300))">Held</button>
    <button id="place" onclick="navigator.geolocation.getCurrentPosition(() => 0, () => { this.textContent = 'Denied' })">Here</button>
    <a href="/thanks">Buy</a>
    <script>let presses = 0, icons = 0; addEventListener('click', (e) => { if (e.target.id === 'swallowed') e.stopImmediatePropagation() }, true)</script>`,
  status: `<title>Status</title><p id="said">Nothing saved yet</p><button id="save">Save</button><button id="undo">Undo</button>
    <script>let versions = 0;
      save.onclick = () => { said.textContent = 'All of it was stored as version ' + ++versions };
      undo.onclick = () => { said.textContent = 'Went back to ' + --versions };</script>`,
  thanks: '<title>Thank you</title><h1>Thank you, Ada</h1><a href="/shop">Back</a>',
  form: `<title>Form</title><form onsubmit="event.preventDefault(); said.textContent = JSON.stringify([...new FormData(this)])">
    <label>First name <input name="first"></label>
    <input placeholder="Town" name="town">
    <label for="notes">Notes:</label><textarea id="notes" name="notes"></textarea>
    <label>Country <select name="country"><option value="no" hidden>France<option selected>Spain<option value="fr">France</select></label>
    <label>Colours <select name="colours" multiple><option>red<option>green<option>blue</select></label>
    <fieldset><legend>Size</legend><label><input type="radio" name="size" value="S">Small</label>
      <label><input type="radio" name="size" value="M">Medium</label></fieldset>
    <label><input type="checkbox" name="news"> Newsletter</label>
    <label>Born <input type="date" name="born"></label>
    <label>Ink <input type="color" name="ink"></label>
    <label>Volume <input type="range" name="volume"></label>
    <label>Phone <input name="phone" oninput="this.value = this.value.replace(/\\D/g, '').replace(/^(...)(...)(.*)$/, '($1) $2-$3')"></label>
    <div contenteditable role="textbox" aria-label="Bio"></div>
    <button>Send</button></form><p id="said"></p>`,
};

const site = await servePages(PAGES, {
  '/favicon.ico': file(''),
  '/api/route': file('Routed content'),
  // It is never answered.
  '/held/1': () => undefined,
});
const { server } = await launched();
const { ok } = calling(() => server);

const open = (page: string) => server.call('navigate', { url: site.url(`/${page}`) });
const act = async (args: Record<string, unknown>): Promise<string> => (await ok('interact', args)).text;

describe('a receipt', () => {
  it('says what has changed, and nothing else', async () => {
    await open('shop');
    expect(await act({ steps: ['click css=#count'] })).toMatch(
      /^done 1\n {2}# Shop\n~ e\d+ button Pressed 1 \(was Press\)$/,
    );
    expect(await act({ steps: ['click css=#nothing'] })).toBe('done 1\n= nothing changed');
    expect(await act({ steps: ['click css=#count'], show: 'none' })).toBe('done 1');
    expect(await act({ steps: ['click css=#nothing'], show: 'snapshot' })).toContain('button Pressed 2');
  });

  it.each([
    ['what a page makes of an answer a moment later', 'twice', '# Later: Routed content (was Shop)'],
    ['what is still loading after two seconds', 'held', `still loading ${site.url('/held/1')}? …`],
    ['that no click came of a press', 'swallowed', 'pressed and released, but no click came of it'],
  ])('says %s', async (_, id, said) => {
    await open('shop');
    expect(await act({ steps: [`click css=#${id}`] })).toContain(said);
  });

  it('names a permission that the browser denied', async () => {
    await open('shop');
    const steps = ['click css=#place', 'wait text Denied'];
    expect(await act({ steps })).toContain('the page was denied a permission: geolocation');
  });

  it('does not know yet whether a press has opened what it opens, as long as nothing of it is seen', async () => {
    await open('shop');
    expect(await act({ steps: ['click css=#menu'] })).toBe(
      'done 1\nclick css=#menu: unknown: nothing visible has opened yet',
    );
  });

  it('shows again what it says has not changed: its refs name what stands in the changed text', async () => {
    await open('status');
    const shown = await server.call('read_page', { format: 'snapshot' });
    const [save = '', undo = ''] = ['Save', 'Undo'].map(
      (name) => new RegExp(`(e\\d+) button ${name}`).exec(shown.text)?.[1] ?? '',
    );
    await act({ steps: [`click ${save}`] });
    await act({ steps: [`click ${save}`] });
    expect(await act({ steps: [`click ${undo}`] })).toContain('Went back to 1');
  });
});

it('fields of every kind are set by label, placeholder or name, and sent', async () => {
  await open('form');
  const text = await act({
    fields: {
      'First name': 'Ada',
      Town: 'London',
      Notes: 'Two\nlines',
      Country: 'France',
      Colours: ['red', 'blue'],
      Size: 'Medium',
      Newsletter: true,
      Born: '1815-12-10',
      Ink: '#336699',
      Volume: 30,
      Phone: '5550100000',
      Bio: 'First programmer',
    },
    steps: ['submit'],
  });
  expect(text).toContain('Phone: shows "(555) 010-0000"');
  const sent = JSON.parse(/(\[\[.*\]\])/.exec(text)?.[1] ?? '[]') as string[][];
  expect(sent.map((pair) => pair.join('=')).join('|')).toBe(
    'first=Ada|town=London|notes=Two\nlines|country=fr|colours=red|colours=blue|size=M|news=on|born=1815-12-10|ink=#336699|volume=30|phone=(555) 010-0000',
  );
});

it.each([
  [{ 'Last name': 'x' }, 'field_not_found', '"first name"'],
  [{ Country: 'Mars' }, 'option_not_found', '"Spain", "France"'],
])('fields %j is %s, and says what there is', async (fields, code, said) => {
  await open('form');
  const answer = await server.call('interact', { fields });
  expect(answer.code(), answer.text).toBe(code);
  expect(answer.text.replaceAll('\\"', '"')).toContain(said);
});
