import { z } from 'zod';
import { EFFECTS, RISKS } from '../core/policy/names.ts';
import { isSite, MAX_SITES, SITE_LIST_NAMES } from '../core/policy/sites.ts';
import { Risk } from '../core/policy/risks.ts';

export const Effect = z.enum(EFFECTS);
export type Effect = z.infer<typeof Effect>;

/** Where a rule comes from: the defaults, a shipped list of sites, a person, a private launch, or a server's flags. */
export const RuleSource = z.enum(['default', 'list', 'person', 'launch', 'server']);
export type RuleSource = z.infer<typeof RuleSource>;

/** Null means any. */
export const Rule = z.object({
  id: z.string().min(1).max(128),
  /** Site patterns, see `sites.ts`. */
  sites: z.array(z.string().min(1).max(300)).max(2_000).nullable(),
  risks: z.array(Risk).nullable(),
  /** Names of agents as their clients give them: `claude-code`. */
  agents: z.array(z.string().min(1).max(100)).max(100).nullable(),
  /** It covers addresses of the machine and its network that a crawl reaches from another host. */
  from_elsewhere: z.boolean().optional(),
  /** It is about text of these sites that comes to `sites`. Absent: about acts, and text of any site. */
  from: z.array(z.string().min(1).max(300)).min(1).max(2_000).optional(),
  effect: Effect,
  source: RuleSource,
});
export type Rule = z.infer<typeof Rule>;

const Site = z
  .string()
  .max(300)
  .refine(isSite, 'is not a site such as example.com, or https://example.com:8443');

/** A rule about text that a command proposes: it applies once the person saves it in the browser. */
export const TextRule = z.object({
  from: z.array(Site).min(1).max(100),
  to: z.array(Site).min(1).max(100),
  effect: Effect,
});
export type TextRule = z.infer<typeof TextRule>;

/** Stored in the extension, so its version only grows. */
export const StoredPolicy = z.object({
  version: z.literal(1),
  /** The person's own rules. */
  rules: z
    .array(
      Rule.extend({
        sites: z.array(Site).max(2_000).nullable(),
        from: z.array(Site).min(1).max(2_000).optional(),
        source: z.literal('person'),
      }).refine(
        ({ from, sites, risks }) =>
          from === undefined || ((sites?.length ?? 0) > 0 && risks?.join() === 'carry_text'),
        'names no site to which text may come, or other acts than carry_text',
      ),
    )
    .max(2_000),
  /** By list: disabled entries of the shipped lists, and additional ones. */
  lists: z.partialRecord(
    z.enum(SITE_LIST_NAMES),
    z.object({ off: z.array(Site).max(2_000), added: z.array(Site).max(2_000) }),
  ),
});
export type StoredPolicy = z.infer<typeof StoredPolicy>;

export const NO_CHANGES: StoredPolicy = { version: 1, rules: [], lists: {} };

/** A rule for everything that `draft` does not name. */
export const ruleOf = (id: string, draft: Pick<Rule, 'effect'> & Partial<Rule>): Rule => ({
  id,
  sites: null,
  risks: null,
  agents: null,
  source: 'default',
  ...draft,
});

/** Most of these can cost money or an account. */
const LISTED = SITE_LIST_NAMES.map((name) => `@${name}`);

/** The choices of a careful person. */
export const DEFAULT_RULES: readonly Rule[] = [
  ruleOf('default-read', { risks: ['read', 'navigate', 'crawl'], effect: 'allow' }),
  ruleOf('default-act', {
    risks: RISKS.filter((risk) => risk !== 'read' && risk !== 'navigate' && risk !== 'crawl'),
    effect: 'ask',
  }),
  ruleOf('default-private', {
    sites: ['@private'],
    risks: ['read', 'crawl'],
    from_elsewhere: true,
    effect: 'ask',
  }),
  ruleOf('listed-act', {
    sites: LISTED,
    risks: ['input', 'submit', 'upload', 'dialog', 'evaluate', 'capture_network'],
    effect: 'deny',
    source: 'list',
  }),
  ruleOf('listed-read', {
    sites: LISTED,
    risks: ['read', 'download', 'crawl'],
    effect: 'ask',
    source: 'list',
  }),
];

/** A browser that a server started for itself contains nothing personal. */
export const PRIVATE_LAUNCH_RULES: readonly Rule[] = [
  ruleOf('private-launch', { effect: 'allow', source: 'launch' }),
];

/** For a person who has turned approvals off. Listed sites stay guarded. */
export const UNASKED_RULES: readonly Rule[] = DEFAULT_RULES.map((one) =>
  one.id === 'default-act' ? { ...one, id: 'asking-off', effect: 'allow' } : one,
);

/** A server's flags. They only restrict. */
export const ServerRules = z.object({
  /** Null for every site. */
  allowed_sites: z.array(Site).max(MAX_SITES).nullable(),
  denied_sites: z.array(Site).max(MAX_SITES),
});
export type ServerRules = z.infer<typeof ServerRules>;
