import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { actingRig } from './rig.ts';

/* What a page says to the console, to the receipt of an act and to the console tool. */
const folder = mkdtempSync(join(tmpdir(), 'spillway-messages-'));
const file = join(folder, 'file.txt');
writeFileSync(file, 'one');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAYS = `<button id=say onclick="console.error('Said ' + (n += 1))">Say</button>
  <button id=choose onclick="console.error('Chose'); field.click()">Choose</button><input type=file id=field hidden>
  <button id=icon onclick="new Image().src = '/favicon.ico?missing'; new Image().src = '/missing'">Icon</button>
  <script>let n = 0; console.error('Began at ' + location.host)</script>`;
/** Nested shadow trees, which change for a while after a press. */
const WIDGET = `<div id=outer></div><script>
  const mode = new URLSearchParams(location.search).get('mode');
  const inner = document.createElement('div');
  outer.attachShadow({ mode }).append(inner);
  const root = inner.attachShadow({ mode });
  root.innerHTML = '<button>Add</button><ul></ul>';
  let before = Infinity;
  const add = (n) => {
    // A busy machine wakes the page late; it looks at rest meanwhile.
    if (performance.now() - before > 20) console.log('Late: ' + n);
    before = performance.now();
    root.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: 'Item ' + n }));
    if (n < 12) setTimeout(add, 10, n + 1);
  };
  root.querySelector('button').onclick = async () => { await fetch('/answer'); add(1); };
</script>`;
const PAGES: Readonly<Record<string, string>> = {
  answer: 'yes',
  widget: WIDGET,
  says: SAYS,
  framed: '<iframe src="http://b.test:PORT/says" width=500 height=200></iframe>',
};
const rig = actingRig((name) => PAGES[name] ?? null, ['--upload-root', folder]);

const errorsOf = (receipt: string): string[] => receipt.match(/(?<=^error ).*/gm) ?? [];

async function messages(tab: string): Promise<string[]> {
  const answer = await rig.server.call('console', { tab });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<{ readonly text: string }[]>().map(({ text }) => text);
}

it.each(sample(['framed', 'says'], 2))('a receipt has each error of its act once: %s', async (page) => {
  const tab = await rig.open(page);
  const first = await rig.act(tab, 'click css=#say', 'click css=#say');
  expect(errorsOf(first.text), first.text).toEqual(['Said 1', 'Said 2']);
  // The field of a chooser is looked for in the contexts of the page.
  const chosen = await rig.act(tab, `upload css=#choose ${file}`, 'click css=#say');
  expect(errorsOf(chosen.text), chosen.text).toEqual(['Chose', 'Said 3']);
  await rig.close(tab);
});

it('the console tool has what was said before and during an act, and the next receipt has nothing of it', async () => {
  const tab = await rig.open('says');
  await rig.act(tab, 'click css=#say');
  const began = expect.stringContaining('Began at') as string;
  expect(await messages(tab)).toEqual([began, 'Said 1']);
  const next = await rig.act(tab, 'click css=#say');
  expect(errorsOf(next.text), next.text).toEqual(['Said 2']);
  expect(await messages(tab)).toEqual([began, 'Said 1', 'Said 2']);
  await rig.close(tab);
});

it('a receipt leaves out an icon that the site does not have', async () => {
  const tab = await rig.open('says');
  const { text } = await rig.act(tab, 'click css=#icon');
  expect(errorsOf(text), text).toEqual([expect.stringMatching(/404 .*\/missing$/)]);
  await rig.close(tab);
});

// The page's timers are what is tested; the test itself never sleeps. In front, or the browser stretches them.
it.each(sample(['closed', 'open'], 2))(
  'a receipt is made when nested %s shadow trees have stopped changing',
  async (mode) => {
    const tab = await rig.open(`widget?mode=${mode}`, { front: true });
    const { text } = await rig.act(tab, 'click role=button[name="Add"]');
    const [late = 'Late: 13'] = (await messages(tab)).filter((message) => message.startsWith('Late: '));
    expect(text).toMatch(new RegExp(`\\bItem ${Number(late.slice(6)) - 1}$`, 'm'));
    await rig.close(tab);
  },
);
