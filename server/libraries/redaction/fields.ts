import { lookUp } from '../../../shared/base/json.ts';
import { isSecretCell } from './columns.ts';
import {
  keyMeaning,
  type KeyMeaning,
  isSample,
  isSecretByForm,
  isSecretField,
  isSecretNamed,
  isSecretNumber,
} from './weigh.ts';
import { execAt, type ScanWindow, type Span } from './tally.ts';

/*
 * Names and values that HTML puts next to each other: attributes of one element, in either order, and
 * a label before its value (`<dt>`, `<th>`, `<label>`). Both may be on lines of their own.
 */

/** Text before a line that its fields are read with. */
export const FIELD_CONTEXT_UNITS = 512;
const TAG_UNITS = 400;

const VALUE =
  /=(?<=\b(?:value|content)=)(?:\\{0,3}["'](?<quoted>[^"'<>«»\n\\]{3,})|(?<bare>[^\s"'<>=`«»\\]{3,}))/g;
const NAME =
  /(?:^|[\s"'])(?:name|id|autocomplete|property|itemprop|key|data-name)[ \t]{0,4}=[ \t]{0,4}\\{0,3}["']?(?<name>[\w.:[\]-]{1,64})/gi;
const PASSWORD_TYPE = /\btype[ \t]{0,4}=[ \t]{0,4}\\{0,3}["']?password\b/i;
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  'cc-csc': 'cvv',
  'cc-number': 'cardnumber',
  'one-time-code': 'otp',
  'current-password': 'password',
  'new-password': 'password',
};

/** The attributes of the element around a place, without the rest beyond its line. */
function attributesAround(text: string, start: number, end: number): string | null {
  const before = text.slice(Math.max(0, start - TAG_UNITS), start);
  const open = before.lastIndexOf('<');
  if (open < 0 || before.includes('>', open) || !/[a-z]/i.test(before.charAt(open + 1))) return null;
  const after = /^[^<>\n]*/.exec(text.slice(end, end + TAG_UNITS))?.[0] ?? '';
  return `${before.slice(open)} ${after}`;
}

/** The first name of an element that describes its value. */
function meaningOf(attributes: string): KeyMeaning | null {
  let weak: KeyMeaning | null = null;
  for (let hit = execAt(NAME, attributes, 0); hit !== null; hit = NAME.exec(attributes)) {
    const name = hit.groups?.['name'] ?? '';
    const meaning = keyMeaning(lookUp(AUTOCOMPLETE, name.toLowerCase()) ?? name);
    if (meaning?.strength === 'strong') return meaning;
    weak ??= meaning;
  }
  return PASSWORD_TYPE.test(attributes) ? keyMeaning('password') : weak;
}

/** In an attribute a name counts for more than in running text. */
function isSecretAttribute(value: string, meaning: KeyMeaning): boolean {
  if (isSample(value)) return false;
  if (meaning.strength === 'weak') return isSecretByForm(value, meaning);
  switch (meaning.kind) {
    case 'password':
      return true;
    case 'csrf':
      return value.length >= 8;
    case 'cookie':
      return false;
    default:
      return (
        isSecretNumber(value, meaning) ||
        isSecretField(value, meaning) ||
        (value.length >= 16 && /\d/.test(value) && !/\s/.test(value))
      );
  }
}

function findAttributes({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(VALUE, text, from); hit !== null; hit = VALUE.exec(text)) {
    const value = hit.groups?.['quoted'] ?? hit.groups?.['bare'] ?? '';
    const end = hit.index + hit[0].length;
    const attributes = attributesAround(text, hit.index, end);
    const meaning = attributes === null ? null : meaningOf(attributes);
    if (meaning !== null && isSecretAttribute(value, meaning))
      spans.push({ start: end - value.length, end, kind: meaning.kind });
  }
}

/** The end of a label, the text between it and its value, and the value. */
const LABELLED =
  /(?:<\/(?:dt|th|td|label|strong|b|span|div|h[1-6]|key|name)>|:(?=\s{0,4}<(?:code|kbd|samp|tt|strong|b|em|i|span)>))(?<gap>\s{0,80}(?:<(?!input)[a-z][^<>]{0,120}>\s{0,80}){0,3})(?:(?<value>[^<>\s«»][^<>\n«»]{2,})|<input\b[^<>]{0,200}?\bvalue=\\{0,3}["']?(?<field>[^"'<>\s«»\\]{3,}))/g;
/** After these a word is a value too. */
const DEFINED = /^<\/(?:dt|key)>/;
const LABEL = />\s{0,20}(?<label>[A-Za-z][\w ./()*-]{0,40}?)\s{0,4}[:*]?\s{0,20}$/;

function findLabels({ text, from }: ScanWindow, spans: Span[]): void {
  LABELLED.lastIndex = Math.max(0, from - FIELD_CONTEXT_UNITS);
  for (let hit = LABELLED.exec(text); hit !== null; hit = LABELLED.exec(text)) {
    const { value, field } = hit.groups ?? {};
    const end = hit.index + hit[0].length;
    const secret = (value ?? field ?? '').trimEnd();
    const start = end - (value ?? field ?? '').length;
    // The value may be the label of the next.
    LABELLED.lastIndex = Math.max(start, hit.index + 1);
    if (start < from) continue;
    const label = LABEL.exec(text.slice(Math.max(0, hit.index - 64), hit.index))?.groups?.['label'];
    const meaning = label === undefined ? null : keyMeaning(label);
    if (meaning === null) continue;
    const isSecret = DEFINED.test(hit[0])
      ? isSecretCell(secret, meaning, false)
      : isSecretField(secret, meaning);
    if (isSecret) spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** Names of HTML are passed over at once. */
const OPENING =
  /<(?!(?:div|span|td|th|tr|li|ul|p|a|img|h\d|b|i|em|strong|br|section|article)[\s>])(?<name>[\w.:-]{3,64})(?:\s[^<>]{0,256})?>(?<gap>\s{0,80})(?:<!\[CDATA\[)?(?<value>[^\s<>«»[\]][^<>\n«»[\]]{0,255})/y;
const ELEMENT_UNITS = 400;
const SLASH = 47;

/** `<password>…</password>`: elements named like secrets; the value may be on its own line. */
function findElements({ text, from }: ScanWindow, spans: Span[]): void {
  let at = text.indexOf('<', Math.max(0, from - ELEMENT_UNITS));
  for (; at >= 0; at = text.indexOf('<', at + 1)) {
    if (text.charCodeAt(at + 1) === SLASH) continue;
    const hit = execAt(OPENING, text, at);
    if (hit === null) continue;
    const { name = '', gap = '', value = '' } = hit.groups ?? {};
    const meaning = keyMeaning(name.replace(/^.*:/, ''));
    const end = hit.index + hit[0].length;
    const start = end - value.length;
    if (meaning === null || start < from) continue;
    if (!gap.includes('\n') && !/^(?:\]\]>)?<\//.test(text.slice(end, end + 5))) continue;
    const secret = value.trimEnd();
    if (meaning.strength === 'strong' ? isSecretNamed(secret, meaning) : isSecretField(secret, meaning))
      spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** Fields of forms and labelled values, in text that begins with {@link FIELD_CONTEXT_UNITS} of context. */
export function findFields(window: ScanWindow, spans: Span[]): void {
  if (!window.text.includes('<')) return;
  findAttributes(window, spans);
  findLabels(window, spans);
  findElements(window, spans);
}
