import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longPages } from '../../../fixtures/long-pages.ts';
import { SITES } from '../../../fixtures/serve.ts';

const SITE = join(SITES, 'many-pages');

test.each(Object.entries(longPages))('%s is what its generator writes', (file, make) => {
  expect(readFileSync(join(SITE, file), 'utf8') === make()).toBe(true);
});

test('many-pages has at least 30 pages, and each is linked from the index', () => {
  const pages = readdirSync(SITE).filter((file) => file.endsWith('.html'));
  const index = readFileSync(join(SITE, 'index.html'), 'utf8');
  expect(pages.length).toBeGreaterThanOrEqual(30);
  expect(pages.filter((file) => file !== 'index.html' && !index.includes(`href="${file}"`))).toEqual([]);
});
