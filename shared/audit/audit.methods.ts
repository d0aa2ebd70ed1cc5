import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { Coverage } from '../core/bridge/page.ts';
import { StreamParams } from '../core/bridge/streams.ts';

export const AuditLevel = z.enum(['A', 'AA', 'AAA']);

/** An element that fails a rule. */
export const AuditFinding = z.object({
  rule: z.string(),
  impact: z.string(),
  /** Success criteria, such as `1.4.3`; none for a best practice. */
  wcag: z.array(z.string()),
  message: z.string(),
  fix: z.string(),
  /** Null if the element has left the page since. */
  ref: z.string().nullable(),
  role: z.string(),
  name: z.string(),
  snippet: z.string(),
  /** Address of the element's document; null for the tab's own. */
  frame: z.string().nullable(),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

export const methods = {
  /** Runs axe-core in a tab's documents; returns JSON lines of `AuditFinding`, worst first. */
  'page.audit': {
    policy: READS_PAGE,
    params: StreamParams.extend({
      tab_id: z.int(),
      caller: Caller,
      /** A ref or CSS selector; null for the whole page. */
      scope: z.string().nullable(),
      level: AuditLevel,
      best_practices: z.boolean(),
      rules: z.array(z.string()).nullable(),
    }),
    result: z.object({
      url: z.string(),
      title: z.string(),
      findings: z.int().min(0),
      /** Rules that applied to the page and found no fault. */
      rules_passed: z.int().min(0),
      /** Elements about which axe-core could not decide. */
      undecided: z.int().min(0),
      /** Rules that the time did not suffice for, or that failed; the findings lack theirs, or a part of them. */
      unfinished: z.array(z.string()),
      /** Documents that were checked. */
      documents: z.int().min(1),
      coverage: z.array(Coverage),
    }),
  },
} as const;
