import { locateParts, locateRef } from '../locate/locate.ts';
import { isRendered, isShown } from '../locate/shown.ts';
import { findSaid } from '../locate/text-engine.ts';
import { PageError } from '../page-error.ts';
import type { AwaitedTarget } from '../protocol.ts';
import type { Refs } from '../refs.ts';

interface Awaited {
  readonly elements: readonly Element[];
  readonly isSeen: (el: Element) => boolean;
}

/**
 * The elements of this document that a wait is for; none for a ref whose element is gone.
 *
 * @throws PageError `selector_invalid`, `ref_not_found`
 */
export function locateAwaited(target: AwaitedTarget, refs: Refs): Awaited {
  if ('said' in target) return { elements: findSaid(document, target.said), isSeen: isRendered };
  if ('rendered' in target) return { elements: locateCss(target.rendered), isSeen: isRendered };
  return { elements: locateShown(target, refs), isSeen: isShown };
}

function locateCss(selector: string): Element[] {
  try {
    return locateParts(document, [{ engine: 'css', body: selector }]);
  } catch {
    throw new PageError('selector_invalid', `selector ${selector} is not a valid CSS selector.`);
  }
}

function locateShown({ ref, viewer }: Extract<AwaitedTarget, { ref: string }>, refs: Refs): Element[] {
  try {
    return [locateRef(ref, { refs, viewer }).el];
  } catch (thrown) {
    if (!(thrown instanceof PageError) || thrown.code !== 'stale_ref') throw thrown;
    // One that is hidden is no longer what was shown, but it is there.
    const el = refs.resolve(ref);
    return el === null || isShown(el) ? [] : [el];
  }
}
