/*
 * In text, a key and a colon are as often prose or documentation as a leak. These tests weigh the
 * value. They look at a bounded part of it.
 */

const WEIGHED_UNITS = 256;

const SAMPLE_WORD =
  /^(?:string|str|text|number|integer|boolean|bool|object|any|null|nil|none|undefined|true|false|void|unknown|required|optional|hidden|empty|password|passwd|passphrase|pass|pwd|pw|secret|token|key|apikey|api_key|user|username|test|testing|foo|bar|baz|value|values|dummy|sample|demo|changeme|change_me|placeholder|redacted|default|disabled|enabled|yes|no|on|off|csrf|jwt|bearer|basic|cookie|session)$/i;
const SAMPLE_PART =
  /^(?:your|my|the|some|insert|enter|new|old|current|confirm|invalid|missing)[-_ ]|example|placeholder|redacted|xxxx|\*{3}|•{3}|^[.…]+$|^[<[{(%$#@]|^&lt;|^[~^<>=v ]{0,3}\d+\.\d+(?:\.[\dx*]+)?(?:[-+][\w.]+)?$|^(?:\/|[A-Z]:\\)[\w.-]+[/\\]|\$\{|\{\{|process\.env|os\.environ|env\(|^0+$/i;

const NOUN =
  '(?:api|app|access|auth|bearer|client|user|bot|db|token|key|secret|password|passwd|pass|name|value|id|jwt|here)';
const STARTS = 'your|my|the|some|insert|enter|new|old|current|confirm|invalid|missing';
/** Whole values that are samples: no secret has their form, however it was made. */
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
/** Within brackets is a name, which has no more than one digit. */
const DIGITS = /\d[^]*\d/;
const ESCAPE = /%[\da-f]{2}/gi;
const BRACKETED = /^(?:[<{[($#]|&lt;|%3C|%7B|%5B|%24)/i;

/**
 * The whole of a value is a sample. Where a value is secret regardless of its form, nothing else
 * keeps it: a secret may well begin with a word, or hold one.
 */
export function isSample(value: string): boolean {
  if (value.length > WEIGHED_UNITS || (BRACKETED.test(value) && DIGITS.test(value.replaceAll(ESCAPE, ''))))
    return false;
  return SAMPLES.some((sample) => sample.test(value));
}

/** What documentation and templates write in place of a secret, or at its start. */
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

/** Made by a machine or by a person who wants it hard to guess; words, versions and names are not. */
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
export function looksTyped(value: string): boolean {
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

/** A word that a person may have chosen, for a place that holds a value and nothing else. */
export function looksChosen(value: string): boolean {
  return /^[a-z][a-z-]{5,63}$/.test(value) && !isPlaceholder(value) && !isSample(value) && !FACT.test(value);
}

/** Says what to do with a password; a message about passwords, not one. */
export function readsAsSentence(value: string): boolean {
  return (
    /\s/.test(value) &&
    /\b(?:password|passphrase|passwort|must|enter|your|please|required|should|the|a)\b/i.test(value)
  );
}
