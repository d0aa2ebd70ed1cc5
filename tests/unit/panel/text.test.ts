import { fromMarkdown } from 'mdast-util-from-markdown';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { toCsv } from '../../../extension/panel/components/csv.ts';
import { formBlank } from '../../../extension/panel/components/form-blank.ts';
import { titleOf, withoutTitle } from '../../../extension/panel/components/page-title.ts';
import { excerptOf, formatAddress, revealLines, safeHref } from '../../../extension/panel/components/text.ts';

it('lines and tabs are kept, and what hides is shown', () => {
  expect(revealLines('a\r\n\tb\u202eexe.\u200b')).toBe('a\n\tb⟨U+202E⟩exe.⟨U+200B⟩');
});

it.each([
  ['https://a.test/x', 'https://a.test/x'],
  ['HTTP://A.test', 'http://a.test/'],
  [' https://a.test', null],
  ['https://a.test\n', null],
  ['https://', null],
  ['//a.test', null],
])('the address of the link %j', (text, href) => expect(safeHref(text)).toBe(href));

it('a link leads to http and https alone, whatever the text', () => {
  const schemes = fc.constantFrom('javascript:', 'data:', 'http://', 'https://', 'file:///', '');
  fc.assert(
    fc.property(schemes, fc.string({ unit: 'binary' }), (scheme, rest) => {
      const href = safeHref(scheme + rest);
      expect(href === null || /^https?:\/\/[^/]/.test(href)).toBe(true);
    }),
  );
});

it.each([
  ['https://docs.test/a%20b/c?q=1#top', 'docs.test/a%20b/c?q=1'],
  ['https://docs.test/caf%C3%A9', 'docs.test/café'],
  ['https://docs.test/%E2%80%AEgnp.exe', 'docs.test/%E2%80%AEgnp.exe'],
  ['https://docs.test/%', 'docs.test/%'],
  ['no address', 'no address'],
])('the address %s is written so', (href, said) => expect(formatAddress(href)).toBe(said));

it('an excerpt has no marks of Markdown, is one line of at most its length, and is cut between characters', () => {
  const text = '# Head\n\n- **bold** [a link](https://a.test)\n> quoted ![alt](x.png)\n1. `code`';
  expect(excerptOf(text)).toBe('Head bold a link quoted code');
  const words = fc.string({ unit: 'grapheme', maxLength: 400 });
  fc.assert(
    fc.property(words, fc.integer({ min: 10, max: 60 }), (any, most) => {
      const excerpt = excerptOf(any, most);
      expect(excerpt.length).toBeLessThanOrEqual(most + 1);
      expect(excerpt).not.toMatch(/\n/);
      expect(excerpt.isWellFormed()).toBe(any.isWellFormed());
    }),
  );
});

it.each([
  ['[Home](https://a.test/)\n\n# The **bold** [one](https://a.test/b) \\# 1', 'The bold one # 1'],
  ['## Second', 'Second'],
  ['text alone', null],
  ['# ', null],
])('the title of %j', (text, title) => expect(titleOf(text)).toBe(title));

it('the title at the very beginning is not repeated, and one below it stays', () => {
  expect(withoutTitle('\n# Title\n\ntext', 'Title')).toBe('\ntext');
  expect(withoutTitle('text\n\n# Title\n', 'Title')).toBe('text\n\n# Title\n');
  expect(withoutTitle('# Title\n', 'Another')).toBe('# Title\n');
});

it.each([
  ['Name [____] and [__________]', [['Name [____] and [__________]']]],
  ['`[____]` __bold__', [['[____]'], [' '], ['strong']]],
  ['[_a_](https://a.test) [__b__]', [['link'], [' ['], ['strong'], [']']]],
  ['[_] [', [['[_] [']]],
  ['[____', [['[____']]],
])('an empty field of a form is text, and all else is what it was: %s', (text, parts) => {
  const [paragraph] = fromMarkdown(text, { extensions: [formBlank] }).children;
  const nodes = paragraph?.type === 'paragraph' ? paragraph.children : [];
  expect(nodes.map((node) => ['value' in node ? node.value : node.type])).toEqual(parts);
});

it('a table has the names of all records, and quotes what has to be quoted', () => {
  const rows = [
    { name: 'Desk, "large"', price: 3.5 },
    { name: 'two\nlines', tags: ['a', 'b'], sale: null, ok: true },
  ];
  expect(toCsv(rows)).toBe(
    'name,price,tags,sale,ok\r\n"Desk, ""large""",3.5,,,\r\n"two\nlines",,"[""a"",""b""]",,true\r\n',
  );
  for (const none of [[], [1], [{ a: 1 }, 2]]) expect(toCsv(none)).toBeNull();
});

it('a text is not a formula where a table is pasted, and numbers stay numbers', () => {
  for (const text of ['=1+1', '+1', '-1', '@a', '\t=1'])
    expect(toCsv([{ a: text }])).toBe(`a\r\n'${text}\r\n`);
  expect(toCsv([{ '=a': -1 }])).toBe("'=a\r\n-1\r\n");
});
