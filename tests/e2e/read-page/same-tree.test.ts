import { toMdast } from 'hast-util-to-mdast';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
let page: Page;

beforeAll(async () => {
  rig = await openRig();
  page = await rig.context.newPage();
  await page.route(
    () => true,
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
  );
  await page.goto('http://page.test/');
});
afterAll(() => page.close());

interface Tree {
  readonly type: string;
  readonly value?: string | undefined;
  readonly url?: string | undefined;
  readonly alt?: string | null | undefined;
  readonly lang?: string | null | undefined;
  readonly depth?: number | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly checked?: boolean | null | undefined;
  readonly children?: readonly Tree[] | undefined;
}

/** What a reader would call the same: types, texts, addresses; not positions or how tight a list is. */
function essence({ type, value, url, alt, lang, depth, ordered, checked, children }: Tree): unknown {
  const own = { type, value: value?.trim(), url, alt, lang, depth, ordered, checked };
  const kept = Object.entries(own).filter(
    ([, field]) => field !== undefined && field !== null && field !== false,
  );
  return {
    ...Object.fromEntries(kept),
    ...(children === undefined ? {} : { children: joinTexts(children).map(essence) }),
  };
}

/** Parsers cut text where they please: neighbours become one. */
function joinTexts(children: readonly Tree[]): Tree[] {
  const joined: Tree[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    if (child.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', value: `${last.value ?? ''}${child.value ?? ''}` };
    else joined.push(child);
  }
  return joined.filter((child) => child.type !== 'text' || (child.value ?? '').trim() !== '');
}

/** The tree that a library makes of the same HTML. */
function libraryTree(html: string): unknown {
  return essence(toMdast(unified().use(rehypeParse, { fragment: true }).parse(html)));
}

function ownTree(markdown: string): unknown {
  return essence(unified().use(remarkParse).use(remarkGfm).parse(markdown));
}

test.each([
  [
    'headings and paragraphs',
    '<h1>One</h1><p>Text, <em>soft</em> and <strong>loud</strong>.</p><h3>Three</h3><p>More.</p>',
  ],
  [
    'nested lists',
    '<ul><li>a<ul><li>b<ol><li>c</li><li>d</li></ol></li></ul></li><li>e</li></ul><p>x</p><ol><li>f</li><li>g</li></ol>',
  ],
  [
    'items with blocks',
    '<ul><li><p>one</p><p>two</p></li><li><p>three</p><pre><code>code</code></pre></li></ul>',
  ],
  ['quotes', '<blockquote><p>one</p><blockquote><p>two</p></blockquote><ul><li>three</li></ul></blockquote>'],
  [
    'a table',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1 | 2</td><td><a href="http://x.test/">l</a></td></tr><tr><td><code>c|d</code></td><td><strong>e</strong></td></tr></tbody></table>',
  ],
  [
    'a table with spans',
    '<table><thead><tr><th colspan="2">a</th><th>b</th></tr></thead><tbody><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></tbody></table>',
  ],
  ['code', '<pre><code class="language-js">a\n\n  `b`\n</code></pre><p>in <code>l`ine</code> too</p>'],
  [
    'links and images',
    '<p><a href="http://x.test/a_(b)">link *one*</a> and <img src="http://x.test/i.png" alt="a [b]"></p>',
  ],
  ['breaks and rules', '<p>one<br>two</p><hr><p>three</p>'],
  [
    'text that looks like syntax',
    '<p># a</p><p>1. b</p><p>- c</p><p>*d* _e_ [f](g) &lt;h&gt; `i` ~~j~~ &amp;amp;</p><p>&gt; k</p><p>| l |</p>',
  ],
])('%s: the same tree as hast-util-to-mdast', async (_, html) => {
  await page.evaluate(async (body) => {
    document.body.innerHTML = body;
    // A picture without a size is not seen while it loads: its text appears when that has failed.
    await Promise.allSettled([...document.images].map((image) => image.decode()));
  }, html);
  const { text } = await rig.read(page);
  expect(ownTree(text)).toEqual(libraryTree(html));
});
