import { expect, it } from 'vitest';
import { SidePanels } from '../../../../extension/people/worker/ask-window.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { countSidePanels } from '../../../../extension/platform/chromium/offscreen.ts';

const URL_OF_PANEL = 'chrome-extension://spillway/ui/frame/panel.html';

function port() {
  const ends: (() => void)[] = [];
  const made = { onDisconnect: { addListener: (end: () => void) => ends.push(end) } };
  return { port: made as never, close: () => ends.forEach((end) => end()) };
}

function rig(count: number) {
  const browser = { count };
  let closed = 0;
  const panels = new SidePanels(
    () => Promise.resolve(browser.count),
    () => (closed += 1),
  );
  return { panels, browser, closed: () => closed };
}

it('knows a panel until it is closed', async () => {
  const { panels, closed, browser } = rig(1);
  const one = port();
  await panels.accept(one.port);
  expect(panels.holds(one.port)).toBe(true);
  expect(await panels.stillHolds(one.port)).toBe(true);
  browser.count = 0;
  expect(await panels.stillHolds(one.port)).toBe(false);
  one.close();
  expect(panels.holds(one.port)).toBe(false);
  expect(closed()).toBe(1);
});

it('takes no port for a panel when there are more of them than panels', async () => {
  const { panels, browser } = rig(1);
  const [one, other, third] = [port(), port(), port()];
  await panels.accept(one.port);
  await panels.accept(other.port);
  expect(panels.holds(other.port)).toBe(false);
  expect(await panels.stillHolds(one.port)).toBe(false);
  one.close();
  expect(await panels.stillHolds(other.port)).toBe(true);
  expect(panels.holds(other.port)).toBe(true);
  browser.count = 2;
  await panels.accept(third.port);
  expect(panels.holds(third.port)).toBe(true);
});

it.each<[string, number, readonly object[]]>([
  ['a tab as well', 1, [{}, { contextType: 'TAB', tabId: 7 }]],
  ['a popup with the same page', 0, [{}, { contextType: 'POPUP' }]],
  ['a frame in it', 0, [{}, { frameId: 3 }]],
  ['another address', 0, [{ documentUrl: `${URL_OF_PANEL}?x` }]],
])('counts side panels: %s', async (_what, count, contexts) => {
  const panel = { contextType: 'SIDE_PANEL', tabId: -1, frameId: 0, documentUrl: URL_OF_PANEL };
  installBrowser({
    runtime: {
      getURL: (path: string) => `chrome-extension://spillway/${path}`,
      getContexts: () => Promise.resolve(contexts.map((more) => ({ ...panel, ...more }))),
    },
  });
  expect(await countSidePanels('ui/frame/panel.html')).toBe(count);
});
