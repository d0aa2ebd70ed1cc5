import { FLOW, type Flow } from '../walk/level.ts';
import type { CodePart } from '../walk/code-blocks.ts';
import type { End } from './writer.ts';

/** Parts of code that are not text. */
const UNREAD = /^(?:img|svg|button|input|textarea|select|canvas|video|audio)$/;
/** White space straight inside these is not shown. */
const TABLE_PARTS = /^(?:table|t(?:head|body|foot|r)|[oud]l)$/;

/** An element that is open while code is collected. */
interface Open {
  readonly tag: string;
  /** It is on lines of its own. */
  readonly isLine: boolean;
  /** Its children are next to each other. */
  readonly isRow: boolean;
  hasInnerLine: boolean;
}

/** Collects the text of code as it is shown: line by line, without line numbers. */
export class CodeLines {
  #text = '';
  readonly #open: Open[];
  /** Where lines begin that are placed by their distance from the top. */
  readonly #tops: { readonly at: number; readonly top: number }[] = [];
  readonly #isRegion: boolean;
  /** White space that does not count came, and shows if more of the line follows. */
  #space = false;

  /** @param isRegion the element is code by its style: blanks between its blocks are not part of its text */
  constructor(root: Element, tag: string, isRegion: boolean) {
    this.#isRegion = isRegion;
    this.#open = [{ tag, isLine: false, isRow: isRegion && isRow(root, tag), hasInnerLine: false }];
  }

  /** False where nothing of the element is code. */
  enter(el: Element, tag: string, { flow, part }: { flow: Flow; part: CodePart | null }): End | false {
    if (UNREAD.test(tag)) return false;
    if (tag === 'br') {
      this.#text += '\n';
      return false;
    }
    const parent = this.#open.at(-1);
    const isLine = flow === FLOW.block && parent?.isRow !== true;
    if (isLine) this.#beginLine(el);
    const open: Open = { tag, isLine, isRow: flow !== FLOW.inline && isRow(el, tag), hasInnerLine: false };
    this.#open.push(open);
    const start = this.#text.length;
    return () => {
      this.#open.pop();
      if (!isLine) return;
      for (const outer of this.#open) outer.hasInnerLine = true;
      if (this.#text.length > start || open.hasInnerLine) this.#endLine();
      else if (part === 'line') this.#text += '\n';
    };
  }

  #beginLine(el: Element): void {
    this.#endLine();
    const style = el.ownerDocument.defaultView === null ? null : getComputedStyle(el);
    if (style?.position === 'absolute')
      this.#tops.push({ at: this.#text.length, top: el.getBoundingClientRect().top });
  }

  #endLine(): void {
    this.#space = false;
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#text += '\n';
  }

  add(data: string): void {
    const isBlank = data.trim() === '';
    if (isBlank && TABLE_PARTS.test(this.#open.at(-1)?.tag ?? '')) return;
    if (this.#space && this.#text !== '' && !this.#text.endsWith('\n')) this.#text += ' ';
    this.#space = false;
    this.#text += data;
  }

  /** White space that does not count. */
  space(): void {
    if (this.#isRegion) this.#space = true;
    else if (this.#text !== '') this.#text += ' ';
  }

  /** The text as a block: without the line break it begins with and blanks at its end. */
  get block(): string {
    return this.text.replace(/^\n|\s+$/g, '');
  }

  /** The text, its line breaks as they are. */
  get text(): string {
    const ordered = this.#ordered();
    if (!this.#isRegion) return ordered;
    // Blanks that do not break are how editors keep blanks; a blank of no width holds an empty line open.
    return ordered.replaceAll('\u00a0', ' ').replace(/^[\u200b\ufeff]+$/gm, '');
  }

  /** Lines are shown where they are placed, whatever their order in the document. */
  #ordered(): string {
    const tops = this.#tops;
    if (tops.every(({ top }, at) => at === 0 || top >= (tops[at - 1]?.top ?? top))) return this.#text;
    const parts = tops.map(({ at, top }, i) => ({ top, text: this.#text.slice(at, tops[i + 1]?.at) }));
    parts.sort((a, b) => a.top - b.top);
    return this.#text.slice(0, tops[0]?.at) + parts.map(({ text }) => text).join('');
  }
}

function isRow(el: Element, tag: string): boolean {
  if (tag === 'tr') return true;
  if (el.ownerDocument.defaultView === null) return false;
  const { display, flexDirection } = getComputedStyle(el);
  return display === 'table-row' || (/flex$/.test(display) && flexDirection.startsWith('row'));
}
