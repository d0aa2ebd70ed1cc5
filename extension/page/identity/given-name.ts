import { nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';

/**
 * The name that the author gave an element apart from its content, or null. Cheap: elements without one are
 * most.
 */
export function givenName(el: Element): string | null {
  if (!el.hasAttributes()) return null;
  if (el.hasAttribute('aria-labelledby')) return nameOf(el, roleOf(el, el.localName));
  const label = el.getAttribute('aria-label');
  return label === null || label.trim() === '' ? null : label;
}

/** What an element without text is called: by its tooltip, or by a picture in it. */
export function iconName(el: Element): string {
  const title = el.getAttribute('title');
  if (title !== null && title !== '') return title;
  const part = el.querySelector('img[alt],[aria-label],title,[title]');
  if (part === null) return '';
  return (
    part.getAttribute('alt') ??
    part.getAttribute('aria-label') ??
    part.getAttribute('title') ??
    part.textContent ??
    ''
  );
}
