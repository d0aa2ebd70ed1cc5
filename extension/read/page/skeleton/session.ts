import type { Coverage } from '../../../../shared/core/bridge/page.ts';
import type { SkeletonRequest } from '../../../core/page/protocol.ts';
import { PART_UNITS, type ReadContext, type ReadDone } from '../../../core/page/protocol.ts';
import type { Refs } from '../../../dom/refs.ts';
import { selectRoots } from '../../../dom/select.ts';
import { pageFacts } from '../../../dom/doorway.ts';
import type { SessionPart } from '../session.ts';
import { rememberPasswords } from '../../../dom/controls.ts';
import { Out } from '../write/out.ts';
import { SkeletonWalk } from './walk.ts';

/** One skeleton of one document: small, so it is drawn at once and sent in parts. */
export class SkeletonSession {
  readonly #walk: SkeletonWalk;
  readonly #out = new Out(PART_UNITS);

  /** @throws PageError `selector_invalid`, `selector_not_found` */
  constructor(options: SkeletonRequest, context: ReadContext, refs: Refs) {
    rememberPasswords(document);
    const { selector } = options;
    const roots = selector === null || !context.isTop ? [] : selectRoots(document, selector);
    const prefix = context.linePrefix;
    this.#walk = new SkeletonWalk({ document, roots, options, refs, out: this.#out, prefix });
    this.#walk.run();
  }

  /** The next part of the text; the last one is `done`. */
  next(): SessionPart {
    const pieces = this.#out.take(PART_UNITS);
    return { pieces, done: this.#out.isEmpty ? this.#facts() : null, needsNumbers: false, isNumbered: true };
  }

  #facts(): ReadDone {
    const { frames, hiddenElements, isCut } = this.#walk;
    const detail =
      'The page is too large to show in full: pass selector for a part, or a smaller max_depth or text_length.';
    const coverage: Coverage[] = isCut ? [{ kind: 'too_large', detail }] : [];
    return { page: pageFacts(frames), coverage, hiddenElements, mainContent: 'not_asked' };
  }
}
