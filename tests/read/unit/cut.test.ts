import { describe, expect, it, test } from 'vitest';
import fc from '../../support/property.ts';
import { keepAttribute, cutAddress } from '../../../extension/read/page/skeleton/attributes.ts';
import { openTag } from '../../../extension/read/page/skeleton/walk.ts';
import { escapeText } from '../../../extension/read/page/write/html.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { cut } from '../../../shared/base/cut.ts';
import { rounds, sample } from '../../support/depth.ts';
import { plantSecrets } from '../../support/planted-secrets.ts';
import { CANARIES, PLACES, alnum, pieceOf } from '../../libraries/unit/redaction/canaries.ts';

const redactor = createRedactor({ enabled: true });
const asText = (text: string, most: number): string => redactor.text(`<p>${escapeText(cut(text, most))}</p>`);
const asAttribute = (name: string, value: string | null): string =>
  redactor.text(openTag('a', value === null ? [] : [[name, value]]));

const PLANTED = plantSecrets().filter(({ name }) => /^k\d/.test(name));

const PRIVATE_KEY_TEXT = (lines: readonly string[]): string =>
  `-----BEGIN RSA PRIVATE KEY----- ${lines.join(' ')} -----END RSA PRIVATE KEY-----`;

/** The text before, the secret, the text after. */
const BY_PLACE: readonly (readonly [name: string, around: (secret: string) => string])[] = [
  ['a password in an address', (s) => `see https://user:${s}@host.test/a and more`],
  ['a password in quotes', (s) => `{"password": "${s} 1 two ${s}", "a": 1}`],
  ['a password after a dash of Markdown', (s) => `**Password:** ${s}9Z8 and more`],
  ['a token in a query', (s) => `/reset?token=${s}&next=/home and more`],
  ['a header', (s) => `Authorization: Bearer ${s}7.x and more words`],
  ['a cookie', (s) => `Cookie: a=b; sid=${s}4F; c=d and more words`],
];

/** Wherever the text is cut, nothing is left of the secrets. */
function expectNoPiece(text: string, ...secrets: readonly string[]): void {
  for (let most = 1; most <= text.length; most += 1)
    for (const secret of secrets)
      expect(pieceOf(secret, asText(text, most)), `${most} of ${text}`).toBe(null);
}

describe('no cut leaves eight characters of', () => {
  it.each(CANARIES.map(({ kind, secret }, index) => [index, kind, secret] as const))(
    'a canary in a text (%i %s)',
    (_index, _kind, secret) => {
      fc.assert(
        fc.property(secret, fc.constantFrom(...PLACES), (value, [, before, after]) =>
          expectNoPiece(`Some words. ${before}${value}${after} and some more words`, value),
        ),
        { numRuns: rounds(4, 1) },
      );
    },
  );

  it('a planted secret in an attribute, at any position', () => {
    expect(PLANTED.length).toBeGreaterThan(500);
    const names = 'title alt aria-label id data-testid class data-x href src'.split(' ');
    for (const { value } of sample(PLANTED, 5))
      for (const name of names)
        for (let before = 0; before < 120; before += 29) {
          const filler = 'word '.repeat(30).slice(0, before).trim();
          const kept = keepAttribute(name, `${filler} ${value} ${filler}`);
          expect(pieceOf(value, asAttribute(name, kept)), `${name} ${before} ${value}`).toBe(null);
        }
  });

  it.each([
    ['a segment', (filler: string, value: string): string => `/${filler}/${value}/edit`],
    ['a query', (filler: string, value: string): string => `/${filler}?a=b&t=${value}&c=d`],
    [
      'the password before a host',
      (filler: string, value: string): string => `//u:${value}@host.test/${filler}`,
    ],
  ])('a planted secret in an address, as %s', (_name, around) => {
    for (const { value } of sample(PLANTED, 5))
      for (let length = 0; length < 60; length += 7) {
        const address = around('a'.repeat(length), value);
        expect(pieceOf(value, asAttribute('href', keepAttribute('href', address))), address).toBe(null);
      }
  });

  it.each(BY_PLACE)('%s', (_name, around) => {
    fc.assert(
      fc.property(alnum(24), (value) => expectNoPiece(around(value), value)),
      { numRuns: rounds(5, 2) },
    );
  });

  it('a private key', () => {
    fc.assert(
      fc.property(fc.tuple(alnum(64), alnum(64), alnum(11)), (lines) =>
        expectNoPiece(`The key: ${PRIVATE_KEY_TEXT(lines)} and more`, ...lines),
      ),
      { numRuns: rounds(3, 1) },
    );
  });

  it('a card number in groups', () =>
    expectNoPiece('Pay with 4539 1488 0343 6467 and go on', '4539 1488 0343 6467'));

  it('a secret with invisible characters in it', () => {
    fc.assert(
      fc.property(alnum(36), (tail) => {
        for (const unseen of ['\u200b', '\u00ad', '\ufeff', '\u000b', '\u000c', '\u001b', '\u115f'])
          expectNoPiece(`Your token: ghp_${tail.slice(0, 20)}${unseen}${tail.slice(20)} and more`, tail);
      }),
      { numRuns: rounds(3, 1) },
    );
  });
});

test.each([
  ['A text that is long', 12, 'A text …'],
  ['In 1700 and in 1701', 12, 'In 1700 …'],
  ['長い文章は途中で切られます', 8, '長い文章は途 …'],
  ['Straßenbahnhaltestelle', 20, '…'],
])('%s within %i is %s', (text, most, kept) => {
  expect(cut(text, most)).toBe(kept);
  expect(kept.length).toBeLessThanOrEqual(most);
});

test.each([
  ['https://user:secret@host.test/a?b#c', 'https://host.test/a?b#c'],
  ['//user:secret@host.test/a', '//host.test/a'],
  ['https:user:secret@host.test/a', 'https://host.test/a'],
  ['https://user:se cret@host.test:99999999/', '…'],
  ['https://user:se?cret@host.test/', '…'],
  ['/to?url=https://user:secret@host.test/', '/to?url=https://host.test/'],
  ['https://cdn.test/npm/pkg@1.2.3/a.js', 'https://cdn.test/npm/pkg@1.2.3/a.js'],
])('the address %s is kept as %s', (value, kept) => expect(cutAddress(value, 60)).toBe(kept));
