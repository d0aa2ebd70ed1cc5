import { z } from 'zod';

/*
 * One server's answers to agents in calls, bytes and estimated tokens, what handles have saved them, and what is left
 * of their budgets. Counted since the server started.
 */

const Count = z.int().min(0);

/** Figures of a session, an agent, a tool, or all of them. */
export const MeterFigures = z.object({
  calls: Count,
  /** Text in UTF-8; pictures and files in base64. */
  bytes: Count,
  /** Estimated from the text, as for models of o200k. */
  tokens: Count,
  /** May be below 0. */
  saved_tokens: z.int(),
});
export type MeterFigures = z.infer<typeof MeterFigures>;

export const SessionBudget = z.object({
  tokens: Count,
  left: Count,
  state: z.enum(['fine', 'warned', 'exceeded']),
});
export type SessionBudget = z.infer<typeof SessionBudget>;

const Session = z.object({
  session: z.string().max(128),
  agent: z.string().max(128),
  figures: MeterFigures,
  /** Null without a budget. */
  budget: SessionBudget.nullable(),
});

const Named = z.object({ name: z.string().max(128), figures: MeterFigures });

export const METER_METHODS = {
  'meter.read': {
    params: z.object({}),
    result: z.object({
      total: MeterFigures,
      /**
       * Open sessions: first those whose budget is used up, then those that were warned, those that have a
       * budget, and the rest; the newest of each come last. If there are very many, the last ones in this
       * order are left out.
       */
      sessions: z.array(Session).readonly(),
      /** By the name of the client: its open sessions, and those that have ended. */
      agents: z.array(Named).readonly(),
      /** `tools/list` and `resources/read` are listed like tools. */
      tools: z.array(Named).readonly(),
    }),
  },
  /** Lifts the budget of a session. A person does this in the side panel. */
  'budget.lift': {
    params: z.object({
      session: z.string().min(1).max(128),
      /** Null for no budget. */
      tokens: z.int().min(1).max(1_000_000_000).nullable(),
      where: z.literal('side_panel'),
    }),
    result: z.object({ budget: SessionBudget.nullable() }),
  },
} as const;
export type MeterReading = z.infer<(typeof METER_METHODS)['meter.read']['result']>;
