import { z } from 'zod';
import { Coverage, PageFacts } from '../../bridge/page.ts';
import { StreamParams } from '../../bridge/streams.ts';
import { WaitFor, WaitOutcome } from '../../wait-for.ts';
import { ReadPageOptions } from './options.ts';

const ReadPageResult = z.object({
  page: PageFacts,
  coverage: z.array(Coverage),
  /** Elements left out because a person does not see them. */
  hidden_elements: z.int().min(0),
  /** How `main_content_only` ended. */
  main_content: z.enum(['not_asked', 'found', 'whole_page']),
});

export const methods = {
  /** Waits until everything in `wait_for` holds in the tab, or its time is over: that is no failure. */
  'page.wait': {
    streams: false,
    params: z.object({ tab_id: z.int(), wait_for: WaitFor }),
    result: WaitOutcome,
  },
  'page.read': {
    streams: true,
    params: StreamParams.extend({ tab_id: z.int() }).extend(ReadPageOptions.shape),
    result: ReadPageResult,
  },
} as const;
