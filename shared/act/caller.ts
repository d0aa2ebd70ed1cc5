import { z } from 'zod';

/**
 * On whose behalf a page is read or acted on. Refs belong to the session that was shown them, and a tab is
 * acted on by one session at a time.
 */
export const Caller = z.object({
  /** Unique among all sessions of all servers. */
  session: z.string().min(1).max(64),
  /** The agent's name, for messages and for the person: `claude-code`. */
  name: z.string().max(100),
  /** The client's version, where it gave one. */
  version: z.string().max(64).optional(),
});
export type Caller = z.infer<typeof Caller>;
