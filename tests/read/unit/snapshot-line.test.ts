import { expect, test } from 'vitest';
import { SnapshotLine, quoteName } from '../../../extension/read/page/write/snapshot-line.ts';

function write(fill: (line: SnapshotLine) => void): string[] {
  const lines: string[] = [];
  const line = new SnapshotLine((text) => lines.push(text));
  fill(line);
  line.end();
  return lines;
}

test.each([
  ['e12 text', '\\e12 text'],
  ['# text', '\\# text'],
  ['@main', '\\@main'],
  ['a [e1 b]', 'a \\[e1 b]'],
  ['[1] note', '[1] note'],
])('text that looks like structure is marked: %s', (text, expected) => {
  expect(write((line) => line.text(text))).toEqual([expected]);
});

test.each([
  ['Save', 'Save'],
  ['[checked] x', '"[checked] x"'],
  ['"x"', '"\\"x\\""'],
])('names that look like states or values are quoted: %s', (name, expected) => {
  expect(quoteName(name)).toBe(expected);
});
