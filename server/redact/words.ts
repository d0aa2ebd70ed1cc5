import {
  keyMeaning,
  phraseMeaning,
  looksChosen,
  isSecretField,
  isSecretNamed,
  isSecretNumber,
  isTyped,
} from './weigh.ts';
import type { ScanWindow, Span } from './tally.ts';

/*
 * Secrets that no sign but words or lines tie to their names: `your token is …`, and a name that has a
 * line to itself, with its value in one of the next two.
 */

/** The words after `is` are looked at only where a name is before it. */
const SENTENCE =
  / (?:[iI][sS]|[wW][aA][sS])(?=[ \t:])(?<=(?:pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|jwt|key|pin|otp|code|cvv|cvc|ssn|credentials?)["'`*_)]{0,3} (?:is|was))(?: now| set to)?:?[ \t]{1,4}(?<quote>["'`*_“]{0,3})(?<value>[^\s"'`“”<>«»]{3,256})/gi;
const NAME_UNITS = 80;
/** Ends a sentence, and is more than a value of a token has. */
const SENTENCE_END = /[.,;:!?)\]*_]+$/;

function findSentences({ text, from }: ScanWindow, spans: Span[]): void {
  SENTENCE.lastIndex = from;
  for (let hit = SENTENCE.exec(text); hit !== null; hit = SENTENCE.exec(text)) {
    const { quote = '', value = '' } = hit.groups ?? {};
    const before = text.slice(Math.max(0, hit.index - NAME_UNITS), hit.index).replace(/["'*`_)]+$/, '');
    const meaning = phraseMeaning(before);
    const secret = /["'`]/.test(quote) ? value : value.replace(SENTENCE_END, '');
    const start = hit.index + hit[0].length - value.length;
    if (meaning === null || (meaning.strength === 'weak' && meaning.kind !== 'pin')) continue;
    const isChosen = quote !== '' && meaning.kind === 'password' && looksChosen(secret);
    if (isChosen || isTyped(secret, meaning) || isSecretNumber(secret, meaning))
      spans.push({ start, end: start + secret.length, kind: meaning.kind });
  }
}

/** A name on a line of its own, with the marks of lists, headings, quotations and outlines around it. */
const LABEL =
  /^[ \t>*#-]{0,12}(?:(?:text|term|definition|cell|generic|paragraph|strong|label)\b:? )?["'`*_]{0,3}(?<name>[A-Za-z][\w -]{2,40}?)["'`*_:]{0,4}[ \t]{0,4}\r?$/;
const ALONE =
  /^(?<lead>[ \t>*#-]{0,12}(?:(?:text|term|definition|cell|generic|paragraph|strong|label)\b:? )?["'`*_]{0,3})(?<value>[^\s"'`«»<>]{4,256}?)["'`*_]{0,3}[ \t]{0,4}\r?$/;
const LABEL_UNITS = 64;
const VALUE_LINES = 2;

function findBelow({ text, from }: ScanWindow, labelEnd: number, name: string, spans: Span[]): void {
  const meaning = phraseMeaning(name);
  if (meaning === null) return;
  for (let start = labelEnd + 1, count = 0; count < VALUE_LINES && start < text.length; count += 1) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const { lead = '', value = '' } =
      end - start > 300 ? {} : (ALONE.exec(text.slice(start, end))?.groups ?? {});
    if (start >= from && value !== '' && isSecretField(value, meaning)) {
      spans.push({ start: start + lead.length, end: start + lead.length + value.length, kind: meaning.kind });
      return;
    }
    start = end + 1;
  }
}

/** A line that a name ends: few lines are. */
const NAMED_LINE =
  /(?:pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|jwt|key|pin|otp|code|cvv|cvc|ssn|credentials?|number|session(?:[ _-]?id)?)["'`*_:]{0,4}[ \t]{0,4}\r?$/i;
const NAMED_LINE_UNITS = 24;
/** Of every code unit: whether it may come between a name and the end of its line. */
const IS_MARK = new Uint8Array(65_536);
for (const mark of '"\'`*_: \t\r') IS_MARK[mark.charCodeAt(0)] = 1;
/** How those names end, as {@link endingBefore} has it: this alone excludes most lines. */
const IS_ENDING = new Uint8Array(32_768);
const ENDINGS =
  'ord,ort,swd,ase,ode,pwd,ret,ken,jwt,key,pin,otp,cvv,cvc,ssn,ial,als,ber,ion,nid,_id,-id, id'.split(',');
for (const ending of ENDINGS) IS_ENDING[endingBefore(ending, 3)] = 1;

/** The three characters before `end`, letters in either case, as one number. */
function endingBefore(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  );
}

/** @param window.text has the lines before `from` too, in which a name may be */
function findLabelLines(window: ScanWindow, spans: Span[]): void {
  const { text } = window;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    let nameEnd = end;
    while (IS_MARK[text.charCodeAt(nameEnd - 1)] === 1) nameEnd -= 1;
    if (IS_ENDING[endingBefore(text, nameEnd)] !== 1) continue;
    if (!NAMED_LINE.test(text.slice(Math.max(0, end - NAMED_LINE_UNITS), end))) continue;
    const line = text.slice(Math.max(0, end - LABEL_UNITS - 1), end);
    const name = LABEL.exec(line.slice(line.lastIndexOf('\n') + 1))?.groups?.['name'];
    if (name !== undefined) findBelow(window, end, name, spans);
  }
}

/** Names of HTML are passed over at once. */
const OPENING =
  /<(?!(?:div|span|td|th|tr|li|ul|p|a|img|h\d|b|i|em|strong|br|section|article)[\s>])(?<name>[\w.:-]{3,64})(?:\s[^<>]{0,256})?>(?<gap>\s{0,80})(?:<!\[CDATA\[)?(?<value>[^\s<>«»[\]][^<>\n«»[\]]{0,255})/y;
const ELEMENT_UNITS = 400;
const SLASH = 47;

/** `<password>…</password>`: elements that are called as secrets are; the value may be on a line of its own. */
function findElements({ text, from }: ScanWindow, spans: Span[]): void {
  let at = text.indexOf('<', Math.max(0, from - ELEMENT_UNITS));
  for (; at >= 0; at = text.indexOf('<', at + 1)) {
    if (text.charCodeAt(at + 1) === SLASH) continue;
    OPENING.lastIndex = at;
    const hit = OPENING.exec(text);
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

/** All of the above; the text has lines before `from`, in which names may be. */
export function findByWords(window: ScanWindow, spans: Span[]): void {
  findSentences(window, spans);
  findLabelLines(window, spans);
  findElements(window, spans);
}
