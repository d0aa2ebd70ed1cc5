import { FLOW, type Flow } from '../../../dom/level.ts';
import { squash } from '../../../dom/elements.ts';

/** An element that the walk entered. */
export interface Part {
  readonly el: Element;
  readonly tag: string;
  readonly parent: Part | null;
  readonly isBlock: boolean;
}

/** Text between two boundaries of blocks. */
export interface Block {
  /** The block that the text is directly in. */
  readonly part: Part;
  /** The elements that the text is in, up to that block. */
  readonly parts: Set<Part>;
  text: string;
  /** Characters in links. */
  linked: number;
  /** Blocks of one group are the same field of the records of a list. */
  readonly group: string;
}

function groupOf(part: Part): string {
  let group = '';
  let up: Part | null = part;
  for (let level = 0; level < 4 && up !== null; level++, up = up.parent)
    group += `>${up.tag}.${up.el.classList[0] ?? ''}`;
  return group;
}

/** Collects the visible text of a page in blocks, in order, as a walk passes it. */
export class BlockCollector {
  readonly #found: Block[] = [];
  /** Elements without text, each with the number of blocks before it. */
  readonly empty: { readonly part: Part; readonly at: number }[] = [];
  readonly #open: Part[] = [];
  /** How many open elements are links. */
  #links = 0;
  #block: Block | null = null;
  #last: Part | null = null;

  enter(el: Element, tag: string, flow: Flow): void {
    const isBlock = flow === FLOW.block || flow === FLOW.line || this.#open.length === 0;
    if (isBlock) this.#block = null;
    const part = { el, tag, parent: this.#open.at(-1) ?? null, isBlock };
    this.#open.push(part);
    this.#last = part;
    if (tag === 'a') this.#links += 1;
  }

  leave(tag: string, flow: Flow): void {
    if (flow === FLOW.block || flow === FLOW.line) this.#block = null;
    else if (flow === FLOW.box || tag === 'br') this.space();
    const part = this.#open.pop();
    if (tag === 'a') this.#links -= 1;
    if (part !== undefined && part === this.#last) this.empty.push({ part, at: this.#found.length });
  }

  text(data: string): void {
    const inner = this.#open.at(-1);
    if (inner === undefined || (this.#block === null && data.trim() === '')) return;
    this.#last = null;
    this.#block ??= this.#start(inner);
    for (let part: Part | null = inner; part !== null && part !== this.#block.part; part = part.parent)
      this.#block.parts.add(part);
    this.#block.text += data;
    if (this.#links > 0) this.#block.linked += squash(data).length;
  }

  #start(inner: Part): Block {
    let part = inner;
    while (!part.isBlock && part.parent !== null) part = part.parent;
    const block: Block = { part, parts: new Set([part]), text: '', linked: 0, group: groupOf(part) };
    this.#found.push(block);
    return block;
  }

  space(): void {
    if (this.#block !== null) this.#block.text += ' ';
  }

  /** Ends the block: what follows is in another document. */
  end(): void {
    this.#block = null;
  }

  /** The blocks, at the end of the walk. */
  all(): readonly Block[] {
    for (const block of this.#found) block.text = squash(block.text);
    return this.#found;
  }
}

export const charsOf = (blocks: Iterable<Block>): number => {
  let chars = 0;
  for (const { text } of blocks) chars += text.length;
  return chars;
};
