import { isElement, isText } from '../page/dom.ts';

/** A page with this much text of its own says something without its scripts. */
const ENOUGH_CHARS = 200;
/** Below this, scripts alone are reason enough. */
const NEXT_TO_NOTHING_CHARS = 25;

const UNREAD = new Set('script style template noscript head title'.split(' '));
/** Shown without scripts, be there text or not. */
const SHOWN = 'img,picture,video,object,embed,iframe,frame,form,table';
const ASKS_FOR_SCRIPTS = /java\s*script/i;

/**
 * Whether a page is empty without its scripts, so that only rendering it tells what it says: it has
 * scripts, its body has less than 200 characters of text and no picture, form, table or frame; and
 * either hardly any text at all (25 characters), or an empty element that waits to be filled
 * (`<div id=root></div>`, `<app-root></app-root>`), or a `<noscript>` that asks for JavaScript.
 */
export function isShell(document: Document): boolean {
  const { body } = document;
  if (body === null || document.querySelector('script') === null) return false;
  const chars = countText(body, ENOUGH_CHARS);
  if (chars >= ENOUGH_CHARS || body.querySelector(SHOWN) !== null) return false;
  return chars < NEXT_TO_NOTHING_CHARS || hasMount(body) || asksForScripts(document);
}

/** Characters of text that is neither code nor for browsers without scripts; stops at `most`. */
function countText(root: Element, most: number): number {
  let chars = 0;
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined && chars < most; node = open.pop()) {
    if (isText(node)) chars += node.data.replace(/\s+/g, ' ').trim().length;
    else if (isElement(node) && !UNREAD.has(node.localName)) open.push(...node.childNodes);
  }
  return chars;
}

function hasMount(body: HTMLElement): boolean {
  for (const el of body.querySelectorAll('div[id],main,section[id],[data-reactroot]'))
    if (el.firstElementChild === null && el.textContent.trim() === '') return true;
  for (const el of body.children) if (el.localName.includes('-') && el.textContent.trim() === '') return true;
  return false;
}

function asksForScripts(document: Document): boolean {
  for (const el of document.querySelectorAll('noscript'))
    if (ASKS_FOR_SCRIPTS.test(el.textContent)) return true;
  return false;
}
