import { GITLEAKS_NAMED } from './gitleaks-rules.generated.ts';
import { entropyBits } from './plausible.ts';
import type { Span } from './span.ts';

const NAME_UNITS = 80;
const LONGEST_UNITS = 200;
/** Most that {@link SEPARATED} matches: `&quot;` or `=`, and what follows it. */
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

const RULES = GITLEAKS_NAMED.map((rule) => ({
  ...rule,
  name: new RegExp(`(?<![a-z])(?:${rule.name})`, 'gi'),
  value: new RegExp(`^(?:${rule.value})$`),
  isSpecific:
    SPECIFIC.test(rule.value.replaceAll(/\[(?![A-Z][a-z]\])[^\]]*\]/g, '#')) || SECRET_WORD.test(rule.name),
}));
const ANY_NAME = new RegExp(`(?<![a-z])(?:${GITLEAKS_NAMED.map(({ name }) => name).join('|')})`, 'i');
const BY_LENGTH = Array.from({ length: LONGEST_UNITS }, (_, units) =>
  RULES.filter(({ least, most }) => least <= units && units <= most),
);

/** The part of the name before a value that follows the issuer's; null where the two are apart. */
function restOfName(name: RegExp, before: string): string | null {
  name.lastIndex = 0;
  let end = -1;
  for (let hit = name.exec(before); hit !== null; hit = name.exec(before)) end = hit.index + hit[0].length;
  return end < 0 ? null : (GAP.exec(before.slice(end))?.groups?.['rest'] ?? null);
}

/** The line up to a place, or the end of it. */
function lineBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - NAME_UNITS), end);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** The value at a place of a text, where an issuer's name before it says what it is. */
export function findNamedValue(text: string, start: number, end: number): Span | null {
  const rules = BY_LENGTH[end - start] ?? [];
  if (rules.length === 0) return null;
  if (!BEFORE_VALUE.test(text.charAt(start - 1))) return null;
  const before = lineBefore(text, start);
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
