import type { Coverage } from '../../../shared/bridge/page.ts';
import { allIn, attrOf, innerDocument, isDocument, isFrameElement, shadowRootOf, tagOf } from '../dom.ts';
import { Paths } from './paths.ts';
import { View, type Root } from './view.ts';

/** A document or shadow tree that is searched by itself. */
export interface Context {
  readonly root: Root;
  readonly view: View;
  readonly paths: Paths;
}

export interface Contexts {
  readonly all: readonly Context[];
  /** Documents, the top one included. */
  readonly frames: number;
  readonly coverage: readonly Coverage[];
}

const MAX_DEPTH = 8;
/** Frames smaller than this hold counters and advertisements' pixels. */
const SMALLEST_PX = 32;

/**
 * The top document, its shadow trees, and documents of frames of the same origin, in document order.
 * Frames of another origin are not read; a note says so.
 */
export function findContexts(document: Document, url: string, isExplained: boolean): Contexts {
  const all: Context[] = [];
  let closed = 0;
  const paths = new Paths(isExplained);
  const visit = (root: Root, view: View, depth: number): void => {
    all.push({ root, view, paths });
    for (const el of allIn(root, '*')) {
      const isFrame = isFrameElement(el);
      if (!isFrame && el.shadowRoot === null && !tagOf(el).includes('-')) continue;
      const inner = isFrame ? innerDocument(el) : shadowRootOf(el, false);
      if (inner === null) {
        if (isFrame && tagOf(el) !== 'object' && isLarge(el)) closed += 1;
      } else if (depth < MAX_DEPTH && (isFrame ? isLarge(el) : view.isShown(el)))
        visit(inner, isDocument(inner) ? new View(inner, inner.baseURI) : view, depth + 1);
    }
  };
  visit(document, new View(document, url), 0);
  const frames = new Set(all.map(({ view }) => view)).size;
  return { all, frames, coverage: [...closedNote(closed), ...windowNotes(document)] };
}

const isLarge = (el: HTMLElement): boolean => el.offsetWidth >= SMALLEST_PX && el.offsetHeight >= SMALLEST_PX;

function closedNote(count: number): Coverage[] {
  if (count === 0) return [];
  const frames = count === 1 ? '1 frame of another origin was' : `${count} frames of other origins were`;
  return [{ kind: 'closed_frame', detail: `${frames} not searched.` }];
}

/** What a page loads only when it comes into view. */
function windowNotes(document: Document): Coverage[] {
  if (document.defaultView === null) return [];
  const notes: Coverage[] = [];
  const virtual = allIn(document, '[aria-rowcount]').filter(
    (el) => Number(attrOf(el, 'aria-rowcount')) > allIn(el, '[role="row"],tr').length,
  ).length;
  if (virtual > 0)
    notes.push({
      kind: 'virtual_list',
      detail: `${virtual} tables or lists contain only the rows scrolled into view; pass scroll: "to_end" for all.`,
    });
  if (document.visibilityState === 'hidden') {
    const lazy = [...document.querySelectorAll<HTMLImageElement>('img[loading="lazy" i]')].filter(
      (img) => !img.complete,
    );
    if (lazy.length > 0)
      notes.push({
        kind: 'background_tab',
        detail: `The tab is in the background: ${lazy.length} lazy images have not loaded.`,
      });
  }
  return notes;
}
