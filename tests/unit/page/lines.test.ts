import { expect, test } from 'vitest';
import { Lines } from '../../../extension/page/write/lines.ts';

const BOLD = { kind: 'emphasis', open: '**', close: '**' } as const;

function write(fill: (lines: Lines) => void, follows = false): string {
  let text = '';
  const same = (more: string): string => more;
  const style = { escape: same, code: same, flanks: true, lineBreak: '\\', indents: true, joiner: null };
  const lines = new Lines({ write: (more) => void (text += more) }, style, '', follows);
  fill(lines);
  lines.endLine();
  return text;
}

test('collapses white space across nodes, and writes nothing for marks and containers that stay empty', () => {
  expect(
    write((lines) => {
      lines.text(' a ');
      lines.space();
      lines.text('\n b');
      lines.space();
    }),
  ).toBe('a b');
  expect(
    write((lines) => {
      lines.push('> ', '> ');
      lines.open(BOLD);
      lines.space();
      expect(lines.close()).toBe(false);
      lines.pop();
    }),
  ).toBe('');
});

test('moves blanks out of emphasis, and joins emphasis that continues', () => {
  expect(
    write((lines) => {
      lines.text('a');
      lines.open(BOLD);
      lines.text(' b ');
      lines.close();
      lines.text('c');
      lines.open(BOLD);
      lines.text(' d');
      lines.close();
      lines.open(BOLD);
      lines.text('e');
      lines.close();
    }),
  ).toBe('a **b** c **de**');
});

test('prefixes every line of a quote, its blank lines too', () => {
  expect(
    write((lines) => {
      lines.text('before');
      lines.block(2);
      lines.push('> ', '> ');
      lines.text('one');
      lines.block(2);
      lines.text('two');
      lines.lineBreak();
      lines.text('three');
      lines.pop();
      lines.block(2);
      lines.text('after');
    }),
  ).toBe('before\n\n> one\n>\n> two\\\n> three\n\nafter');
});

test('a frame without text leaves no head, one with text begins outside of what it opens', () => {
  expect(
    write((lines) => {
      lines.head('[frame a]');
      expect(lines.tail()).toBe(false);
      lines.head('[frame b]');
      lines.push('# ', '');
      lines.text('title');
      lines.pop();
      expect(lines.tail()).toBe(true);
    }),
  ).toBe('[frame b]\n\n# title');
});

test('a document that follows its parent begins after a blank line', () => {
  expect(write((lines) => lines.text('x'), true)).toBe('\n\nx');
});

test('keeps blanks of preformatted text between its parts, and none at line ends', () => {
  expect(
    write((lines) => {
      lines.rawText('  ');
      lines.rawText('SELECT ');
      lines.rawText('a');
      lines.rawText('  ');
      lines.endLine();
      lines.block(1);
      lines.rawText('FROM');
      lines.rawText(' ');
      lines.block(1);
      lines.rawText('t');
    }),
  ).toBe('  SELECT a\nFROM\nt');
});
