import browser from 'webextension-polyfill';
import type * as chromium from '../chromium/offscreen.ts';

import { OFFSCREEN_PAGE } from '../chromium/offscreen.ts';

export { keepAlive, OFFSCREEN_PAGE, OFFSCREEN_PORT } from '../chromium/offscreen.ts';

/** The event page's own, which the types of a worker lack. */
declare const document: {
  readonly body: { append(node: object): void };
  querySelector(selector: string): object | null;
  createElement(name: string): { src: string };
};

/** The event page has a document: it holds the other page in a frame, which has ports of its own. */
export const ensureOffscreen: typeof chromium.ensureOffscreen = async () => {
  if (document.querySelector('iframe') !== null) return;
  const frame = document.createElement('iframe');
  frame.src = browser.runtime.getURL(OFFSCREEN_PAGE);
  document.body.append(frame);
};

export const countSidePanels: typeof chromium.countSidePanels = async (page) => {
  const url = browser.runtime.getURL(page);
  return browser.extension
    .getViews({ type: 'sidebar' })
    .filter((view) => String(Reflect.get(view, 'location')) === url).length;
};
