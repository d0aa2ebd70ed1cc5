import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { excerptOf, formatAddress, revealLines, safeHref } from '../../../extension/panel/components/text.ts';

it('revealLines keeps lines and tabs, and shows what hides', () => {
  expect(revealLines('a\r\n\tb\u202eexe.\u200b')).toBe('a\n\tb⟨U+202E⟩exe.⟨U+200B⟩');
});

describe('safeHref', () => {
  it.each([
    ['https://a.test/x', 'https://a.test/x'],
    ['HTTP://A.test', 'http://a.test/'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    [' https://a.test', null],
    ['https://a.test\n', null],
    ['https://', null],
    ['//a.test', null],
    ['see https://a.test', null],
  ])('%j', (text, href) => {
    expect(safeHref(text)).toBe(href);
  });

  it('answers http and https alone, whatever the text', () => {
    const schemes = fc.constantFrom('javascript:', 'data:', 'http://', 'https://', 'file:///', '');
    fc.assert(
      fc.property(schemes, fc.string({ unit: 'binary' }), (scheme, rest) => {
        const href = safeHref(scheme + rest);
        expect(href === null || /^https?:\/\/[^/]/.test(href)).toBe(true);
      }),
    );
  });
});

it.each([
  ['https://docs.test/', 'docs.test'],
  ['https://docs.test/a%20b/c?q=1#top', 'docs.test/a%20b/c?q=1'],
  ['https://docs.test/caf%C3%A9', 'docs.test/café'],
  ['https://docs.test/%E2%80%AEgnp.exe', 'docs.test/%E2%80%AEgnp.exe'],
  ['https://docs.test/%', 'docs.test/%'],
  ['no address', 'no address'],
])('formatAddress %s', (href, said) => {
  expect(formatAddress(href)).toBe(said);
});

describe('excerptOf', () => {
  it('leaves the marks of Markdown out', () => {
    const text = '# Head\n\n- **bold** [a link](https://a.test)\n> quoted ![alt](x.png)\n1. `code`';
    expect(excerptOf(text)).toBe('Head bold a link quoted code');
  });

  it('is one line of at most its length, cut between characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 10, max: 60 }),
        (text, most) => {
          const excerpt = excerptOf(text, most);
          expect(excerpt.length).toBeLessThanOrEqual(most + 1);
          expect(excerpt).not.toMatch(/\n/);
          expect(excerpt.isWellFormed()).toBe(text.isWellFormed());
        },
      ),
    );
  });
});
