import type { KeyMeaning } from './key-names.ts';
import { isSample, looksRandom, looksTyped, readsAsSentence } from './plausible.ts';

/*
 * What a name next to a value says where the format makes clear which value it names: JSON, parameters,
 * headers, attributes, labels. The name is read by `key-names.ts`, the value is weighed here.
 */

const NUMBER_KINDS: ReadonlySet<string> = new Set(['card', 'otp', 'pin', 'ssn']);
const DIGITS = /^\d(?:[ -]?\d){2,18}$/;
const PIN = /^\d{4,8}$/;
const SIGNATURE = /^(?=.*\d)[\w+/=.%~-]{16,}$/;
const SESSION = /^(?=.*\d)(?=.*[a-z])[\w+/=.%:~-]{8,}$/i;

/** A value of digits alone under a name for one: a check number, a code that is used once. */
export function isSecretNumber(value: string, { kind }: KeyMeaning): boolean {
  return kind === 'pin' ? PIN.test(value) : NUMBER_KINDS.has(kind) && DIGITS.test(value);
}

/** Names that are ordinary words elsewhere count for a value of the form that such secrets have. */
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

/** Kinds of secrets that may hold blanks. */
const WITH_BLANKS = new Set(['password', 'cookie', 'authorization']);
/** Kinds that are guarded by their names: a short value of theirs has a digit or two. */
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

/** A value that nothing but its strong name is needed for: a string of JSON, an element, a cell. */
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
  /^(?:client_id|redirect_uri|response_type|response_mode|grant_type|scope|code_verifier|code_challenge|code_challenge_method|session_state|iss|id_token|access_token|code|state)$/;

/** True among parameters of OAuth, where `code` and `state` are secret: one of them alone is not. */
export function isOAuth(names: readonly string[]): boolean {
  return names.filter((name) => OAUTH.test(name)).length > 1;
}

/** A `code` or `state` of OAuth; a word, such as `open`, is something else. */
export function isOAuthValue(name: string, value: string): boolean {
  return (
    /^(?:code|state)$/.test(name) &&
    value.length >= 6 &&
    !/^[a-z]{1,12}$/i.test(value) &&
    !value.includes('«')
  );
}
