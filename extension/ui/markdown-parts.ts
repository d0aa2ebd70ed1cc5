/*
 * Parsing time grows with the text, for some texts faster than linearly: a long document is parsed and shown in
 * self-contained parts.
 */

const PART_UNITS = 12_000;
/** A part ends here even within a paragraph. */
const MAX_UNITS = 16_000;
/** Containers (quotes, lists) that may begin on one line; deeper ones are text. */
const MAX_CONTAINERS = 16;

const FENCE = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})/;
const DELIMITERS = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const CONTAINERS = new RegExp(
  `^((?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_CONTAINERS}})(?=[ \\t]*(?:[>*+-]|\\d))`,
);

/** The parts of a document in order, without loss. */
export function splitMarkdown(text: string): readonly string[] {
  if (text.length <= PART_UNITS) return [text.split('\n').map(flatten).join('\n')];
  const parts: string[] = [];
  let lines: string[] = [];
  let units = 0;
  /** The fence around the current line. */
  let fence: string | null = null;
  /** The first two lines of the current block: a table's head, if it is one. */
  let block: string[] = [];
  for (const line of text.split('\n').flatMap(piecesOf)) {
    const isBlank = line.trim() === '';
    const isBreak = fence === null && (isBlank || /^#{1,6}\s/.test(line));
    const isFull = units + line.length > MAX_UNITS || (units >= PART_UNITS && isBreak);
    if (isFull && lines.length > 0) {
      // A fence or table that is split has its beginning in both.
      parts.push([...lines, ...(fence === null ? [] : [fence])].join('\n'));
      lines = fence === null ? getTableHead(block) : [fence];
      units = 0;
    }
    if (isBlank) block = [];
    else if (block.length < 2) block.push(line);
    fence = fenceAfter(line, fence);
    lines.push(line);
    units += line.length + 1;
  }
  return lines.length === 0 ? parts : [...parts, lines.join('\n')];
}

const flatten = (line: string): string => line.replace(CONTAINERS, '$1\\');

function piecesOf(line: string): readonly string[] {
  const count = Math.max(1, Math.ceil(line.length / MAX_UNITS));
  return Array.from({ length: count }, (_, at) => flatten(line.slice(at * MAX_UNITS, (at + 1) * MAX_UNITS)));
}

function fenceAfter(line: string, fence: string | null): string | null {
  const found = FENCE.exec(line)?.[1];
  if (found === undefined || fence === null) return found ?? fence;
  return found[0] === fence[0] && found.length >= fence.length ? null : fence;
}

const getTableHead = (block: readonly string[]): string[] =>
  DELIMITERS.test(block[1] ?? '') ? [...block] : [];
