import type { DocumentSummary } from '../../../../extension/page/protocol.ts';

const link = (path: string, text: string, rel?: string) => ({
  url: `http://page.test${path}`,
  text,
  ...(rel === undefined ? {} : { rel }),
});

/** A page and what a crawl learns of it. */
export const SURVEY_CASES: Readonly<
  Record<string, readonly [html: string, expected: Partial<DocumentSummary>]>
> = {
  links: [
    '<a href="/x">a <b>b</b></a><a href="y" rel="NoFollow">c</a>',
    { links: [link('/x', 'a b'), link('/y', 'c', 'nofollow')] },
  ],
  'each address once': ['<a href="/x">a</a><a href="/x#y">b</a>', { links: [link('/x', 'a')] }],
  'no fragments, scripts and mail': [
    '<a href="#x">a</a><a href="javascript:x()">b</a><a href="mailto:x@y">c</a><a>d</a>',
    { links: [] },
  ],
  'a base': ['<base href="http://page.test/b/"><a href="x">a</a>', { links: [link('/b/x', 'a')] }],
  'text of a picture': ['<a href="/x"><img alt="a"></a>', { links: [link('/x', 'a')] }],
  'text of a label': ['<a href="/x" aria-label="a"></a>', { links: [link('/x', 'a')] }],
  'areas of a map': ['<map><area href="/x" alt="a"></map>', { links: [link('/x', 'a')] }],
  'next and previous': [
    '<link rel="next" href="/2"><link rel="prev" href="/0"><link rel="stylesheet" href="/s.css">',
    { links: [link('/2', '', 'next'), link('/0', '', 'prev')] },
  ],
  canonical: [
    '<link rel="canonical" href="/x"><link rel="canonical" href="/y">',
    { canonical: 'http://page.test/x', links: [] },
  ],
  robots: [
    '<meta name="robots" content="NoIndex, nofollow"><meta name="ROBOTS" content="noindex">',
    { robots: ['noindex', 'nofollow'] },
  ],
  'a refresh': ['<meta http-equiv="refresh" content="5; url=/x">', { links: [link('/x', '', 'refresh')] }],
  'a refresh with quotes': [
    `<meta http-equiv="refresh" content="0;URL='/x'">`,
    { links: [link('/x', '', 'refresh')] },
  ],
  'a refresh without a delay': ['<meta http-equiv="refresh" content="; url=/x">', { links: [] }],
  'a refresh of the page itself': ['<meta http-equiv="refresh" content="5">', { links: [] }],
  'a shadow tree': [
    '<div><template shadowrootmode="open"><a href="/x">a</a></template></div>',
    { links: [link('/x', 'a')] },
  ],
  'a title': ['<title> a  b </title>', { title: 'a b' }],
  'links of drawings': ['<svg><a href="/x"><text>a</text></a></svg>', { links: [link('/x', 'a')] }],
};

/** A page, and where its next page is: an address, a control, or nowhere. */
export const NEXT_CASES: Readonly<Record<string, readonly [html: string, expected: string]>> = {
  'link of the head': ['<head><link rel="next" href="/2"></head>', 'http://page.test/2'],
  'link by rel': ['<a rel="next" href="/2">a</a>', 'http://page.test/2'],
  'link that says so': ['<nav><a href="/0">Previous</a><a href="/2">Next</a></nav>', 'http://page.test/2'],
  'link that says so in another language': ['<nav><a href="/2">Weiter ›</a></nav>', 'http://page.test/2'],
  'link that says so by its label': [
    '<nav><a href="/2" aria-label="Next page">→</a></nav>',
    'http://page.test/2',
  ],
  'sign outside of a pager': ['<p><a href="/2">»</a></p>', ''],
  'link that says more than that': ['<a href="/2">Next we cook</a>', ''],
  'number after the current one': [
    '<div class="pagination"><a href="/1">1</a><span class="current">2</span><a href="/3">3</a></div>',
    'http://page.test/3',
  ],
  'the last page': ['<div class="pagination"><a href="/1">1</a><span class="current">2</span></div>', ''],
  'another origin': ['<a rel="next" href="http://other.test/2">a</a>', ''],
  'disabled link': ['<nav><a class="disabled" href="/2">Next</a></nav>', ''],
  'button that loads more': ['<button id="m">Load more</button>', '#m'],
  'button of a form': ['<form><button>Next</button></form>', ''],
  nothing: ['<a href="/x">a</a>', ''],
};

/** A page, a selector, and the ids of the outermost elements that it names. */
export const SELECT_CASES: Readonly<
  Record<string, readonly [html: string, selector: string, expected: string]>
> = {
  'in document order': ['<p id="a"></p><div id="b"></div><p id="c"></p>', 'div,p', 'a b c'],
  'outermost ones': ['<div id="a"><div id="b"></div></div><div id="c"></div>', 'div', 'a c'],
  'in a shadow tree': ['<div><template shadowrootmode="open"><p id="a"></p></template></div>', 'p', 'a'],
  'in a frame': [`<iframe srcdoc='<p id="a">'></iframe>`, 'p', 'a'],
  'the page before shadow trees': [
    '<p id="a"></p><div><template shadowrootmode="open"><p id="b"></p></template></div>',
    'p',
    'a',
  ],
  nothing: ['<p></p>', 'div', 'selector_not_found: No element of http://page.test/ matches selector div.'],
  'no selector': ['<p></p>', 'p[', 'selector_invalid: selector p[ is not a valid CSS selector.'],
};
