import { Policy } from '../../../shared/people/evaluate.ts';
import { DEFAULT_RULES, type StoredPolicy, UNASKED_RULES, Effect } from '../../../shared/people/policy.ts';
import { RISKS } from '../../../shared/core/policy/names.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import {
  isSite,
  narrowness,
  parseSitePattern,
  siteOf,
  type SiteListName,
} from '../../../shared/core/policy/sites.ts';
import type { RulesWords } from '../../ui/words/en/rules.ts';

export type OwnRule = StoredPolicy['rules'][number];

export interface RuleDraft {
  /** One per line, or between separators; empty for every site. */
  readonly sites: string;
  /** Sites whose text the rule is about; empty for a rule about acts. */
  readonly from: string;
  /** Empty for all. */
  readonly risks: readonly Risk[];
  readonly agents: string;
  readonly effect: Effect;
}

export type DraftProblems = Readonly<
  Partial<Record<'sites' | 'from' | 'agents' | 'rule', string | undefined>>
>;

export const EMPTY_DRAFT: RuleDraft = { sites: '', from: '', risks: [], agents: '', effect: 'ask' };
const AGENT_UNITS = 100;

/** `codex, "Acme, Inc."`: a name with a separator is in quotes. */
const parts = (text: string): string[] =>
  (text.match(/\s*"(?:[^"]|"")*"|[^\n,;，、；]+/g) ?? [])
    .map((part) => part.trim().replace(/^"(.*)"$/, (_all, name: string) => name.replaceAll('""', '"')))
    .filter((part) => part !== '');

const written = (name: string): string =>
  parts(name)[0] === name ? name : `"${name.replaceAll('"', '""')}"`;

export const draftOf = ({ sites, from, risks, agents, effect }: OwnRule): RuleDraft => ({
  sites: (sites ?? []).join('\n'),
  from: (from ?? []).join('\n'),
  risks: risks ?? [],
  agents: (agents ?? []).map(written).join(', '),
  effect,
});

/** The rule that a command put into the page's address; null without one. */
export function proposedDraft(hash: string): RuleDraft | null {
  const fields = new URLSearchParams(hash.slice(1));
  const effect = Effect.options.find((one) => one === fields.get('effect'));
  if (effect === undefined) return null;
  return { ...EMPTY_DRAFT, sites: fields.get('sites') ?? '', from: fields.get('from') ?? '', effect };
}

/** The rule of a draft, or what is wrong with it. */
export function readDraft(
  id: string,
  { sites: siteText, from: fromText, risks: chosen, agents: agentText, effect }: RuleDraft,
  words: Pick<RulesWords, 'notSite' | 'agentTooLong' | 'everything' | 'noTarget'>,
): { readonly rule: OwnRule } | { readonly problems: DraftProblems } {
  const [sites, from, agents] = [parts(siteText), parts(fromText), parts(agentText)];
  const risks = from.length === 0 ? chosen : ['carry_text' as const];
  const [wrong, wrongFrom] = [sites, from].map((list) => list.find((site) => !isSite(site)));
  const isTooLong = agents.some(({ length }) => length > AGENT_UNITS);
  // Without any of them it would allow every act of every agent everywhere.
  const isEverything = effect === 'allow' && sites.length + risks.length + agents.length === 0;
  const problems = {
    sites:
      wrong !== undefined
        ? words.notSite({ text: wrong })
        : from.length > 0 && sites.length === 0
          ? words.noTarget
          : undefined,
    from: wrongFrom && words.notSite({ text: wrongFrom }),
    agents: isTooLong ? words.agentTooLong : undefined,
    rule: isEverything ? words.everything : undefined,
  };
  if (Object.values(problems).some((problem) => problem !== undefined)) return { problems };
  const orAny = <T>(list: readonly T[]): T[] | null => (list.length === 0 ? null : [...list]);
  return {
    rule: {
      id,
      sites: orAny(sites),
      ...(from.length === 0 ? {} : { from }),
      risks: orAny(risks),
      agents: orAny(agents),
      effect,
      source: 'person',
    },
  };
}

const STRICTNESS: Readonly<Record<Effect, number>> = { deny: 2, ask: 1, allow: 0 };

/** Overlapping rules in order of precedence. */
export function inOrder(rules: readonly OwnRule[]): OwnRule[] {
  const keyOf = ({ sites, agents, risks, effect }: OwnRule): readonly number[] => [
    Math.max(...(sites ?? ['*']).map((site) => narrowest(site))),
    agents === null ? 0 : 1,
    risks === null ? 0 : 1,
    STRICTNESS[effect],
  ];
  return rules.toSorted((a, b) => {
    const other = keyOf(b);
    return keyOf(a).reduce((found, value, at) => found || (other[at] ?? 0) - value, 0);
  });
}

function narrowest(site: string): number {
  const pattern = parseSitePattern(site);
  return pattern === null ? 0 : narrowness(pattern);
}

/** Replaces the rule with the same id, or appends this one. */
export function withRule(stored: StoredPolicy, rule: OwnRule): StoredPolicy {
  const isKnown = stored.rules.some(({ id }) => id === rule.id);
  const rules = isKnown
    ? stored.rules.map((one) => (one.id === rule.id ? rule : one))
    : [...stored.rules, rule];
  return { ...stored, rules };
}

export const newId = (): string => `person-${crypto.randomUUID()}`;

/** Rules of a file. One with the id of an earlier one gets its own: rules are changed and removed by their ids. */
export const withOwnIds = (stored: StoredPolicy): StoredPolicy => ({
  ...stored,
  rules: stored.rules.map((rule, at, all) =>
    all.findIndex(({ id }) => id === rule.id) === at ? rule : { ...rule, id: newId() },
  ),
});

export const withoutRule = (stored: StoredPolicy, id: string): StoredPolicy => ({
  ...stored,
  rules: stored.rules.filter((rule) => rule.id !== id),
});

const withList = (
  stored: StoredPolicy,
  list: SiteListName,
  change: Partial<NonNullable<StoredPolicy['lists'][SiteListName]>>,
): StoredPolicy => ({
  ...stored,
  lists: { ...stored.lists, [list]: { off: [], added: [], ...stored.lists[list], ...change } },
});

/** Switches an entry of a shipped list on or off. */
export function withEntry(
  stored: StoredPolicy,
  list: SiteListName,
  { site, isOn }: { readonly site: string; readonly isOn: boolean },
): StoredPolicy {
  const others = (stored.lists[list]?.off ?? []).filter((one) => one !== site);
  return withList(stored, list, { off: isOn ? others : [...others, site] });
}

/** Adds a person's own sites to a list. */
export const withAdded = (stored: StoredPolicy, list: SiteListName, added: readonly string[]): StoredPolicy =>
  withList(stored, list, { added: [...new Set(added)] });

/** The typed sites, and the first one that is not a site. */
export function readSites(text: string) {
  const sites = parts(text);
  return { sites, wrong: sites.find((site) => !isSite(site) || site.startsWith('@')) ?? null };
}

/** Null for a text that is not a site's address. */
export function tryAddress(
  text: string,
  agent: string,
  { stored, asks }: { readonly stored: StoredPolicy; readonly asks: boolean },
) {
  const site = siteOfText(text);
  if (site === null) return null;
  const policy = new Policy({ stored, shipped: asks ? DEFAULT_RULES : UNASKED_RULES });
  return RISKS.map((risk) => ({ risk, rule: policy.judge({ risk, site, agent, fromElsewhere: false }) }));
}

/** People omit the scheme. */
function siteOfText(text: string) {
  const trimmed = text.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return null;
  return siteOf(trimmed) ?? (/^[\w.[-]/.test(trimmed) ? siteOf(`https://${trimmed}`) : null);
}
