import { beforeEach, expect, it } from 'vitest';
import { deferred } from '../../../shared/async/deferred.ts';
import { actingRig } from './rig.ts';

const SAVE = '<button id=save onclick="out.append(`pressed;`)">Save</button><output id=out></output>';
const gates = new Map<string, () => void>();
let begun = deferred<void>();
beforeEach(() => void (begun = deferred<void>()));
/** Nothing of the second step is done: its target is hidden. */
const LATE = ['press Escape', 'click css=#save'];
const held = (name: string): Promise<void> => new Promise((resolve) => gates.set(name, resolve));

const PAGES: Readonly<Record<string, string>> = {
  // It says when the first step has arrived.
  late: `<button id=save hidden>Save</button><script>onkeydown = () => fetch('/began')</script>`,
  leaving: `<p>First</p><script>fetch('/gate').then(() => { location.href = '/plain'; })</script>`,
  mail: '<a id=mail href="mailto:ada@a.test">Mail</a><button id=save onclick="out.append(`pressed;`)">Save</button><output id=out></output>',
  parsing: `<button id=save>Save</button><output id=out></output><script src="/script"></script>`,
  plain: SAVE,
  zoomed: `<div style="height:1500px"></div><iframe src="/plain"></iframe><iframe src="http://b.test:PORT/other"></iframe>`,
  other: SAVE.replace('id=save', 'id=other'),
  // Rows come and go in every task, and so all rows move.
  restless: `<ul id=list></ul><output id=out></output><script>
    let at = 0; const counts = {};
    for (let row = 0; row < 12; row += 1) list.insertAdjacentHTML('beforeend', '<li><button style="height:18px">Row ' + row + '</button></li>');
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { at += 1; if (at % 300 === 0) list.prepend(list.lastElementChild); port2.postMessage(0); };
    port2.postMessage(0);
    list.addEventListener('click', ({ target }) => { const name = target.closest('button')?.textContent ?? 'nothing'; counts[name] = (counts[name] ?? 0) + 1; out.textContent = JSON.stringify(counts); });
  </script>`,
};
const rig = actingRig(async (name) => {
  if (name === 'began') begun.resolve();
  if (name === 'gate') await held('leave');
  if (name === 'script') {
    await held('script');
    return 'document.getElementById("save").onclick = () => out.append("pressed;")';
  }
  return PAGES[name] ?? (name === 'gate' || name === 'began' ? '' : null);
});

it('a tab that is closed while a step waits for its target', async () => {
  const tab = await rig.open('late');
  const acting = rig.act(tab, 'click css=#save');
  await rig.server.call('tabs', { action: 'close', tab });
  const answer = await acting;
  expect({ code: answer.code(), text: answer.text }).toEqual({ code: 'tab_not_found', text: answer.text });
});

it('a page that is still being parsed: its scripts come first', async () => {
  const opened = await rig.server.call('tabs', { action: 'open', url: rig.url('parsing') });
  const { opened: tab } = opened.json<{ opened: string }>();
  await expect.poll(() => gates.has('script')).toBe(true);
  const acting = rig.act(tab, 'click css=#save');
  expect(await rig.text(tab)).toContain('Save');
  gates.get('script')?.();
  const answer = await acting;
  expect(answer.isError, answer.text).toBe(false);
  expect(await rig.text(tab)).toContain('pressed;');
  await rig.close(tab);
});

it('a page that is left while a step waits, for one that has the target', async () => {
  const tab = await rig.open('leaving');
  const acting = rig.act(tab, 'click css=#save');
  await expect.poll(() => gates.has('leave')).toBe(true);
  gates.get('leave')?.();
  const answer = await acting;
  expect(answer.isError, answer.text).toBe(false);
  expect(await rig.text(tab)).toContain('pressed;');
  await rig.close(tab);
});

it('a call that is cancelled while a step waits: nothing is pressed later, and the next call works', async () => {
  const tab = await rig.open('late');
  const abort = new AbortController();
  const acting = rig.server.call('interact', { tab, steps: LATE }, abort.signal);
  const rejected = expect(acting).rejects.toThrow();
  await begun.promise;
  abort.abort();
  await rejected;
  await rig.server.call('navigate', { tab, url: rig.url('plain') });
  expect(await rig.text(tab)).not.toContain('pressed;');
  expect((await rig.act(tab, 'click css=#save')).isError).toBe(false);
  expect((await rig.text(tab)).match(/pressed;/g)).toHaveLength(1);
  await rig.close(tab);
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

it('a tab that is zoomed', async () => {
  const worker = rig.browser.scope;
  const tab = await rig.open('zoomed', { front: true });
  const zoom = (factor: number): Promise<void> =>
    worker.evaluate(`chrome.tabs.setZoom(${tab.split(':')[1]}, ${factor})`);
  for (const factor of [1.5, 0.5]) {
    await zoom(factor);
    const answer = await rig.act(tab, 'click css=#save', 'click css=#other');
    expect(answer.isError, answer.text).toBe(false);
  }
  expect((await rig.text(tab)).match(/pressed;/g)).toHaveLength(4);
  await zoom(1);
  await rig.close(tab);
});

it('rows that move all the time: what is reported is what arrived', async () => {
  const tab = await rig.open('restless');
  let done = 0;
  // Some presses would arrive at another row and are kept from it: the act says so.
  for (let at = 0; at < 3 || done === 0; at += 1)
    if (!(await rig.act(tab, 'click text="Row 7"')).isError) done += 1;
  const counts = JSON.parse(/\{.*\}/.exec(await rig.text(tab))?.[0] ?? '{}') as object;
  expect(counts).toEqual({ 'Row 7': done });
  await rig.close(tab);
});
