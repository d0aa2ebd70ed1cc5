import type { ReadCases } from './cases.ts';

/** Inside of the page: every result begins and ends with this. */
const page = (body: string): string => `<html><body>${body}</body></html>`;

/** Small pages and their cleaned markup. */
export const HTML_CASES: ReadCases = {
  'with a head': Object.fromEntries(
    Object.entries({
      'that is empty': ['', ''],
      'without scripts': [
        '<script>x</script><script type="application/ld+json">{}</script><noscript><link></noscript>',
        '',
      ],
      'with title and names': [
        '<title>a &lt;b></title><meta name="author" content="c&quot;">',
        '<title>a &lt;b&gt;</title><meta name="author" content="c&quot;">',
      ],
      'with absolute addresses': [
        '<link rel="canonical" href="/x"><base href="/y/">',
        '<link rel="canonical" href="http://page.test/x"><base href="http://page.test/y/">',
      ],
      'with styles that end where they ended': [
        '<style>p { color: red } /* <b> */</style>',
        '<style>p { color: red } /* <b> */</style>',
      ],
      'without encodings and ways out': [
        '<meta charset="latin1"><meta http-equiv=" Refresh" content="9;url=/x"><meta http-equiv="content-type" content="text/html">',
        '',
      ],
    }).map(([title, [head = '', written = '']]) => [
      title,
      [
        `<head>${head}</head><p>b</p>`,
        `<!DOCTYPE html>\n<html><head><meta charset="utf-8">${written}</head><body><p>b</p></body></html>`,
        { include_head: true },
      ],
    ]),
  ),
  elements: {
    paragraph: ['<p>a <b>b</b></p>', page('<p>a <b>b</b></p>')],
    'void elements': ['a<br>b<hr>', page('a<br>b<hr>')],
    'scripts and styles go': ['<script>x</script><style>y{}</style><template>z</template>a', page('a')],
    'comments go': ['a<!-- b -->c', page('ac')],
    'what is hidden goes': ['<p hidden>a</p><p>b</p>', page('<p>b</p>')],
    'what is hidden is asked for': ['<p hidden>a</p>', page('<p hidden>a</p>'), { include_hidden: true }],
    'text is escaped': ['a &lt; b &amp; c &gt; d', page('a &lt; b &amp; c &gt; d')],
    'values are escaped': [
      '<p title="a&quot;&lt;&amp;&nbsp;">b</p>',
      page('<p title="a&quot;&lt;&amp;&nbsp;">b</p>'),
    ],
    'shadow trees stand in place': [
      '<div><template shadowrootmode="open"><i>a</i><slot></slot></template>b</div>',
      page('<div><i>a</i>b</div>'),
    ],
    frames: ['<iframe srcdoc="<p>a"></iframe>', page('<div data-frame="http://page.test"><p>a</p></div>')],
    'drawings keep their shape': [
      '<svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"></path></svg>',
      page('<svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"></path></svg>'),
    ],
  },
  attributes: {
    'handlers go': ['<p onclick="x()" id="i">a</p>', page('<p id="i">a</p>')],
    'style goes': ['<p style="color:red" class="c">a</p>', page('<p class="c">a</p>')],
    'addresses are absolute': ['<a href="x?y">a</a>', page('<a href="http://page.test/x?y">a</a>')],
    'script addresses go': ['<a href="javascript:x()">a</a>', page('<a>a</a>')],
    'form actions to scripts go': ['<form action=" javascript:x()"></form>', page('<form></form>')],
    'links are not asked for': [
      '<a href="/x" title="t">a</a>',
      page('<a title="t">a</a>'),
      { include_links: false },
    ],
    'sources of pictures': [
      '<img src="/a.png" alt="A" width="9">',
      page('<img src="http://page.test/a.png" alt="A" width="9">'),
    ],
    'candidates of pictures are absolute': [
      '<img srcset="/a.png 1x, /b.png 2x" alt="A" width="9">',
      page('<img srcset="http://page.test/a.png 1x, http://page.test/b.png 2x" alt="A" width="9">'),
    ],
    'documents in attributes go': [
      '<object data="javascript:x()" width="9" height="9"></object>a',
      page('a'),
    ],
  },
  controls: {
    'live value': ['<input value="a">', page('<input value="a">')],
    password: ['<input type="password" value="a" data-x="b">', page('<input type="password">')],
    checked: ['<input type="checkbox" value="a" checked>', page('<input type="checkbox" value="a" checked>')],
    textarea: ['<textarea>a</textarea>', page('<textarea>a</textarea>')],
    'secret textarea': [
      '<textarea autocomplete="one-time-code">a</textarea>',
      page('<textarea autocomplete="one-time-code"></textarea>'),
    ],
    select: [
      '<select><option value="1">a<option selected>b</select>',
      page('<select><option value="1">a</option><option selected>b</option></select>'),
    ],
    'groups of options': [
      '<select><optgroup label="g"><option>a</option></optgroup></select>',
      page('<select><optgroup label="g"><option selected>a</option></optgroup></select>'),
    ],
    'hidden input': ['<input type="hidden" value="a">b', page('b')],
    button: ['<button value="a">b</button>', page('<button value="a">b</button>')],
  },
};
