import fc from '../../../support/property.ts';

const ALNUM = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
const BASE32 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'];
const HEX = [...'0123456789abcdef'];

/** Random characters that are varied enough to be no sample. */
function random(alphabet: readonly string[], length: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((chars) => chars.join(''))
    .filter(
      (text) =>
        new Set(text.slice(-24)).size >= Math.min(8, length / 2) && !/(.)\1{3}|example|000|xxx/i.test(text),
    );
}

export const alnum = (length: number): fc.Arbitrary<string> => random(ALNUM, length);
const hex = (length: number): fc.Arbitrary<string> => random(HEX, length);
const base32 = (length: number): fc.Arbitrary<string> => random(BASE32, length);

type Canary = { readonly kind: string; readonly secret: fc.Arbitrary<string> };

const canary = (kind: string, prefix: string, tail: fc.Arbitrary<string>): Canary => ({
  kind,
  secret: tail.map((text) => prefix + text),
});

const joined = (sign: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(sign));

const jwt = fc.tuple(alnum(20), alnum(40), alnum(43)).map(([a, b, c]) => `eyJ${a}.${b}.${c}`);

/** One synthetic secret of each shape, in the issuers' own formats. */
export const CANARIES: readonly Canary[] = [
  canary('github-token', 'ghp_', alnum(36)),
  canary('github-token', 'gho_', alnum(36)),
  canary('github-token', 'ghs_', alnum(36)),
  canary('github-token', 'github_pat_', joined('_', alnum(22), alnum(59))),
  canary('gitlab-token', 'glpat-', alnum(20)),
  canary('aws-access-key', 'AKIA', base32(16)),
  canary('aws-access-key', 'ASIA', base32(16)),
  canary('google-api-key', 'AIza', alnum(35)),
  canary('google-oauth', 'ya29.', alnum(60)),
  canary('google-oauth', 'GOCSPX-', alnum(28)),
  canary('google-oauth', '1//0', alnum(40)),
  canary('slack-token', 'xoxb-', alnum(40)),
  canary('slack-token', 'xapp-', alnum(40)),
  canary('slack-webhook', 'hooks.slack.com/services/', alnum(40)),
  canary('stripe-key', 'sk_live_', alnum(24)),
  canary('stripe-key', 'rk_test_', alnum(24)),
  canary('stripe-key', 'whsec_', alnum(32)),
  canary('anthropic-key', 'sk-ant-api03-', alnum(80)),
  canary('openai-key', 'sk-proj-', alnum(64)),
  canary('openai-key', 'sk-', alnum(48)),
  canary('openrouter-key', 'sk-or-v1-', hex(64)),
  canary('npm-token', 'npm_', alnum(36)),
  canary('pypi-token', 'pypi-AgEIcHlwaS5vcmc', alnum(70)),
  canary('twilio-key', 'SK', hex(32)),
  canary('sendgrid-key', 'SG.', joined('.', alnum(22), alnum(43))),
  { kind: 'jwt', secret: jwt },
  canary('huggingface-token', 'hf_', alnum(34)),
  canary('digitalocean-token', 'dop_v1_', hex(64)),
  canary('shopify-token', 'shpat_', hex(32)),
  canary('vault-token', 'hvs.', alnum(40)),
  canary('linear-key', 'lin_api_', alnum(40)),
  canary('notion-token', 'ntn_', alnum(46)),
  canary('postman-key', 'PMAK-', joined('-', hex(24), hex(34))),
  canary('figma-token', 'figd_', alnum(40)),
  canary('atlassian-token', 'ATATT3', alnum(80)),
  canary('square-token', 'sq0atp-', alnum(22)),
  canary('grafana-token', 'glsa_', joined('_', alnum(32), hex(8))),
  canary('docker-token', 'dckr_pat_', alnum(27)),
  canary('groq-key', 'gsk_', alnum(52)),
  canary('xai-key', 'xai-', alnum(80)),
  canary('perplexity-key', 'pplx-', alnum(48)),
  canary('replicate-token', 'r8_', alnum(37)),
  canary('supabase-token', 'sbp_', hex(40)),
  canary('mailgun-key', 'key-', hex(32)),
  canary('age-key', 'AGE-SECRET-KEY-1', random([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'], 58)),
  canary('telegram-token', '123456789:AA', alnum(33)),
];

/** Places where a page or answer can contain a secret: the text before and after it. */
export const PLACES: readonly (readonly [name: string, before: string, after: string])[] = [
  ['alone', '', ''],
  ['prose', 'Our key is ', ', do not share it.'],
  ['end of a sentence', 'Use ', '. Then go on.'],
  ['brackets', '(', ')'],
  ['Markdown code', '`', '`'],
  ['Markdown link', '[see](https://a.test/?x=', ')'],
  ['table cell', '| name | ', ' |'],
  ['HTML text', '<td>', '</td>'],
  ['HTML attribute', '<div data-x="', '">'],
  ['query', 'https://a.test/p?a=1&t=', '&b=2#c'],
  ['encoded query', 'https://a.test/p?u=x%3Dt%26v%3D', '%26b'],
  ['JSON', '{"x":"', '"}'],
  ['JSON in JSON', '{"x":"{\\"y\\":\\"', '\\"}"}'],
  ['after an escaped line break', '{"x":"first\\n', '\\nlast"}'],
  ['shell', 'export X=', '\n'],
  ['non-Latin text', 'توکن ', ' است'],
  ['own line', 'a\n', '\nb'],
];

const PIECE = 8;
/** The prefix that all secrets of a kind share is not secret. */
const PUBLIC = /^(?:hooks\.slack\.com\/services\/|pypi-AgEIcHlwaS5vcmc)/;

/** Eight consecutive characters of a secret that occur in a text, or null. */
export function pieceOf(secret: string, shown: string): string | null {
  const body = secret.replace(PUBLIC, '');
  for (let at = 0; at + PIECE <= body.length; at += 1)
    if (shown.includes(body.slice(at, at + PIECE))) return body.slice(at, at + PIECE);
  return null;
}
