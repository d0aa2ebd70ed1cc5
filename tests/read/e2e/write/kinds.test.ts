import { expect } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { testPages } from '../../../support/page-cases.ts';

/** The main content of pages that are not articles. */
const lab = await openPageLab();

interface Kind {
  readonly kind: string;
  readonly has: readonly string[];
  readonly lacks: readonly string[];
}

testPages('other kinds of page', 'read/kinds', async (page) => {
  const { kind, has, lacks } = page.json<Kind>();
  const { text, article, coverage } = await lab.call('read', page.html, {
    main_content_only: true,
    format: 'markdown',
  });
  expect(article?.kind).toBe(kind);
  expect(has.filter((part) => !text.includes(part))).toEqual([]);
  expect(['Part 3', 'About 3', '2026 Mill', ...lacks].filter((part) => text.includes(part))).toEqual([]);
  expect(coverage).toEqual([
    { kind: 'left_out', detail: expect.stringMatching(/left out: [1-9]\d* of \d+ characters/) },
  ]);
});
