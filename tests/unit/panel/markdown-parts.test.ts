import { expect, it } from 'vitest';
import { partsOf } from '../../../extension/panel/components/markdown-parts.ts';
import { longPage } from '../../support/widget-hosts/sample-page.ts';

/** The most that a part has, with what it repeats of the one before. */
const MOST_UNITS = 17_000;

it('a short document is one part', () => {
  expect(partsOf('# A\n\nb')).toEqual(['# A\n\nb']);
  expect(partsOf('')).toEqual(['']);
});

it('a document of a megabyte is cut between paragraphs, and loses nothing', () => {
  const text = longPage(1_000_000);
  const parts = partsOf(text);
  expect(parts.length).toBeGreaterThan(60);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(MOST_UNITS);
  expect(parts.join('\n')).toBe(text);
  expect(parts.slice(1).every((part) => /^(?:\n|## Section)/.test(part))).toBe(true);
});

it('a line that is longer than a part is cut, with all of its text', () => {
  const line = 'word '.repeat(20_000);
  const parts = partsOf(`# A\n\n${line}`);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(MOST_UNITS);
  expect(parts.join('').replaceAll('\n', '')).toBe(`# A${line}`);
});

it('a fence that is cut through begins again, and ends in its part', () => {
  const code = Array.from({ length: 4_000 }, (_, at) => `line ${at}`).join('\n');
  const parts = partsOf(`\`\`\`\`ts\n${code}\n\`\`\`\`\n\nafter`);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.split('````').length % 2).toBe(1);
  expect(parts.at(-1)).toContain('\n\nafter');
});

it('a table that is cut through has its head in each part', () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => `| ${at} | value |`).join('\n');
  const parts = partsOf(`| id | what |\n| --- | ---: |\n${rows}`);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part).toMatch(/^\| id \| what \|\n\| --- \| ---: \|\n\| \d+ \|/);
});

it.each(['>', '> ', '- ', '1. ', '>- '])('of %j many times on one line the rest is text', (marker) => {
  const [part = ''] = partsOf(`${marker.repeat(400)}deep`);
  expect(part).toContain('\\');
  expect(part.replace('\\', '')).toBe(`${marker.repeat(400)}deep`);
});
