import type { FlowSource } from '../../../shared/core/policy/call-facts.ts';
import { stricter, type Policy, type ServerPolicy } from '../../../shared/people/evaluate.ts';
import { ruleOf, type Rule } from '../../../shared/people/policy.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { siteOf, type Site } from '../../../shared/core/policy/sites.ts';
import type { PolicyPlace } from '../../core/policy/call-policy.ts';

/** Acts by which arguments of a call reach a site. A request without a tab has an address. */
const SENDS: ReadonlySet<Risk> = new Set([
  ...(['navigate', 'input', 'submit', 'upload', 'dialog', 'evaluate', 'crawl', 'carry_text'] as const),
]);

export interface Judgement {
  readonly site: Site | null;
  /** The same list as was asked about, or with `carry_text`. */
  readonly risks: readonly Risk[];
  /** The risks that need a person's approval. */
  readonly asked: readonly Risk[];
  /** The sites whose text needs it. */
  readonly sources: readonly string[];
  readonly risk: Risk;
  /** The strictest of those that decide. */
  readonly rule: Rule;
}

/** A host that DNS does not allow: neither questions nor the ledger could name it. */
const MAX_HOST = 253;
const LONG_HOST = ruleOf('long-host', { effect: 'deny' });

const UNASKED_ID = 'asking-off';
/** With `--sites-apart strict`, whom nobody asks may not send text of a private site elsewhere. */
const STRICT = ruleOf('--sites-apart', { effect: 'deny', source: 'server' });

const NOTHING: Pick<Judgement, 'risk' | 'rule'> = {
  risk: 'read',
  rule: ruleOf('none', { effect: 'allow' }),
};

/** The document's own origin is preferred to its address, which replaces an opaque origin. */
export function siteOfPlace({ url, origin }: PolicyPlace): Site | null {
  return origin === undefined || origin === 'null' ? siteOf(url) : siteOf(origin);
}

const isOfGroup = ({ origin, host }: Site, group: string): boolean =>
  origin === group || host === group || host.endsWith(`.${group}`);

interface Judging {
  readonly policy: Policy;
  readonly flags: ServerPolicy | null;
  readonly agent: string;
  readonly sources: readonly FlowSource[];
}

/** The sources of the call's arguments that are not of the site to which they would come, each with its rule. */
function carriedTo(
  { policy, agent, sources }: Judging,
  { tabId, fromElsewhere = false }: PolicyPlace,
  { site, risks }: Pick<Judgement, 'site' | 'risks'>,
): readonly { readonly source: FlowSource; readonly rule: Rule }[] {
  if (!risks.some((risk) => SENDS.has(risk) || (risk === 'read' && tabId === null))) return [];
  return sources.flatMap((source) => {
    if (site !== null && isOfGroup(site, source.group)) return [];
    const from = siteOf(source.site);
    const rule = policy.judge({ risk: 'carry_text', site, agent, fromElsewhere, from });
    // Public text may go to any site, unless a rule of the person says otherwise.
    if (!source.is_private && rule.source !== 'person') return [];
    return [{ source, rule: source.how === 'strict' && rule.id === UNASKED_ID ? STRICT : rule }];
  });
}

/** Judges acts of a call in a place, and the text that would come there with them. */
export function judgePlace(judging: Judging, place: PolicyPlace, risks: readonly Risk[]): Judgement {
  const { policy, flags, agent } = judging;
  const site = siteOfPlace(place);
  const nothing = { site, risks, asked: [], sources: [] };
  const [first] = risks;
  if (site !== null && site.host.length > MAX_HOST && first !== undefined)
    return { ...nothing, risk: first, rule: LONG_HOST };
  const ofServer = flags?.judge(site) ?? null;
  const carried = carriedTo(judging, place, { site, risks });
  const act = { site, agent, fromElsewhere: place.fromElsewhere ?? false };
  const judged = [
    ...carried.map(({ rule }) => ({ risk: 'carry_text' as const, rule })),
    // Without text of other sites, there is nothing to carry.
    ...risks.flatMap((risk) =>
      risk === 'carry_text' ? [] : [{ risk, rule: policy.judge({ ...act, risk }) }],
    ),
  ].map(({ risk, rule }) => ({ risk, rule: ofServer === null ? rule : stricter(rule, ofServer) }));
  const worst = judged.reduce(
    (one, other) => (stricter(one.rule, other.rule) === one.rule ? one : other),
    judged[0] ?? NOTHING,
  );
  return {
    ...nothing,
    ...worst,
    risks: carried.length === 0 ? risks : [...new Set([...risks, 'carry_text' as const])],
    asked: [...new Set(judged.flatMap(({ risk, rule }) => (rule.effect === 'ask' ? [risk] : [])))],
    sources: carried.flatMap(({ source, rule }) => (rule.effect === 'ask' ? [source.site] : [])),
  };
}

/** A rule in the words of an error. */
export function formatRuleName({ id, source }: Rule): string {
  if (source === 'server') return `${id}, with which the server was started`;
  if (source === 'person') return `rule ${id} of the person`;
  return `the default rule ${id}`;
}
