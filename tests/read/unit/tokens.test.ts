import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it, test } from 'vitest';
import { tokensOfLine } from '../../../extension/read/page/write/snapshot-line.ts';
import { estimateTokens } from '../../../shared/base/tokens.ts';

const ROOT = join(import.meta.dirname, '../../..');
const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FILES = 'README.md docs/security.md fixtures/openapi/openai.json server/core/app.ts package-lock.json';
it.each(FILES.split(' '))('an estimate of %s is near what o200k takes', (path) => {
  const text = read(path).slice(0, 100_000);
  expect(Math.abs(estimateTokens(text) / tokensOf(text) - 1)).toBeLessThan(0.15);
});

it.each([
  ['Russian', 'Все люди рождаются свободными и равными в своём достоинстве и правах. '],
  ['Chinese', '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。'],
  ['Hindi', 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। '],
  ['Polish', 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. '],
  ['emoji', 'Well done 🙂 It is launched 🚀 👍 '],
])('an estimate of %s is within a third', (_name, text) => {
  expect(Math.abs(estimateTokens(text) / tokensOf(text) - 1)).toBeLessThan(0.33);
});

test('lines of a snapshot never take more than is said, and less by a third at most', () => {
  const folder = 'fixtures/pages/expected';
  const texts = readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.snapshot.txt'))
    .map((name) => read(`${folder}/${name}`));
  expect(texts.length).toBeGreaterThan(10);
  const ratioOf = (text: string): number =>
    text.split('\n').reduce((sum, line) => sum + tokensOfLine(line), 0) / tokensOf(text);
  for (const text of texts) expect(ratioOf(text), text.slice(0, 80)).toBeGreaterThanOrEqual(1);
  expect(ratioOf(texts.join(''))).toBeLessThan(1.33);
});
