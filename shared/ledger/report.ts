import { z } from 'zod';
import { Risk } from '../core/policy/risks.ts';
import { Digest, CallScope } from '../core/policy/call-facts.ts';
import { DecidedWhere, QuestionEnd, Scope } from '../core/policy/decision.ts';
import { REFUSALS } from '../core/policy/names.ts';

/**
 * Chains of one home that a browser remembers. Each chain names the ends of the earlier ones, so the newest
 * suffice.
 */
export const MAX_ENDS = 32;

/** The last line of a chain of the ledger. */
export const ChainEnd = z.object({ chain: z.string().regex(/^[0-9A-Za-z-]{1,80}$/), seq: z.int().min(1) });
export type ChainEnd = z.infer<typeof ChainEnd>;

export const ChainEnds = z.array(ChainEnd).max(MAX_ENDS).readonly();

const Id = z.string().min(1).max(64);

/** The call's owner. */
const Agent = z.object({
  name: z.string().max(100),
  version: z.string().max(64).optional(),
  session: z.string().max(64),
});

/** An event in the browser, reported to the ledger; perhaps no call is waiting for it. */
export const LedgerReport = z.object({
  /**
   * Identifies the event, for a report that arrives twice: a decision or an end by its question, a revocation
   * by its grant.
   */
  id: Id,
  kind: z.enum(['decision', 'question_end', 'grant_revoked', 'refused']),
  /** Instance of the server that asked. */
  server: z.string().max(64),
  agent: Agent,
  question: Id.nullable(),
  grant: Id.nullable(),
  scope: Scope.nullable(),
  where: DecidedWhere.nullable(),
  outcome: z.enum(['approved', 'denied', ...QuestionEnd.options]).nullable(),
  refusal: z.enum(REFUSALS).nullable(),
  risks: z.array(Risk),
  site: z.string().max(300).nullable(),
  tool: z.string().max(128).nullable(),
  call_id: z.string().max(128).nullable(),
  args_hash: Digest.nullable(),
  is_again: z.boolean(),
});
export type LedgerReport = z.infer<typeof LedgerReport>;

/** Reports in one request. */
export const MAX_REPORTS = 100;

export const LEDGER_REPORT_METHOD = {
  /** Writes decisions, revocations and refusals in the browser, and how questions ended, each once. */
  'ledger.report': {
    params: z.object({ reports: z.array(LedgerReport).max(MAX_REPORTS) }),
    result: z.object({}),
  },
} as const;

/** A rule of the policy, or the grant that a person's yes made. */
export const AllowedBy = z.object({ kind: z.enum(['rule', 'grant']), id: z.string().max(128) });
export type AllowedBy = z.infer<typeof AllowedBy>;

export const ActFacts = z.object({
  scope: CallScope,
  risks: z.array(Risk).min(1),
  /** Origin of the document acted on. */
  site: z.string().max(2_000),
  tab_id: z.int().nullable(),
  allowed_by: AllowedBy,
  /** That rule denies it: text of another site stays where it is. */
  is_denied: z.boolean().optional(),
});
export type ActFacts = z.infer<typeof ActFacts>;

export const AgentControlFacts = z.object({
  /** Null for everyone. */
  name: z.string().max(100).nullable(),
  /** Null for all sessions of that name. */
  session: z.string().max(64).nullable(),
  state: z.enum(['stopped', 'paused', 'on']),
  where: z.enum(['side_panel', 'popup']),
});
export type AgentControlFacts = z.infer<typeof AgentControlFacts>;
