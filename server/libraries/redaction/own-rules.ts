import type { NamedRule, TokenRule, Span } from './tally.ts';
import gitleaks from './gitleaks-rules.generated.json';
import { entropyBits } from './weigh.ts';

/*
 * Shapes that gitleaks does not have, has only next to a name, or has narrower than the issuer's
 * documentation. `_` matches itself and the `\_` of Markdown.
 */

/** A character of a URL-safe token. */
const W = '[A-Za-z0-9_-]';
const ALNUM = '[A-Za-z0-9]';
const HEX = '[0-9a-fA-F]';
const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`;

const rule = (kind: string, start: string, rest: string): TokenRule => ({ kind, start, rest });
const buildAnchored = (kind: string, anchor: string, rest: string): TokenRule => ({
  kind,
  start: '',
  rest,
  anchor,
});

/** They come before gitleaks' rules: if two match at one place, the first names the kind. */
export const OWN_RULES: readonly TokenRule[] = [
  // Issuers lengthen their tokens.
  rule('github-token', 'gh', `[pousr]_${ALNUM}{36,}`),
  rule('github-token', 'github_pat_', '[A-Za-z0-9_]{22,}'),
  rule('gitlab-token', 'gl', `(?:pat|dt|rtr?|ptt|cbt|soat|ft|imt|agent|oas|wt)-${W}{20,}`),
  rule('slack-token', 'xox', 'd-(?:[A-Za-z0-9+/=_-]|%(?:2[BF]|3D)){20,}'),
  rule('slack-token', 'xox', '[abcdeoprs]-[A-Za-z0-9-]{10,}'),
  rule('slack-token', 'xapp-', '[A-Za-z0-9-]{20,}'),
  rule('anthropic-key', 'sk-ant-', `${W}{20,}`),
  rule('openai-key', 'sk-', `(?:proj|svcacct|admin|None)-${W}{20,}`),
  rule('openai-key', 'sk-', `${ALNUM}{32,}`),
  rule('pypi-token', 'pypi-', `AgE${W}{50,}`),
  rule('sendgrid-key', 'SG', `\\.${W}{16,}\\.${W}{16,}`),
  rule('huggingface-token', 'hf_', `${ALNUM}{30,}`),
  rule('vault-token', 'hv', `[sbr]\\.${W}{24,}`),
  rule('notion-token', 'ntn_', `${ALNUM}{40,}`),
  rule('atlassian-token', 'AT', `[ACS]TT3${W}{60,}(?:=${HEX}{8})?`),
  rule('square-token', 'sq0', `(?:at[bp]|cs[bp]|idp)-${W}{22,}`),
  rule('shopify-token', 'shp', `(?:at|ca|pa|ss|ua)_${ALNUM}{32,}`),
  rule('databricks-api-token', 'dapi', `${HEX}{32}(?:-\\d{1,2})?`),
  rule('dynatrace-api-token', 'dt0', '[a-z]\\d\\d\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}'),
  rule('grafana-token', 'gl', '(?:sa|c)_[A-Za-z0-9+/=_]{32,}'),
  rule('age-key', 'AGE-SECRET-KEY-', '1[A-Z0-9]{58}'),
  rule('mailgun-key', 'key-', '[0-9a-f]{32}'),
  buildAnchored('telegram-token', '\\d:AA', `\\d{8,10}:AA${W}{33}`),
  rule('facebook-page-access-token', 'EAA', `${ALNUM}{60,}`),
  rule('doppler-api-token', 'dp.', `(?:pt|ct|sa|scim|audit|st(?:\\.[a-z0-9_-]{2,35})?)\\.${ALNUM}{40,44}`),
  rule('sentry-org-token', 'sntrys_', '[A-Za-z0-9+/=_-]{40,}'),
  // Gitleaks has them only next to a name, or as a shape without a literal to search for.
  rule('jwt', 'eyJ', `${W}{10,}\\.${W}{10,}(?:\\.${W}+){0,3}`),
  rule('jwt', 'ZXl', 'K[A-Za-z0-9+/_-]{60,}={0,2}'),
  buildAnchored('facebook-access-token', '\\d\\|[\\w-]{27}', `\\d{15,16}\\|${W}{27,40}`),
  buildAnchored('mailchimp-api-key', '-us\\d', '[0-9a-f]{32}-us\\d{1,2}'),
  rule('new-relic-user-api-key', 'NRAK', '-[A-Z0-9]{27}'),
  rule('new-relic-browser-api-token', 'NRJS', '-[a-f0-9]{19}'),
  rule('new-relic-insert-key', 'NRI', `[IQ]-${W}{32}`),
  buildAnchored('new-relic-license-key', 'NRAL', '[a-z0-9]{36}NRAL'),
  rule('plaid-api-token', 'access-', `(?:sandbox|development|production)-${UUID}`),
  rule('typeform-api-token', 'tfp_', '[A-Za-z0-9_.=-]{40,60}'),
  rule('defined-networking-api-token', 'dnkey-', `${W}{26}-${W}{52}`),
  // Gitleaks has no rule for these.
  buildAnchored('discord-token', '\\.[\\w-]{6}\\.[\\w-]{27}', `[MNO]${W}{23,27}\\.${W}{6}\\.${W}{27,40}`),
  rule('discord-token', 'mfa.', `${W}{84}`),
  rule('discord-webhook', 'discord', `(?:app)?\\.com/api/webhooks/\\d{17,20}/${W}{60,}`),
  rule('slack-webhook', 'hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}'),
  rule('salesforce-token', '00D', `${ALNUM}{12}(?:!|%21)[A-Za-z0-9._]{80,120}`),
  buildAnchored('azure-key', 'JQQJ9', `${ALNUM}{52}JQQJ9[9DH]${ALNUM}{26}`),
  rule('google-api-key', 'AQ.', `Ab8${W}{40,}`),
  rule('google-oauth', 'ya29', `\\.${W}{20,}`),
  rule('google-oauth', 'GOCSPX-', `${W}{20,}`),
  rule('google-oauth', '1//', `0${W}{30,}`),
  rule('firebase-server-key', 'AAAA', `${W}{7}:${W}{140}`),
  rule('stripe-key', 'whsec_', '[A-Za-z0-9+/]{24,}={0,2}'),
  rule('openrouter-key', 'sk-or-', `v1-${HEX}{40,}`),
  rule('figma-token', 'figd_', `${W}{36,}`),
  rule('docker-token', 'dckr_', `[op]at_${W}{20,}`),
  rule('groq-key', 'gsk_', `${ALNUM}{40,}`),
  rule('xai-key', 'xai-', `${ALNUM}{70,}`),
  rule('replicate-token', 'r8_', `${ALNUM}{36,}`),
  rule('supabase-token', 'sbp_', '[0-9a-f]{40}'),
  rule('supabase-token', 'sb_secret_', `${W}{20,}`),
  rule('cloudflare-api-token', 'cf', `(?:k|ut|at)_${ALNUM}{40}[0-9a-f]{8}`),
  rule('hubspot-api-key', 'pat-', `(?:na|eu|ap)\\d-${UUID}`),
  buildAnchored(
    'azure-storage-key',
    '\\+A(?:St|Ba|MC)',
    '[A-Za-z0-9+/]{76}\\+A(?:St|Ba|MC)[A-Za-z0-9+/]{5}[AQgw]==',
  ),
  buildAnchored('azure-storage-key', 'ACDb', '[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{5}[AQgw]=='),
  rule('vercel-token', 'vc', `[piark]_${ALNUM}{20,60}`),
  rule('netlify-token', 'nf', `[pcoub]_${ALNUM}{36}`),
  rule('tailscale-key', 'tskey-', `(?:auth|api|client|scim|webhook)-${W}{16,}`),
  rule('dropbox-short-lived-api-token', 'sl.', `(?:u\\.)?${W}{100,}`),
  rule('bitbucket-token', 'ATBB', `${ALNUM}{24,}`),
  rule('contentful-token', 'CFPAT-', `${W}{40,}`),
  rule('sonar-api-token', 'sq', '[upa]_[0-9a-f]{40}'),
  rule('circleci-token', 'CCIP', `(?:AT|RJ)_${ALNUM}{16,}_[0-9a-f]{40}`),
  rule('buildkite-token', 'bk', '(?:ua|aa|ca)_[A-Za-z0-9]{32,}'),
  rule('launchdarkly-access-token', 'api-', UUID),
  rule('launchdarkly-access-token', 'sdk-', UUID),
  buildAnchored('asana-token', '\\d:[0-9a-f]{32}', '[012]/\\d{12,20}:[0-9a-f]{32}'),
  rule('trello-token', 'ATTA', `${HEX}{64,}`),
  rule('langsmith-key', 'lsv2_', '(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'),
  rule('nvidia-key', 'nvapi-', `${W}{60,}`),
  rule('pinecone-key', 'pcsk_', `${W}{40,}`),
  rule('resend-key', 're_', `${ALNUM}{8}_${ALNUM}{20,}`),
  rule('adafruit-api-key', 'aio_', `${ALNUM}{28}`),
  rule('aws-appsync-key', 'da2-', '[a-z0-9]{26}'),
  rule('crates-token', 'cio', `${ALNUM}{32}`),
  rule('firecrawl-key', 'fc-', '[0-9a-f]{32}'),
  rule('linear-key', 'lin_oauth_', '[0-9a-f]{64}'),
  rule('new-relic-api-key', 'NR', '(?:RA-[0-9a-f]{42}|AA-[0-9a-f]{27})'),
  rule('nuget-key', 'oy2', '[a-z0-9]{43}'),
  rule('posthog-key', 'phx_', `${ALNUM}{40,}`),
  rule('segment-token', 'sgp_', `${ALNUM}{64}`),
  rule('stackhawk-key', 'hawk.', `${W}{20}\\.${W}{20}`),
  rule('tavily-key', 'tvly-', `(?:[a-z]{3,4}-)?${ALNUM}{32,}`),
  rule('twitch-stream-key', 'live_', `\\d{8,12}_${ALNUM}{30,36}`),
];

const NAME_UNITS = 80;
const LONGEST_UNITS = 200;
/** Longest match of {@link SEPARATED}: `&quot;` or `=`, and the text after it. */
const SEPARATOR_UNITS = 11;
/** A separator, perhaps with the ends and starts of elements or strings around it. */
const SEPARATED = /(?:[=:|>,]|quot;)[ \t"'`*\\]{0,6}$/;
/** Between the issuer's name and the value: the rest of the name, then the separator. */
const GAP =
  /^(?<rest>[\w .[\]-]{0,24})(?:["'`)*\\:=|>,\s]|&quot;|&#34;|\\u0022|<\/?[a-z][^<>]{0,40}>){1,12}$/i;
/** An issuer's name alone is next to identifiers as often as next to secrets. */
const SECRET_WORD = /key|token|secret|pass|pwd|auth|cred|bearer|login/i;
/** A form that few other values have. */
const SPECIFIC = /(?:\[[A-Z][a-z]\]|[A-Za-z]){2}[-_.\\]/;
const BEFORE_VALUE = /[=:|>,;\s"'`*\\]/;
/** Words in one case are not secret. */
const MIXED = /\d|[a-z][A-Z]/;

const NAMED: readonly NamedRule[] = gitleaks.named;
const RULES = NAMED.map((rule) => ({
  ...rule,
  name: new RegExp(`(?<![a-z])(?:${rule.name})`, 'gi'),
  value: new RegExp(`^(?:${rule.value})$`),
  isSpecific:
    SPECIFIC.test(rule.value.replaceAll(/\[(?![A-Z][a-z]\])[^\]]*\]/g, '#')) || SECRET_WORD.test(rule.name),
}));
const ANY_NAME = new RegExp(`(?<![a-z])(?:${NAMED.map(({ name }) => name).join('|')})`, 'i');
const BY_LENGTH = Array.from({ length: LONGEST_UNITS }, (_, units) =>
  RULES.filter(({ least, most }) => least <= units && units <= most),
);

/** The part of the name before a value that follows the issuer's; null if they are apart. */
function restOfName(name: RegExp, before: string): string | null {
  const last = [...before.matchAll(name)].at(-1);
  if (last === undefined) return null;
  return GAP.exec(before.slice(last.index + last[0].length))?.groups?.['rest'] ?? null;
}

/** The part of the line before a place, of at most this many units. */
export function lineBefore(text: string, end: number, units: number): string {
  const before = text.slice(Math.max(0, end - units), end);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** The value at a place of a text, if an issuer's name before it identifies it. */
export function findNamedValue(text: string, start: number, end: number): Span | null {
  const rules = BY_LENGTH[end - start] ?? [];
  if (rules.length === 0) return null;
  if (!BEFORE_VALUE.test(text.charAt(start - 1))) return null;
  const before = lineBefore(text, start, NAME_UNITS);
  if (!SEPARATED.test(before.slice(-SEPARATOR_UNITS))) return null;
  const value = text.slice(start, end);
  if (!MIXED.test(value) || !ANY_NAME.test(before)) return null;
  for (const rule of rules) {
    if (!rule.value.test(value) || entropyBits(value) < rule.entropy) continue;
    const rest = restOfName(rule.name, before);
    if (rest !== null && (rule.isSpecific || SECRET_WORD.test(rest))) return { start, end, kind: rule.kind };
  }
  return null;
}
