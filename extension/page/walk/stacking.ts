import { flatParent } from '../dom.ts';

/** Where something is in the paint order of what is around it: a lower rank is painted first. */
export interface Layer {
  readonly el: Element;
  readonly rank: number;
}

/** Ranks of what has no layer of its own by `z-index`, which are whole numbers (CSS 2, appendix E). */
export const RANK = { block: 0.1, float: 0.2, inline: 0.3, positioned: 0.5 } as const;

const CONTEXT = /transform|opacity|filter|perspective|clip-path|mask|isolation/;

function isFlexItem(el: Element): boolean {
  const parent = flatParent(el);
  return parent !== null && /flex|grid/.test(getComputedStyle(parent).display);
}

/** Properties that make a stacking context where they have any other value. */
const PLAIN: Readonly<Record<string, string>> = {
  opacity: '1',
  transform: 'none',
  translate: 'none',
  rotate: 'none',
  scale: 'none',
  filter: 'none',
  perspective: 'none',
  'clip-path': 'none',
  'mask-image': 'none',
  'mix-blend-mode': 'normal',
  isolation: 'auto',
  'offset-path': 'none',
};

function isContext(style: CSSStyleDeclaration, isPlaced: boolean): boolean {
  return (
    (style.zIndex !== 'auto' && isPlaced) ||
    /fixed|sticky/.test(style.position) ||
    /paint|layout|strict|content/.test(style.contain) ||
    CONTEXT.test(style.willChange) ||
    Object.entries(PLAIN).some(([name, plain]) => style.getPropertyValue(name) !== plain)
  );
}

/** The layers that an element is painted in, from the outermost; its own one, if it has one, is the last. */
export function layersAround(el: Element): readonly Layer[] {
  const layers: Layer[] = [];
  let isInContext = false;
  let isPositioned = false;
  for (let at: Element | null = el; at !== null; at = flatParent(at)) {
    const style = getComputedStyle(at);
    const isStatic = style.position === 'static';
    const isItem = isFlexItem(at);
    if (isContext(style, !isStatic || isItem)) {
      const z = isStatic && !isItem ? 0 : Number.parseInt(style.zIndex, 10) || 0;
      layers.push({ el: at, rank: z === 0 ? RANK.positioned : z });
      isInContext = true;
      continue;
    }
    // What is positioned without a `z-index` holds only what is not positioned inside it.
    if (isInContext || isPositioned) continue;
    if (!isStatic) {
      layers.push({ el: at, rank: RANK.positioned });
      isPositioned = true;
    } else if (style.float !== 'none') layers.push({ el: at, rank: RANK.float });
    else if (isItem || /^inline-|^-webkit-inline/.test(style.display))
      layers.push({ el: at, rank: RANK.inline });
  }
  return layers.reverse();
}

/** The elements around an element, and itself, from the outermost. */
function pathTo(el: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = el; at !== null; at = flatParent(at)) path.push(at);
  return path.reverse();
}

/** Whether one element comes after another in the flattened tree; what is inside comes after what is around. */
function comesAfter(el: Element, other: Element): boolean {
  const [path, others] = [pathTo(el), pathTo(other)];
  let at = 0;
  while (at < path.length && path[at] === others[at]) at += 1;
  const [mine, its] = [path[at], others[at]];
  if (mine === undefined || its === undefined) return its === undefined;
  return (its.compareDocumentPosition(mine) & 4) !== 0;
}

/** Whether one thing is painted after another, by the layers that both are painted in. */
export function isPaintedAfter(one: readonly Layer[], other: readonly Layer[]): boolean {
  for (let at = 0; ; at += 1) {
    const [mine, its] = [one[at], other[at]];
    // The box of a layer is painted before what is in it.
    if (mine === undefined) return false;
    if (its === undefined) return true;
    if (mine.el === its.el && mine.rank === its.rank) continue;
    if (mine.rank !== its.rank) return mine.rank > its.rank;
    // What is in the lines of an element is next to its text.
    return !(mine.rank === RANK.inline && its.el.contains(mine.el)) && comesAfter(mine.el, its.el);
  }
}
