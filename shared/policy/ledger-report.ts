import { z } from 'zod';
import { Digest } from './call-facts.ts';
import { DecidedWhere, QuestionEnd, Scope } from './decision.ts';
import { REFUSALS } from './names.ts';
import { Risk } from './risks.ts';

const Id = z.string().min(1).max(64);

/** Whose call it was. */
const Agent = z.object({
  name: z.string().max(100),
  version: z.string().max(64).optional(),
  session: z.string().max(64),
});

/** What a worker reports to the ledger: it happened in the browser, and no call may be waiting for it. */
export const LedgerReport = z.object({
  /** Names what happened, for a report that comes twice: of a decision or an end its question, of a revocation its grant. */
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
  /** Why a decision was refused. */
  refusal: z.enum(REFUSALS).nullable(),
  risks: z.array(Risk),
  site: z.string().max(300).nullable(),
  tool: z.string().max(128).nullable(),
  call_id: z.string().max(128).nullable(),
  args_hash: Digest.nullable(),
  /** It may have been reported before. */
  is_again: z.boolean(),
});
export type LedgerReport = z.infer<typeof LedgerReport>;

/** Reports in one request. */
export const MOST_REPORTS = 100;

export const LEDGER_REPORT_METHOD = {
  /** Writes what was decided, revoked or refused in the browser, and how questions ended, each once. */
  'ledger.report': {
    params: z.object({ reports: z.array(LedgerReport).max(MOST_REPORTS) }),
    result: z.object({}),
  },
} as const;
