import { valueIn } from '../../../dom/elements.ts';
import { charsOf, type Block, type Part } from './blocks.ts';
import { namesOf } from './phrases.ts';
import { BLOCK_BIAS, weigh } from './weights.ts';

/** The tag of an element and the words of its names are evidence for the text in it. */
function evidenceOfElement({ el, tag }: Part): readonly string[] {
  if (tag === 'html' || tag === 'body') return [];
  const words = namesOf(el).flatMap((name) => name.split('-'));
  return [`<${tag}>`, ...words.filter((word) => word.length > 1)];
}

/** The step of a value on a ladder of bounds. */
function stepOf(value: number, bounds: readonly number[]): number {
  const at = bounds.findIndex((bound) => value < bound);
  return at === -1 ? bounds.length : at;
}

const WORDS = [2, 3, 5, 9, 16, 31, 61, 121];
const SHARES = [0.01, 0.1, 0.25, 0.4, 0.6, 0.8, 0.95];
const AFTER_TITLE = [1, 4, 10, 30, 100, 300];
const REPEATS = [2, 3, 5, 9, 20, 60];
const CHARS_OF_WORD = 6;

/** Fields of the records of a list. */
interface Group {
  count: number;
  chars: number;
  linked: number;
}

function groupsOf(blocks: readonly Block[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { text, linked, group: key } of blocks) {
    const group = valueIn(groups, key, () => ({ count: 0, chars: 0, linked: 0 }));
    group.count += 1;
    group.chars += text.length;
    group.linked += linked;
  }
  return groups;
}

function evidenceOfGroup({ count, chars, linked }: Group, all: number): readonly string[] {
  const repeats = `repeats:${stepOf(count, REPEATS)}`;
  if (count <= 2) return [repeats];
  return [
    repeats,
    `field-words:${stepOf(chars / count / CHARS_OF_WORD, WORDS)}`,
    `field-links:${stepOf(linked / Math.max(1, chars), SHARES)}`,
    `field-share:${stepOf(chars / all, SHARES)}`,
  ];
}

/** The evidence in an element and all around it, each name once. */
interface Path {
  readonly names: ReadonlySet<string>;
  readonly weight: number;
}
const NOTHING: Path = { names: new Set(), weight: 0 };

/**
 * How much speaks for each block being main content: the logarithm of the odds.
 * @param inArticle the blocks that would be content of an article
 */
export function judgeBlocks(blocks: readonly Block[], inArticle: ReadonlySet<Block>): readonly number[] {
  const paths = new Map<Part, Path>();
  const pathOf = (part: Part): Path =>
    valueIn(paths, part, () => {
      const above = part.parent === null ? NOTHING : pathOf(part.parent);
      const added = new Set(evidenceOfElement(part).filter((name) => !above.names.has(name)));
      if (added.size === 0) return above;
      return { names: new Set([...above.names, ...added]), weight: above.weight + weigh(added) };
    });
  const places = new Map<Part, number>();
  const weightOf = (part: Part): number =>
    valueIn(places, part, () => {
      const own = new Set(evidenceOfElement(part).map((name) => `own:${name}`));
      return pathOf(part).weight + weigh(own);
    });
  const all = Math.max(1, charsOf(blocks));
  const groups = new Map(
    [...groupsOf(blocks)].map(([key, group]) => [key, weigh(evidenceOfGroup(group, all))]),
  );
  const title = blocks.findIndex(({ part }) => part.tag === 'h1' || part.parent?.tag === 'h1');
  const placeOf = (at: number): string => {
    if (title === -1) return 'no-title';
    return at < title ? 'before-title' : `after-title:${stepOf(at - title, AFTER_TITLE)}`;
  };
  return blocks.map((block, at) => {
    const { part, text, linked, group } = block;
    const own = [
      `words:${stepOf(text.split(' ').length, WORDS)}`,
      `links:${stepOf(linked / Math.max(1, text.length), SHARES)}`,
      placeOf(at),
      inArticle.has(block) ? 'article:1' : '',
    ];
    return BLOCK_BIAS + weightOf(part) + (groups.get(group) ?? 0) + weigh(own);
  });
}
