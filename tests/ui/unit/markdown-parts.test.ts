import { expect, it } from 'vitest';
import { splitMarkdown } from '../../../extension/ui/markdown-parts.ts';
import { longPage } from '../../support/widget-hosts/sample-page.ts';

const MAX_UNITS = 17_000;
const longest = (parts: readonly string[]): number => Math.max(...parts.map((part) => part.length));

it('a document of a megabyte is cut between paragraphs, and loses nothing', () => {
  const text = longPage(1_000_000);
  const parts = splitMarkdown(text);
  expect(parts.length).toBeGreaterThan(60);
  expect(longest(parts)).toBeLessThan(MAX_UNITS);
  expect(parts.join('\n')).toBe(text);
  expect(parts.slice(1).every((part) => /^(?:\n|## Section)/.test(part))).toBe(true);
  expect(splitMarkdown('')).toEqual(['']);
});

it('a fence that is cut through begins again, and a table has its head in each part', () => {
  const lines = (write: (at: number) => string): string =>
    Array.from({ length: 4_000 }, (_, at) => write(at)).join('\n');
  const code = splitMarkdown(`\`\`\`\`ts\n${lines((at) => `line ${at}`)}\n\`\`\`\`\n\nafter`);
  expect(code.length).toBeGreaterThan(2);
  for (const part of code) expect(part.split('````').length % 2).toBe(1);
  expect(code.at(-1)).toContain('\n\nafter');
  const table = splitMarkdown(`| id | what |\n| --- | ---: |\n${lines((at) => `| ${at} | value |`)}`);
  expect(table.length).toBeGreaterThan(2);
  for (const part of table) expect(part).toMatch(/^\| id \| what \|\n\| --- \| ---: \|\n\| \d+ \|/);
});
