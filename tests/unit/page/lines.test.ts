import { expect, test } from 'vitest';
import { Lines } from '../../../extension/page/write/lines.ts';

const BOLD = { kind: 'emphasis', open: '**', close: '**' } as const;

function write(fill: (lines: Lines) => void): string {
  let text = '';
  const same = (more: string): string => more;
  const style = { escape: same, code: same, flanks: true, lineBreak: '\\', indents: true, joiner: null };
  const lines = new Lines({ write: (more) => void (text += more) }, style, '', false);
  fill(lines);
  lines.endLine();
  return text;
}

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
