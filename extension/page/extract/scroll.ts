/** Of a window's height: what was seen last stays in view, so that no row is jumped over. */
const STEP = 0.85;
const ENDED_PX = 4;

/** What is scrolled: the page, or where it does not scroll, the largest part of it that does. */
function scrollerOf(document: Document): Element {
  const page = document.scrollingElement ?? document.documentElement;
  if (page.scrollHeight > page.clientHeight + ENDED_PX) return page;
  let best: { el: Element; size: number } | null = null;
  for (const el of document.querySelectorAll('div,main,section,ul,ol,tbody,table')) {
    if (el.scrollHeight <= el.clientHeight + ENDED_PX || el.clientHeight === 0) continue;
    if (!/auto|scroll|overlay/.test(getComputedStyle(el).overflowY)) continue;
    const size = el.clientHeight * el.clientWidth;
    if (best === null || size > best.size) best = { el, size };
  }
  return best?.el ?? page;
}

/** Lists that hold only the rows in view would lose those between on the way to the end. */
const isVirtual = (document: Document): boolean =>
  document.querySelector('[aria-rowcount],[aria-setsize]') !== null;

/** Scrolls on: to the end, or by a window where only what is in view exists. */
export function scrollOn(document: Document): void {
  const el = scrollerOf(document);
  const top = isVirtual(document) ? el.scrollTop + el.clientHeight * STEP : el.scrollHeight;
  el.scrollTo({ top, behavior: 'instant' });
}

/** Windows that a nudge goes back: what waits for its end to come into view has to see it go first. */
const NUDGE_WINDOWS = 2;

/** Moves away from the end and back to it: a page that noticed neither loads more. Not where rows would be lost. */
export function triggerLazyLoad(document: Document, where: 'away' | 'back'): void {
  if (isVirtual(document)) return;
  const el = scrollerOf(document);
  const away = el.scrollHeight - el.clientHeight * (NUDGE_WINDOWS + 1);
  el.scrollTo({ top: where === 'back' ? el.scrollHeight : Math.max(0, away), behavior: 'instant' });
}

/** What a page looks like, to tell whether more came. */
export function measurePage(document: Document): string {
  const text = document.body?.textContent ?? '';
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${document.getElementsByTagName('*').length}:${text.length}:${hash}`;
}
