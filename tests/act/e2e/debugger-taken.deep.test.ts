import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { BUILT_EXTENSION, spawnChromium } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { cancelDebugger } from '../../support/person-rig.ts';
import { errorOf, Gates, nextActWorks, written } from './gated-page.ts';
import { actingRigOf } from './rig.ts';
import { testFolder } from '../../support/test-folder.ts';

const other = testFolder();
// A worker without calls ends after 30 seconds: on a busy machine that is before the test needs it.
writeFileSync(join(other, 'other.js'), 'setInterval(() => chrome.runtime.getPlatformInfo(), 5_000);');
const background = { service_worker: 'other.js' };
const manifest = { manifest_version: 3, name: 'Other', version: '1', permissions: ['debugger'], background };
writeFileSync(join(other, 'manifest.json'), JSON.stringify(manifest));

const gates = new Gates();
const rig = actingRigOf(() => spawnChromium({ extension: `${BUILT_EXTENSION},${other}` }), gates.pages);
afterEach(() => gates.open());

const idOf = (tab: string): string => `{ tabId: ${tab.split(':')[1]} }`;
const attach = (tab: string) =>
  rig.browser.scope.evaluate(`chrome.debugger.attach(${idOf(tab)}, '1.3')`, '/other.js');

it('another extension that has attached the debugger midway: both work', async () => {
  const tab = await rig.open('events?at=mousedown');
  const acting = rig.act(tab, 'drag css=#first css=#second');
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  await attach(tab);
  gates.open();
  const answer = await acting;
  expect(answer.isError, answer.text).toBe(false);
  const next = await nextActWorks(rig, tab, '^mousedown first;mouseup second;click BODY;');
  // Trusted events: no script sent them in the debugger's place.
  expect(`${answer.text}${next.text}`).not.toContain('debugger');
  await rig.browser.scope.evaluate(`chrome.debugger.detach(${idOf(tab)})`, '/other.js');
  await rig.close(tab);
});

const allow = () => rig.browser.scope.evaluate(`chrome.storage.session.remove('debuggerCancelled')`);
afterEach(allow);

it('a person presses Cancel midway: nothing more is sent, until they allow it again', async () => {
  const tab = await rig.open('events?at=keydown:b');
  const steps = ['focus css=#field', `type css=#field ${'ab'.repeat(300)}`, 'click css=#check'];
  const acting = rig.act(tab, ...steps);
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  // Without a window there is no debugging banner.
  await rig.browser.scope.evaluate(cancelDebugger(tab.split(':')[1] ?? ''));
  const { code, message, hint } = errorOf(await acting);
  expect(code).toBe('debugger_cancelled');
  expect(message).toMatch(/^Step 2 of 3 .*Done before it: focus css=#field. Not tried: click css=#check.$/);
  expect(hint).toContain('popup');
  gates.open();
  const after = await written(rig, tab);
  expect(after).toMatch(/^(?:key(?:down|up) [ab];){4,40}$/);
  expect(errorOf(await rig.act(tab, 'click css=#check')).code).toBe('debugger_cancelled');
  expect(await written(rig, tab)).toBe(after);
  await allow();
  await nextActWorks(rig, tab);
  await rig.close(tab);
});
