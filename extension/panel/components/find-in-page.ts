/** A text that was found, wherever its elements begin and end. */
export type Match = Range;

const BLOCK = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, figcaption, div';
/** Marks that are kept: more would say nothing. */
const MOST_MATCHES = 2_000;
const ALL = 'found';
const HERE = 'found-here';

/** Where a text is in an element, regardless of case; a match ends where its block does. */
export function findIn(root: Element, query: string): readonly Match[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return blocksOf(root)
    .flatMap((nodes) => findInBlock(nodes, wanted))
    .slice(0, MOST_MATCHES);
}

/** Nodes of text, by the block that they are in. */
function blocksOf(root: Element): readonly (readonly Text[])[] {
  const blocks = new Map<Element | null, Text[]>();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const block = node.parentElement?.closest(BLOCK) ?? null;
    if (node.parentElement?.closest('button, .c-unseen') !== null) continue;
    const nodes = blocks.get(block);
    if (nodes === undefined) blocks.set(block, [node]);
    else nodes.push(node);
  }
  return [...blocks.values()];
}

function findInBlock(nodes: readonly Text[], wanted: string): readonly Match[] {
  // Lower case of some letters is longer: such a block is searched as it is written.
  const whole = nodes.map(({ data }) => data).join('');
  const lower = whole.toLowerCase();
  const text = lower.length === whole.length ? lower : whole;
  const found: Match[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    range.setStart(...pointOf(nodes, at));
    range.setEnd(...pointOf(nodes, at + wanted.length));
    found.push(range);
  }
  return found;
}

/** The node and the offset within it. */
function pointOf(nodes: readonly Text[], at: number): [Text | Node, number] {
  let left = at;
  for (const node of nodes) {
    if (left <= node.length) return [node, left];
    left -= node.length;
  }
  throw new RangeError('The place is behind the end of its block.');
}

/** Marks what was found, without a change of the document; older browsers mark nothing. */
export function highlight(matches: readonly Match[], here: Match | undefined): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set(ALL, new Highlight(...matches));
  CSS.highlights.set(HERE, new Highlight(...(here === undefined ? [] : [here])));
}
