/*
 * Synthetic secrets in the formats that issuers publish, created without the rules, and ordinary strings that look like
 * them. Seeds separate two halves: rules are developed against one and measured against the other.
 */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 12_345) >>> 0;
  }

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

export const SHAPED: Readonly<Record<string, Make>> = {
  '1Password secret key': (r) =>
    `A3-${r.text(UPPER + DIGITS, 6)}-${r.text(UPPER + DIGITS, 6)}-${[5, 5, 5, 5].map((n) => r.text(UPPER + DIGITS, n)).join('-')}`,
  'Airtable personal access token': (r) => `pat${alnum(r, 14)}.${hex(r, 64)}`,
  'Alibaba access key': (r) => `LTAI${alnum(r, 20)}`,
  'AWS secret access key': (r) => r.text(BASE64, 40),
  'Azure client secret': (r) => `${alnum(r, 3)}8Q~${url(r, 34)}`,
  'Azure key': (r) => `${alnum(r, 52)}JQQJ99${alnum(r, 26)}`,
  'Azure storage key': (r) => `${r.text(BASE64, 76)}+ASt${r.text(BASE64, 5)}Q==`,
  'Cloudflare API token': (r) => `cfut_${alnum(r, 40)}${hex(r, 8)}`,
  'Databricks token': (r) => `dapi${hex(r, 32)}`,
  'Discord bot token': (r) =>
    `${base64(Buffer.from(r.text('123456789', 18))).replace(/^./, () => r.of([...'MNO']))}.${alnum(r, 6)}.${url(r, 38)}`,
  'Discord webhook': (r) => `https://discord.com/api/webhooks/${r.text('123456789', 18)}/${url(r, 68)}`,
  'Dynatrace token': (r) => `dt0c01.${r.text(UPPER + DIGITS, 24)}.${r.text(UPPER + DIGITS, 64)}`,
  'Dynatrace platform token': (r) => `dt0s16.${r.text(UPPER, 8)}.${r.text(UPPER + DIGITS, 64)}`,
  'Facebook app token': (r) => `${r.text('123456789', 15)}|${url(r, 27)}`,
  'Firebase server key': (r) => `AAAA${alnum(r, 7)}:APA91b${url(r, 134)}`,
  'Gemini key': (r) => `AQ.Ab8${url(r, 47)}`,
  'Harness token': (r) => `pat.${url(r, 22)}.${alnum(r, 24)}.${alnum(r, 20)}`,
  'HashiCorp Terraform token': (r) => `${alnum(r, 14)}.atlasv1.${url(r, 67)}`,
  'Heroku key': (r) => `HRKU-AA${url(r, 58)}`,
  'HubSpot private app': (r) => `pat-na1-${uuid(r)}`,
  'Mailchimp key': (r) => `${hex(r, 32)}-us${1 + r.below(21)}`,
  'New Relic license key': (r) => `${hex(r, 36)}NRAL`,
  'OpenShift token': (r) => `sha256~${url(r, 43)}`,
  'Plaid token': (r) => `access-production-${uuid(r)}`,
  'Pulumi token': (r) => `pul-${hex(r, 40)}`,
  'Brevo key': (r) => `xkeysib-${hex(r, 64)}-${alnum(r, 16)}`,
  'Salesforce session': (r) => `00D${alnum(r, 12)}!${alnum(r, 40)}.${alnum(r, 55)}`,
  'Sentry organisation token': (r) => {
    const facts = {
      iat: r.below(2e9),
      url: 'https://sentry.io',
      region_url: 'https://us.sentry.io',
      org: 'acme',
    };
    return `sntrys_${base64(Buffer.from(JSON.stringify(facts)))}_${r.text(BASE64, 43)}`;
  },
  'Shopify token': (r) => `shpat_${alnum(r, 38)}`,
  'Twitch stream key': (r) => `live_${r.text('123456789', 9)}_${alnum(r, 30)}`,
  'Vercel token': (r) => `vcp_${alnum(r, 56)}`,
};

/** Recognised by their issuer's name in the value's name. */
export const ISSUED: Readonly<Record<string, readonly [name: string, make: Make]>> = {
  'Airtable key': ['airtable api key', (r) => `key${alnum(r, 14)}`],
  'Cloudflare global key': ['cloudflare api key', (r) => hex(r, 37)],
  'Cloudflare token': ['cloudflare token', (r) => url(r, 40)],
  'Datadog key': ['datadog api key', (r) => lowerNumber(r, 40)],
  'Dropbox key': ['dropbox api secret', (r) => lowerNumber(r, 15)],
  'Heroku key': ['heroku api key', (r) => uuid(r)],
  'Mapbox token': ['mapbox token', (r) => `pk.${lowerNumber(r, 60)}.${lowerNumber(r, 22)}`],
  'Netlify token': ['netlify auth token', (r) => url(r, 43)],
  'Okta token': ['okta api token', (r) => `00${url(r, 40)}`],
  'Snyk token': ['snyk token', (r) => uuid(r)],
  'Twitter secret': ['twitter api secret', (r) => alnum(r, 50)],
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
