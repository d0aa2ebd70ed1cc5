import type { ArticleFacts } from '../../../../shared/bridge/page.ts';

const PARAGRAPH = `<p>${'It ground the corn of three villages for two hundred years. '.repeat(5)}</p>`;
const jsonLd = (data: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const article = (head: string): string => `<article>${head}${PARAGRAPH}${PARAGRAPH}</article>`;

const MILL: ArticleFacts = {
  title: 'The mill by the river',
  byline: 'Ada Miller, Jo Baker',
  published: '2021-05-04T08:30:00Z',
  site: 'Valley News',
};
const NEWS = {
  '@type': 'NewsArticle',
  headline: MILL.title,
  author: [{ '@type': 'Person', name: 'Ada Miller' }, { name: 'Jo Baker' }],
  datePublished: MILL.published,
  publisher: { name: MILL.site },
};

/** A page with an article, and what is known of the article. */
export const ARTICLE_HEAD_CASES: Readonly<Record<string, readonly [html: string, facts: ArticleFacts]>> = {
  'JSON-LD': [
    jsonLd({ '@context': 'https://schema.org', ...NEWS }) + article('<h1>The mill by the river</h1>'),
    MILL,
  ],
  'JSON-LD in a graph, with several types': [
    jsonLd({
      '@graph': [
        { '@type': 'WebSite', name: 'x' },
        { ...NEWS, '@type': ['Thing', 'BlogPosting'] },
      ],
    }) + article('<h1>The mill by the river</h1>'),
    MILL,
  ],
  'JSON-LD that is broken, before one that is not': [
    `<script type="application/ld+json">{"@type":</script>${jsonLd([NEWS])}${article('')}`,
    MILL,
  ],
  'meta elements': [
    `<meta property="og:title" content="The mill by the river | Valley News"><meta name="author" content="Ada Miller, Jo Baker"><meta property="article:published_time" content="2021-05-04T08:30:00Z"><meta property="og:site_name" content="Valley News">${article('<h1>The mill by the river</h1>')}`,
    MILL,
  ],
  'bylines and dates in the text': [
    article(
      '<h1>The mill by<br>the river</h1><div class="byline">By <a rel="author" href="/ada">Ada Miller</a></div><time datetime="2021-05-04">May 4</time>',
    ),
    { title: 'The mill by the river', byline: 'Ada Miller', published: '2021-05-04' },
  ],
  'a byline with a date in it': [
    article('<h1>The mill</h1><p class="author">By Ada Miller | May 4, 2021</p>'),
    { title: 'The mill', byline: 'Ada Miller' },
  ],
  'an address is not a name': [
    `<meta name="author" content="https://news.test/ada">${article('<h1>The mill</h1>')}`,
    { title: 'The mill' },
  ],
  'the heading of the site is not a title': [
    `<meta property="og:site_name" content="Valley News"><meta property="og:title" content="The “mill” by the river"><h1>Valley News</h1>${article('<h2>The "mill" by the river</h2>')}`,
    { title: 'The "mill" by the river', site: 'Valley News' },
  ],
  nothing: [article(''), {}],
};
