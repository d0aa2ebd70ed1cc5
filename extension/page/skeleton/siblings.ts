import type { Shape } from './shape.ts';

/** What becomes of a run of siblings: one that is shown, or a number that is not. */
export type Planned =
  | { readonly show: number }
  | {
      /** Position of the last of those that are left out. */
      readonly last: number;
      readonly skipped: number;
      /** They are like the one before, rather than like several of those above. */
      readonly isLikeLast: boolean;
    };

/** A comment replaces at least two elements. */
const LEAST_SKIPPED = 2;
/** Siblings that differ in what they are called alone, shown before the rest counts as repetition. */
const NAMED_ALIKE = 12;

/**
 * Which siblings a skeleton shows: the first of each shape, all of a shape that is there twice, and
 * of those that differ in their ids alone the first dozen. Runs of the rest become one number each;
 * they need not be adjacent, so that alternating rows collapse too.
 */
export function planSiblings(shapes: readonly Shape[]): Planned[] {
  const totals = new Map<string, number>();
  const count = (key: string): number => {
    const next = (totals.get(key) ?? 0) + 1;
    totals.set(key, next);
    return next;
  };
  for (const { fine, coarse } of shapes) {
    count(`fine ${fine}`);
    count(`coarse ${coarse}`);
  }
  const seen = new Map<string, number>();
  const plan: Planned[] = [];
  let lastFine: string | null = null;
  let run: { last: number; skipped: number; isLikeLast: boolean } | null = null;
  for (const [index, { fine, coarse }] of shapes.entries()) {
    const ofFine = seen.get(`fine ${fine}`) ?? 0;
    const ofCoarse = seen.get(`coarse ${coarse}`) ?? 0;
    const isRepeated = ofFine > 0 && (totals.get(`fine ${fine}`) ?? 0) > LEAST_SKIPPED;
    const isNamedAlike =
      ofCoarse >= NAMED_ALIKE && (totals.get(`coarse ${coarse}`) ?? 0) >= NAMED_ALIKE + LEAST_SKIPPED;
    seen.set(`fine ${fine}`, ofFine + 1);
    if (isRepeated || isNamedAlike) {
      const isLikeLast = fine === lastFine;
      if (run === null) plan.push((run = { last: index, skipped: 1, isLikeLast }));
      else {
        run.last = index;
        run.skipped += 1;
        run.isLikeLast &&= isLikeLast;
      }
      continue;
    }
    seen.set(`coarse ${coarse}`, ofCoarse + 1);
    plan.push({ show: index });
    lastFine = fine;
    run = null;
  }
  return plan;
}
