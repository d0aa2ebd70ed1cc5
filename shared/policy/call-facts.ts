import { z } from 'zod';
import { isObject, type JsonObject } from '../json.ts';
import { Caller } from '../act/caller.ts';

/** A SHA-256, in hexadecimal. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/** The call that a request belongs to, for the worker to ask a person about it. */
export const CallFacts = z.object({
  /** Unique in the server. */
  call_id: z.string().min(1).max(128),
  tool: z.string().min(1).max(128),
  /** The tool's title, for the card. */
  title: z.string().max(200),
  /** The tool's arguments, redacted, for display. Null where they are too large to show. */
  args: z.custom<JsonObject>((value) => isObject(value)).nullable(),
  /** Nothing of the arguments was redacted or left out: a person may edit them. */
  is_editable: z.boolean(),
  /** SHA-256 of the canonical JSON of the arguments as they run. */
  args_hash: Digest,
});
export type CallFacts = z.infer<typeof CallFacts>;

/** The agent and the call that a request to the browser is made for. */
export const CallScope = z.object({
  caller: Caller,
  call: CallFacts,
  /** The server would have the agent's own client ask its person. Only where the person of the browser allows that. */
  asks: z.literal('client').optional(),
  /** Names the server's home: another server of that home may take its reports. */
  home: Digest.optional(),
});
export type CallScope = z.infer<typeof CallScope>;

/** The member of a request's parameters that holds its {@link CallScope}, next to those of the method. */
export const CALL_SCOPE = '$call';
