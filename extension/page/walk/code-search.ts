import { findCode, type CodePart, type CodeView } from './code-blocks.ts';
import type { Level } from './level.ts';
import { STYLE } from './style-flags.ts';

/** Where code can be in a document whose style sheets keep no white space, or have no monospaced font. */
const PREFORMATTED = 'pre,listing,xmp,[style*="white-space"]';
const MONOSPACED = 'pre,listing,xmp,code,samp,kbd,tt,[style*="font"]';

/** The blocks of code of one walk. Trees are searched only once a writer asks: not every format has such blocks. */
export class CodeSearch {
  readonly #view: CodeView;
  /** Only a part of the page is read, which may begin inside a block. */
  readonly #isPartial: boolean;
  readonly #parts = new Map<Element, CodePart>();
  readonly #unsearched: { readonly root: Document | ShadowRoot; readonly flags: number }[] = [];

  constructor(view: CodeView, isPartial: boolean) {
    this.#view = view;
    this.#isPartial = isPartial;
  }

  /** @param flags what the tree's style sheets say, as {@link STYLE} */
  add(root: Document | ShadowRoot, flags: number): void {
    this.#unsearched.push({ root, flags });
  }

  /** What the element of a level is of a block of code; the level remembers that it is inside one. */
  partAt(level: Level): CodePart | null {
    if (this.#unsearched.length > 0)
      for (const { root, flags } of this.#unsearched.splice(0)) this.#search(root, flags);
    if (this.#parts.size === 0 || level.el === null) return null;
    const part = this.#parts.get(level.el) ?? (this.#isInside(level.el, level) ? 'block' : null);
    if (part === 'block') level.isCode = true;
    return part;
  }

  #search(root: Document | ShadowRoot, flags: number): void {
    const somewhere = (flags & STYLE.space) === 0 ? PREFORMATTED : MONOSPACED;
    const isAnywhere = (flags & STYLE.space) !== 0 && (flags & STYLE.monospace) !== 0;
    findCode(isAnywhere ? [root] : root.querySelectorAll(somewhere), this.#view, this.#parts);
  }

  #isInside(el: Element, { isCode }: Level): boolean {
    if (isCode || !this.#isPartial) return false;
    return [...this.#parts].some(([block, part]) => part === 'block' && block.contains(el));
  }
}
