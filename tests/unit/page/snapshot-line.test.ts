import { expect, test } from 'vitest';
import { SnapshotLine, quoteName } from '../../../extension/page/write/snapshot-line.ts';

function write(fill: (line: SnapshotLine) => void): string[] {
  const lines: string[] = [];
  const line = new SnapshotLine((text) => lines.push(text));
  fill(line);
  line.end();
  return lines;
}

function item(line: SnapshotLine, head: string, name: string): void {
  const at = line.open();
  line.text(name);
  line.close(at, head, '');
}

test('an item alone has no brackets, next to text it has them', () => {
  expect(write((line) => item(line, 'e1', 'more'))).toEqual(['e1 more']);
  expect(
    write((line) => {
      line.text('see ');
      item(line, 'e1', 'more');
      line.text(' here');
    }),
  ).toEqual(['see [e1 more] here']);
  expect(
    write((line) => {
      item(line, 'e1', 'a');
      line.space();
      item(line, 'e2', 'b');
    }),
  ).toEqual(['[e1 a] [e2 b]']);
});

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
