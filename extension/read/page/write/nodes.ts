import { descriptionOf, computeName } from '../../../dom/names/name.ts';
import { roleOf, ariaValue, statesOf } from '../../../dom/names/role.ts';
import { isMedia, isText, labelIdsOf, squash, wordSet } from '../../../dom/elements.ts';
import type { FrameMark } from '../../../core/page/protocol.ts';
import { isShown } from '../../../dom/visible.ts';
import { safeAttributes } from './html.ts';
import { controlKind, shownValue } from '../../../dom/controls.ts';
import { isControlUsable, isPictureOfNothing, isValueSeen } from './seen.ts';
import { mathText } from './formula.ts';
import { pictureOf } from '../../../dom/media.ts';
import type { FramePlace, WalkView, Writer, WriterTools } from './out.ts';

/** Roles whose name would only repeat their content. */
const UNNAMED_CONTENT = new Set([
  '',
  ...'row cell columnheader rowheader gridcell listitem paragraph'.split(' '),
]);

/** Their text is a value, or a fallback for browsers that cannot show them. */
const FALLBACKS = wordSet('textarea select video audio canvas iframe object meter progress');

function writeNodeValue(el: Element, view: WalkView): string {
  if (isMedia(el)) return pictureOf(el)?.alt ?? '';
  return (isValueSeen(el, view) && shownValue(el)) || (isRange(el) ? ariaValue(el) : '');
}

const isRange = (el: Element): boolean =>
  /^(?:meter|progressbar|slider|spinbutton)$/.test(el.getAttribute('role') ?? '');

/** Writes one JSON object per element and line, parents before children. */
export class NodesWriter implements Writer {
  readonly #frames: string[] = [];
  #scroll: { readonly document: Document; readonly x: number; readonly y: number } | null = null;

  constructor(private readonly tools: WriterTools) {}

  enter(el: Element, tag: string): boolean {
    if (tag === 'slot') return true;
    if (isPictureOfNothing(el, this.tools)) return false;
    if (controlKind(el) !== null && !isControlUsable(el, this.tools)) return false;
    this.tools.out.write(`${JSON.stringify(this.#item(el, tag))}\n`);
    return true;
  }

  #item(el: Element, tag: string): Readonly<Record<string, unknown>> {
    const { options, view } = this.tools;
    const role = roleOf(el, tag);
    const states = statesOf(el, role);
    const value = writeNodeValue(el, view);
    const frame = this.#frames.at(-1);
    const isUnnamed = UNNAMED_CONTENT.has(role) && !el.hasAttribute('aria-label') && labelIdsOf(el) === null;
    const name = isUnnamed || !isShown(el) ? '' : computeName(el, role);
    const description = descriptionOf(el, name);
    return {
      role: role === '' ? 'generic' : role,
      tag,
      name,
      // Its children have items of their own.
      text: this.#ownText(el),
      // Missing in pages of a crawl, where refs are useless.
      ...(this.tools.refs.canShow ? { ref: this.tools.refs.of(el, role, name === '' ? null : name) } : {}),
      box: this.#boxOf(el),
      attributes: Object.fromEntries(safeAttributes(el, options.include_links, !isValueSeen(el, view))),
      ...(description !== '' ? { description } : {}),
      ...(states.length > 0 ? { states } : {}),
      ...(value !== '' ? { value } : {}),
      // The origin of the frame that the element is in.
      frame,
    };
  }

  /** Left, top, width and height in whole pixels of the document. */
  #boxOf(el: Element): [number, number, number, number] {
    const { x, y, width, height } = el.getBoundingClientRect();
    const scroll = this.#scrollOf(el.ownerDocument);
    return [Math.round(x + scroll.x), Math.round(y + scroll.y), Math.round(width), Math.round(height)];
  }

  /** Reading a scroll position is expensive; it cannot change while the walk continues without a pause. */
  #scrollOf(document: Document): { readonly x: number; readonly y: number } {
    if (this.#scroll?.document === document) return this.#scroll;
    const view = document.defaultView;
    this.#scroll = { document, x: view?.scrollX ?? 0, y: view?.scrollY ?? 0 };
    queueMicrotask(() => (this.#scroll = null));
    return this.#scroll;
  }

  #ownText(el: Element): string {
    const { view } = this.tools;
    // The parts of a formula are not walked.
    if (el.localName === 'math') return view.isTextSeen() ? mathText(el) : '';
    let text = '';
    if (!view.isHost && !FALLBACKS.has(el.localName))
      for (let node = el.firstChild; node !== null; node = node.nextSibling)
        text += !isText(node) ? ' ' : node.data.trim() === '' ? node.data : view.seenText(node);
    const own = text.trim() === '' ? '' : view.shownText(text);
    return squash(view.generatedText('::before') + own + view.generatedText('::after'));
  }

  enterFrame(origin: string): void {
    this.#frames.push(origin);
  }

  leaveFrame(): void {
    this.#frames.pop();
  }

  frame(make: (place: FramePlace) => FrameMark): void {
    this.tools.out.mark(make({ prefix: '', follows: true }));
  }
}
