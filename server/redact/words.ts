import { endingBefore, execAt, type ScanWindow, type Span } from './tally.ts';
import { isSecretCell } from './columns.ts';
import { isSecretField, isSecretNamed, keyMeaning, type KeyMeaning, phraseMeaning } from './weigh.ts';

/*
 * Secrets whose names have a line to themselves, with the value in one of the next two, or an element.
 */

const MARKS = '[ \\t>*#-]{0,12}(?:(?:text|term|definition|cell|generic|paragraph|strong|label)\\b:? )?';
/** A name on a line of its own, with any marks of lists, headings, quotations and outlines. */
const LABEL_ALONE = new RegExp(
  `^${MARKS}(?:(?:name|key): )?["'\`*_]{0,3}(?<name>[A-Za-z][\\w *\`-]{2,40}?)["'\`*_:]{0,4}[ \\t]{0,4}\\r?$`,
);
/** The value, perhaps of a definition or a `value:`, and the button that copies or hides it. */
const ALONE = new RegExp(
  `^(?<lead>${MARKS}(?<sign>: |value: )?["'\`*_]{0,3})(?<value>[^\\s"'\`«»<>]{4,256}?)["'\`*_]{0,3}(?: \\[[^\\]\\n]{1,48}\\]| (?:Copy|Show|Hide|Reveal|Edit))?[ \\t]{0,4}\\r?$`,
);
const LABEL_UNITS = 64;
const VALUE_LINES = 2;

/** The definition of a term needs less than any line below. */
const isNamedBelow = (value: string, meaning: KeyMeaning, sign: string | undefined): boolean =>
  sign === undefined ? isSecretField(value, meaning) : isSecretCell(value, meaning, false);

function findBelow({ text, from }: ScanWindow, labelEnd: number, name: string, spans: Span[]): void {
  const meaning = phraseMeaning(name.replaceAll(/[*`]/g, ''));
  if (meaning === null) return;
  for (let start = labelEnd + 1, count = 0; count < VALUE_LINES && start < text.length; count += 1) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const {
      lead = '',
      sign,
      value = '',
    } = end - start > 300 ? {} : (ALONE.exec(text.slice(start, end))?.groups ?? {});
    if (start >= from && value !== '' && isNamedBelow(value, meaning, sign)) {
      spans.push({ start: start + lead.length, end: start + lead.length + value.length, kind: meaning.kind });
      return;
    }
    start = end + 1;
  }
}

/** A line that ends with a name: few lines do. */
const NAMED_LINE =
  /(?:pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|jwt|key|pin|otp|code|cvv|cvc|ssn|credentials?|number|session(?:[ _-]?id)?)["'`*_:]{0,4}[ \t]{0,4}\r?$/i;
const NAMED_LINE_UNITS = 24;
/** For every code unit: whether it may occur between a name and the end of its line. */
const IS_MARK = new Uint8Array(65_536);
for (const mark of '"\'`*_: \t\r') IS_MARK[mark.charCodeAt(0)] = 1;
/** The ends of those names, as in {@link endingBefore}: this alone excludes most lines. */
const IS_ENDING = new Uint8Array(32_768);
const ENDINGS =
  'ord,ort,swd,ase,ode,pwd,ret,ken,jwt,key,pin,otp,cvv,cvc,ssn,ial,als,ber,ion,nid,_id,-id, id'.split(',');
for (const ending of ENDINGS) IS_ENDING[endingBefore(ending, 3)] = 1;

/** @param window.text has the lines before `from` too, in which a name may be */
function findLabelLines(window: ScanWindow, spans: Span[]): void {
  const { text } = window;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    let nameEnd = end;
    while (IS_MARK[text.charCodeAt(nameEnd - 1)] === 1) nameEnd -= 1;
    if (IS_ENDING[endingBefore(text, nameEnd)] !== 1) continue;
    if (!NAMED_LINE.test(text.slice(Math.max(0, end - NAMED_LINE_UNITS), end))) continue;
    const line = text.slice(Math.max(0, end - LABEL_UNITS - 1), end);
    const name = LABEL_ALONE.exec(line.slice(line.lastIndexOf('\n') + 1))?.groups?.['name'];
    if (name !== undefined) findBelow(window, end, name, spans);
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

/** All of the above; names may be in the lines of the text before `from`. */
export function findByWords(window: ScanWindow, spans: Span[]): void {
  findLabelLines(window, spans);
  findElements(window, spans);
}
