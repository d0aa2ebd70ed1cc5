import { z } from 'zod';
import { Coverage, PageFacts } from '../../bridge/page.ts';
import { StreamParams } from '../../bridge/streams.ts';
import { ExtractRequest, Strategy } from '../../extract/request.ts';

export const extractMethods = {
  /** Finds candidates in the open page, in the order of the strategies; JSON lines of `FoundRecord`. */
  'page.extract': {
    streams: true,
    params: StreamParams.extend({ tab_id: z.int(), request: ExtractRequest }),
    result: z.object({
      page: PageFacts,
      coverage: z.array(Coverage),
      tried: z.array(z.object({ strategy: Strategy, records: z.int().min(0) })),
    }),
  },
} as const;
