import { cut } from '../../shared/base/cut.ts';
import { computeName } from './names/name.ts';
import type { FrameElement } from './elements.ts';
import type { FrameMark } from '../core/page/protocol.ts';
import type { Refs } from './refs.ts';

/**
 * Identifies frames without the page noticing: a window knows its index among its parent's frames (`parent[i] ===
 * window` works across origins), and so up to the top. Frames in shadow trees are not listed there and count as -1.
 */
export function windowPath(start: Window): number[] {
  const path: number[] = [];
  for (let own: Window = start; own.parent !== own; own = own.parent) path.unshift(indexIn(own.parent, own));
  return path;
}

function indexIn(parent: Window, own: Window): number {
  for (let i = 0; i < parent.length; i += 1) if (parent[i] === own) return i;
  return -1;
}

function framePath(el: FrameElement): number[] {
  const outer = el.ownerDocument.defaultView;
  if (outer === null) return [-1];
  const inner = el.contentWindow;
  return [...windowPath(outer), inner === null ? -1 : indexIn(outer, inner)];
}

export function markFrame(
  el: FrameElement,
  refs: Refs,
  place: Pick<FrameMark, 'prefix' | 'follows'> = { prefix: '', follows: false },
): FrameMark {
  const src = el.localName === 'object' ? (el.getAttribute('data') ?? '') : (el.getAttribute('src') ?? '');
  return {
    path: framePath(el),
    number: refs.frames.numberOf(el),
    src: resolveUrl(src, el.baseURI),
    name: nameOfFrame(el),
    width: el.clientWidth,
    height: el.clientHeight,
    ...place,
  };
}

/** The rest of a longer name adds nothing. */
const NAME_UNITS = 100;

export const nameOfFrame = (el: FrameElement): string => cut(computeName(el, 'iframe'), NAME_UNITS);

function resolveUrl(url: string, base: string): string {
  return url !== '' && URL.canParse(url, base) ? new URL(url, base).href : '';
}

/** A document's origin, or the scheme of an address without an origin. */
export function originOf(document: Document): string {
  for (const address of [document.URL, document.baseURI]) {
    const { origin } = new URL(address, 'about:blank');
    if (origin !== 'null') return origin;
  }
  return new URL(document.URL).protocol;
}
