const SENTENCE =
  'The mill was built by the river, and it ground the corn of three villages for two hundred years. ';
const LINKS = '<a href="/a">One</a> <a href="/b">Two</a> <a href="/c">Three</a>';
const dataOf = (body: string): string =>
  `<script type="application/ld+json">{"@type":"Article","articleBody":"${body}"}</script>`;

/** `TEXT` is a long paragraph, `LINKS` three links, and `[[` and `]]` enclose the rest of an article below navigation. */
export const articleOf = (cell: string): string =>
  cell
    .replaceAll('[[', '<nav>LINKS</nav><article><h1>Mill</h1><p>TEXT</p>')
    .replaceAll(']]', '</article>')
    .replaceAll('LINKS', LINKS)
    .replaceAll('TEXT', SENTENCE.repeat(4).trim());

/** A page, and the Markdown of its main content. */
export const MAIN_CONTENT_CASES = `
an article among navigation ¦ <nav>LINKS</nav><article><h1>Mill</h1><p>TEXT</p></article><footer>LINKS</footer> ¦ # Mill↵↵TEXT
an article in boxes ¦ <div class="sidebar">LINKS</div><div class="content"><h2>Mill</h2><p>TEXT</p><p>TEXT</p></div> ¦ ## Mill↵↵TEXT↵↵TEXT
what is hidden in it stays out ¦ <article><p>TEXT</p><p hidden>Hidden. TEXT</p></article> ¦ TEXT
an article in a shadow tree ¦ <nav>LINKS</nav><div><template shadowrootmode="open"><article><p>TEXT</p></article></template></div> ¦ TEXT
what names and elements set next to the article goes ¦ [[<div class="newsletter-signup"><p>Get the mill letter every week.</p><p>It costs nothing.</p></div><p>TEXT</p><div class="relatedPosts"><p>The bakery nearby</p></div><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵TEXT↵↵TEXT
most of the text stays, whatever its name ¦ <nav>LINKS</nav><article class="newsletter-post"><p>TEXT</p><p>TEXT</p></article> ¦ TEXT↵↵TEXT
captions and credits go, pictures stay ¦ [[<figure><img src="/m.png" alt="The wheel" width="9" height="9"><figcaption>The wheel in May. Photo: A. Miller</figcaption></figure><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵![The wheel](http://page.test/m.png)↵↵TEXT
phrases that point away go ¦ [[<p>Read more: <a href="/x">The bakery nearby</a></p><p>Related stories exist in all three villages.</p><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵Related stories exist in all three villages.↵↵TEXT
author and date above the first paragraph go ¦ <nav>LINKS</nav><article><h1>Mill</h1><p>By Ada Miller</p><p>May 4, 2021 at 10:30</p><p>TEXT</p><p>TEXT</p></article> ¦ # Mill↵↵TEXT↵↵TEXT
links at the end go, links within stay ¦ [[<ul><li><a href="/w">Wheel</a></li><li><a href="/s">Stones</a></li></ul><p>TEXT</p><ul><li><a href="/x">The bakery</a></li><li><a href="/y">The bridge</a></li></ul>]] ¦ # Mill↵↵TEXT↵↵- [Wheel](http://page.test/w)↵- [Stones](http://page.test/s)↵↵TEXT
teasers of other articles go ¦ [[<p>TEXT</p><div><h3><a href="/x">The bakery</a></h3><p>It has baked since 1820.</p></div><div><h3><a href="/y">The bridge</a></h3><p>It was built of wood.</p></div>]] ¦ # Mill↵↵TEXT↵↵TEXT
who wrote it goes from the end ¦ <meta name="author" content="Ada Miller">[[<p>Ada Miller says that it turns.</p><p>TEXT</p><p>TEXT</p><p>Ada Miller has written about mills since 1990 and lives in one.</p><p>She sells flour.</p>]] ¦ # Mill↵↵Ada Miller↵↵TEXT↵↵Ada Miller says that it turns.↵↵TEXT↵↵TEXT
a sign-off and an address stay ¦ [[<p>TEXT</p><p>Yours sincerely,<br>Ada Miller</p><address>Mill House<br>12 Mill Lane<br>Oxford</address>]] ¦ # Mill↵↵TEXT↵↵TEXT↵↵Yours sincerely,\\↵Ada Miller↵↵Mill House\\↵12 Mill Lane\\↵Oxford
what the body of the data does not hold goes, but not headings, lists and tables ¦ ${dataOf(`<p>${SENTENCE.repeat(12)}</p>`)}[[<p>The bakery also burned down, by the way.</p><h2>Corn</h2><ul><li>Wheat and rye</li></ul><p>TEXT</p><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵## Corn↵↵- Wheat and rye↵↵TEXT↵↵TEXT
code is never dropped ¦ [[<div class="cta"><pre>grind(corn)</pre></div><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵\`\`\`↵grind(corn)↵\`\`\`↵↵TEXT
comments are not taken for the article ¦ <div class="entry"><p>TEXT</p><p>TEXT</p></div><div id="comments">${'<div class="comment-body"><p>A reader says: TEXT</p></div>'.repeat(5)}</div> ¦ TEXT↵↵TEXT
`;

const NEWS =
  '"headline":"The mill by the river","author":[{"@type":"Person","name":"Ada Miller"},{"name":"Jo Baker"}],"datePublished":"2021-05-04T08:30:00Z","publisher":{"name":"Valley News"}';
const MILL =
  '{"title":"The mill by the river","byline":"Ada Miller, Jo Baker","published":"2021-05-04T08:30:00Z","site":"Valley News"}';
const jsonLd = (data: string): string => `<script type="application/ld+json">${data}</script>`;

export const ARTICLE_HEAD_CASES = `
JSON-LD ¦ ${jsonLd(`{"@context":"https://schema.org","@type":"NewsArticle",${NEWS}}`)} ¦ <h1>The mill by the river</h1> ¦ ${MILL}
JSON-LD that is broken, before one that is not ¦ ${jsonLd('{"@type":')}${jsonLd(`[{"@type":"NewsArticle",${NEWS}}]`)} ¦ ¦ ${MILL}
meta elements ¦ <meta property="og:title" content="The mill by the river | Valley News"><meta name="author" content="Ada Miller, Jo Baker"><meta property="article:published_time" content="2021-05-04T08:30:00Z"><meta property="og:site_name" content="Valley News"> ¦ <h1>The mill by the river</h1> ¦ ${MILL}
bylines and dates in the text ¦ ¦ <h1>The mill by<br>the river</h1><div class="byline">By <a rel="author" href="/ada">Ada Miller</a></div><time datetime="2021-05-04">May 4</time> ¦ {"title":"The mill by the river","byline":"Ada Miller","published":"2021-05-04"}
an address is not a name ¦ <meta name="author" content="https://news.test/ada"> ¦ <h1>The mill</h1> ¦ {"title":"The mill"}
nothing ¦ ¦ ¦ {}
`;
