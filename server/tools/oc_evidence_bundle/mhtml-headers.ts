import type { CleanText } from '../../redact/clean.ts';

/** A header of a part, folded lines joined. */
interface Field {
  readonly name: string;
  readonly value: string;
}

function parseField(line: string): Field {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
}

/** Logical lines of a header block, each with the breaks that it was folded with. */
const linesOf = (block: string): string[] => block.split(/\r\n(?![\t ])/);

/** A field's value, folded lines joined; '' when it is not there. */
export function fieldOf(block: string, name: string): string {
  return (
    linesOf(block.replaceAll(/\r\n[\t ]+/g, ' '))
      .map(parseField)
      .find((field) => field.name === name)?.value ?? ''
  );
}

/** The boundary between parts, or null. */
export function boundaryOf(block: string): string | null {
  return /;\s*boundary="([^"]{1,200})"/i.exec(fieldOf(block, 'content-type'))?.[1] ?? null;
}

const ENCODED_WORD = /=\?utf-8\?([QB])\?([^?]*)\?=(?:\s+(?==\?utf-8\?))?/gi;
/** Code points that always fit in one encoded word (RFC 2047, 2). */
const WORD_CODE_POINTS = 10;

/** Chromium writes a blank as `=20`, and an underscore as itself, which RFC 2047 takes for a blank. */
function decodeWords(text: string): string {
  return Buffer.from(
    text.replaceAll(ENCODED_WORD, (_, kind: string, body: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(body, 'base64').toString('latin1')
        : body.replaceAll(/=([0-9A-F]{2})/gi, (__, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
    ),
    'latin1',
  ).toString('utf8');
}

function encodeWords(text: string): string {
  const points = Array.from(text);
  const words: string[] = [];
  for (let from = 0; from < points.length; from += WORD_CODE_POINTS) {
    const word = points.slice(from, from + WORD_CODE_POINTS).join('');
    words.push(`=?utf-8?B?${Buffer.from(word, 'utf8').toString('base64')}?=`);
  }
  return words.join('\r\n ');
}

/** As the browser's parser of addresses does it, so that the page still finds the part. */
const escapeAddress = (text: string): string =>
  text.replaceAll(/[^!-~]+/g, (found) => encodeURIComponent(found));

/**
 * Cleans what a header block says of the page: addresses and the title. Lines that need no change
 * stay as they are.
 */
export function cleanHeaders(block: string, clean: (text: string) => CleanText): string {
  return linesOf(block)
    .map((line) => {
      const { name, value } = parseField(line.replaceAll(/\r\n[\t ]+/g, ' '));
      if (name === 'subject') {
        const subject = decodeWords(value);
        const cleaned = clean(subject);
        return cleaned === subject ? line : `Subject: ${encodeWords(cleaned)}`;
      }
      if (!name.endsWith('content-location')) return line;
      const cleaned = clean(value);
      return cleaned === value ? line : `${line.slice(0, line.indexOf(':'))}: ${escapeAddress(cleaned)}`;
    })
    .join('\r\n');
}
