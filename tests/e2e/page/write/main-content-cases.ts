const SENTENCE =
  'The mill was built by the river, and it ground the corn of three villages for two hundred years. ';
const TEXT = SENTENCE.repeat(4).trim();
const links = '<a href="/a">One</a> <a href="/b">Two</a> <a href="/c">Three</a>';

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
};
