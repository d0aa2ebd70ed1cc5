import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import {
  excerptOf,
  formatAddress,
  formatBytes,
  formatDuration,
  formatName,
  formatRate,
  safeHref,
} from '../../../server/widgets/run/model/format.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [27_649, '27.6 KB'],
  [5e15, '5,000 TB'],
])('formatBytes %d', (sizeBytes, said) => {
  expect(formatBytes(sizeBytes)).toBe(said);
});

it.each([
  [0, '0:00'],
  [20, '0.1 s'],
  [940, '0.9 s'],
  [7_900, '0:07'],
  [760_000, '12:40'],
  [3_723_000, '1:02:03'],
])('formatDuration %d', (durationMs, said) => {
  expect(formatDuration(durationMs)).toBe(said);
});

it('formatRate and formatName', () => {
  expect([formatRate(0), formatRate(3.26), formatRate(0.2)]).toEqual(['0/s', '3.3/s', '12/min']);
  expect([formatName('extract_data'), formatName('crawl')]).toEqual(['Extract data', 'Crawl']);
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
    const schemes = fc.constantFrom(
      'javascript:',
      'data:',
      'vbscript:',
      'http://',
      'https://',
      'file:///',
      '',
    );
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
