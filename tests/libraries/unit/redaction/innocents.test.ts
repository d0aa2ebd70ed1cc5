import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { redactor } from './chunks.ts';
import { hex, Random, uuid } from './kinds.ts';

const D = '0123456789';
const A = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${D}`;
const B = `${A}+/`;

/** Identifiers, hashes, markup and prose without secrets, each with one random part. */
const INNOCENT: readonly ((r: Random) => string)[] = [
  (r) => 'commit ' + hex(r, 40),
  uuid,
  (r) => 'sha512-' + r.text(B, 86) + '==',
  (r) => `<img src="data:image/png;base64,${r.text(B, 400)}">`,
  (r) => `GA1.2.${r.text(D, 9)}.${r.text(D, 10)}`,
  (r) => `fbp=fb.1.${r.text(D, 13)}.${r.text(D, 10)}`,
  (r) => `https://www.youtube.com/watch?v=${r.text(A + '-_', 11)}`,
  (r) => `+49 30 ${r.text(D, 8)}`,
  (r) => `Order #${r.text(D, 10)}`,
  (r) => `<script src="/assets/index-${r.text(A, 8)}.js" integrity="sha384-${r.text(B, 64)}">`,
  (r) =>
    `a?o.key=e[${r.below(99)}]:t.state=n,r.code=${r.below(999)};function ${r.text(A.slice(26, 52), 2)}(e,t){return e.pin(t)}`,
  (r) => `{"id":"${hex(r, 24)}","etag":"W/\\"${r.text(B, 27)}\\"","state":"open","code":"${r.below(999)}"}`,
  (r) => `${r.text(D, 3)}-${r.text(D, 2)}-${r.text(D, 4)} invoice`.replace(/^/, 'ref '),
  (r) => `Das Passwort muss ${r.below(20)} Zeichen haben. Le code postal est ${r.text(D, 5)}.`,
  (r) => `كلمة المرور يجب أن تحتوي ${r.below(20)} حرفا`,
  (r) => `track ${r.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 2)}${r.text(D, 9)}US`,
  (r) => `v${r.below(20)}.${r.below(30)}.${r.below(9)}-beta.${r.below(9)}+${hex(r, 7)}`,
  (r) => `2026-11-${10 + r.below(19)}T12:00:${10 + r.below(49)}.${r.text(D, 3)}Z`,
  (r) => `https://cdn.test/photos/${hex(r, 2)}/${r.text(A, 22)}_${r.text(D, 4)}x800.jpg?w=800&q=75`,
  (r) =>
    `<meta name="facebook-domain-verification" content="${r.text('abcdefghijklmnopqrstuvwxyz0123456789', 30)}">`,
  (r) => `sentry-trace: ${hex(r, 32)}-${hex(r, 16)}-1`,
  (r) => `{"heroku_app_id":"${uuid(r)}"}`,
];

it('leaves innocent texts alone, but for one of 500', () => {
  const texts = INNOCENT.flatMap((make) =>
    Array.from({ length: 50 }, (_, seed) => make(new Random(seed + 500))),
  );
  expect(texts.length).toBeGreaterThan(1_000);
  const changed = texts.filter((text) => redactor.text(text) !== text);
  expect(changed.length, changed.join('\n')).toBeLessThanOrEqual(texts.length / 500);
});

const PACKAGES = join(import.meta.dirname, '../../../../node_modules');

/** Paragraphs that authors wrote about their packages: prose, tables, settings and code. */
function paragraphs(): string[] {
  return readdirSync(PACKAGES)
    .filter((name) => existsSync(join(PACKAGES, name, 'README.md')))
    .flatMap((name) => readFileSync(join(PACKAGES, name, 'README.md'), 'utf8').split(/\n{2,}(?=\S)/))
    .filter((text) => text.length > 40 && text.length < 4_000);
}

it('leaves what packages say of themselves alone, but for one of 500', () => {
  const texts = paragraphs();
  expect(texts.length).toBeGreaterThan(500);
  const changed = texts.map((text) => redactor.text(text)).filter((text, at) => text !== texts[at]);
  expect(changed.length, changed.join('\n')).toBeLessThanOrEqual(texts.length / 500);
});
