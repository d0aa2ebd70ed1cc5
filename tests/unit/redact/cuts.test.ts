import { sample } from '../../support/depth.ts';
import { vouch } from '../../support/clean.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import {
  abortedError,
  failedError,
  timeoutError,
} from '../../../extension/background/navigation/failures.ts';
import { newLoad } from '../../../extension/background/navigation/document-load.ts';
import { tabInfo } from '../../../extension/background/tabs/tab-info.ts';
import { consoleMessage, exceptionMessage, logMessage } from '../../../extension/tools/console/messages.ts';
import { trimEvent } from '../../../extension/tools/network/trim.ts';
import { boundNotes, untrustedNote } from '../../../server/core/calls/notes.ts';
import { describeTab } from '../../../server/core/targets.ts';
import { cut, cutUrl } from '../../../shared/cut.ts';
import { CANARIES, pieceOf } from './canaries.ts';
import { redactor } from './chunks.ts';

const SECRETS: readonly string[] = sample(CANARIES, 3).flatMap(({ secret }, rule) =>
  fc.sample(secret, { numRuns: 1, seed: rule + 1 }),
);
const HEX = '0123456789abcdef';
const LONG = Array.from({ length: 72 }, (_, at) => HEX.charAt((at * 7 + (at >> 2)) % 16)).join('');

const wordsOf = (units: number): string =>
  'some words '.repeat(Math.ceil(Math.max(0, units) / 11)).slice(0, Math.max(0, units));
const tab = {
  id: 1,
  windowId: 1,
  index: 0,
  active: true,
  highlighted: false,
  incognito: false,
  pinned: false,
};
const info = { id: 1, window_id: 1, active: true, status: 'complete', discarded: false } as const;
const load = (url: string, status: number | null) => ({ ...newLoad(url, true), status });
const TIMEOUT = {
  waitUntil: 'load',
  timeoutMs: 1,
  shown: null,
  coming: null,
  signInAsked: false,
  inFlight: [],
} as const;

/** Where text of a page or a site is cut: how long it may be there, and what comes of it. */
const TEXT_CUTS: readonly (readonly [name: string, most: number, show: (text: string) => string])[] = [
  ['a text', 60, (text) => cut(text, 60)],
  ['a note', 200, (text) => cut(text, 200)],
  ['a note of coverage', 300, (text) => boundNotes([vouch(text)]).join(' ')],
  ['a title in a receipt', 120, (title) => describeTab('b1', { ...info, url: 'about:blank', title }).title],
  ['a title from the browser', 1_024, (title) => tabInfo({ ...tab, title }).title],
  [
    'a message of the console',
    10_000,
    (value) =>
      consoleMessage({ type: 'log', args: [{ type: 'string', value }], timestamp: 1 }, new Map(), 0).text,
  ],
  [
    'a string in an object of the console',
    2_000,
    (value) =>
      consoleMessage(
        { type: 'log', args: [{ type: 'object', objectId: '1' }], timestamp: 1 },
        new Map([['1', { members: [{ name: 'a', value: { type: 'string', value } }], isCut: false }]]),
        0,
      ).text,
  ],
  [
    'the first line of a function',
    200,
    (description) =>
      consoleMessage({ type: 'log', args: [{ type: 'function', description }], timestamp: 1 }, new Map(), 0)
        .text,
  ],
  [
    'an exception',
    10_000,
    (text) =>
      exceptionMessage(
        { timestamp: 1, exceptionDetails: { exceptionId: 1, text, lineNumber: 0, columnNumber: 0 } },
        new Map(),
      ).text,
  ],
  [
    'a log',
    10_000,
    (text) => logMessage({ entry: { timestamp: 1, level: 'info', source: 'other', text } }).text,
  ],
  [
    'the name of a function on a stack',
    200,
    (functionName) =>
      consoleMessage(
        {
          type: 'log',
          args: [],
          timestamp: 1,
          stackTrace: { callFrames: [{ functionName, url: '', lineNumber: 0, columnNumber: 0 }] },
        },
        new Map(),
        0,
      ).stack.join('\n'),
  ],
];

const URL_CUTS: readonly (readonly [name: string, most: number, show: (url: string) => string])[] = [
  ['an address', 60, (url) => cutUrl(url, 60)],
  ['an address in a note', 300, (url) => cutUrl(url, 300)],
  ['the address of a receipt', 300, (url) => describeTab('b1', { ...info, url, title: '' }).url],
  ['the address of a note of origin', 120, (url) => untrustedNote(redactor.text(url))],
  ['an address from the browser', 8_192, (url) => tabInfo({ ...tab, url }).url],
  ['a navigation that failed', 300, (url) => failedError(url, 'net::ERR_FAILED').message],
  ['a download', 300, (url) => abortedError({ ...load(url, 200) }).message],
  [
    'a page that does not answer',
    300,
    (url) => timeoutError({ ...TIMEOUT, coming: load(url, null) }).message,
  ],
  ['a page that does not load', 300, (url) => timeoutError({ ...TIMEOUT, shown: load(url, 200) }).message],
  [
    'pending requests',
    100,
    (url) => timeoutError({ ...TIMEOUT, shown: load('', 200), inFlight: [url] }).message,
  ],
  [
    'the address of a message of the console',
    2_048,
    (url) => `${logMessage({ entry: { timestamp: 1, level: 'info', source: 'other', text: '', url } }).url}`,
  ],
  [
    'an address on a stack',
    2_048,
    (url) =>
      consoleMessage(
        {
          type: 'log',
          args: [],
          timestamp: 1,
          stackTrace: { callFrames: [{ functionName: 'f', url, lineNumber: 0, columnNumber: 0 }] },
        },
        new Map(),
        0,
      ).stack.join('\n'),
  ],
  [
    'inline content that was requested',
    2_048,
    (url) =>
      JSON.stringify(trimEvent('Network.requestWillBeSent', { request: { url: `data:text/plain,${url}` } })),
  ],
];

/** Some places of a border within a secret. */
const borders = (most: number, secret: string): number[] =>
  [2, 9, 14, Math.floor(secret.length / 2), secret.length - 2, secret.length - 1].map(
    (inside) => most - inside,
  );

describe('no part of a secret stays where the border goes through it:', () => {
  it.each(TEXT_CUTS)('%s', (_name, most, show) => {
    for (const secret of SECRETS)
      for (const start of borders(most, secret))
        expect(
          pieceOf(secret, redactor.text(show(`${wordsOf(start - 1)} ${secret} and more words`))),
        ).toBeNull();
    for (const start of borders(most, LONG)) {
      const address = `https://host.test/?access_token=${LONG}`;
      const text = `${wordsOf(start - address.length + LONG.length - 1)} ${address} and more words`;
      expect(pieceOf(LONG, redactor.text(show(text))), text).toBeNull();
    }
  });

  it.each(URL_CUTS)('%s', (_name, most, show) => {
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
          expect(pieceOf(secret, redactor.text(show(url))), url).toBeNull();
      }
  });
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
      expect(pieceOf(LONG, redactor.text(text)), text).toBeNull();
});
