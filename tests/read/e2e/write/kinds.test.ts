import { expect } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { testEach } from '../../../dom/e2e/table.ts';

/** The main content of pages that are not articles. */
const lab = await openPageLab();

const listOf = (count: number, item: string): string =>
  Array.from({ length: count }, (_, at) => item.replaceAll('#', String(at + 1))).join('');

const KIND_CASES = `
a thread is its posts with author and time ¦ <h1>Stones that wear</h1>${listOf(12, '<div class="post" itemscope itemtype="https://schema.org/DiscussionForumPosting"><a class="author" href="/u#">miller#</a><time datetime="2026-01-01">January 1, 2026</time><div class="post-body"><p>Answer #: It ground the corn of the whole valley, and the miller took a tenth of the flour.</p><blockquote>It turns.</blockquote></div></div>')} ¦ forum, miller1, January 1, Answer 1:, Answer 12: ¦ PART
documentation is its page with code ¦ <nav class="sidebar toc"><ul>${listOf(40, '<li><a href="/d#">page_#</a></li>')}</ul></nav><h1>grind()</h1>${listOf(8, '<h2>Step #</h2><p>It ground the corn of the whole valley, and the miller took a tenth of the flour for it. Use <code>grind(#)</code> for it.</p><pre><code>grind(#)</code></pre>')} ¦ documentation, # grind(), Step 2, \`grind(8)\` ¦ page_3
a collection is its items ¦ <meta property="og:type" content="product.group"><h1>Mills</h1><ul class="products">${listOf(24, '<li class="product-card"><a href="/p#"><img src="data:," alt="">Mill number #</a><span class="price">$#9.00</span></li>')}</ul> ¦ collection, Mill number 1, $19.00, Mill number 24 ¦ PART
`;

testEach('other kinds of page', KIND_CASES, async (html = '', has = '', lacks = '') => {
  const nav = `<header><nav><ul>${listOf(12, '<li><a href="/n#">Part #</a></li>')}</ul></nav></header>`;
  const foot = `<footer><ul>${listOf(10, '<li><a href="/f#">About #</a></li>')}</ul><p>© 2026 Mill</p></footer>`;
  const { text, article, coverage } = await lab.call('read', `${nav}<main>${html}</main>${foot}`, {
    main_content_only: true,
    format: 'markdown',
  });
  const [kind, ...parts] = has.split(', ');
  expect(article?.kind).toBe(kind);
  expect(parts.filter((part) => !text.includes(part))).toEqual([]);
  expect(
    ['Part 3', 'About 3', '2026 Mill', ...lacks.split(', ')].filter((part) => text.includes(part)),
  ).toEqual([]);
  expect(coverage).toEqual([
    { kind: 'left_out', detail: expect.stringMatching(/left out: [1-9]\d* of \d+ characters/) },
  ]);
});
