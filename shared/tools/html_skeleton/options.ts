import { z } from 'zod';

/** How a skeleton is drawn, without the tab: the same object from the tool to the page. */
export const SkeletonOptions = z.object({
  /** Null draws the whole document. */
  selector: z.string().max(2_000).nullable(),
  /** Levels of elements below the document, or below what the selector names. */
  max_depth: z.int().min(1).max(100),
  /** Characters of a text; 0 leaves text out. */
  text_length: z.int().min(0).max(1_000),
});
export type SkeletonOptions = z.infer<typeof SkeletonOptions>;
