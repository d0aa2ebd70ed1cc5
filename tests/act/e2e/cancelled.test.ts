import { afterEach, beforeAll, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { readRegistrations } from '../../../server/core/bridge/registrations.ts';
import { Gates, nextActWorks, PRESSES, written } from './gated-page.ts';
import { actingRig } from './rig.ts';

/** Stops while text arrives in the name. */
const LOGIN = `<title>Log in</title><label>Name <input id="name"></label> <input id="password" type="password">
  <script>document.getElementById('name').addEventListener(new URLSearchParams(location.search).get('at'), () => {
    const request = new XMLHttpRequest(); request.open('GET', '/gate', false); request.send();
  }, { once: true });</script>`;

const gates = new Gates();
const rig = actingRig((name, query) => (name === 'login' ? LOGIN : gates.pages(name, query)));
let observer: StdioServer;
beforeAll(async () => void (observer = await startServer({ env: rig.browser.serverEnv })));
afterEach(() => gates.open());

async function isFree(by: StdioServer, tab: string): Promise<void> {
  const ask = async () => (await by.call('dialog', { tab, action: 'dismiss' })).code();
  await expect.poll(ask, PATIENCE).toBe('dialog_not_found');
}

/** Resumes the page: it received the input so far and nothing else, and the next act works. */
async function endsWith(tab: string, expected: string): Promise<void> {
  gates.open();
  await expect.poll(() => written(rig, tab), PATIENCE).toMatch(new RegExp(`^${expected}$`));
  await nextActWorks(rig, tab, `^${expected}`);
  await rig.close(tab);
}

it.each(sample(PRESSES, 3))('a call that is cancelled midway %s, in %s', async (step, page, expected) => {
  const tab = await rig.open(page);
  const abort = new AbortController();
  const acting = rig.server.call('interact', { tab, steps: [step, 'click css=#check'] }, abort.signal);
  const rejected = expect(acting).rejects.toThrow();
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  abort.abort();
  await rejected;
  await isFree(observer, tab);
  await endsWith(tab, expected);
});

const [LAST = ['', '', ''] as const] = PRESSES.slice(-1);

it('a native host that is killed midway: what it held is let go, and the outcome is unknown', async () => {
  const [step, page, expected] = LAST;
  const tab = await rig.open(page);
  const acting = rig.act(tab, step, 'click css=#check');
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  for (const { registration, isAlive } of readRegistrations(rig.browser.bridgeDirectory))
    if (isAlive) process.kill(registration.pid, 'SIGKILL');
  const answer = await acting;
  expect(answer.code(), answer.text).toBe('browser_disconnected');
  expect(answer.text).toContain('outcome is unknown');
  await isFree(observer, tab);
  await endsWith(tab, expected);
});

it.each(
  sample(
    [
      ['fill label=Name ada', 'beforeinput'],
      ['type label=Name ada', 'keydown'],
    ],
    2,
  ),
)('after a call that is cancelled during %s, a person types their own password', async (step, event) => {
  const page = `login?at=${event}`;
  const tab = await rig.open(page);
  const abort = new AbortController();
  const acting = rig.server.call('interact', { tab, steps: [step] }, abort.signal);
  const rejected = expect(acting).rejects.toThrow();
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  abort.abort();
  await rejected;
  await isFree(observer, tab);
  gates.open();
  // By then, the page knows that the call has ended.
  await rig.text(tab);
  const { scope } = rig.browser;
  const middle = `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(password.getBoundingClientRect())`;
  await scope.clickAt(rig.url(page), (await scope.inPage(rig.url(page), middle)) ?? { x: 0, y: 0 });
  await scope.typeIn(rig.url(page), 'own');
  expect(await scope.inPage(rig.url(page), 'password.value')).toBe('own');
  await rig.close(tab);
});
