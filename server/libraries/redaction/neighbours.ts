import { findBelow } from './label-lines.ts';
import { lineBefore } from './own-rules.ts';
import { endingBefore, execAt, type ScanWindow, type Span, pairsOf } from './tally.ts';
import {
  isSecretField,
  isSecretNumber,
  isTyped,
  keyMeaning,
  type KeyMeaning,
  looksChosen,
  looksRandom,
  phraseMeaning,
} from './weigh.ts';

/*
 * Values next to their names without `=` or `:` between: in brackets or quotes, as the next word, option, cell or
 * member of a list, or before the name (`use … as your password`). Each begins at a sign behind a name.
 */

const BLANK = 32;
const BRACE = 125;
const COLON = 58;
const BREAK = 10;
const isIn = (signs: string): Uint8Array => {
  const found = new Uint8Array(65_536);
  for (const sign of signs) found[sign.charCodeAt(0)] = 1;
  return found;
};
/** For every code unit: whether it can separate a name from its value. */
const SEPARATES = isIn(' ,;\t}:');
/** A name does not end before a letter or a digit, nor in a placeholder. */
const CONTINUES = isIn('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789»');
/** Quotes and emphasis around a name. */
const IS_MARK = isIn('"\'`*_)]>}');
const IS_QUOTE = isIn('"\'`');
/** The ends of the names, and of `identified by`: 1. The ends of other names that columns and lines have: 2. */
const ENDINGS = new Uint8Array(32_768);
for (const ending of 'ord,swd,ase,ode,pwd,ret,ken,jwt,key,pin,otp,cvv,cvc,srf, by'.split(','))
  ENDINGS[endingBefore(ending, 3)] = 1;
for (const ending of 'lue,ssn,als,ort,ber,ion,nid,_id,-id, id'.split(','))
  ENDINGS[endingBefore(ending, 3)] = 2;
/** Pairs of characters that few other words have, and the rest of the name: one look at a small table excludes most places. */
const RARE_PAIRS =
  'rd,wd,hr ase,co de,cr et,ke n,ke y,jw t,pi n,tp,cv v,cv c,sr f,by,lu e,sn,ia ls,rt,mb er,ss ion,id'.split(
    ',',
  );
/** By the last five bits of two characters, one more than the units from them to the end of the name. */
const TO_END = new Uint8Array(1_024);
for (const [pair = '', rest = ''] of RARE_PAIRS.map((one) => one.split(' ')))
  TO_END[endingBefore(pair, 2) & 1_023] = 1 + rest.length;

const NAMES =
  'pass(?:word|wd|phrase|code)|pwd|secret|token|jwt|key|pin|otp|cvv2?|cvc2?|(?:one[- ]time|verification|security|mfa|2fa) code';
const NAME_END = new RegExp(`(?:${NAMES}|identified(?: with \\w{1,40})? by)["'\`*_)\\]>}]{0,4}$`, 'i');
const NAME_END_UNITS = 40;
const NAME_UNITS = 80;
const QUOTE = '\\\\{0,7}["\'`]';
const VALUE = '[^\\s"\'`“”‘’<>«»()[\\]{}|\\\\]{3,256}';

/** A place that a name may precede, and its line up to there. */
interface LineSpot {
  readonly text: string;
  readonly at: number;
  readonly line: string;
}

const PASSWORD: KeyMeaning = { kind: 'password', strength: 'strong' };

/** The value of a match of an expression with indices, in a text that begins at `offset`. */
function findValueSpan(hit: RegExpExecArray | null, meaning: KeyMeaning | null, offset = 0): Span | null {
  const range = hit?.indices?.groups?.['value'];
  if (range === undefined || meaning === null) return null;
  return { start: offset + range[0], end: offset + range[1], kind: meaning.kind };
}

/** The end of a sentence, which is not part of a value. */
const SENTENCE_END = /[.,;:!?*_]+$/;
const OPTION = /(?:^|\s)--?(?<name>[A-Za-z][\w-]{1,40})$/;
/** The words that may follow a name, then brackets or quotes, then the value. */
const NEXT = new RegExp(
  `(?:(?: \\([^()\\n]{1,24}\\)|(?<=[)>}])):[ \\t]{0,4}| {1,2})(?<words>(?:(?:(?:is|was|has been|will be) )?(?:now )?(?:changed |set |reset |updated )?(?:to|as|of)(?=[ \\t])|(?:is|was)(?: now)?:?|=>|->|→|–|—)[ \\t]{1,4})?(?<open>["'\`“‘([{<*_]{0,3})(?<value>${VALUE})(?<close>["'\`”’)\\]}>*_]{0,3})(?<rest>[ \\t]*(?:\\r?\\n|$))?`,
  'diy',
);
/** Only a label is before the value. */
const LABEL_ONLY = /^[\s>*#-]{0,12}["'`*_]{0,3}[\w ]{3,32}["'`*_]{0,3}$/;

interface Lead {
  readonly meaning: KeyMeaning;
  /** An option or a clause, whose value may be any word. */
  readonly isGiven: boolean;
}

/** The name at the end of a line. */
function leadOf(line: string): Lead | null {
  const end = line.slice(-NAME_END_UNITS);
  if (!NAME_END.test(end)) return null;
  if (/ by$/i.test(end)) return { meaning: PASSWORD, isGiven: true };
  const option = OPTION.exec(line)?.groups?.['name'];
  const meaning =
    option === undefined ? phraseMeaning(line.replace(/["'`*_)\]>}]+$/, '')) : keyMeaning(option);
  return meaning === null ? null : { meaning, isGiven: option !== undefined };
}

/** Few words after a name contain one of these. */
const MAY_BE_SECRET = /[\d"'`“‘]/;
const MAY_BE_GIVEN = /(?:^|\s)-\S*$|identified .*by$/i;

function nextWord({ text, at, line }: LineSpot): Span | null {
  const hit = execAt(NEXT, text, at);
  if (hit === null || !(MAY_BE_SECRET.test(hit[0]) || MAY_BE_GIVEN.test(line))) return null;
  const lead = leadOf(line);
  if (lead === null) return null;
  const { value = '', open = '' } = hit.groups ?? {};
  const end = /^[*_]*$/.test(open) ? (SENTENCE_END.exec(value)?.[0].length ?? 0) : 0;
  const span = findValueSpan(hit, lead.meaning);
  const { isSure, canBeWord } = weighNext(hit.groups ?? {}, line, lead);
  const isSecret = isNext(value.slice(0, value.length - end), lead.meaning, isSure, canBeWord);
  return span !== null && isSecret ? { ...span, end: span.end - end } : null;
}

/** Whether the text around a value ties it to the name, and whether it may be any word. */
function weighNext(
  { words, open = '', close = '', rest }: Readonly<Record<string, string | undefined>>,
  line: string,
  { isGiven }: Lead,
) {
  const isAlone = rest !== undefined && LABEL_ONLY.test(line);
  const isString = /["'`“‘]/.test(open) && (words !== undefined || /with \w+$/i.test(line));
  const isEnclosed = open !== '' && close !== '';
  return {
    isSure: isGiven || words !== undefined || isEnclosed || isAlone || line.endsWith('PIN'),
    canBeWord: isGiven || isString,
  };
}

function isNext(value: string, meaning: KeyMeaning, isSure: boolean, canBeWord: boolean): boolean {
  if (isSecretNumber(value, meaning)) return isSure || meaning.kind !== 'pin';
  if (isTyped(value, meaning)) return isSure || meaning.kind === 'password' || looksRandom(value);
  return canBeWord && meaning.kind === 'password' && looksChosen(value);
}

/** `… as your temporary password`: the name is behind the value. */
const VALUE_BEFORE = new RegExp(
  `(?:^|[\\s(])(?<open>["'\`“‘*_]{0,3})(?<value>${VALUE})["'\`”’*_]{0,3} (?:as|is) (?:your|the|an?|my|our|their|its|his|her|this) (?<name>(?:[\\w-]{1,20} ){0,3}?(?:${NAMES}))$`,
  'di',
);

function wordBefore({ at, line }: LineSpot): Span | null {
  if (!line.includes(' as ') && !line.includes(' is ')) return null;
  const hit = VALUE_BEFORE.exec(line);
  // The line may have been cut within the value.
  if (hit?.index === 0 && line.length === NAME_UNITS) return null;
  const { value = '', open, name = '' } = hit?.groups ?? {};
  const meaning = phraseMeaning(name);
  const isSecret = meaning !== null && isNext(value, meaning, true, open !== '');
  return isSecret ? findValueSpan(hit, meaning, at - line.length) : null;
}

/** Clients whose `-p` is a password, and those with another letter. */
const CLIENTS =
  /\b(?:(?:mysql\w*|mariadb\w*|mycli|sshpass|mongo\w*|7za?|rar|unrar|(?:docker|podman|buildah|skopeo|helm|oras|nerdctl|oc|az|cf)\b.{0,40}\blogin)\b.{0,160} -p|(?:redis-cli|valkey-cli)\b.{0,160} -a|ldap\w+\b.{0,160} -w|(?:un)?zip\b.{0,160} -P)$/;
const SHORT_OPTION = /(?<=\s)-[pawP][ =]?["']?(?<value>[^\s"'`<>«»|;&-][^\s"'`<>«»|;&]{3,255})/dy;
const LINE_UNITS = 240;
const IS_OPTION = isIn('pawP');

function shortOption(text: string, at: number): Span | null {
  const hit = execAt(SHORT_OPTION, text, at);
  if (hit === null || !CLIENTS.test(lineBefore(text, at + 2, LINE_UNITS))) return null;
  const value = hit.groups?.['value'] ?? '';
  return looksRandom(value) || isNext(value, PASSWORD, true, true) ? findValueSpan(hit, PASSWORD) : null;
}

/** `["password", "…"]`, `{"name": "password", "value": "…"}` and `{"value": "…", "name": "password"}`. */
const NAME_KEYS =
  'name|key|k|id|label|field|header|title|param(?:eter)?|property|variable|option|setting|attribute|type';
const VALUE_KEYS = 'value|val|v|content|text|data|default(?:Value)?|answer';
const STRING = `${QUOTE}(?<value>(?:(?!\\\\{0,7}["'\`])[^\\n«]){3,512})${QUOTE}`;
const IN_LIST = new RegExp(`[[({]\\s{0,40}${QUOTE}(?<name>[\\w .:-]{2,48})${QUOTE}$`);
const IN_OBJECT = new RegExp(
  `(?:${QUOTE})?\\b(?:${NAME_KEYS})(?:${QUOTE})?\\s{0,4}[:=]>?\\s{0,4}${QUOTE}(?<name>[\\w .:[\\]-]{2,48})${QUOTE}$`,
  'i',
);
const NEXT_IN_LIST = new RegExp(`,\\s{0,40}${STRING}\\s{0,40}[\\])}]`, 'dy');
const NEXT_IN_OBJECT = new RegExp(
  `,\\s{0,40}(?:(?:${QUOTE})?\\w{1,24}(?:${QUOTE})?\\s{0,4}[:=]>?\\s{0,4}(?:${QUOTE}[^"'\`\\n\\\\]{0,40}${QUOTE}|[\\w.-]{1,20})\\s{0,4},\\s{0,40}){0,2}(?:${QUOTE})?(?:${VALUE_KEYS})(?:${QUOTE})?\\s{0,4}[:=]>?\\s{0,4}${STRING}`,
  'diy',
);
const BEFORE_IN_OBJECT = new RegExp(
  `(?:${QUOTE})?\\b(?:${VALUE_KEYS})(?:${QUOTE})?[ \\t]{0,4}[:=][ \\t]{0,4}${STRING}[ \\t]{0,4},[ \\t]{0,4}(?:${IN_OBJECT.source})`,
  'di',
);
const OBJECT_UNITS = 400;

function nextMember({ text, at }: LineSpot): Span | null {
  if (text.charAt(at) === '}') {
    const start = Math.max(0, at - OBJECT_UNITS);
    const hit = BEFORE_IN_OBJECT.exec(text.slice(start, at));
    return secretOf(hit, hit?.groups?.['name'], start);
  }
  const before = text.slice(Math.max(0, at - NAME_UNITS), at);
  const item = execAt(NEXT_IN_LIST, text, at);
  if (item !== null) return secretOf(item, IN_LIST.exec(before)?.groups?.['name']);
  const value = execAt(NEXT_IN_OBJECT, text, at);
  return value === null ? null : secretOf(value, IN_OBJECT.exec(before)?.groups?.['name']);
}

function secretOf(hit: RegExpExecArray | null, name: string | undefined, offset = 0): Span | null {
  const meaning = name === undefined ? null : keyMeaning(name);
  const isSecret = meaning !== null && isSecretField(hit?.groups?.['value'] ?? '', meaning);
  return isSecret ? findValueSpan(hit, meaning, offset) : null;
}

/** A row of a name and a value, perhaps with a third cell. */
const LABEL_CELL = /^[ \t"']{0,8}(?<name>[A-Za-z][\w .-]{1,40})["']?$/;
const NEXT_CELL =
  /(?<sign>[,;\t])[ \t]{0,8}["']?(?<value>[^\s"',;«]{3,256})["']?[ \t]{0,8}(?:\k<sign>|\r?\n|$)/dy;

function nextCell({ text, at, line }: LineSpot): Span | null {
  const name = LABEL_CELL.exec(line)?.groups?.['name'];
  return name === undefined ? null : secretOf(execAt(NEXT_CELL, text, at), name);
}

/** @param end of the name, @param at the sign behind its marks */
function spanAt(text: string, end: number, at: number): Span | null {
  const code = text.charCodeAt(at);
  const line = lineBefore(text, at, NAME_UNITS);
  const before = wordBefore({ text, at: end, line: line.slice(0, line.length - (at - end)) });
  if (before !== null || SEPARATES[code] !== 1) return before;
  const place = { text, at, line };
  if (code === BLANK || code === COLON) return nextWord(place);
  const member = IS_QUOTE[text.charCodeAt(at - 1)] === 1 ? nextMember(place) : null;
  return member ?? (code === BRACE ? null : nextCell(place));
}

/** Finds values in a text, and those whose names are in the text before it. */
export function findNeighbours({ text, from, earlier = '' }: ScanWindow, spans: Span[]): void {
  const take =
    (offset: number) =>
    (span: Span | null): void => {
      if (span !== null && span.start - offset >= from)
        spans.push({ ...span, start: span.start - offset, end: span.end - offset });
    };
  if (earlier !== '') {
    find(earlier + text.slice(0, OBJECT_UNITS * 2), 0, earlier.length, take(earlier.length));
  }
  find(text, Math.max(0, from - OBJECT_UNITS), text.length, take(0));
  for (let at = text.indexOf('-', from); at >= 0; at = text.indexOf('-', at + 1))
    if (IS_OPTION[text.charCodeAt(at + 1)] === 1) take(0)(shortOption(text, at));
}

interface Names {
  readonly text: string;
  readonly start: number;
  /** Ends of the names of secrets, and of those that only columns have, in order. */
  readonly ends: readonly number[];
}

let latest: Names = { text: '', start: 0, ends: [] };

/** Where names end in a text, from a place on; what was found last is kept, since two searches ask for it. */
export function nameEnds(text: string, start: number): readonly number[] {
  if (latest.text !== text || latest.start > start) latest = { text, start, ends: findEnds(text, start) };
  return latest.ends;
}

function findEnds(text: string, start: number): number[] {
  const ends: number[] = [];
  const add = (end: number): void => {
    if (ENDINGS[endingBefore(text, end)] !== 0 && CONTINUES[text.charCodeAt(end)] !== 1) ends.push(end);
  };
  // Two units at a time cost half as much as one by one.
  const pairs = pairsOf(text);
  let last = 0;
  for (let at = start >> 1; at * 2 < text.length; at += 1) {
    const pair = pairs[at] ?? 0;
    const first = pair & 31;
    const second = (pair >>> 16) & 31;
    const before = TO_END[(last << 5) | first] ?? 0;
    const within = TO_END[(first << 5) | second] ?? 0;
    last = second;
    if ((before | within) === 0) continue;
    if (before !== 0) add(2 * at + before);
    if (within !== 0) add(2 * at + 1 + within);
  }
  return ends;
}

/** For every code unit: whether it may be between a name and the end of its line. */
const IS_AFTER_LABEL = isIn('"\'`*_: \t\r');

/** Finds the values whose names end in a part of a text. */
function find(text: string, start: number, to: number, take: (span: Span | null) => void): void {
  for (const end of nameEnds(text, start)) {
    if (end > to) break;
    let lineEnd = end;
    while (IS_AFTER_LABEL[text.charCodeAt(lineEnd)] === 1) lineEnd += 1;
    if (text.charCodeAt(lineEnd) === BREAK) take(findBelow(text, lineEnd));
    if (ENDINGS[endingBefore(text, end)] !== 1) continue;
    let sign = end;
    while (IS_MARK[text.charCodeAt(sign)] === 1) sign += 1;
    // A brace behind a string ends the object that it is in.
    if (text.charCodeAt(sign - 1) === BRACE && IS_QUOTE[text.charCodeAt(sign - 2)] === 1) sign -= 1;
    take(spanAt(text, end, sign));
  }
}
