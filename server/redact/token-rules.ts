/**
 * A secret known by its shape. `prefix` and `body` are sources of regular expressions, matched case
 * and all. `prefix` ends in one literal character (its pivot), the rarer the better: that is what
 * the text is searched for. `_` matches itself and the `\_` of Markdown. `body` has no nested
 * repetition, so that a match costs one pass over it.
 *
 * Shapes are those that the issuers document for secret scanners.
 */
export interface TokenRule {
  readonly kind: string;
  readonly prefix: string;
  readonly body: string;
}

/** A character of a URL-safe token. */
const W = '(?:[A-Za-z0-9-]|_)';
const ALNUM = '[A-Za-z0-9]';
const HEX = '[0-9a-fA-F]';

const rule = (kind: string, prefix: string, body: string): TokenRule => ({ kind, prefix, body });

/** Known shapes. Order matters only between rules of one prefix. */
export const TOKEN_RULES: readonly TokenRule[] = [
  rule('github-token', 'gh[pousr]_', `${ALNUM}{36,}`),
  rule('github-token', 'github_pat_', `(?:${ALNUM}|_){22,}`),
  rule('gitlab-token', 'gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|oas)-', `${W}{20,}`),
  rule('aws-access-key', 'AK', 'IA[A-Z2-7]{16}'),
  rule('aws-access-key', 'AS', 'IA[A-Z2-7]{16}'),
  rule('aws-access-key', 'AB', 'IA[A-Z2-7]{16}'),
  rule('google-api-key', 'AIz', `a${W}{35}`),
  rule('google-oauth', 'ya29', `\\.${W}{20,}`),
  rule('google-oauth', 'GOCSPX-', `${W}{20,}`),
  rule('google-oauth', '1//', `0${W}{30,}`),
  rule('slack-token', 'xox[abcdeoprs]-', '[A-Za-z0-9-]{10,}'),
  rule('slack-token', 'xapp-', '[A-Za-z0-9-]{20,}'),
  rule('slack-webhook', 'hooks\\.slack\\.com/', 'services/[A-Za-z0-9/]{20,}'),
  rule('stripe-key', '[sr]k_(?:live|test|prod)_', `${ALNUM}{10,}`),
  rule('stripe-key', 'whsec_', '[A-Za-z0-9+/]{24,}={0,2}'),
  rule('anthropic-key', 'sk-ant-', `${W}{20,}`),
  rule('openai-key', 'sk-(?:proj|svcacct|admin|None)-', `${W}{20,}`),
  rule('openai-key', 'sk-', `${ALNUM}{32,}`),
  rule('openrouter-key', 'sk-or-', `v1-${HEX}{40,}`),
  rule('npm-token', 'npm_', `${ALNUM}{36,}`),
  rule('pypi-token', 'pypi-', `AgE${W}{50,}`),
  rule('twilio-key', 'SK', '[0-9a-f]{32}'),
  rule('sendgrid-key', 'SG', `\\.${W}{16,}\\.${W}{16,}`),
  rule('jwt', 'eyJ', `${W}{10,}\\.${W}{10,}(?:\\.${W}+){0,3}`),
  rule('huggingface-token', 'hf_', `${ALNUM}{30,}`),
  rule('digitalocean-token', 'do[opr]_v1_', '[0-9a-f]{64}'),
  rule('shopify-token', 'shp(?:at|ca|pa|ss)_', `${HEX}{32,}`),
  rule('vault-token', 'hv[sbr]\\.', `${W}{24,}`),
  rule('linear-key', 'lin_api_', `${ALNUM}{32,}`),
  rule('notion-token', 'ntn_', `${ALNUM}{40,}`),
  rule('postman-key', 'PMAK-', `${HEX}{24}-${HEX}{34}`),
  rule('figma-token', 'figd_', `${W}{36,}`),
  rule('atlassian-token', 'ATATT', `3${W}{60,}(?:=${HEX}{8})?`),
  rule('square-token', 'sq0(?:atp|csp|idp)-', `${W}{22,}`),
  rule('grafana-token', 'gl(?:sa|c)_', '(?:[A-Za-z0-9+/=]|_){32,}'),
  rule('docker-token', 'dckr_pat_', `${W}{20,}`),
  rule('groq-key', 'gsk_', `${ALNUM}{40,}`),
  rule('xai-key', 'xai-', `${ALNUM}{70,}`),
  rule('perplexity-key', 'pplx-', `${ALNUM}{40,}`),
  rule('replicate-token', 'r8_', `${ALNUM}{36,}`),
  rule('supabase-token', 'sbp_', '[0-9a-f]{40}'),
  rule('mailgun-key', 'key-', '[0-9a-f]{32}'),
  rule('age-key', 'AGE-SECRET-KEY-', '1[A-Z0-9]{58}'),
  rule('telegram-token', '\\d{8,10}:', `AA${W}{33}`),
];
