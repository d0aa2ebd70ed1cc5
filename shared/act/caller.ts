import { z } from 'zod';

/**
 * For whom a page is read or acted on. Refs belong to the session that was shown them, and one session at a
 * time acts on a tab.
 */
export const Caller = z.object({
  /** Unique among all sessions of all servers. */
  session: z.string().min(1).max(64),
  /** The agent's name, for messages and for the person: `claude-code`. */
  name: z.string().max(100),
  /** The client's version, if it gave one. */
  version: z.string().max(64).optional(),
});
export type Caller = z.infer<typeof Caller>;
