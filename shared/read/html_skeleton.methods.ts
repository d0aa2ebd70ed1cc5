import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Coverage, PageFacts } from '../core/bridge/page.ts';
import { StreamParams } from '../core/bridge/streams.ts';

/** Options of a skeleton, without the tab; the tool passes them to the page unchanged. */
export const SkeletonOptions = z.object({
  /** Null draws the whole document. */
  selector: z.string().max(2_000).nullable(),
  /** Levels of elements below the document, or below the selected element. */
  max_depth: z.int().min(1).max(100),
  /** Characters of a text; 0 leaves text out. */
  text_length: z.int().min(0).max(1_000),
});
export type SkeletonOptions = z.infer<typeof SkeletonOptions>;

export const methods = {
  /** HTML of the live document with its frames, reduced to the parts that selectors need. */
  'page.skeleton': {
    policy: READS_PAGE,
    params: StreamParams.extend({ tab_id: z.int() }).extend(SkeletonOptions.shape),
    result: z.object({
      page: PageFacts,
      coverage: z.array(Coverage),
      /** Elements marked as hidden; their contents are not counted. */
      hidden_elements: z.int().min(0),
    }),
  },
} as const;
