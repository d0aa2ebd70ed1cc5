import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../extension/page/write/snapshot-tokens.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** The estimate as a multiple of what the text takes. */
const ratioOf = (text: string): number => estimateTokens(text) / tokensOf(text);

test('the estimate is never below what o200k takes snapshots of all fixtures, by a third at most', () => {
  const folder = join(FIXTURES, 'pages/expected');
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.snapshot.txt'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(ratioOf(text), text.slice(0, 80)).toBeGreaterThanOrEqual(1);
  expect(ratioOf(texts.join(''))).toBeLessThan(1.33);
});
