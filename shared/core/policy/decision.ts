import { z } from 'zod';
import { isObject, type JsonObject } from '../../base/json.ts';
import { SCOPES } from './names.ts';
import { Risk } from './risks.ts';
import { Digest } from './call-facts.ts';

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** The place of a decision. Answers of clients are not verified. In popup and menu, people give tabs. */
export const DecidedWhere = z.enum(['window', 'side_panel', 'client', 'popup', 'menu']);

export const Decision = z.discriminatedUnion('approve', [
  z.object({
    approve: z.literal(true),
    scope: Scope,
    where: DecidedWhere,
    /** Replaces the call's own arguments; the server validates them again. */
    args: z.custom<JsonObject>((value) => isObject(value)).optional(),
    grant: z.string(),
  }),
  z.object({ approve: z.literal(false), where: DecidedWhere, reason: z.string().max(1_000).optional() }),
]);
export type Decision = z.infer<typeof Decision>;

/** Why a question ended without a decision. */
export const QuestionEnd = z.enum(['timeout', 'gone', 'withdrawn']);

/** Null binds nothing. */
export const Grant = z.object({
  id: z.string().min(1).max(64),
  scope: Scope,
  /** Instance of the server, session and name of the agent that asked. */
  server: z.string().max(64).nullable(),
  session: z.string().max(64).nullable(),
  agent: z.string().max(100),
  tool: z.string().max(128).nullable(),
  risks: z.array(Risk).min(1),
  /** Sites whose text may come to `origin`. */
  sources: z.array(z.string().max(300)).optional(),
  /** Origin of the document, or of the address that is opened or fetched. */
  origin: z.string().max(300),
  tab_id: z.int().nullable(),
  document_id: z.string().max(64).nullable(),
  args_hash: Digest.nullable(),
  where: DecidedWhere,
  created_at: z.number(),
  expires_at: z.number().nullable(),
});
export type Grant = z.infer<typeof Grant>;
