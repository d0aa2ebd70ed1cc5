/** Kinds of elements below an element, with how often each occurs: what it is built of. */
export type Shape = ReadonlyMap<string, number>;

/**
 * How alike two shapes are, 0 to 1 (Sørensen–Dice over multisets): twice what both have, over all
 * that each has. Symmetric; 1 exactly for equal shapes.
 */
export function similarity(a: Shape, b: Shape): number {
  let common = 0;
  for (const [kind, count] of a) common += Math.min(count, b.get(kind) ?? 0);
  const all = sizeOf(a) + sizeOf(b);
  return all === 0 ? 1 : (2 * common) / all;
}

const sizeOf = (shape: Shape): number => {
  let size = 0;
  for (const count of shape.values()) size += count;
  return size;
};

/** From here on, two shapes are of one kind. */
const ALIKE = 0.55;

/**
 * Groups things by likeness to the first of each group, in order: what is between them (an
 * advertisement, a heading) forms a group of its own and tears no other apart.
 */
export function groupAlike<T>(things: readonly T[], shapeOf: (thing: T) => Shape): T[][] {
  const groups: { shape: Shape; members: T[] }[] = [];
  for (const thing of things) {
    const shape = shapeOf(thing);
    let best: { shape: Shape; members: T[] } | null = null;
    let most = ALIKE;
    for (const group of groups.slice(0, MOST_GROUPS)) {
      const alike = similarity(group.shape, shape);
      if (alike >= most) {
        best = group;
        most = alike;
        if (alike === 1) break;
      }
    }
    if (best === null) groups.push({ shape, members: [thing] });
    else best.members.push(thing);
  }
  return groups.map(({ members }) => members);
}

/** Siblings of more kinds than this are not a list. */
const MOST_GROUPS = 24;
