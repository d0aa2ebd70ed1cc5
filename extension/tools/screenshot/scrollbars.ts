import browser, { type Scripting } from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/async/wait.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import { readView } from '../../page/in-page/document.ts';

/** A page that needs longer for a layout keeps the one that it has. */
const LAYOUT_MS = 2_000;

/**
 * Runs `take` while the page has no scrollbars, and lays the page out again afterwards: a picture
 * beyond the viewport has none either, and what is measured before has to be what is drawn.
 */
export async function withoutScrollbars<T>(lease: DebuggerLease, take: () => Promise<T>): Promise<T> {
  await lease.send('Emulation.setScrollbarsHidden', { hidden: true });
  try {
    await layOut(lease.tabId);
    return await take();
  } finally {
    // A lost attachment has undone it already.
    await lease.send('Emulation.setScrollbarsHidden', { hidden: false }).catch(() => undefined);
    await layOut(lease.tabId);
  }
}

/**
 * Makes the page lay itself out. Chromium hides scrollbars and gives them back with the next new layout
 * only. A style makes one that scripts of the page do not see; it works without the debugger, which may
 * be gone.
 */
export async function layOut(tabId: number): Promise<void> {
  const style: Scripting.CSSInjection = {
    target: { tabId },
    origin: 'USER',
    css: ':root{overflow:hidden!important}',
  };
  // Reading where the page is scrolled computes its layout.
  const measure = (): Promise<unknown> =>
    browser.scripting.executeScript({ target: { tabId }, injectImmediately: true, func: readView });
  try {
    await waitAtMost(browser.scripting.insertCSS(style), LAYOUT_MS);
    try {
      await waitAtMost(measure(), LAYOUT_MS);
    } finally {
      await waitAtMost(browser.scripting.removeCSS(style), LAYOUT_MS);
    }
    await waitAtMost(measure(), LAYOUT_MS);
  } catch {
    // The page went away, or is closed to styles: there is nothing to give back.
  }
}
