import { useEffect } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';

/** Names of the highlights in `outputs.css`. */
const ALL = 'output-match';
const SHOWN = 'output-match-shown';
/** More of them tell a person nothing. */
const RANGES_MAX = 1_000;
/** Elements that do not end the line that they are in. */
const INLINE = 'a, b, bdi, code, del, em, i, mark, s, span, strong, sub, sup, u';
/** Words of the panel itself. */
const OURS = 'button, figcaption, summary, .c-unseen';

interface Marks {
  /** What is searched for; null while nothing is. */
  readonly text: string | null;
  /** What is shown begins with the match that a person has gone to. */
  readonly isAtMatch: boolean;
  /** Changes with what is shown. */
  readonly of: unknown;
}

/** Marks a text wherever an element shows it, also in what is loaded or opened later. The element itself is not changed. */
export function useMarks(place: { readonly current: HTMLElement | null }, marks: Marks): void {
  const { text, isAtMatch, of } = marks;
  useEffect(() => {
    const root = place.current;
    if (root === null || text === null) return;
    const wanted = anyCase(reveal(text));
    const mark = (): void => {
      const ranges = rangesOf(root, wanted);
      const shown = isAtMatch ? ranges.splice(0, 1) : [];
      CSS.highlights.set(ALL, new Highlight(...ranges));
      CSS.highlights.set(SHOWN, new Highlight(...shown));
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(SHOWN);
    };
  }, [place, text, isAtMatch, of]);
}

const anyCase = (text: string): RegExp => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');

function rangesOf(root: HTMLElement, wanted: RegExp): Range[] {
  const ranges: Range[] = [];
  for (const nodes of linesOf(root)) {
    const text = nodes.map(({ data }) => data).join('');
    for (const { index, 0: found } of text.matchAll(wanted)) {
      ranges.push(rangeOf(nodes, index, index + found.length));
      if (ranges.length === RANGES_MAX) return ranges;
    }
  }
  return ranges;
}

/** Texts that are read as one, whatever of them is bold or a link. */
function linesOf(root: HTMLElement): readonly (readonly Text[])[] {
  const lines: Text[][] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let block: Element | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!(node instanceof Text) || parent === null || parent.closest(OURS) !== null) continue;
    const own = parent.closest(`:not(${INLINE})`);
    if (own === block) lines.at(-1)?.push(node);
    else lines.push([node]);
    block = own;
  }
  return lines;
}

function rangeOf(nodes: readonly Text[], from: number, to: number): Range {
  const range = document.createRange();
  let before = 0;
  for (const node of nodes) {
    const after = before + node.data.length;
    if (from >= before && from < after) range.setStart(node, from - before);
    if (to > before && to <= after) {
      range.setEnd(node, to - before);
      break;
    }
    before = after;
  }
  return range;
}
