import { beforeAll, describe, expect, it } from 'vitest';
import { servePages } from '../../support/calling.ts';
import { launched } from '../../support/launched.ts';

const { server, ok, openTab } = await launched();

const INVOICES = `<!doctype html><title>Invoices</title><h1>Invoices</h1>
  <form><label>E-mail address <input type=email></label><input placeholder="Search invoices" type=search><input type=password aria-label=Password value=hunter2>
  <label for=c>Country</label><select id=c><option>France<option>Österreich</select><label><input type=checkbox> Café newsletter</label></form>
  <h2>Open</h2><table>${[7, 8, 70].map((n) => `<tr><td>Invoice ${n}<td>Müller<td><button>Pay</button> <button>Save</button></tr>`).join('')}</table>
  <h2>Settings</h2><button>Save</button> <button>Save all settings</button> <a href="#x">Saved searches</a>
  <p>Everything you save is kept.</p><button hidden>Save hidden</button><button>立即购买</button> <button>メールを送信</button><div aria-label="Delete" role=button tabindex=0>✕</div>
  <div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<h3>Deep</h3><button>Closed button</button>'</script>`;

const site = await servePages({
  invoices: INVOICES,
  inner: '<!doctype html><h2>Inner</h2><button>Frame button</button><button>Other</button>',
  frames: `<!doctype html><title>Frames</title><button>Frame button</button><iframe src="/inner"></iframe>
    <iframe src="//frame.test:PORT/inner"></iframe><iframe src="//frame.test:PORT/nest"></iframe>`,
  nest: '<!doctype html><iframe src="/inner"></iframe>',
});

const plain = (text: string): string[] =>
  text
    .trim()
    .replaceAll(/^(?:f\d+)*e\d+ /gm, '')
    .split('\n');

describe('in a page', () => {
  let tab: string;
  beforeAll(async () => (tab = await openTab(site.url('/invoices'))));
  const find = async (args: Record<string, unknown>): Promise<string[]> =>
    plain((await ok('find', { tab, ...args })).text);

  it.each([
    ['save', 'button Save · row "Invoice 7"'],
    ['settings save', 'button Save all settings · under "Settings"'],
    ['save invoice 7', 'button Save · row "Invoice 7"'],
    ['the pay button of invoice 70', 'button Pay · row "Invoice 70"'],
    ['e-mail address', 'textbox E-mail address · under "Invoices"'],
    ['serach', 'searchbox Search invoices · under "Invoices"'],
    ['CAFÉ newsleter', 'checkbox Café newsletter · under "Invoices"'],
    ['osterreich', 'combobox Country = France (France|Österreich) · under "Invoices"'],
    ['delete', 'button Delete · under "Settings"'],
    ['购买', 'button 立即购买 · under "Settings"'],
    ['送信', 'button メールを送信 · under "Settings"'],
    ['closed button', 'button Closed button · under "Deep"'],
    ['password', 'password [filled] Password · under "Invoices"'],
  ])('%j finds %j first', async (query, line) => expect((await find({ query }))[0]).toBe(line));

  it.each([
    [{ role: 'button', name: 'all set' }, ['button Save all settings · under "Settings"']],
    [{ text: 'saved' }, ['Saved searches · under "Settings"']],
    [{ placeholder: 'search' }, ['searchbox Search invoices · under "Invoices"']],
    [{ css: 'tr:has-text("Invoice 70") button >> nth=1' }, ['button Save · row "Invoice 70"']],
    [{ query: 'css=tr >> nth=0 >> role=button[name="Pay"]' }, ['button Pay · row "Invoice 7"']],
  ])('%j finds %j', async (args, lines) => {
    if ('css' in args) expect((await find({ query: `css=${args.css}` })).slice(0, 1)).toEqual(lines);
    else expect(await find(args)).toEqual(lines);
  });

  it('shows refs that other tools take', async () => {
    const { text } = await server.call('find', { tab, query: 'closed button' });
    await ok('screenshot', { tab, ref: /e\d+/.exec(text)?.[0] });
  });
});

it('finds in frames of the same origin once, and in others by their own scripts', async () => {
  const tab = await openTab(site.url('/frames'));
  const answer = await server.call('find', { tab, query: 'frame button' });
  const lines = answer.text.trim().split('\n');
  expect(lines.map((line) => line.replace(/e\d+/, 'e'))).toEqual([
    'e button Frame button',
    'e button Frame button · under "Inner"',
    expect.stringMatching(/^f\d+e button Frame button · under "Inner"$/),
    expect.stringMatching(/^f\d+e button Frame button · under "Inner"$/),
  ]);
  expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(4);
  for (const line of lines) await ok('screenshot', { tab, ref: line.split(' ')[0] });
  expect(plain((await server.call('find', { tab, role: 'button', name: 'other' })).text)).toHaveLength(3);
});

it('tabs are found by title, address and what is seen in them', async () => {
  const [invoices, frames] = [await openTab(site.url('/invoices')), await openTab(site.url('/frames'))];
  const searched = async (search: string) =>
    (await ok('tabs', { search })).json<{ tabs: { tab: string; found?: string[] }[] }>().tabs;
  const open = new Set([invoices, frames]);
  const among = async (search: string): Promise<string[]> =>
    (await searched(search)).map(({ tab }) => tab).filter((tab) => open.has(tab));
  expect(await among('INVOICES')).toEqual([invoices]);
  expect(await among('/frames')).toEqual([frames]);
  expect(await among('Frame button')).toEqual([frames]);
  expect(await among('hunter2')).toEqual([]);
  expect(await among('Save hidden')).toEqual([]);
  const [found] = (await searched('you save is kept')).filter(({ tab }) => tab === invoices);
  expect(found?.found).toEqual([expect.stringContaining('Everything you save is kept.')]);
});
