import { z } from 'zod';
import { isObject, type JsonObject } from '../json.ts';
import { SCOPES } from './names.ts';

/** How far a yes reaches. */
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** Where a decision was made. What a client answers is not verified. */
export const DecidedWhere = z.enum(['window', 'side_panel', 'client']);

/** What a person decided about a question. */
export const Decision = z.discriminatedUnion('approve', [
  z.object({
    approve: z.literal(true),
    scope: Scope,
    where: DecidedWhere,
    /** Instead of the call's own arguments; the server validates them again. */
    args: z.custom<JsonObject>((value) => isObject(value)).optional(),
    grant: z.string(),
  }),
  z.object({
    approve: z.literal(false),
    where: DecidedWhere,
    /** What the person wrote, for the agent. */
    reason: z.string().max(1_000).optional(),
  }),
]);
export type Decision = z.infer<typeof Decision>;

/** Why a question ended without a decision. */
export const QuestionEnd = z.enum(['timeout', 'gone', 'withdrawn']);
