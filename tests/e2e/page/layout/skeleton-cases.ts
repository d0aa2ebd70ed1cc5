import type { SkeletonCaseOptions } from '../../../support/page-lab/page-bundle.ts';

/** The content of a body, and the lines of its skeleton. */
export type SkeletonCases = Readonly<
  Record<
    string,
    Readonly<Record<string, readonly [html: string, lines: readonly string[], options?: SkeletonCaseOptions]>>
  >
>;

const items = (count: number): string => '<li>a</li>'.repeat(count);

export const SKELETON_CASES: SkeletonCases = {
  elements: {
    'text stands in its element': ['<p>a</p>', ['<p>a</p>']],
    'elements are below it': ['<div>a<b>b</b>c</div>', ['<div>', ' a', ' <b>b</b>', ' c', '</div>']],
    'void elements': ['<hr><input>', ['<hr>', '<input>']],
    'white space collapses': ['<p> a \n b </p>', ['<p>a b</p>']],
    'text is escaped': ['<p>&lt;!-- a --&gt;</p>', ['<p>&lt;!-- a --&gt;</p>']],
    'comments go': ['<p>a<!-- b -->c</p>', ['<p>ac</p>']],
    'scripts and styles go': ['<script>a</script><style>b{}</style><p>c</p>', ['<p>c</p>']],
    'a script parts no text': ['<p>a<script>x</script>b</p>', ['<p>ab</p>']],
    'textareas are opaque': ['<textarea>a</textarea>', ['<textarea></textarea>']],
    'drawings say their title': [
      '<svg><title>a</title><path d="M0 0"/></svg>',
      ['<svg><title>a</title></svg>'],
    ],
    'drawings say what they use': ['<svg><use href="#i"/></svg>', ['<svg><use href="#i"></use></svg>']],
    'names with strange signs': ['<a&b>c</a&b>', ['<a_b>c</a_b>']],
    'options say their text': [
      '<select><option value="1">a</option></select>',
      ['<select>', ' <option value="1">a</option>', '</select>'],
    ],
  },
  text: {
    'is cut': ['<p>aaa bbb ccc ddd</p>', ['<p>aaa bbb …</p>'], { text_length: 10 }],
    'is left out': ['<p>a</p>', ['<p></p>'], { text_length: 0 }],
    'of a closed details is not shown': [
      '<details><summary>a</summary>b</details>',
      ['<details>', ' <summary>a</summary>', '</details>'],
    ],
  },
  attributes: {
    'that name elements': ['<p id="a" class="b c">d</p>', ['<p id="a" class="b c">d</p>']],
    'of style and handlers go': ['<p style="color:red" onclick="x()">a</p>', ['<p>a</p>']],
    'of tests stay': ['<p data-testid="a">b</p>', ['<p data-testid="a">b</p>']],
    'of trackers go': ['<p data-ga-click="a" data-track="b">c</p>', ['<p>c</p>']],
    'of data that is short stay': ['<p data-x="a">b</p>', ['<p data-x="a">b</p>']],
    'of data that is long go': [`<p data-x="${'a'.repeat(41)}">b</p>`, ['<p>b</p>']],
    'of data beyond five go': [
      '<p data-a="1" data-b="1" data-c="1" data-d="1" data-e="1" data-f="1">b</p>',
      ['<p data-a="1" data-b="1" data-c="1" data-d="1" data-e="1">b</p>'],
    ],
    'empty class': ['<p class=" ">a</p>', ['<p>a</p>']],
    'many classes': [
      `<p class="${'aaaaaaaaa '.repeat(20)}">a</p>`,
      [`<p class="${'aaaaaaaaa '.repeat(12)}…">a</p>`],
    ],
    'addresses stay as they are written': ['<a href="../x?y">a</a>', ['<a href="../x?y">a</a>']],
    'script addresses go': ['<a href="javascript:x()">a</a>', ['<a>a</a>']],
    'inline data goes': ['<img src="data:image/gif;base64,AAAA" alt="a">', ['<img src="data:…" alt="a">']],
    'credentials in addresses go': [
      '<a href="https://me:secret@x.test/y">a</a>',
      ['<a href="https://x.test/y">a</a>'],
    ],
    'long addresses are cut': [`<a href="/a/b/${'1'.repeat(60)}">a</a>`, ['<a href="/a/b/…">a</a>']],
    'values that a person entered go': ['<input value="a" name="b">', ['<input name="b">']],
    'values to choose among stay': [
      '<input type="radio" name="a" value="b">',
      ['<input type="radio" name="a" value="b">'],
    ],
    'values of buttons stay': ['<input type="submit" value="a">', ['<input type="submit" value="a">']],
    'values are escaped': ['<p title="a&quot;&gt;&lt;b">c</p>', ['<p title="a&quot;&gt;&lt;b">c</p>']],
    'line breaks in values': ['<p title="a\nb">c</p>', ['<p title="a b">c</p>']],
  },
  hidden: {
    'is marked once': [
      '<div hidden title="x"><p>a</p></div>',
      ['<div hidden><!-- hidden -->', ' <p></p>', '</div>'],
    ],
    'by style': ['<p style="display:none">a</p>', ['<p><!-- hidden --></p>']],
    'by opacity': ['<p style="opacity:0">a</p>', ['<p><!-- hidden --></p>']],
    'hidden inputs are not hidden elements': [
      '<input type="hidden" name="a" value="b">',
      ['<input type="hidden" name="a">'],
    ],
    'visible again': [
      '<div style="visibility:hidden"><p style="visibility:visible">a</p></div>',
      ['<div><!-- hidden -->', ' <p>a</p>', '</div>'],
    ],
    'display: contents is not hidden': [
      '<div style="display:contents"><p>a</p></div>',
      ['<div>', ' <p>a</p>', '</div>'],
    ],
  },
  repetition: {
    'two are shown': [`<ul>${items(2)}</ul>`, ['<ul>', ' <li>a</li>', ' <li>a</li>', '</ul>']],
    'three are one and a number': [
      `<ul>${items(3)}</ul>`,
      ['<ul>', ' <li>a</li>', ' <!-- 2 more like this -->', '</ul>'],
    ],
    'the last one is named': [
      '<ul><li id="i1">a</li><li id="i2">b</li><li id="i3">c</li></ul>',
      ['<ul>', ' <li id="i1">a</li>', ' <!-- 2 more like this, the last #i3 -->', '</ul>'],
    ],
    'alternating ones': [
      '<dl><dt>a</dt><dd>1</dd><dt>b</dt><dd>2</dd><dt>c</dt><dd>3</dd></dl>',
      ['<dl>', ' <dt>a</dt>', ' <dd>1</dd>', ' <!-- 4 more like those above -->', '</dl>'],
    ],
    'different ones': [
      '<div><p class="a">1</p><p class="b">2</p><p class="c">3</p></div>',
      ['<div>', ' <p class="a">1</p>', ' <p class="b">2</p>', ' <p class="c">3</p>', '</div>'],
    ],
    'text between them goes too': [
      '<p><b>a</b>, <b>b</b>, <b>c</b>.</p>',
      ['<p>', ' <b>a</b>', ' ,', ' <!-- 2 more like this -->', ' .', '</p>'],
    ],
  },
  depth: {
    'is bounded': [
      '<div><p><b>a</b></p></div>',
      ['<div>', ' <!-- 2 elements deeper -->', '</div>'],
      { max_depth: 2 },
    ],
  },
  'shadow trees': {
    'are written as templates': [
      '<div><template shadowrootmode="open"><p>a</p></template>b</div>',
      ['<div>', ' <template shadowrootmode="open">', '  <p>a</p>', ' </template>', '</div>'],
    ],
    'with slots': [
      '<div><template shadowrootmode="open"><slot></slot></template>b</div>',
      ['<div>', ' <template shadowrootmode="open">', '  <slot></slot>', ' </template>', ' b', '</div>'],
    ],
  },
  frames: {
    'of this origin': [
      '<iframe srcdoc="<p>a"></iframe>',
      [
        '<iframe>',
        ' <!-- frame of http://page.test -->',
        ' <html>',
        '  <body>',
        '   <p>a</p>',
        '  </body>',
        ' </html>',
        '</iframe>',
      ],
    ],
    'that are hidden': [
      '<iframe hidden srcdoc="<p>a"></iframe>',
      [
        '<iframe hidden><!-- hidden -->',
        ' <!-- frame of http://page.test -->',
        ' <html>',
        '  <body>',
        '   <p></p>',
        '  </body>',
        ' </html>',
        '</iframe>',
      ],
    ],
  },
};
