import { z } from 'zod';
import { unjudged, Risk } from '../core/policy/risks.ts';
import { Caller, Digest } from '../core/policy/call-facts.ts';
import { Decision, QuestionEnd, Grant } from '../core/policy/decision.ts';
import { REFUSALS } from '../core/policy/names.ts';
import { TextRule } from './policy.ts';
import { ChainEnd, ChainEnds } from '../ledger/report.ts';

/** Identifies a home to browsers: the beginning of the SHA-256 of its path. */
const HomeName = z.string().regex(/^[0-9a-f]{16}$/);

const QuestionId = z.string().min(1).max(64);

/** How a question ended: a person decided, or nobody can any longer. */
export const QuestionOutcome = z.object({
  decision: Decision.nullable(),
  /** Null if there is a decision. */
  end: QuestionEnd.nullable(),
});
export type QuestionOutcome = z.infer<typeof QuestionOutcome>;

/** A rejected decision. No text of the message is kept: anyone may have sent it. */
export const AnswerRefusal = z.object({
  at: z.number(),
  reason: z.enum(REFUSALS),
  /** The question that it named, if there is or was one. */
  question: QuestionId.nullable(),
});
export type AnswerRefusal = z.infer<typeof AnswerRefusal>;

/** Methods about questions and grants, server → worker. */
export const QUESTION_METHODS = {
  /**
   * Resolves when the question has ended; `gone` for an unknown one: perform the call again to raise it.
   * Cancelling the request leaves the question open.
   */
  'question.wait': unjudged(
    z.object({ id: QuestionId }),
    QuestionOutcome.extend({ risks: z.array(Risk).optional(), site: z.string().max(300).optional() }),
  ),
  /** The arguments of the call go to a place without a tab, such as another server: resolves when they may. */
  'flow.expect': unjudged(z.object({ site: z.string().max(300) }), z.object({})),
  /** Ends a question whose answer is no longer needed. */
  'question.cancel': unjudged(z.object({ id: QuestionId }), z.object({ was_open: z.boolean() })),
  /** The server stops: its questions end, including any that it has not heard of yet, and kept ones stay open. */
  'question.leave': unjudged(z.object({}), z.object({})),
  'question.claim': unjudged(
    z.object({ id: QuestionId }),
    z.object({
      /**
       * `held`: nobody else is asked. `off`: the person permits no client answers. `shown`: it belongs to the
       * person, or has ended.
       */
      state: z.enum(['held', 'off', 'shown']),
      url: z.string().max(2_000),
      origin: z.string().max(300),
      risks: z.array(Risk),
    }),
  ),
  /** Hands a question to the person at the browser: nobody saw it at the client. */
  'question.release': unjudged(z.object({ id: QuestionId }), z.object({ was_held: z.boolean() })),
  /** Not verified, and valid only once, for the call that asked. */
  'question.answer': unjudged(
    z.object({ id: QuestionId, approve: z.boolean(), reason: z.string().max(1_000).optional() }),
    z.object({ refused: AnswerRefusal.shape.reason.nullable() }),
  ),
  /**
   * Keeps a question beyond its server: until its own end, anyone with the key may adopt it. False for an
   * unknown one.
   */
  'question.keep': unjudged(z.object({ id: QuestionId, key_hash: Digest }), z.object({ kept: z.boolean() })),
  /**
   * Assigns a kept question, and any decision about it, to the asking server and session. False for an
   * unknown one, or a wrong key.
   */
  'question.adopt': unjudged(
    z.object({ id: QuestionId, key: Digest, caller: Caller }),
    z.object({ adopted: z.boolean() }),
  ),
  /** From now on the server receives the reports of its home: decisions, revocations and refusals. */
  'ledger.subscribe': unjudged(
    z.object({
      home: Digest,
      /** Includes ends of questions that nobody decided. */
      takes_ends: z.boolean().default(false),
    }),
    z.object({}),
  ),
  /**
   * The ledger of a home has grown: the browser remembers its end, where no program of the agent's user
   * writes.
   */
  'ledger.grown': unjudged(ChainEnd.extend({ home: HomeName }), z.object({})),
  /** The ends of a home's newest chains, as this browser remembers them. */
  'ledger.remembered': unjudged(z.object({ home: HomeName }), z.object({ ends: ChainEnds })),
  'grants.list': unjudged(
    z.object({}),
    z.object({ grants: z.array(Grant), refused: z.array(AnswerRefusal) }),
  ),
  'grants.revoke': unjudged(z.object({ id: z.string().min(1).max(64) }), z.object({ was_good: z.boolean() })),
  /** Opens the page of the person's rules, with the form filled in. Changes no rule. */
  'rules.open': unjudged(z.object({ proposed: TextRule.nullable() }), z.object({})),
} as const;
