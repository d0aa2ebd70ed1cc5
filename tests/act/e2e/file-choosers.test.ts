import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { actingRig } from './rig.ts';
import { testFolder } from '../../support/test-folder.ts';

/* The browser's own file chooser: no agent can answer it, and it does not belong on a person's screen. */
const folder = testFolder();
const [first, second] = [join(folder, 'first.txt'), join(folder, 'second.txt')];
writeFileSync(first, 'one');
writeFileSync(second, 'two');

/** A headless browser cancels a chooser that it would have shown, and the page gets an event. */
const TELL = `<output>Nothing</output><script>
  const say = (text) => (document.querySelector('output').textContent = text);
  const watch = (field) => {
    field.oncancel = () => say('Shown');
    field.onchange = async () =>
      say('Got ' + (await Promise.all([...field.files].map(async (file) => file.name + '=' + (await file.text())))).join(' '));
    return field;
  };
  for (const field of document.querySelectorAll('input[type=file]')) watch(field);
</script>`;

const BODIES: Readonly<Record<string, string>> = {
  hidden: `<button onclick="field.click()">Choose</button><input type="file" id="field" hidden multiple>`,
  field: `<input type="file" id="field" aria-label="Choose">`,
  label: `<label>Choose<input type="file" id="field" style="opacity: 0; width: 1px"></label>`,
  detached: `<button onclick="const field = document.createElement('input'); field.type = 'file'; watch(field).click()">Choose</button>`,
  asks: `<button onclick="fetch('/page').then(() => field.click())">Choose</button><input type="file" id="field" hidden>`,
  'closed tree': `<div id="host"></div><script>addEventListener('load', () => {
    const root = host.attachShadow({ mode: 'closed' });
    root.innerHTML = '<button>Choose</button><input type="file" hidden>';
    watch(root.querySelector('input'));
    root.querySelector('button').onclick = () => root.querySelector('input').click(); });</script>`,
  presses: `<button onclick="say('Pressed'); field.click()">Choose</button><input type="file" id="field" hidden>`,
  picker: `<button onclick="showOpenFilePicker().catch(({ name }) => say(name))">Choose</button>`,
  nothing: `<button onclick="say('Pressed')">Choose</button>`,
  'other frame': `<iframe src="http://b.test:PORT/page hidden" width="500" height="200"></iframe>`,
};

const rig = actingRig(
  (name) => {
    if (name === 'page') return '';
    const body = BODIES[name.slice('page '.length)];
    return body === undefined ? null : `<title>${name}</title>${body}${TELL}`;
  },
  ['--upload-root', folder],
);

const OPENING = ['field', 'label', 'detached', 'asks', 'closed tree', 'other frame'];
const PLACES = [['hidden', true] as const, ...['hidden', ...OPENING].map((page) => [page, false] as const)];
const CHOOSE = 'text=Choose';
const target = (page: string): string => (page === 'field' ? 'label=Choose' : CHOOSE);

it.each(sample(PLACES, 3))(
  'a file chooser is not shown, and an upload to what opens it gives the file: %s (in front: %s)',
  async (page, front) => {
    const tab = await rig.open(`page ${page}`, { front });
    const pressed = await rig.did(tab, `click ${target(page)}`);
    expect(pressed.text).toContain('opened a file chooser');
    expect(pressed.text).toContain('upload');
    expect(await rig.text(tab)).not.toContain('Shown');
    const receipt = await rig.did(tab, `upload ${target(page)} ${first}`);
    expect(receipt.text).toContain('has first.txt');
    expect(receipt.text).not.toContain('opened a file chooser');
    await expect.poll(() => rig.text(tab), PATIENCE).toContain('Got first.txt=one');
    await rig.close(tab);
  },
);

it.each<[string, string, readonly string[], string, string]>([
  ['the field takes no more than one', 'detached', [first, second], '', 'Nothing'],
  ['nothing opened', 'nothing', [first], 'opened no file chooser', 'Pressed'],
  ['only a person can answer', 'picker', [first], 'only a person', 'AbortError'],
])('an upload to what opens a file chooser says when %s', async (_what, page, value, says, shown) => {
  const tab = await rig.open(`page ${page}`, { host: '127.0.0.1' });
  const receipt = await rig.act(tab, { do: 'upload', target: CHOOSE, value });
  expect(receipt.code(), receipt.text).toBe('target_unsuitable');
  expect(receipt.text).toContain(says);
  await expect.poll(() => rig.text(tab), PATIENCE).toContain(shown);
  await rig.close(tab);
});

const personClicks = async (tab: string, page: string): Promise<void> => {
  await rig.browser.scope.clickInPage(rig.url(`page ${page}`), 'document.querySelector("button").click()');
  await expect.poll(() => rig.text(tab), PATIENCE).toContain('Shown');
};

itDeep('a person’s file chooser is shown after an act, while the debugger is still attached', async () => {
  const tab = await rig.open('page hidden', { front: true });
  expect((await rig.act(tab, `click ${CHOOSE}`)).text).toContain('opened a file chooser');
  expect(await rig.text(tab)).toContain('Nothing');
  await personClicks(tab, 'hidden');
  await rig.close(tab);
});

itDeep('a person’s file chooser is shown after the worker was ended midway', async () => {
  const tab = await rig.open('page presses', { front: true });
  const acting = rig.act(tab, `click ${CHOOSE}`, 'wait text Never');
  await expect.poll(() => rig.text(tab), PATIENCE).toContain('Pressed');
  await rig.browser.scope.end();
  expect((await acting).isError).toBe(true);
  // Choosers are intercepted until the next worker has detached the debugger of this one.
  const left = `chrome.debugger.getTargets().then((all) => all.some(({ attached, tabId }) => attached && tabId === ${tab.split(':')[1]}))`;
  await expect.poll(() => rig.browser.scope.evaluate(left), PATIENCE).toBe(false);
  await personClicks(tab, 'presses');
  await rig.close(tab);
});
