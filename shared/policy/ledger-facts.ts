import { z } from 'zod';
import { CallScope } from './call-facts.ts';
import { Risk } from './risks.ts';

/** What allowed an act: a rule of the policy, or the grant that a person's yes made. */
export const AllowedBy = z.object({ kind: z.enum(['rule', 'grant']), id: z.string().max(128) });
export type AllowedBy = z.infer<typeof AllowedBy>;

/** What the worker tells the ledger before an act has its first effect. */
export const ActFacts = z.object({
  scope: CallScope,
  risks: z.array(Risk).min(1),
  /** Origin of the document that is acted on. */
  site: z.string().max(2_000),
  tab_id: z.int().nullable(),
  allowed_by: AllowedBy,
});
export type ActFacts = z.infer<typeof ActFacts>;

/** What a person has decided about an agent in their browser. */
export const AgentControlFacts = z.object({
  /** Null for everyone. */
  name: z.string().max(100).nullable(),
  /** Null for all sessions of that name. */
  session: z.string().max(64).nullable(),
  state: z.enum(['stopped', 'paused', 'on']),
  where: z.literal('side_panel'),
});
export type AgentControlFacts = z.infer<typeof AgentControlFacts>;
