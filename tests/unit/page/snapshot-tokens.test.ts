import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { sample } from '../../support/depth.ts';
import { estimateTokens } from '../../../extension/page/write/snapshot-tokens.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** The estimate as a multiple of what the text takes. */
const ratioOf = (text: string): number => estimateTokens(text) / tokensOf(text);

/** Of each four the first is in the gate: scripts of all kinds. */
const LANGUAGES = (
  'de fr es it vi pt nl pl ru cs fi hu he tr ro sv ar da id uk hi bg sr el bn fa ur mr ta te gu pa th km lo ka ' +
  'hy am si kk zh mn zh-Hant ja ko'
).split(' ');

/** Names of places and times: prose has more common words. */
function sampleOf(language: string): string {
  const places = new Intl.DisplayNames(language, { type: 'region' });
  const dates = new Intl.DateTimeFormat(language, {
    dateStyle: 'full',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  const ages = new Intl.RelativeTimeFormat(language);
  const countries = 'DE FR US GB CN JP IN BR ZA EG TR NG MX'.split(' ').map((code) => places.of(code));
  const months = Array.from(
    { length: 12 },
    (_, at) => `${dates.format(new Date(Date.UTC(2026, at, at + 3, at, 7)))}; ${ages.format(at, 'month')}`,
  );
  return `${countries.join(', ')}\n${months.join('\n')}`;
}

const lines = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('\n');

const SAMPLES: Readonly<Record<string, string>> = {
  'rows of a table': lines(200, (at) => `${at}|Item ${at}|river stone water|${(at * 37) % 1_000}.50 EUR`),
  'links with refs': lines(200, (at) => `e${at} Read more about section ${at}`),
  controls: lines(100, (at) => `e${at} textbox [required, invalid] Email ${at} = ada${at}@example.org`),
  addresses: lines(
    60,
    (at) => `https://example.com/path/${(at * 7_919).toString(36)}/?utm_source=x&id=${at * 123_457}#a${at}`,
  ),
  hexadecimal: lines(60, (at) => (Math.imul(at + 1, 0x9e37_79b1) >>> 0).toString(16)),
  emoji: '👩‍👩‍👧‍👦 family 🎉🎉 ok 👍🏽 flag 🇩🇪 🏳️‍🌈 heart ❤️ ☀️ ✅ ✔ ➡️ 🚀🚀🚀 🥐🧭🪐',
  signs: '→ ← ↑ • … — – “quoted” ‘so’ « » ✓ ★ © ® ™ § ± × ÷ ≤ ≥ ≠ ∞ √ ∑ ∂ π µ ° ² ³ ½ € £ ¥',
  shouting: 'PLEASE READ THE TERMS AND CONDITIONS BEFORE YOU SUBMIT THE FORM TO THE COMMISSION',
  'names of code': lines(
    40,
    (at) => `getElementById(${at}).addEventListener('click', onClickHandler_${at});`,
  ),
  source: readFileSync(join(import.meta.dirname, 'snapshot-tokens.test.ts'), 'utf8'),
};

describe('the estimate is never below what o200k takes', () => {
  test.each(Object.entries(SAMPLES))('%s', (_name, text) => {
    expect(ratioOf(text)).toBeGreaterThanOrEqual(1);
  });

  test.each(sample(LANGUAGES, 4))('names and dates in %s', (language) => {
    expect(ratioOf(sampleOf(language))).toBeGreaterThanOrEqual(1);
  });

  test('snapshots of all fixtures, by a third at most', () => {
    const folder = join(FIXTURES, 'pages/expected');
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.snapshot.txt'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(10);
    for (const text of texts) expect(ratioOf(text), text.slice(0, 80)).toBeGreaterThanOrEqual(1);
    expect(ratioOf(texts.join(''))).toBeLessThan(1.33);
  });
});
