import { z } from 'zod';
import { Caller } from '../core/policy/call-facts.ts';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Coverage, PageFacts } from '../core/bridge/page.ts';
import { StreamParams } from '../core/bridge/streams.ts';
import { ExtractRequest } from '../libraries/values/plan.ts';
import { TriedStrategy } from '../libraries/values/request.ts';

const NextPage = z.object({
  /** Absolute; null for a control that has to be clicked. */
  url: z.string().nullable(),
  /** CSS selector of the control. */
  selector: z.string(),
  text: z.string(),
});
export type NextPage = z.infer<typeof NextPage>;

export const methods = {
  /** Finds records in the open page; returns JSON lines of `FoundRecord`, neither stored nor cut. */
  'page.extract': {
    policy: READS_PAGE,
    params: StreamParams.extend({
      tab_id: z.int(),
      request: ExtractRequest,
      /** Requests the way to the next page: a selector, or null to look for it. Absent: not requested. */
      next: z.string().nullable().optional(),
    }),
    result: z.object({
      page: PageFacts,
      coverage: z.array(Coverage),
      tried: z.array(TriedStrategy),
      /** Records that were left out because a person cannot see them. */
      hidden_records: z.int().min(0),
      next: NextPage.nullable(),
    }),
  },
  /** Makes the page load more by a click, and waits until it has. */
  'page.more': {
    policy: { judged: 'tab', risks: ['input', 'submit', 'navigate', 'download'] },
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      /** CSS selector of the control. */
      click: z.string(),
      timeout_ms: z.int().min(1),
    }),
    result: z.object({ grew: z.boolean(), coverage: z.array(Coverage) }),
  },
} as const;
