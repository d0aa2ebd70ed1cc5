import { z } from 'zod';
import { READS_TAB } from '../../policy/method-policy.ts';
import { Coverage, PageFacts } from '../../bridge/page.ts';
import { StreamParams } from '../../bridge/streams.ts';
import { SkeletonOptions } from './options.ts';

export const methods = {
  /** HTML of the live document with its frames, reduced to what selectors need. */
  'page.skeleton': {
    streams: true,
    policy: READS_TAB,
    params: StreamParams.extend({ tab_id: z.int() }).extend(SkeletonOptions.shape),
    result: z.object({
      page: PageFacts,
      coverage: z.array(Coverage),
      /** Elements that are marked as hidden; what is inside them is not counted. */
      hidden_elements: z.int().min(0),
    }),
  },
} as const;
