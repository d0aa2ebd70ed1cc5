import { cachedIn } from '../../../shared/base/maps.ts';

/*
 * In text, a key and a colon are as often prose or documentation as a leak. These tests weigh the
 * value. They look at a bounded part of it.
 */

const WEIGHED_UNITS = 256;

const SAMPLE_WORD =
  /^(?:string|str|text|number|integer|boolean|bool|object|any|null|nil|none|undefined|true|false|void|unknown|required|optional|hidden|empty|password|passwd|passphrase|pass|pwd|pw|secret|token|key|apikey|api_key|user|username|test|testing|foo|bar|baz|value|values|dummy|sample|demo|changeme|change_me|placeholder|redacted|default|disabled|enabled|yes|no|on|off|csrf|jwt|bearer|basic|cookie|session|include|omit|same-origin)$/i;
const SAMPLE_PART =
  /^(?:your|my|the|some|insert|enter|new|old|current|confirm|invalid|missing)[-_ ]|^(?:required|nullable|sometimes)\||example|placeholder|redacted|xxxx|\*{3}|•{3}|^[.…]+$|^[<[{(%$#@]|^&lt;|^[~^<>=v ]{0,3}\d+\.\d+(?:\.[\dx*]+)?(?:[-+][\w.]+)?$|^(?:\/|[A-Z]:\\)[\w.-]+[/\\]|\$\{|\{\{|process\.env|os\.environ|env\(|^0+$/i;

const NOUN =
  '(?:api|app|access|auth|bearer|client|user|bot|db|token|key|secret|password|passwd|pass|name|value|id|jwt|here)';
const STARTS = 'your|my|the|some|insert|enter|new|old|current|confirm|invalid|missing';
/** Whole values that are samples: no real secret has their form. */
const SAMPLES: readonly RegExp[] = [
  SAMPLE_WORD,
  // `your-token-here`, `YOUR_API_KEY`, `yourApiKey`
  new RegExp(`^(?:${STARTS})(?:[-_ ][a-z]{2,15}){1,6}$`),
  new RegExp(`^(?:${STARTS.toUpperCase()})(?:[-_ ][A-Z]{2,15}){1,6}$`),
  new RegExp(`^(?:${STARTS})(?:[-_ ]?${NOUN}){1,5}$`, 'i'),
  /^[a-z_. -]*(?:example|placeholder|redacted)[a-z_. -]*$/i,
  /^(?:«|%C2%AB)redacted(?::|%3A)[\w-]+(?:»|%C2%BB)$/i,
  // masks: `xxxxxxxx`, `sk-xxxx`, `****1234`, `…`
  /^(?:[a-z]{1,8}[-_]){0,2}x{4,}$/i,
  /^[x*•.-]{3,}\w{0,4}$|^…+$|^0+$/,
  // templates: `<token>`, `{{ token }}`, `${TOKEN}`, `%7Btoken%7D`, `%s`, `$TOKEN`
  /^(?:<|[$#]?\{{1,3}|\[|\(|&lt;|%3C|(?:%24)?(?:%7B){1,3}|%5B) ?[a-z][\w .:|/-]{0,60}(?:>|\}{1,3}|\]|\)|&gt;|%3E|(?:%7D){1,3}|%5D)$/i,
  /^%(?:[a-z]|\([a-z_]+\)s|[A-Z_]+%)$/,
  /^\$(?:[A-Z][A-Z_]*(?:_\d+)?|[a-z_]*(?:token|key|secret|pass|password|auth|jwt))$/,
  // code, versions and paths: `process.env.TOKEN`, `^1.2.3`, `/home/ann/project`
  /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|env)[.([][\w.()[\]'"]*$/,
  /^[~^<>=v ]{0,3}\d+\.\d+(?:\.[\dx*]+)?(?:[-+][a-z]+(?:\.?\d+){0,4})?$/i,
  /^\/(?:home|Users|root|usr|var|opt|tmp|etc|srv|app|mnt|private|workspaces?)\/|^[A-Z]:\\/,
  /^(?:\/[a-z][a-z._-]*){2,8}\/?$/,
];
/** A name in brackets has no more than one digit. */
const TWO_DIGITS = /\d[^]*\d/;
const ESCAPE = /%[\da-f]{2}/gi;
const BRACKETED = /^(?:[<{[($#]|&lt;|%3C|%7B|%5B|%24)/i;

/**
 * The whole value is a sample. If a value is secret regardless of its form, nothing else exempts it: a secret
 * may well begin with a word, or contain one.
 */
export function isSample(value: string): boolean {
  if (
    value.length > WEIGHED_UNITS ||
    (BRACKETED.test(value) && TWO_DIGITS.test(value.replaceAll(ESCAPE, '')))
  )
    return false;
  return SAMPLES.some((sample) => sample.test(value));
}

function isPlaceholder(value: string): boolean {
  const weighed = value.slice(0, WEIGHED_UNITS);
  return SAMPLE_WORD.test(weighed) || SAMPLE_PART.test(weighed);
}

/** Bits a character, after Shannon, of the character frequencies. */
export function entropyBits(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** Made by a machine, or by a person who wants it hard to guess; words, versions and names are not. */
export function looksRandom(value: string): boolean {
  const weighed = value.slice(0, WEIGHED_UNITS);
  if (weighed.length < 8 || !/\d/.test(weighed) || !/[A-Za-z]/.test(weighed) || isPlaceholder(weighed))
    return false;
  if (
    /^(?:https?:|\/|\.\/|data:|[\w.-]+\.(?:js|ts|json|py|md|html?|css|png|ya?ml|com|org|io|net)\b)/i.test(
      weighed,
    )
  )
    return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s./:-]/].filter((one) => one.test(weighed)).length;
  const digitRuns = weighed.match(/\d+/g)?.length ?? 0;
  if (classes >= 3 && (/[^\w\s./:-]/.test(weighed) || digitRuns >= 2)) return true;
  return weighed.length >= 16 && digitRuns >= 2 && entropyBits(weighed) >= 3.2;
}

/** Words that documentation uses for secrets and variables: `sha256`, `32-byte`, `token2`. */
const FACT = new RegExp(
  `^(?:(?:x?sha|md|base|utf|aes|hs|rs|oauth|pbkdf|argon|int|uint|latin|ed|ipv|win|http|rfc)-?\\d{1,5}(?:[-_].*)?|\\d+[-_]?(?:bytes?|bits?|digits?|chars?|characters?|letters?|hours?|days?|minutes?|min|seconds?|months?|years?|x)|(?:${NOUN}|user|this|self|field|input|prop|new|old|my|your|get|set|[-_]){1,6}\\d{0,2})$`,
  'i',
);

/** A secret as people type it into code or configuration: letters and digits in one word. */
function looksTyped(value: string): boolean {
  const weighed = value.slice(0, WEIGHED_UNITS);
  return (
    weighed.length >= 6 &&
    /\d/.test(weighed) &&
    /[A-Za-z]/.test(weighed) &&
    !/[\s./\\:]/.test(weighed) &&
    !isPlaceholder(weighed) &&
    !FACT.test(weighed)
  );
}

/** A word that a person may have chosen, in a place that contains only a value. */
export function looksChosen(value: string): boolean {
  return /^[a-z][a-z-]{5,63}$/.test(value) && !isPlaceholder(value) && !isSample(value) && !FACT.test(value);
}

/** An instruction about a password, or a message about passwords, but not one. */
export function readsAsSentence(value: string): boolean {
  return (
    /\s/.test(value) &&
    /\b(?:password|passphrase|passwort|must|enter|your|please|required|should|the|a)\b/i.test(value)
  );
}

/*
 * Names that secrets have: headers, JSON and form keys, query parameters. One table serves
 * the key-aware path over objects and the text rules.
 */

export interface KeyMeaning {
  readonly kind: string;
  /** `strong`: its value is always secret. `weak`: only in certain places (a query, a header). */
  readonly strength: 'strong' | 'weak';
  /** The value is that of `Set-Cookie` headers: its attributes are not secret. */
  readonly isSetCookie?: true;
}

const KINDS: Readonly<Record<string, string>> = {
  password:
    'password passwd passphrase pwd passcode userpassword seedphrase recoveryphrase mnemonic mnemonicphrase',
  authorization: 'authorization proxyauthorization xauthorization credential credentials',
  cookie: 'cookie cookies cookie2',
  token:
    'token accesstoken idtoken refreshtoken authtoken sessiontoken bearertoken securitytoken xauthtoken apitoken usertoken jwt xamzsecuritytoken bottoken deploytoken privatetoken',
  'api-key':
    'apikey xapikey accesskey secretkey privatekey signingkey encryptionkey masterkey accountkey subscriptionkey sharedkey authkey clientkey secretaccesskey awssecretaccesskey secretkeybase xfunctionskey ocpapimsubscriptionkey xgoogapikey streamkey',
  secret: 'secret clientsecret appsecret apisecret tokensecret sharedsecret consumersecret webhooksecret',
  csrf: 'csrf xsrf csrftoken xsrftoken xcsrftoken xxsrftoken authenticitytoken requestverificationtoken csrfmiddlewaretoken',
  otp: 'otp totp onetimecode onetimepasscode securitypin onetimepassword verificationcode mfacode',
  card: 'cardnumber cardnum ccnumber creditcard creditcardnumber pan cvv cvv2 cvc cvc2 csc cardcvc cardcvv cvvcode cvccode securitycode cardsecuritycode',
  ssn: 'ssn socialsecuritynumber',
};
const WEAK_KINDS: Readonly<Record<string, string>> = {
  signature: 'sig signature xamzsignature xgoogsignature',
  session: 'session sessionid sessid phpsessid jsessionid aspnetsessionid sid xsessionid',
  pin: 'pin pinnumber cardpin userpin',
  code: 'code authcode devicecode codeverifier state nonce ticket assertion samlresponse',
  key: 'key auth pass hash',
};

const SET_COOKIE: KeyMeaning = { kind: 'cookie', strength: 'strong', isSetCookie: true };

const MEANINGS: ReadonlyMap<string, KeyMeaning> = new Map([
  ['setcookie', SET_COOKIE],
  ['setcookie2', SET_COOKIE],
  ...[
    ...Object.entries(KINDS).map(([kind, names]) => ({ kind, names, strength: 'strong' as const })),
    ...Object.entries(WEAK_KINDS).map(([kind, names]) => ({ kind, names, strength: 'weak' as const })),
  ].flatMap(({ kind, names, strength }) =>
    names.split(' ').map((name): [string, KeyMeaning] => [name, { kind, strength }]),
  ),
]);

/** Names that end in one of these mean the same with any prefix: `db_password`, `stripeSecretKey`. */
const ENDING =
  /(?:password|passwd|passphrase|secretaccesskey|accesstoken|refreshtoken|sessiontoken|authtoken|apitoken|securitytoken|csrftoken|apikey|secretkey|privatekey|accesskey|accountkey|sharedkey|signingkey|encryptionkey|masterkey|subscriptionkey|clientsecret|appsecret|secret|setcookie)$/;
const ENDING_AFTER_SEPARATOR = /(?:^|[-_.\s[:])(token|secret|password|pwd|cookie|key)\]?$/i;
const ENDING_OF_CAMEL_CASE = /(?<=[a-z\d])(?:Token|Pwd|Cookie)$/;
/** Names whose words are in the other order, as in `tokenAccess`. Not every order is a secret's: `tokenId` is an id. */
export const TURNED =
  'key[-_]?(?:api|access|auth|private|signing|encryption)|token[-_]?(?:access|api|auth|bearer|csrf|refresh|session|xsrf)|secret[-_]?(?:api|app|client|consumer|shared|webhook)';
const TURNED_END = new RegExp(`(?<![a-z])(?:${TURNED})\\]?$`);
/** A site's own header that ends in `-Key` grants access to its bearer, unless it names a cache entry. */
const OWN_HEADER_KEY = /^x-(?!.*(?:cache|surrogate))/i;
/**
 * Names with the same ending that describe a secret without being one, or that mean a place in a list or a
 * text. The first word counts as a whole: `NOTION_TOKEN` does not begin with `no`.
 */
const NOT_SECRET = new RegExp(
  [
    '^[^a-z]*(?:has|is|no|max|min|show|(?:forgot|reset)(?!.*token$))(?:[-_.\\s]|(?=pass|pwd|token|secret|cookie|key))',
    'public',
    '(?<![a-z])(?:page|pagination|next|prev(?:ious)?|continuation|cursor|sync|delta|progress|eos|bos|pad|unk|mask|cls|sep)[-_.\\s]?token\\]?$',
  ].join('|'),
);

const CACHE_NAMES = 2_048;
const cache = new Map<string, KeyMeaning | null>();

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
/** `hasToken` as `has_token`. */
const toSnakeCase = (name: string): string => name.replaceAll(/[a-z\d](?=[A-Z])/g, '$&_').toLowerCase();

function lookUp(name: string): KeyMeaning | null {
  // A placeholder names its kind.
  if (name.includes('«')) return null;
  const exact = MEANINGS.get(plainOf(name));
  if (exact !== undefined) return exact;
  const words = toSnakeCase(name);
  if (NOT_SECRET.test(words)) return null;
  const turned = TURNED_END.exec(words);
  return turned === null
    ? meaningOfEnd(name)
    : lookUp(turned[0].replace(/^(key|token|secret)[-_]?([a-z]+).*$/, '$2$1'));
}

function meaningOfEnd(name: string): KeyMeaning | null {
  const ending = (
    ENDING.exec(plainOf(name))?.[0] ??
    ENDING_AFTER_SEPARATOR.exec(name)?.[1] ??
    ENDING_OF_CAMEL_CASE.exec(name)?.[0]
  )?.toLowerCase();
  if (ending === undefined) return oneOfSeveral(name);
  if (ending === 'key') return MEANINGS.get(OWN_HEADER_KEY.test(name) ? 'apikey' : 'key') ?? null;
  return MEANINGS.get(ending) ?? { kind: 'secret', strength: 'strong' };
}

/** The end of a name for a secret among others: `API_KEY_PROD`, `password2`, `clientSecretValue`. */
export const ONE_OF_SEVERAL =
  '[-_](?:prod|production|live|dev|staging|sandbox|primary|secondary|old|new)|[-_]?(?:\\d{1,2}|value)';
const LAST_PART = new RegExp(`(?:${ONE_OF_SEVERAL})$`, 'i');
/** A `token_2` may be the second word of a text, and a `tokenValue` one of a style. */
const NUMBERED: ReadonlySet<string> = new Set(['password', 'api-key', 'secret']);

function oneOfSeveral(name: string): KeyMeaning | null {
  const part = LAST_PART.exec(name)?.[0] ?? '';
  const meaning = part === '' ? null : keyMeaning(name.slice(0, -part.length));
  const isNumbered = /\d|value/i.test(part);
  return meaning?.strength === 'strong' && (!isNumbered || NUMBERED.has(meaning.kind)) ? meaning : null;
}

/** Null for an ordinary one. */
export function keyMeaning(name: string): KeyMeaning | null {
  if (name.length > 64) return null;
  return cachedIn(cache, name, CACHE_NAMES, lookUp);
}

const WORDS = /(?:[\w-]{1,24}[ \t]){0,2}[\w-]{1,24}$/;

/**
 * The meaning of the last words of a text. The longest strong name counts, since `API key` is one and `key`
 * is not.
 */
export function phraseMeaning(text: string): KeyMeaning | null {
  const words = WORDS.exec(text)?.[0].split(/[ \t]/) ?? [];
  let weak: KeyMeaning | null = null;
  for (let from = 0; from < words.length; from += 1) {
    const meaning = MEANINGS.get(plainOf(words.slice(from).join(''))) ?? null;
    if (meaning?.strength === 'strong') return meaning;
    weak ??= meaning;
  }
  const own = keyMeaning(words.at(-1) ?? '');
  return own?.strength === 'strong' ? own : weak;
}

/*
 * Judges a value by the name next to it, in formats that make clear which value a name belongs to: JSON, parameters,
 * headers, attributes, labels.
 */

/** Kinds whose numbers are secret too; a numeric `token` is a count or an index. */
export const NUMERIC_KINDS: ReadonlySet<string> = new Set(['password', 'otp', 'card', 'ssn', 'pin']);
const NUMBER_KINDS: ReadonlySet<string> = new Set(['card', 'otp', 'pin', 'ssn']);
const DIGITS = /^\d(?:[ -]?\d){2,18}$/;
const PIN = /^\d{4,8}$/;
const SIGNATURE = /^(?=.*\d)[\w+/=.%~-]{16,}$/;
const SESSION = /^(?=.*\d)(?=.*[a-z])[\w+/=.%:~-]{8,}$/i;

/** A value of only digits under a name for one: a check number, a one-time code. */
export function isSecretNumber(value: string, { kind }: KeyMeaning): boolean {
  return kind === 'pin' ? PIN.test(value) : NUMBER_KINDS.has(kind) && DIGITS.test(value);
}

/** Names that are ordinary words elsewhere count if their value has the form of such secrets. */
export function isSecretByForm(value: string, meaning: KeyMeaning): boolean {
  if (meaning.strength === 'strong' || value.includes('«') || isSample(value)) return false;
  switch (meaning.kind) {
    case 'pin':
      return PIN.test(value);
    case 'signature':
      return SIGNATURE.test(value);
    case 'session':
      return SESSION.test(value);
    default:
      return false;
  }
}

/** Kinds of secrets that may contain spaces. */
const WITH_BLANKS = new Set(['password', 'cookie', 'authorization']);
/** Kinds identified by their names: a short value has a digit or two. */
const TYPED: ReadonlySet<string> = new Set([
  'password',
  'token',
  'api-key',
  'secret',
  'csrf',
  'authorization',
]);

/** A value of few digits under a name for one. */
export function isTyped(value: string, { kind, strength }: KeyMeaning): boolean {
  return strength === 'strong' && TYPED.has(kind) && (looksTyped(value) || looksRandom(value));
}

/** A value that needs nothing but its strong name: a JSON string, an element, a cell. */
export function isSecretNamed(value: string, { kind }: KeyMeaning): boolean {
  if (value === '' || value.includes('«') || isSample(value)) return false;
  // A cookie header has pairs; a bare word under this name is a package or a setting.
  if (kind === 'cookie' && !value.includes('=')) return false;
  return !/\s/.test(value) || (WITH_BLANKS.has(kind) && !readsAsSentence(value));
}

/** A value that a label or an attribute names. */
export function isSecretField(value: string, meaning: KeyMeaning): boolean {
  if (value.includes('«') || isSample(value)) return false;
  if (meaning.strength === 'weak') return isSecretByForm(value, meaning);
  if (isSecretNumber(value, meaning)) return true;
  if (NUMBER_KINDS.has(meaning.kind)) return false;
  return isTyped(value, meaning) || looksRandom(value);
}

const OAUTH =
  /^(?:client_id|redirect_uri|response_type|response_mode|grant_type|scope|code_verifier|code_challenge|code_challenge_method|session_state|iss|id_token|access_token|device_code|user_code|verification_uri|code|state)$/;

/** True among OAuth parameters, where `code` and `state` are secret; one of them alone is not. */
export function isOAuth(names: readonly string[]): boolean {
  return names.filter((name) => OAUTH.test(name)).length > 1;
}

/** A code or `state` of OAuth; a word, such as `open`, is something else. A person types the `user_code`. */
export function isOAuthValue(name: string, value: string): boolean {
  return (
    /^(?:code|state|device_code|code_verifier)$/.test(name) &&
    value.length >= 6 &&
    !/^[a-z]{1,12}$/i.test(value) &&
    !value.includes('«')
  );
}
