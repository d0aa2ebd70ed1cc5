import { isSecretCell } from './columns.ts';
import type { Span } from './tally.ts';
import { isSecretField, type KeyMeaning, phraseMeaning } from './weigh.ts';

/* Names that have a line to themselves, with the value in one of the next two. */

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

const LINE_UNITS = 300;

/** The value below a line that ends at a place, if the line is the name of a secret. */
export function findBelow(text: string, lineEnd: number): Span | null {
  const line = text.slice(Math.max(0, lineEnd - LABEL_UNITS - 1), lineEnd);
  const name = LABEL_ALONE.exec(line.slice(line.lastIndexOf('\n') + 1))?.groups?.['name'];
  const meaning = name === undefined ? null : phraseMeaning(name.replaceAll(/[*`]/g, ''));
  if (meaning === null) return null;
  for (let start = lineEnd + 1, count = 0; count < VALUE_LINES && start < text.length; count += 1) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const hit = end - start > LINE_UNITS ? null : ALONE.exec(text.slice(start, end));
    const { lead = '', sign, value = '' } = hit?.groups ?? {};
    if (value !== '' && isNamedBelow(value, meaning, sign))
      return { start: start + lead.length, end: start + lead.length + value.length, kind: meaning.kind };
    start = end + 1;
  }
  return null;
}
