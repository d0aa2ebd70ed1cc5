import { invalid, type SelectorPart } from './fault.ts';

const ENGINE = /^\s*([\w+:*-]+)\s*=/;
const QUOTED = /^(["']).*\1$/s;
const XPATH = /^(?:\(*\/\/|\.\.)/;
/** A quote in the middle of a plain text is part of it. */
const PLAIN_TEXT = /^\s*text\s*=\s*[^\s"'`]/;

/**
 * The parts of a selector, as Playwright divides it: engines chained by `>>`, which a quoted string may hold. A
 * part without an engine is a text if it is quoted, an XPath if it begins like one, and CSS otherwise.
 *
 * @throws PageError `selector_invalid`
 */
export function parseSelector(whole: string): SelectorPart[] {
  return divide(whole).map(({ from, to }) => toPart(whole, from, to));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function divide(whole: string): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  let quote = '';
  for (let at = 0; at < whole.length; at += 1) {
    const char = whole[at] ?? '';
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (/["'`]/.test(char)) quote = PLAIN_TEXT.test(whole.slice(from, at)) ? '' : char;
    else if (whole.startsWith('>>', at)) {
      ranges.push({ from, to: at });
      from = at + 2;
      at += 1;
    }
  }
  return [...ranges, { from, to: whole.length }];
}

function toPart(whole: string, from: number, to: number): SelectorPart {
  const text = whole.slice(from, to);
  const begin = from + (text.length - text.trimStart().length);
  const trimmed = text.trim();
  if (trimmed === '') throw invalid({ whole, at: from }, 'a part of the selector is empty');
  const named = ENGINE.exec(trimmed);
  if (named?.[1] !== undefined) {
    const body = trimmed.slice(named[0].length);
    const at = begin + named[0].length + (body.length - body.trimStart().length);
    return { engine: named[1], body: body.trim(), at, whole };
  }
  const isText = trimmed.length > 1 && QUOTED.test(trimmed);
  const engine = isText ? 'text' : XPATH.test(trimmed) ? 'xpath' : 'css';
  return { engine, body: trimmed, at: begin, whole };
}
