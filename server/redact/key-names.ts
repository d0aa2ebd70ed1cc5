/*
 * Names that secrets have: headers, JSON and form keys, query parameters. One table serves
 * the key-aware path over objects and the text rules.
 */

/** What a name says of its value. */
export interface KeyMeaning {
  readonly kind: string;
  /** `strong`: its value is always secret. `weak`: only in a place where it is (a query, a header). */
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
    'apikey xapikey accesskey secretkey privatekey signingkey encryptionkey masterkey accountkey subscriptionkey sharedkey authkey clientkey secretaccesskey awssecretaccesskey secretkeybase xfunctionskey ocpapimsubscriptionkey xgoogapikey',
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
  code: 'code authcode state nonce ticket assertion samlresponse',
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
  /(?:password|passwd|passphrase|secretaccesskey|accesstoken|refreshtoken|sessiontoken|authtoken|apitoken|securitytoken|csrftoken|apikey|secretkey|privatekey|clientsecret|appsecret|secret|setcookie)$/;
const ENDING_AFTER_SEPARATOR = /(?:^|[-_.\s[:])(token|secret|password|pwd|cookie|key)\]?$/i;
/** A site's own header that ends in `-Key` lets its bearer in; one that names a cache's entry does not. */
const OWN_HEADER_KEY = /^x-(?!.*(?:cache|surrogate))/i;
/** Names that end alike and mean a fact about the secret, not the secret. */
const NOT_SECRET = /(?:^(?:has|is|no|max|min|show|forgot|reset)|public)/;

const CACHE_NAMES = 2_048;
const cache = new Map<string, KeyMeaning | null>();

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function lookUp(name: string): KeyMeaning | null {
  const plain = plainOf(name);
  const exact = MEANINGS.get(plain);
  if (exact !== undefined) return exact;
  if (NOT_SECRET.test(plain)) return null;
  const ending = ENDING.exec(plain)?.[0] ?? ENDING_AFTER_SEPARATOR.exec(name)?.[1]?.toLowerCase();
  if (ending === undefined) return null;
  if (ending === 'key') return MEANINGS.get(OWN_HEADER_KEY.test(name) ? 'apikey' : 'key') ?? null;
  return MEANINGS.get(ending) ?? { kind: 'secret', strength: 'strong' };
}

/** What the name of a header, key or parameter says of its value; null for an ordinary one. */
export function keyMeaning(name: string): KeyMeaning | null {
  if (name.length > 64) return null;
  const known = cache.get(name);
  if (known !== undefined) return known;
  const meaning = lookUp(name);
  if (cache.size >= CACHE_NAMES) cache.clear();
  cache.set(name, meaning);
  return meaning;
}

const WORDS = /(?:[\w-]{1,24}[ \t]){0,2}[\w-]{1,24}$/;

/**
 * The meaning of the words that end a text. The longest strong name counts, since `API key` is
 * one and `key` is not.
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
