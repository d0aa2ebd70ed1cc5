import { expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { actingRig } from './rig.ts';

const SAVE = '<button id=save onclick="out.append(`pressed;`)">Save</button><output id=out></output>';
const gates = new Map<string, () => void>();
const held = (name: string): Promise<void> => new Promise((resolve) => gates.set(name, resolve));

const PAGES: Readonly<Record<string, string>> = {
  mail: '<a id=mail href="mailto:ada@a.test">Mail</a><button id=save onclick="out.append(`pressed;`)">Save</button><output id=out></output>',
  parsing: `<button id=save>Save</button><output id=out></output><script src="/script"></script>`,
  deferring: `<button id=save>Save</button><output id=out></output><script defer src="/script"></script>`,
  plain: SAVE,
  zoomed: `<div style="height:1500px"></div><iframe src="/plain"></iframe><iframe src="http://b.test:PORT/other"></iframe>`,
  other: SAVE.replace('id=save', 'id=other'),
};
let ranAt = Infinity;
const rig = actingRig(async (name) => {
  if (name === 'ran') ranAt = performance.now();
  if (name !== 'script') return PAGES[name] ?? null;
  await held('script');
  return 'document.getElementById("save").onclick = () => out.append("pressed;"); fetch("/ran")';
});

it.each([
  ['still being parsed', 'parsing'],
  ['parsed, with a script that is to come', 'deferring'],
])('a page that is %s: its scripts come first', async (_, name) => {
  let text = '';
  // An act waits no longer for a page's scripts.
  for (let since = -Infinity; ranAt - since > 2_000;) {
    gates.delete('script');
    const opened = await rig.server.call('tabs', { action: 'open', url: rig.url(name) });
    const { opened: tab } = opened.json<{ opened: string }>();
    await expect.poll(() => gates.has('script')).toBe(true);
    [since, ranAt] = [performance.now(), Infinity];
    const acting = rig.act(tab, 'click css=#save');
    expect(await rig.text(tab)).toContain('Save');
    gates.get('script')?.();
    const answer = await acting;
    expect(answer.isError, answer.text).toBe(false);
    text = await rig.text(tab);
    await rig.close(tab);
  }
  expect(text).toContain('pressed;');
});

it('a link that opens another program: the tab is not called closed, and the next call works', async () => {
  const tab = await rig.open('mail');
  expect((await rig.act(tab, 'click css=#mail')).text).not.toMatch(/closed|gone/);
  const both = await rig.act(tab, 'click css=#mail', 'click css=#save');
  expect(both.code() ?? 'done', both.text).toMatch(/^(?:debugger_unavailable|done)$/);
  expect((await rig.act(tab, 'click css=#save')).isError).toBe(false);
  expect(await rig.text(tab)).toContain('pressed;');
  await rig.close(tab);
});

itDeep('a tab that is zoomed', async () => {
  const worker = rig.browser.scope;
  const tab = await rig.open('zoomed', { front: true });
  const zoom = (factor: number): Promise<void> =>
    worker.evaluate(`chrome.tabs.setZoom(${tab.split(':')[1]}, ${factor})`);
  for (const factor of [1.5, 0.5]) {
    await zoom(factor);
    await rig.did(tab, 'click css=#save', 'click css=#other');
  }
  expect((await rig.text(tab)).match(/pressed;/g)).toHaveLength(4);
  await zoom(1);
  await rig.close(tab);
});
