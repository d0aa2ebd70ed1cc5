import { expect, it } from 'vitest';
import { sample } from '../../../support/depth.ts';
import { vouch } from '../../../support/clean.ts';
import fc from '../../../support/property.ts';
import { failedError } from '../../../../extension/tabs/worker/failures.ts';
import { consoleMessage, logMessage } from '../../../../extension/inspect/worker/console.handler.ts';
import { trimEvent } from '../../../../extension/network/worker/debugger-feed.ts';
import { boundNotes } from '../../../../server/core/calls/results.ts';
import { describeTab } from '../../../../server/core/targets.ts';
import { cut, cutUrl } from '../../../../shared/base/cut.ts';
import { CANARIES, pieceOf } from './canaries.ts';
import { redactor } from './chunks.ts';

const SECRETS: readonly string[] = sample(CANARIES, 3).flatMap(({ secret }, rule) =>
  fc.sample(secret, { numRuns: 1, seed: rule + 1 }),
);
const HEX = '0123456789abcdef';
const LONG = Array.from({ length: 72 }, (_, at) => HEX.charAt((at * 7 + (at >> 2)) % 16)).join('');

const wordsOf = (units: number): string =>
  'some words '.repeat(Math.ceil(Math.max(0, units) / 11)).slice(0, Math.max(0, units));
const ENTRY = { timestamp: 1, level: 'info', source: 'other' } as const;
const info = { id: 1, window_id: 1, active: true, status: 'complete', discarded: false } as const;
const logged = (value: string): string =>
  consoleMessage({ type: 'log', args: [{ type: 'string', value }], timestamp: 1 }, new Map(), 0).text;
const requested = (url: string): string =>
  JSON.stringify(trimEvent({ kind: 'request', params: { request: { url } } }));
/** Every place that cuts text of pages and sites: its limit, and the result. */
const TEXT_CUTS: readonly (readonly [name: string, most: number, show: (text: string) => string])[] = [
  ['a text', 60, (text) => cut(text, 60)],
  ['a note of coverage', 300, (text) => boundNotes([vouch(text)]).join(' ')],
  ['a title in a receipt', 120, (title) => describeTab('b1', { ...info, url: 'about:blank', title }).title],
  ['a log', 10_000, (text) => logMessage({ entry: { ...ENTRY, text } }).text],
  ['a message of the console', 10_000, logged],
];

const URL_CUTS: readonly (readonly [name: string, most: number, show: (url: string) => string])[] = [
  ['an address', 60, (url) => cutUrl(url, 60)],
  ['the address of a receipt', 300, (url) => describeTab('b1', { ...info, url, title: '' }).url],
  ['a navigation that failed', 300, (url) => failedError(url, 'net::ERR_FAILED').message],
  ['the address of a log', 2_048, (url) => `${logMessage({ entry: { ...ENTRY, text: '', url } }).url}`],
  ['inline content that was requested', 2_048, (url) => requested(`data:text/plain,${url}`)],
];

/** Some positions of a cut within a secret. */
const borders = (most: number, { length }: string): number[] =>
  [2, 9, 14, Math.floor(length / 2), length - 2, length - 1].map((inside) => most - inside);
const leftOf = (secret: string, text: string) => pieceOf(secret, redactor.text(text));

it.each(TEXT_CUTS)('no part of a secret stays where the border goes through it: %s', (_name, most, show) => {
  for (const secret of SECRETS)
    for (const start of borders(most, secret))
      expect(leftOf(secret, show(`${wordsOf(start - 1)} ${secret} and more words`))).toBeNull();
  for (const start of borders(most, LONG)) {
    const address = `https://host.test/?access_token=${LONG}`;
    const text = `${wordsOf(start - address.length + LONG.length - 1)} ${address} and more words`;
    expect(leftOf(LONG, show(text)), text).toBeNull();
  }
});

it.each(URL_CUTS)('no part of a secret stays where the border goes through it: %s', (_name, most, show) => {
  for (const secret of [...SECRETS.filter((one) => /^[\w.-]+$/.test(one)), LONG])
    for (const start of borders(most, secret)) {
      const path = (units: number): string =>
        `https://host.test/${'a/'.repeat(Math.max(0, units)).slice(0, Math.max(0, units))}`;
      for (const url of [
        `${path(start - 18)}${secret}/and/more`,
        `${path(0)}?pad=${'p'.repeat(Math.max(0, start - 38))}&access_token=${secret}&a=b`,
        `${path(0)}#${'p'.repeat(Math.max(0, start - 33))}access_token=${secret}`,
        `https://${secret}:${secret}@host.test/${'a'.repeat(most)}`,
      ])
        expect(leftOf(secret, show(url)), url).toBeNull();
    }
});

it.each([
  ['https://bank.test:443@evil.test/', 'https://evil.test/'],
  ['http://[::1]:3000/', 'http://[::1]:3000/'],
])('a cut address names its host: %s', (site, start) => {
  expect(cutUrl(site + 'a/'.repeat(50), 60).startsWith(`${start}a/`)).toBe(true);
});

it('a value that was cut elsewhere is not a placeholder', () => {
  for (const ellipsis of ['…', '...'])
    for (const text of [
      `https://host.test/?access_token=${LONG.slice(0, 48)}${ellipsis}`,
      `Authorization: Bearer ${LONG.slice(0, 48)}${ellipsis}`,
      `{"access_token":"${LONG.slice(0, 48)}${ellipsis}"}`,
      `https://me:${LONG.slice(0, 20)}${ellipsis}@host.test/`,
      `api_key: "${LONG.slice(0, 48)}${ellipsis}"`,
    ])
      expect(leftOf(LONG, text), text).toBeNull();
});
