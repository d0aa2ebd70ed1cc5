import { expect, it } from 'vitest';
import { file, serveFiles } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';
import { itDeep } from '../../support/depth.ts';

const { server, ok, openTab } = await launched();
const html = (body: string) =>
  file(`<!doctype html><html lang=en><title>Mill</title>${body}`, { 'content-type': 'text/html' });
const button = (says: string): string => `<button onclick="document.body.append('${says}')"></button>`;

const page = `<main><form style="color:#bbb;background:#fff"><input type=hidden name=attributes>Pale words</form><p style="color:#666">Grey words</p>
  <input id=plain value=hunter2><div id=shown></div><div id=shut></div></main><iframe title=Same src="/same"></iframe>
  <script>shown.attachShadow({ mode: 'open' }).innerHTML = \`${button('from the shadow')}\`;
  shut.attachShadow({ mode: 'closed' }).innerHTML = '<button></button>';
  for (const place of [location.port + '/other', '1/none'])
    document.body.insertAdjacentHTML('beforeend', '<iframe title=Other src="//frame.test:' + place + '"></iframe>');
  JSON.stringify = () => 'lie'; Promise = null; Element.prototype.getAttribute = () => 'lie';</script>`;

const site = await serveFiles({
  '/': html(page),
  '/other': html(button('from the other site')),
  '/same': html(button('from the same site')),
  '/large': html('<button>Sail</button>'.repeat(9_000)),
});
const tab = await openTab(site.url('/'));

type Item = Readonly<Record<'rule' | 'ref' | 'role' | 'frame', string>>;

async function audit(args: Record<string, unknown> = {}) {
  const answer = await ok('audit', { tab, ...args });
  return { items: answer.json<Item[]>(), notes: answer.notes, text: answer.text };
}

it('finds faults in the page, open shadow roots and frames, with refs that interact takes', async () => {
  const { items, notes, text } = await audit();
  expect(items.map(({ rule, role, frame = '' }) => [rule, role, frame.replace(/.*\//, '')])).toEqual([
    ['button-name', 'button', ''],
    ['button-name', 'button', 'same'],
    ['button-name', 'button', 'other'],
    ['label', 'textbox', ''],
    ['color-contrast', 'form', ''],
  ]);
  expect(items.at(-1)).toMatchObject({ wcag: ['1.4.3'], snippet: expect.stringContaining('<form style=') });
  expect(text).not.toContain('hunter2');
  expect(notes).toContain('Closed shadow roots, which axe-core cannot enter: 1');
  expect(notes).toContain('/none could not be checked.');
  const steps = items.slice(0, 3).map(({ ref }) => `click ${ref}`);
  expect((await server.call('interact', { tab, steps })).isError).toBe(false);
  const read = await server.call('read_page', { tab, format: 'text' });
  for (const place of ['shadow', 'same site', 'other site']) expect(read.text).toContain(`from the ${place}`);
});

itDeep('checks a part of the page, or other rules', async () => {
  const { items, notes } = await audit({ scope: '#plain' });
  expect(notes).not.toContain('Closed shadow roots');
  expect(items.map(({ rule }) => rule)).toEqual(['label']);
  const named = (await audit({ rules: ['button-name', 'label'] })).items;
  expect(named).toHaveLength(4);
  for (const { ref } of named) expect((await audit({ scope: ref })).items).toMatchObject([{ ref }]);
  expect((await audit({ level: 'AAA' })).items.map(({ rule }) => rule)).toContain('color-contrast-enhanced');
});

it.each([
  [{ scope: '#none' }, 'selector_not_found', '#none'],
  [{ scope: '##' }, 'selector_invalid', 'scope'],
  [{ scope: 'e99999' }, 'ref_not_found', 'e99999'],
  [{ rules: ['no-such-rule'] }, 'invalid_argument', 'rules'],
])('%j ends with %s', async (args, code, says) => {
  const answer = await server.call('audit', { tab, ...args });
  expect([answer.code(), answer.text]).toEqual([code, expect.stringContaining(says)]);
});

it.each([
  ['goes elsewhere', 'navigate', { url: site.url('/same') }, /^page_changed$/],
  ['closes', 'tabs', { action: 'close' }, /^tab_(?:closed|not_found)$/],
])('ends when the tab %s', async (_what, tool, args, code) => {
  // A call that is sent later may begin earlier.
  const interrupt = async (): Promise<string> => {
    await server.call('navigate', { tab, url: site.url('/large') });
    const audited = server.call('audit', { tab });
    await server.call(tool, { tab, ...args });
    return (await audited).code() ?? '';
  };
  await expect.poll(interrupt, { timeout: 50_000 }).toMatch(code);
  if (tool === 'navigate') expect((await audit()).items.map(({ rule }) => rule)).toEqual(['button-name']);
});
