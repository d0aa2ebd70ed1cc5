/*
 * Synthetic secrets in the formats that issuers publish, made without the rules, and ordinary strings
 * that look like them. Seeds make the two halves: rules are written against the one and measured
 * against the other.
 */

/** A source of random numbers that gives the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 12_345) >>> 0;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }

  text(alphabet: string, units: number): string {
    return Array.from({ length: units }, () => alphabet.charAt(this.below(alphabet.length))).join('');
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALNUM = LOWER + UPPER + DIGITS;
const URL = `${ALNUM}-_`;
const BASE64 = `${ALNUM}+/`;

const end = (text: string): string => text.replace(/[-_]$/, 'a');
export const hex = (r: Random, units: number): string => r.text(HEX, units);
const lowerNumber = (r: Random, units: number): string => r.text(LOWER + DIGITS, units);
const alnum = (r: Random, units: number): string => r.text(ALNUM, units);
const url = (r: Random, units: number): string => end(r.text(URL, units));
export const uuid = (r: Random): string =>
  `${hex(r, 8)}-${hex(r, 4)}-4${hex(r, 3)}-a${hex(r, 3)}-${hex(r, 12)}`;
const base64 = (bytes: Buffer): string => bytes.toString('base64');

type Make = (r: Random) => string;

/** Recognised without a name next to them. */
export const SHAPED: Readonly<Record<string, Make>> = {
  '1Password secret key': (r) =>
    `A3-${r.text(UPPER + DIGITS, 6)}-${r.text(UPPER + DIGITS, 6)}-${[5, 5, 5, 5].map((n) => r.text(UPPER + DIGITS, n)).join('-')}`,
  'Adobe client secret': (r) => `p8e-${alnum(r, 32)}`,
  'Airtable personal access token': (r) => `pat${alnum(r, 14)}.${hex(r, 64)}`,
  'Alibaba access key': (r) => `LTAI${alnum(r, 20)}`,
  'Anthropic key': (r) => `sk-ant-api03-${url(r, 93)}AA`,
  'Artifactory key': (r) => `AKCp${alnum(r, 69)}`,
  'Asana token': (r) => `1/${r.text(DIGITS, 16)}:${hex(r, 32)}`,
  'AWS access key': (r) => `AKIA${r.text(`${UPPER}234567`, 16)}`,
  'AWS secret access key': (r) => r.text(BASE64, 40),
  'Azure client secret': (r) => `${alnum(r, 3)}8Q~${url(r, 34)}`,
  'Azure storage key': (r) => `${r.text(BASE64, 76)}+ASt${r.text(BASE64, 5)}Q==`,
  'Bitbucket app password': (r) => `ATBB${alnum(r, 32)}`,
  'CircleCI token': (r) => `CCIPAT_${alnum(r, 22)}_${hex(r, 40)}`,
  'ClickHouse key': (r) => `4b1d${alnum(r, 38)}`,
  'Cloudflare API token': (r) => `cfut_${alnum(r, 40)}${hex(r, 8)}`,
  'Cloudflare origin CA key': (r) => `v1.0-${hex(r, 24)}-${hex(r, 146)}`,
  'Contentful token': (r) => `CFPAT-${url(r, 43)}`,
  'Databricks token': (r) => `dapi${hex(r, 32)}`,
  'DigitalOcean token': (r) => `dop_v1_${hex(r, 64)}`,
  'Discord bot token': (r) =>
    `${base64(Buffer.from(r.text('123456789', 18))).replace(/^./, () => r.of([...'MNO']))}.${alnum(r, 6)}.${url(r, 38)}`,
  'Discord webhook': (r) => `https://discord.com/api/webhooks/${r.text('123456789', 18)}/${url(r, 68)}`,
  'Docker token': (r) => `dckr_pat_${url(r, 27)}`,
  'Doppler personal token': (r) => `dp.pt.${alnum(r, 43)}`,
  'Doppler service token': (r) => `dp.st.dev_backend.${alnum(r, 43)}`,
  'Duffel token': (r) => `duffel_live_${url(r, 43)}`,
  'Dynatrace token': (r) => `dt0c01.${r.text(UPPER + DIGITS, 24)}.${r.text(UPPER + DIGITS, 64)}`,
  'EasyPost key': (r) => `EZAK${alnum(r, 54)}`,
  'Facebook app token': (r) => `${r.text('123456789', 15)}|${url(r, 27)}`,
  'Facebook page token': (r) => `EAAM${alnum(r, 160)}`,
  'Facebook user token': (r) => `EAAG${alnum(r, 180)}`,
  'Figma token': (r) => `figd_${url(r, 40)}`,
  'Firebase server key': (r) => `AAAA${alnum(r, 7)}:APA91b${url(r, 134)}`,
  'Fly.io token': (r) => `fo1_${url(r, 43)}`,
  'Frame.io token': (r) => `fio-u-${url(r, 64)}`,
  'GitHub token': (r) => `ghp_${alnum(r, 36)}`,
  'GitHub fine-grained token': (r) => `github_pat_${alnum(r, 22)}_${alnum(r, 59)}`,
  'GitLab token': (r) => `glpat-${url(r, 20)}`,
  'Google API key': (r) => `AIza${url(r, 35)}`,
  'Google OAuth secret': (r) => `GOCSPX-${url(r, 28)}`,
  'Google OAuth token': (r) => `ya29.${url(r, 120)}`,
  'Grafana service account': (r) => `glsa_${alnum(r, 32)}_${hex(r, 8)}`,
  'Groq key': (r) => `gsk_${alnum(r, 52)}`,
  'Harness token': (r) => `pat.${url(r, 22)}.${alnum(r, 24)}.${alnum(r, 20)}`,
  'HashiCorp Terraform token': (r) => `${alnum(r, 14)}.atlasv1.${url(r, 67)}`,
  'Heroku key': (r) => `HRKU-AA${url(r, 58)}`,
  'HubSpot private app': (r) => `pat-na1-${uuid(r)}`,
  'Hugging Face token': (r) => `hf_${r.text(LOWER + UPPER, 34)}`,
  'JSON Web Token': (r) => `eyJ${alnum(r, 33)}.eyJ${alnum(r, 60)}.${url(r, 43)}`,
  'LaunchDarkly key': (r) => `sdk-${uuid(r)}`,
  'Linear key': (r) => `lin_api_${alnum(r, 40)}`,
  'Mailchimp key': (r) => `${hex(r, 32)}-us${1 + r.below(21)}`,
  'Mailgun key': (r) => `key-${hex(r, 32)}`,
  'MaxMind key': (r) => `${alnum(r, 6)}_${alnum(r, 29)}_mmk`,
  'Microsoft Teams webhook': (r) =>
    `https://acme.webhook.office.com/webhookb2/${uuid(r)}@${uuid(r)}/IncomingWebhook/${hex(r, 32)}/${uuid(r)}`,
  'Netlify token': (r) => `nfp_${alnum(r, 36)}`,
  'New Relic user key': (r) => `NRAK-${r.text(UPPER + DIGITS, 27)}`,
  'New Relic browser key': (r) => `NRJS-${hex(r, 19)}`,
  'New Relic insert key': (r) => `NRII-${url(r, 32)}`,
  'New Relic license key': (r) => `${hex(r, 36)}NRAL`,
  'Notion token': (r) => `ntn_${r.text(DIGITS, 11)}${alnum(r, 35)}`,
  'npm token': (r) => `npm_${alnum(r, 36)}`,
  'Octopus key': (r) => `API-${r.text(UPPER + DIGITS, 26)}`,
  'OpenAI key': (r) => `sk-proj-${alnum(r, 74)}T3BlbkFJ${alnum(r, 74)}`,
  'OpenShift token': (r) => `sha256~${url(r, 43)}`,
  'Perplexity key': (r) => `pplx-${alnum(r, 48)}`,
  'Plaid token': (r) => `access-production-${uuid(r)}`,
  'PlanetScale password': (r) => `pscale_pw_${alnum(r, 43)}`,
  'Postman key': (r) => `PMAK-${hex(r, 24)}-${hex(r, 34)}`,
  'Prefect key': (r) => `pnu_${alnum(r, 36)}`,
  'Pulumi token': (r) => `pul-${hex(r, 40)}`,
  'PyPI token': (r) => `pypi-AgEIcHlwaS5vcmc${url(r, 120)}`,
  'ReadMe key': (r) => `rdme_${lowerNumber(r, 70)}`,
  'Replicate token': (r) => `r8_${alnum(r, 37)}`,
  'RubyGems key': (r) => `rubygems_${hex(r, 48)}`,
  'SendGrid key': (r) => `SG.${url(r, 22)}.${url(r, 43)}`,
  'Brevo key': (r) => `xkeysib-${hex(r, 64)}-${alnum(r, 16)}`,
  'Sentry user token': (r) => `sntryu_${hex(r, 64)}`,
  'Sentry organisation token': (r) => {
    const facts = {
      iat: r.below(2e9),
      url: 'https://sentry.io',
      region_url: 'https://us.sentry.io',
      org: 'acme',
    };
    return `sntrys_${base64(Buffer.from(JSON.stringify(facts)))}_${r.text(BASE64, 43)}`;
  },
  'Shippo token': (r) => `shippo_live_${hex(r, 40)}`,
  'Shopify token': (r) => `shpat_${hex(r, 32)}`,
  'Slack bot token': (r) => `xoxb-${r.text('123456789', 12)}-${r.text('123456789', 12)}-${alnum(r, 24)}`,
  'Slack webhook': (r) =>
    `https://hooks.slack.com/services/T${r.text(UPPER, 8)}/B${r.text(UPPER, 8)}/${alnum(r, 24)}`,
  'Sonar token': (r) => `squ_${hex(r, 40)}`,
  'Sourcegraph token': (r) => `sgp_${hex(r, 40)}`,
  'Square token': (r) => `sq0atp-${url(r, 22)}`,
  'Stripe key': (r) => `sk_live_${alnum(r, 24)}`,
  'Supabase token': (r) => `sbp_${hex(r, 40)}`,
  'Tailscale key': (r) => `tskey-auth-${alnum(r, 12)}-${alnum(r, 32)}`,
  'Telegram bot token': (r) => `${r.text('123456789', 10)}:AA${url(r, 33)}`,
  'Trello token': (r) => `ATTA${hex(r, 64)}${hex(r, 8)}`,
  'Twilio key': (r) => `SK${hex(r, 32)}`,
  'Typeform token': (r) => `tfp_${alnum(r, 59)}`,
  'Vault token': (r) => `hvs.${url(r, 95)}`,
  'Vercel token': (r) => `vcp_${alnum(r, 56)}`,
  'xAI key': (r) => `xai-${alnum(r, 80)}`,
};

/** Recognised by their issuer's name, which is part of the name of their value. */
export const ISSUED: Readonly<Record<string, readonly [name: string, make: Make]>> = {
  'Airtable key': ['airtable api key', (r) => `key${alnum(r, 14)}`],
  'Algolia admin key': ['algolia admin key', (r) => hex(r, 32)],
  'Cloudflare global key': ['cloudflare api key', (r) => hex(r, 37)],
  'Cloudflare token': ['cloudflare token', (r) => url(r, 40)],
  'Codecov token': ['codecov token', (r) => lowerNumber(r, 32)],
  'Confluent secret': ['confluent secret key', (r) => alnum(r, 64)],
  'Datadog key': ['datadog api key', (r) => lowerNumber(r, 40)],
  'Discord client secret': ['discord client secret', (r) => url(r, 32)],
  'Dropbox key': ['dropbox api secret', (r) => lowerNumber(r, 15)],
  'Facebook app secret': ['facebook app secret', (r) => hex(r, 32)],
  'Fastly token': ['fastly api token', (r) => url(r, 32)],
  'Heroku key': ['heroku api key', (r) => uuid(r)],
  'HubSpot key': ['hubspot api key', (r) => uuid(r)],
  'Mapbox token': ['mapbox token', (r) => `pk.${lowerNumber(r, 60)}.${lowerNumber(r, 22)}`],
  'Netlify token': ['netlify auth token', (r) => url(r, 43)],
  'Okta token': ['okta api token', (r) => `00${url(r, 40)}`],
  'Sentry token': ['sentry auth token', (r) => hex(r, 64)],
  'Snyk token': ['snyk token', (r) => uuid(r)],
  'Twitch secret': ['twitch client secret', (r) => lowerNumber(r, 30)],
  'Twitter secret': ['twitter api secret', (r) => alnum(r, 50)],
  'Zendesk secret': ['zendesk secret key', (r) => lowerNumber(r, 40)],
};

const snake = (name: string): string => name.replaceAll(' ', '_');

/** Where an issuer's name is next to a value. */
export const ISSUER_PLACES: Readonly<Record<string, (name: string, value: string) => string>> = {
  environment: (name, value) => `${snake(name).toUpperCase()}=${value}`,
  JSON: (name, value) => `{"a":1,"${snake(name)}":"${value}"}`,
  code: (name, value) => `const ${snake(name)} = '${value}';`,
  YAML: (name, value) => `${snake(name)}: ${value}`,
  label: (name, value) => `${name}: ${value}`,
  cell: (name, value) => `| ${name} | ${value} |`,
};
