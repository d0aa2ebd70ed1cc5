import {
  SITE_LISTS,
  SITE_LIST_NAMES,
  matchesSite,
  narrowness,
  parseSitePattern,
  type Site,
  type SitePattern,
} from '../core/policy/sites.ts';
import {
  DEFAULT_RULES,
  NO_CHANGES,
  ruleOf,
  type ServerRules,
  type StoredPolicy,
  type Effect,
  type Rule,
  type RuleSource,
} from './policy.ts';
import { isByName } from '../core/policy/names.ts';
import type { Risk } from '../core/policy/risks.ts';

export interface Act {
  readonly risk: Risk;
  /** Null for places without a site. */
  readonly site: Site | null;
  /** The agent's name. */
  readonly agent: string;
  /** Reached by a crawl or a redirect that began at another host. */
  readonly fromElsewhere: boolean;
  /** For `carry_text`: the site that the text is of. */
  readonly from?: Site | null;
}

interface CompiledRule {
  readonly rule: Rule;
  /** Null for every site. */
  readonly patterns: readonly SitePattern[] | null;
  /** Null for text of any site. */
  readonly from: readonly SitePattern[] | null;
  readonly risks: ReadonlySet<Risk> | null;
  readonly agents: ReadonlySet<string> | null;
}

/** Judgements that are cached: far more than one person's work touches. */
const KEPT = 4_000;
const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };
/** A person's own rule precedes a shipped one that is as narrow. */
const STANDING: Readonly<Record<RuleSource, number>> = {
  default: 0,
  list: 0,
  launch: 1,
  person: 2,
  server: 3,
};

const NO_RULE = ruleOf('none', { effect: 'ask' });

/** The rules of a browser profile, ready for frequent use. */
export class Policy {
  readonly #rules: readonly CompiledRule[];
  readonly #judged = new Map<string, Rule>();

  constructor({
    stored = NO_CHANGES,
    shipped = DEFAULT_RULES,
  }: { stored?: StoredPolicy; shipped?: readonly Rule[] } = {}) {
    this.#rules = [...shipped, ...stored.rules].map((rule) => compile(rule, stored));
  }

  /**
   * The rule that decides about an act: the one with the narrowest site; in a tie, one that names the agent,
   * then a person's own, then one that names the risk, then the strictest.
   */
  judge(act: Act): Rule {
    // The key has all that patterns compare. All files have one origin, whatever their host.
    const { origin = '', host = '' } = act.site ?? {};
    const { origin: from = '' } = act.from ?? {};
    const key = `${act.risk} ${act.fromElsewhere ? 1 : 0} ${origin} ${host} ${from} ${act.agent}`;
    const known = this.#judged.get(key);
    if (known !== undefined) return known;
    const rule = decide(this.#rules, act);
    if (this.#judged.size >= KEPT) this.#judged.clear();
    this.#judged.set(key, rule);
    return rule;
  }
}

/** The stricter of two rules; the first of equals. */
export const stricter = (one: Rule, other: Rule): Rule =>
  STRICTNESS[other.effect] > STRICTNESS[one.effect] ? other : one;

function decide(rules: readonly CompiledRule[], act: Act): Rule {
  let best: { readonly rule: Rule; readonly rank: readonly number[] } = { rule: NO_RULE, rank: [-1] };
  for (const compiled of rules) {
    const rank = rankOf(compiled, act);
    if (rank !== null && isAbove(rank, best.rank)) best = { rule: compiled.rule, rank };
  }
  return best.rule;
}

/** Whether a rule is about acts of a kind. */
function isAbout({ rule, risks }: Pick<CompiledRule, 'rule' | 'risks'>, risk: Risk): boolean {
  if (risks !== null) return risks.has(risk);
  return rule.source !== 'person' || rule.effect !== 'allow' || !isByName(risk);
}

/** Null if a rule does not apply to an act. */
function rankOf({ rule, patterns, from, risks, agents }: CompiledRule, act: Act): readonly number[] | null {
  if (!isAbout({ rule, risks }, act.risk) || agents?.has(act.agent) === false) return null;
  if (rule.from_elsewhere === true && !act.fromElsewhere) return null;
  const narrowest = patterns === null ? 0 : narrowestOf(patterns, act.site);
  const source = from === null ? 0 : narrowestOf(from, act.from ?? null);
  if (narrowest === null || source === null) return null;
  return [
    narrowest,
    source,
    agents === null ? 0 : 1,
    STANDING[rule.source],
    risks === null ? 0 : 1,
    STRICTNESS[rule.effect],
  ];
}

function narrowestOf(patterns: readonly SitePattern[], site: Site | null): number | null {
  const found = patterns.filter((pattern) => matchesSite(pattern, site)).map(narrowness);
  return found.length === 0 ? null : Math.max(...found);
}

function isAbove(one: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? -1;
    if (value !== against) return value > against;
  }
  return false;
}

function compile(rule: Rule, { lists }: StoredPolicy): CompiledRule {
  return {
    rule,
    patterns: rule.sites === null ? null : rule.sites.flatMap((site) => expand(site, lists)),
    from: rule.from?.flatMap((site) => expand(site, lists)) ?? null,
    risks: rule.risks === null ? null : new Set(rule.risks),
    agents: rule.agents === null ? null : new Set(rule.agents),
  };
}

/** A pattern, or the patterns of the list that it names, without those that a person switched off. */
function expand(site: string, lists: StoredPolicy['lists']): readonly SitePattern[] {
  const pattern = parseSitePattern(site);
  const name = SITE_LIST_NAMES.find((list) => list === pattern?.group);
  if (name === undefined) return pattern === null ? [] : [pattern];
  const { off = [], added = [] } = lists[name] ?? {};
  const entries = [...SITE_LISTS[name].filter((entry) => !off.includes(entry)), ...added];
  return entries.flatMap((entry) => parseSitePattern(entry) ?? []);
}

const NO_SERVER_RULE = ruleOf('server-open', { effect: 'allow', source: 'server' });

interface FlagRules {
  readonly rule: Rule;
  readonly patterns: readonly SitePattern[];
}

/** A server's site flags. They only restrict: the person's rules judge the rest. */
export class ServerPolicy {
  /** Each of them has to match. */
  readonly #allowed: readonly FlagRules[];
  /** None of them may match. */
  readonly #denied: readonly FlagRules[];

  constructor(rules: ServerRules, before: ServerPolicy | null = null) {
    const { allowed_sites: allowed, denied_sites: denied } = rules;
    this.#allowed = [
      ...(before === null ? [] : before.#allowed),
      ...(allowed === null ? [] : [flagRules('--allowed-sites', allowed)]),
    ];
    this.#denied = [...(before === null ? [] : before.#denied), flagRules('--denied-sites', denied)];
  }

  /** A page without a site is blank, and leads nowhere. */
  judge(site: Site | null): Rule {
    if (site === null) return NO_SERVER_RULE;
    const matches = ({ patterns }: FlagRules): boolean =>
      patterns.some((pattern) => matchesSite(pattern, site));
    const against = this.#denied.find(matches) ?? this.#allowed.find((rules) => !matches(rules));
    return against?.rule ?? NO_SERVER_RULE;
  }
}

const flagRules = (flag: string, sites: readonly string[]): FlagRules => ({
  rule: ruleOf(flag, { sites: [...sites], effect: 'deny', source: 'server' }),
  patterns: sites.flatMap((site) => expand(site, {})),
});
