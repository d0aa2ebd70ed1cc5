import type { Block, BlockCollector, Part } from './blocks.ts';
import { judgeBlocks } from './evidence.ts';

/** The row of a table, or else the same field of all records of a list: kept or left out whole. */
function unitOf({ part, group }: Block): Part | string {
  for (let up: Part | null = part; up !== null; up = up.parent) if (up.tag === 'tr') return up;
  return group;
}

/** Less confidence: a page's doubtful blocks are often content. */
const CAUTION = 0.8;

/**
 * The blocks that are main content by their evidence. Of all sets of the likeliest blocks it takes the one with the
 * highest expected F1, so that no bound is needed.
 * @param inArticle the blocks that would be content of an article
 */
export function chooseBlocks(blocks: readonly Block[], inArticle: ReadonlySet<Block>): readonly Block[] {
  const scores = judgeBlocks(blocks, inArticle);
  const units = new Map<Part | string, { likely: number; chars: number }>();
  const counted = blocks.map((block, at) => {
    const [key, chars] = [unitOf(block), block.text.length];
    const unit = units.get(key) ?? { likely: 0, chars: 0 };
    unit.likely += chars * (1 / (1 + Math.exp(-(scores[at] ?? 0)))) ** CAUTION;
    unit.chars += chars;
    units.set(key, unit);
    return { block, unit, chars };
  });
  const judged = counted.map(({ block, unit, chars }) => ({
    block,
    likely: unit.likely / Math.max(1, unit.chars),
    chars,
  }));
  judged.sort((a, b) => b.likely - a.likely);
  const wanted = judged.reduce((sum, { likely, chars }) => sum + likely * chars, 0);
  let [right, given, best, taken] = [0, 0, 0, 0];
  judged.forEach(({ likely, chars }, at) => {
    right += likely * chars;
    given += chars;
    const expected = right / Math.max(1, given + wanted);
    if (expected <= best) return;
    best = expected;
    taken = at + 1;
  });
  return judged.slice(0, taken).map(({ block }) => block);
}

/**
 * The elements with the chosen text: those around them too, unless other text is directly in them, and elements without
 * text between two chosen blocks.
 */
export function elementsOf(
  blocks: readonly Block[],
  chosen: ReadonlySet<Block>,
  empty: BlockCollector['empty'],
): { readonly kept: Set<Element>; readonly way: ReadonlySet<Element> } {
  const left = new Set(blocks.filter((block) => !chosen.has(block)).map(({ part }) => part));
  const kept = new Set<Element>();
  const way = new Set<Element>();
  const keep = (part: Part | null): void => {
    for (let up = part; up !== null && !kept.has(up.el) && !way.has(up.el); up = up.parent)
      if (left.has(up) || up.tag === 'html' || up.tag === 'body') way.add(up.el);
      else kept.add(up.el);
  };
  for (const { part, parts } of chosen) {
    keep(part.parent);
    for (const each of parts) kept.add(each.el);
  }
  const isChosen = (at: number): boolean => {
    const block = blocks[at];
    return block !== undefined && chosen.has(block);
  };
  for (const { part, at } of empty) if (isChosen(at - 1) && isChosen(at)) keep(part);
  return { kept, way };
}
