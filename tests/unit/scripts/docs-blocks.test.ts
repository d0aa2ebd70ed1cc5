import { expect, it } from 'vitest';
import { fillBlocks } from '../../../scripts/lib/docs-blocks.ts';

const BLOCKS = { mills: () => '| mills |' };

/** A page with one block of that name around a text. */
const block = (name: string, text: string): string =>
  `<!-- generated: ${name} -->\n${text}\n<!-- /generated -->`;
const page = (...blocks: readonly string[]): string => `# Mills\n\n${blocks.join('\n\n')}\n\nThe end.\n`;
const fill = (text: string): string => fillBlocks('docs/mills.md', text, BLOCKS);

it('rewrites the text between the markers, and nothing else', () => {
  const filled = fill(page('Before.', block('mills', 'old\n\nlines')));
  expect(filled).toBe(page('Before.', block('mills', '\n| mills |\n')));
});

it.each([
  ['no marker', page('| mills |'), 'the block "mills" is marked 0 times instead of once'],
  ['two blocks', page(block('mills', ''), block('mills', '')), 'the block "mills" is marked 2 times'],
  ['an unknown block', page(block('mills', ''), block('sails', '')), 'nothing generates the block "sails"'],
  ['no end', page('<!-- generated: mills -->\n| mills |'), 'the block "mills" is marked 0 times'],
])('refuses a page with %s', (_what, text, message) => {
  expect(() => fill(text)).toThrow(`docs/mills.md: ${message}`);
});
