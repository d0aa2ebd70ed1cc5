/*
 * In text, a key and a colon are as often prose or documentation as a leak. These tests weigh the
 * value. They look at a bounded part of it.
 */

const WEIGHED_UNITS = 256;

const SAMPLE_WORD =
  /^(?:string|str|text|number|integer|boolean|bool|object|any|null|nil|none|undefined|true|false|void|unknown|required|optional|hidden|empty|password|passwd|passphrase|pass|pwd|pw|secret|token|key|apikey|api_key|user|username|test|testing|foo|bar|baz|value|values|dummy|sample|demo|changeme|change_me|placeholder|redacted|default|disabled|enabled|yes|no|on|off|csrf|jwt|bearer|basic|cookie|session)$/i;
const SAMPLE_PART =
  /^(?:your|my|the|some|insert|enter|new|old|current|confirm|invalid|missing)[-_ A-Z]|example|placeholder|redacted|xxxx|\*{3}|•{3}|^[.…]+$|^[<[{(%$#@]|^&lt;|^[~^<>=v ]{0,3}\d+\.\d+(?:\.[\dx*]+)?(?:[-+][\w.]+)?$|^(?:\/|[A-Z]:\\)[\w.-]+[/\\]|\$\{|\{\{|process\.env|os\.environ|env\(|^0+$/i;

/** What documentation and templates write where a secret would stand. */
export function isPlaceholder(value: string): boolean {
  const weighed = value.slice(0, WEIGHED_UNITS);
  return SAMPLE_WORD.test(weighed) || SAMPLE_PART.test(weighed);
}

/** Bits a character, after Shannon, of the character frequencies. */
function entropyBits(value: string): number {
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

/** A password that somebody typed into code or configuration: letters and digits in one word. */
export function looksTyped(value: string): boolean {
  const weighed = value.slice(0, WEIGHED_UNITS);
  return (
    weighed.length >= 6 &&
    /\d/.test(weighed) &&
    /[A-Za-z]/.test(weighed) &&
    !/[\s./\\:]/.test(weighed) &&
    !isPlaceholder(weighed)
  );
}

/** Says what to do with a password; a message about passwords, not one. */
export function readsAsSentence(value: string): boolean {
  return (
    /\s/.test(value) &&
    /\b(?:password|passphrase|passwort|must|enter|your|please|required|should|the|a)\b/i.test(value)
  );
}
