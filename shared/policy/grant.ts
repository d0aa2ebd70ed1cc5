import { z } from 'zod';
import { Digest } from './call-facts.ts';
import { DecidedWhere, Scope } from './decision.ts';
import { Risk } from './risks.ts';

/** What a yes permits, and how often. Null binds nothing. */
export const Grant = z.object({
  id: z.string().min(1).max(64),
  scope: Scope,
  /** Instance of the server, session and name of the agent that asked. */
  server: z.string().max(64).nullable(),
  session: z.string().max(64).nullable(),
  agent: z.string().max(100),
  tool: z.string().max(128).nullable(),
  risks: z.array(Risk).min(1),
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
