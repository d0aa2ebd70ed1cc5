import { test } from 'vitest';

type Case = { readonly area: string; readonly title: string; readonly cells: readonly string[] };

/**
 * Reads cases, one per line: a title and its cells, separated by ` ¦ `. A line `# AREA` begins an area. In a cell, `↵`
 * is a line break.
 */
export function casesOf(table: string): Case[] {
  let area = '';
  return table
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      if (line.startsWith('# ')) {
        area = line.slice(2);
        return [];
      }
      const [title = '', ...cells] = line.split(/ ?¦ ?/);
      if (cells.length === 0) throw new Error(`This case has no cells: ${line}`);
      return [{ area, title, cells: cells.map((cell) => cell.replaceAll('↵', '\n')) }];
    });
}

export const nameOf = ({ area, title }: Case): string => (area === '' ? title : `${area}: ${title}`);

type Cells = readonly string[];

/** Makes a test of each case, which gets its cells. */
export function testEach(name: string, table: string, check: (...cells: Cells) => Promise<void>): void {
  test.each(casesOf(table).map((one) => [`${name}, ${nameOf(one)}`, one.cells] as const))(
    '%s',
    async (_name, cells) => check(...cells),
  );
}

/** The same if one call evaluates all cases: one call per case would take longer than its work. */
export function testTogether<T>(
  name: string,
  table: string,
  find: (all: readonly Cells[]) => Promise<readonly T[]>,
  check: (found: T, ...cells: Cells) => void,
): void {
  const all = casesOf(table);
  let finding: Promise<readonly T[]> | undefined;
  test.each(all.map((one, at) => [`${name}, ${nameOf(one)}`, at, one.cells] as const))(
    '%s',
    async (_name, at, cells) => {
      finding ??= find(all.map((one) => one.cells));
      const [found] = (await finding).slice(at, at + 1);
      if (found === undefined) throw new Error('Nothing was found for this case.');
      check(found, ...cells);
    },
  );
}

export const textOf = (lines: string): string =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(JSON.parse(line).text))
    .join('');

export const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();
