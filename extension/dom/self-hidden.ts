import { MIN_ALPHA } from './paint.ts';
import { forgetSight } from './visible.ts';

/** Overrides how pages hide themselves; transitions would keep the old value for a while. */
const SHOWN = `:is(html,body):not(#_#_#_#_){visibility:visible!important;opacity:1!important;clip-path:none!important;
transition:none!important;animation:none!important}html:not(#_#_#_#_){display:block!important}
body:not(#_#_#_#_){display:DISPLAY!important}`;

/** Whether `html` or `body` is hidden, as by snippets that reveal a page only after a script has run. */
export function hidesItself(document: Document): boolean {
  const { body, documentElement } = document;
  if (body === null || documentElement === null) return false;
  return [documentElement, body].some((el) => {
    const { display, visibility, opacity } = getComputedStyle(el);
    return display === 'none' || visibility !== 'visible' || Number(opacity) < MIN_ALPHA;
  });
}

/**
 * Lays out a self-hiding page as if it were visible while `work` runs. Nothing is painted in between, and neither
 * elements nor attributes change.
 */
export function whileShown<T>(document: Document, work: () => T): T {
  const sheet = new CSSStyleSheet();
  const body = document.body === null ? 'none' : getComputedStyle(document.body).display;
  sheet.replaceSync(SHOWN.replace('DISPLAY', body === 'none' ? 'block' : body));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  forgetSight();
  try {
    return work();
  } finally {
    forgetSight();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  }
}
