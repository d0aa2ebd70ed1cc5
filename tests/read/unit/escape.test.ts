import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { escapeMarkdown, fenceFor, inlineCode } from '../../../extension/read/page/write/escape.ts';

const parser = unified().use(remarkParse).use(remarkGfm);

interface Tree {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Tree[];
}

const parse = (markdown: string): Tree => parser.parse(markdown);
const typesIn = (tree: Tree): string[] => [tree.type, ...(tree.children ?? []).flatMap(typesIn)];
const textOf = (tree: Tree): string => (tree.value ?? '') + (tree.children ?? []).map(textOf).join('');
const SIGNS = '* ** _ ` [ ] ( ) < > &amp; & # - + = | ~ ~~ ! \\ 1. 2) a é 漢 [^1] : $ " <b> ---';
const syntax = fc
  .array(fc.constantFrom(...SIGNS.split(' '), ' ', 'b c'), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join('').replace(/ +/g, ' ').trim())
  .filter((text) => text !== '');

test('escapeMarkdown keeps any text of a block as that text', () => {
  fc.assert(
    fc.property(syntax, (text) => {
      const tree = parse(escapeMarkdown(text, ''));
      expect(new Set(typesIn(tree))).toEqual(new Set(['root', 'paragraph', 'text']));
      expect(textOf(tree)).toBe(text);
    }),
    { numRuns: rounds(2_000, 300) },
  );
});

test('code of any content survives inline and in a block', () => {
  const code = fc
    .string({ minLength: 1 })
    .map((text) => text.replace(/[^\x20-\x7e]/g, 'x').trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(fc.oneof(code, fc.constantFrom('`', '``a`', 'a`', '` `')), (text) => {
      const inline = parse(`x ${inlineCode(text)} y`).children?.[0]?.children?.[1];
      expect(inline).toMatchObject({ type: 'inlineCode', value: text });
      const fence = fenceFor(text, 3);
      expect(parse(`${fence}\n${text}\n${fence}`).children?.[0]).toMatchObject({ type: 'code', value: text });
    }),
  );
});
