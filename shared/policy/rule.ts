import { z } from 'zod';
import { Risk } from './risks.ts';

/** What a rule says of an act. */
export const Effect = z.enum(['allow', 'ask', 'deny']);
export type Effect = z.infer<typeof Effect>;

/** Where a rule comes from: the defaults, a shipped list of sites, a person, a private launch, or a server's flags. */
export const RuleSource = z.enum(['default', 'list', 'person', 'launch', 'server']);
export type RuleSource = z.infer<typeof RuleSource>;

/** Null stands for any. */
export const Rule = z.object({
  id: z.string().min(1).max(128),
  /** Site patterns, see `sites.ts`. */
  sites: z.array(z.string().min(1).max(300)).max(2_000).nullable(),
  risks: z.array(Risk).nullable(),
  /** Names of agents as their clients give them: `claude-code`. */
  agents: z.array(z.string().min(1).max(100)).max(100).nullable(),
  /** It is about addresses of the machine and its network that a crawl reaches from another host. */
  from_elsewhere: z.boolean().optional(),
  effect: Effect,
  source: RuleSource,
});
export type Rule = z.infer<typeof Rule>;
