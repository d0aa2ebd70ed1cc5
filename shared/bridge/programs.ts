import { z } from 'zod';
import { HumanAnswer, HumanAsk } from '../policy/takeover.ts';
import { CallAnswer } from './answers.ts';
import { ListedRun } from './feed.ts';

/* What people see of a program: its calls, from its record; and what they say to it. */

const RunId = ListedRun.shape.run_id;

const ProgramCall = z.object({
  /** From 1. */
  id: z.int(),
  kind: z.enum(['tool', 'sleep', 'ask', 'step']),
  tool: z.string().max(200),
  args: ListedRun.shape.args.unwrap(),
  /** `not_repeated`: its server ended while it was made, and nobody knows whether it was done. */
  status: z.enum(['done', 'running', 'waiting', 'failed', 'not_repeated']),
  answer: CallAnswer.nullable(),
  question: HumanAsk.extend({ message: z.string() }).nullable(),
  /** Of a sleep, in milliseconds since the epoch. */
  until: z.number().nullable(),
});
export type ProgramCall = z.infer<typeof ProgramCall>;

export const PROGRAM_METHODS = {
  /** Calls of a program: the last ones, or those from a number on. */
  'runs.calls': {
    params: z.object({ run_id: RunId, from: z.int().min(1).optional() }),
    result: z.object({
      calls: z.array(ProgramCall).readonly(),
      /** For `from` of the pages before and after; null where there is none. */
      before: z.int().nullable(),
      after: z.int().nullable(),
    }),
  },
  /** A person answers a question of a program; without an answer they decline. */
  'runs.answer': {
    params: z.object({ run_id: RunId, call: z.int(), answer: HumanAnswer.optional() }),
    result: z.object({}),
  },
} as const;
