const SENTENCE =
  'The mill was built by the river, and it ground the corn of three villages for two hundred years. ';
const TEXT = SENTENCE.repeat(4).trim();
const links = '<a href="/a">One</a> <a href="/b">Two</a> <a href="/c">Three</a>';

const article = (rest: string): string =>
  `<nav>${links}</nav><article><h1>Mill</h1><p>${TEXT}</p>${rest}</article>`;

/** A page, and the Markdown of its main content. */
export const MAIN_CONTENT_CASES: Readonly<Record<string, readonly [html: string, expected: string]>> = {
  'an article among navigation': [
    `<nav>${links}</nav><article><h1>Mill</h1><p>${TEXT}</p></article><footer>${links}</footer>`,
    `# Mill\n\n${TEXT}`,
  ],
  'an article in boxes': [
    `<div class="sidebar">${links}</div><div class="content"><h2>Mill</h2><p>${TEXT}</p><p>${TEXT}</p></div>`,
    `## Mill\n\n${TEXT}\n\n${TEXT}`,
  ],
  'what is hidden in it stays out': [`<article><p>${TEXT}</p><p hidden>Hidden. ${TEXT}</p></article>`, TEXT],
  'links and lists in it stay': [
    `<nav>${links}</nav><article><p>${TEXT} <a href="/x">More</a></p><ul><li>One mill</li><li>Two mills</li></ul><p>${TEXT}</p></article>`,
    `${TEXT} [More](http://page.test/x)\n\n- One mill\n- Two mills\n\n${TEXT}`,
  ],
  'an article in a shadow tree': [
    `<nav>${links}</nav><div><template shadowrootmode="open"><article><p>${TEXT}</p></article></template></div>`,
    TEXT,
  ],
  'too little text for an article': [
    `<nav>${links}</nav><p>Short.</p>`,
    '[One](http://page.test/a) [Two](http://page.test/b) [Three](http://page.test/c)\n\nShort.',
  ],
  'what names and elements set next to the article goes': [
    article(
      `<div class="newsletter-signup"><p>Get the mill letter every week.</p><p>It costs nothing.</p></div><p>${TEXT}</p><div class="relatedPosts"><p>The bakery nearby</p></div><p>${TEXT}</p>`,
    ),
    `# Mill\n\n${TEXT}\n\n${TEXT}\n\n${TEXT}`,
  ],
  'a word inside another names nothing': [
    article(`<div class="biotope-text"><p>Corn and rain rose together.</p></div><p>${TEXT}</p>`),
    `# Mill\n\n${TEXT}\n\nCorn and rain rose together.\n\n${TEXT}`,
  ],
  'most of the text stays, whatever its name': [
    `<nav>${links}</nav><article class="newsletter-post"><p>${TEXT}</p><p>${TEXT}</p></article>`,
    `${TEXT}\n\n${TEXT}`,
  ],
  'captions and credits go, pictures stay': [
    article(
      `<figure><img src="/m.png" alt="The wheel" width="9" height="9"><figcaption>The wheel in May. Photo: A. Miller</figcaption></figure><p>${TEXT}</p>`,
    ),
    `# Mill\n\n${TEXT}\n\n![The wheel](http://page.test/m.png)\n\n${TEXT}`,
  ],
  'a table keeps its caption': [
    article(
      `<figure><table><tr><th>Year</th><th>Corn</th></tr><tr><td>1801</td><td>12 t</td></tr><tr><td>1802</td><td>14 t</td></tr></table><figcaption>Corn by year</figcaption></figure><p>${TEXT}</p>`,
    ),
    `# Mill\n\n${TEXT}\n\n| Year | Corn |\n| --- | --- |\n| 1801 | 12 t |\n| 1802 | 14 t |\n\nCorn by year\n\n${TEXT}`,
  ],
  'phrases that point away go': [
    article(
      `<p>Read more: <a href="/x">The bakery nearby</a></p><p>Related stories exist in all three villages.</p><p>${TEXT}</p>`,
    ),
    `# Mill\n\n${TEXT}\n\nRelated stories exist in all three villages.\n\n${TEXT}`,
  ],
  'author and date above the first paragraph go': [
    `<nav>${links}</nav><article><h1>Mill</h1><p>By Ada Miller</p><p>May 4, 2021 at 10:30</p><p>${TEXT}</p><p>${TEXT}</p></article>`,
    `# Mill\n\n${TEXT}\n\n${TEXT}`,
  ],
  'what a heading sets off after the article goes': [
    article(
      `<p>${TEXT}</p><h2>About Mills Inc.</h2><p>Mills Inc. sells flour in nine countries.</p><h2>Media contact</h2><p>Ada Miller, 555 0100</p>`,
    ),
    `# Mill\n\n${TEXT}\n\n${TEXT}`,
  ],
  'links at the end go, links within stay': [
    article(
      `<ul><li><a href="/w">Wheel</a></li><li><a href="/s">Stones</a></li></ul><p>${TEXT}</p><ul><li><a href="/x">The bakery</a></li><li><a href="/y">The bridge</a></li></ul>`,
    ),
    `# Mill\n\n${TEXT}\n\n- [Wheel](http://page.test/w)\n- [Stones](http://page.test/s)\n\n${TEXT}`,
  ],
  'teasers of other articles go': [
    article(
      `<p>${TEXT}</p><div><h3><a href="/x">The bakery</a></h3><p>It has baked since 1820.</p></div><div><h3><a href="/y">The bridge</a></h3><p>It was built of wood.</p></div>`,
    ),
    `# Mill\n\n${TEXT}\n\n${TEXT}`,
  ],
  'a label and a title that is a link within the site go, products stay': [
    article(
      `<p>Lesen Sie auch: <a href="/x">The bakery near the old bridge</a></p><p>Best overall: <a href="https://shop.test/p">Miller’s stone ground flour</a></p><p>Best in class: <a href="/p">A sack of white flour ($9)</a></p><p>${TEXT}</p>`,
    ),
    `# Mill\n\n${TEXT}\n\nBest overall: [Miller’s stone ground flour](https://shop.test/p)\n\nBest in class: [A sack of white flour ($9)](http://page.test/p)\n\n${TEXT}`,
  ],
  'who wrote it goes from the end': [
    `<meta name="author" content="Ada Miller">${article(`<p>Ada Miller says that it turns.</p><p>${TEXT}</p><p>${TEXT}</p><p>Ada Miller has written about mills since 1990 and lives in one.</p><p>She sells flour.</p>`)}`,
    `# Mill\n\nAda Miller\n\n${TEXT}\n\nAda Miller says that it turns.\n\n${TEXT}\n\n${TEXT}`,
  ],
  'a label at the end goes, lines of a text stay': [
    article(
      `<p>${TEXT}</p><p>Grind</p><p>Slowly</p><p>And well</p><p>O mill</p><p>${TEXT}</p><p>Load more</p>`,
    ),
    `# Mill\n\n${TEXT}\n\n${TEXT}\n\nGrind\n\nSlowly\n\nAnd well\n\nO mill\n\n${TEXT}`,
  ],
  'names of boxes that Readability merges count': [
    article(
      `<p>${TEXT}</p><div class="short-cta"><div class="box"><p>Take our quiz and learn which flour you need.</p></div></div>`,
    ),
    `# Mill\n\n${TEXT}\n\n${TEXT}`,
  ],
  'what the body of the data does not hold goes, but not headings, lists and tables': [
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', articleBody: `<p>${SENTENCE.repeat(12)}</p>` })}</script>${article(
      `<p>The bakery also burned down, by the way.</p><h2>Corn</h2><ul><li>Wheat and rye</li></ul><p>${TEXT}</p><p>${TEXT}</p>`,
    )}`,
    `# Mill\n\n${TEXT}\n\n## Corn\n\n- Wheat and rye\n\n${TEXT}\n\n${TEXT}`,
  ],
  'a body of the data that is cut counts for nothing': [
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', articleBody: SENTENCE.repeat(2) })}</script>${article(`<p>The bakery also burned down, by the way.</p><p>${TEXT}</p>`)}`,
    `# Mill\n\n${TEXT}\n\nThe bakery also burned down, by the way.\n\n${TEXT}`,
  ],
  'code is never dropped': [
    article(`<div class="cta"><pre>grind(corn)</pre></div><p>${TEXT}</p>`),
    `# Mill\n\n${TEXT}\n\n\`\`\`\ngrind(corn)\n\`\`\`\n\n${TEXT}`,
  ],
  'comments are not taken for the article': [
    `<div class="entry"><p>${TEXT}</p><p>${TEXT}</p></div><div id="comments">${`<div class="comment-body"><p>A reader says: ${TEXT}</p></div>`.repeat(5)}</div>`,
    `${TEXT}\n\n${TEXT}`,
  ],
};
