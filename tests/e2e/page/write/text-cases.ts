import { PIXEL, type ReadCases } from './cases.ts';

/** Small pages and what a person reads in them. */
export const TEXT_CASES: ReadCases = {
  blocks: {
    paragraphs: ['<p>a</p><p>b</p>', 'a\n\nb'],
    'boxes without margins': ['<div>a</div><div>b</div>', 'a\nb'],
    headings: ['<h1>a</h1><h2>b</h2>c', 'a\n\nb\n\nc'],
    'line break': ['a<br>b', 'a\nb'],
    'line breaks in a row': ['a<br><br>b', 'a\n\nb'],
    'line break between blocks': ['<div>a</div><br><div>b</div>', 'a\n\nb'],
    'line break in a list': ['<ul><li><br>a<br>b</li></ul>', 'a\nb'],
    'line break at the end': ['<div>a<br></div><div>b</div>', 'a\nb'],
    'preformatted text': ['<pre>a\n  b\n\nc</pre>', 'a\n  b\n\nc'],
    rule: ['a<hr>b', 'a\n\nb'],
    quote: ['<blockquote>a</blockquote>b', 'a\n\nb'],
    'no syntax is escaped': ['# a *b* [c] 1. d', '# a *b* [c] 1. d'],
    'emphasis is its text': ['<b>a</b><i>b</i> <code>c</code>', 'ab c'],
    'description list': ['<dl><dt>a</dt><dd>b</dd></dl>', 'a\nb'],
  },
  lists: {
    bullets: ['<ul><li>a</li><li>b</li></ul>', 'a\nb'],
    numbers: ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    'that starts later': ['<ol start="5"><li>a</li><li value="9">b</li><li>c</li></ol>', '5. a\n9. b\n10. c'],
    reversed: ['<ol reversed><li>a</li><li>b</li></ol>', '2. a\n1. b'],
    'in a list': ['<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '1. a\n   b\n2. c'],
    'text around': ['a<ul><li>b</li></ul>c', 'a\n\nb\n\nc'],
  },
  tables: {
    rows: ['<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a\tb\n1\t2'],
    'empty cell first': [
      '<table><tr><th></th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '\tb\n1\t2',
    ],
    'empty cell between': [
      '<table><tr><td>1</td><td></td><td>3</td></tr><tr><td>4</td><td>5</td><td>6</td></tr></table>',
      '1\t\t3\n4\t5\t6',
    ],
    'empty cell last': [
      '<table><tr><td>1</td><td></td></tr><tr><td>2</td><td>3</td></tr></table>',
      '1\n2\t3',
    ],
    'empty row': ['<table><tr><td></td><td></td></tr><tr><td>2</td><td>3</td></tr></table>', '2\t3'],
    'paragraphs in cells': ['<table><tr><td><p>1</p></td><td><p>2</p></td></tr></table>', '1\n2'],
    caption: ['<table><caption>c</caption><tr><td>1</td></tr></table>', 'c\n1'],
    'in a cell of a table of data': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>x<table><caption>c</caption><tr><th>k</th><th>v</th></tr><tr><td>1</td><td><p>3</p><p>4</p></td></tr></table>y</td><td>z</td></tr></table>',
      'a\tb\nx c; k | v; 1 | 3 4 y\tz',
    ],
    'in the last cell of a table of data': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><table><tr><td>k<table><tr><td>i</td><td>j</td></tr></table></td></tr></table></td></tr><tr><td>2</td><td>3</td></tr></table>',
      'a\tb\n1\tk i | j\n2\t3',
    ],
    'in a table that lays out': [
      '<table><tr><td>x<table><tr><td>k</td><td>v</td></tr></table></td><td>z</td></tr><tr><td><table><tr><td>1</td><td>2</td></tr></table>y</td><td>w</td></tr></table>',
      'x\nk\tv\nz\n1\t2\ny\tw',
    ],
    'by roles': [
      '<div role="table"><div role="row"><span role="cell">1</span><span role="cell">2</span></div></div>',
      '1\t2',
    ],
  },
  inline: {
    link: ['<a href="/x">a</a>', 'a'],
    'link with a label only': ['<a href="/x" aria-label="a"></a>', 'a'],
    'link with a label only inside a line': ['b <a href="/x" aria-label="a"></a> c', 'b a c'],
    picture: [`a<img src="${PIXEL}" alt="b" width="9" height="9">c`, 'a b c'],
    decoration: [`a<img src="${PIXEL}" alt="" width="9" height="9">c`, 'ac'],
    drawing: ['<svg width="9" height="9"><title>a</title></svg>', 'a'],
    'fraction of a product': [
      '<math><mfrac><mn>1</mn><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></math>',
      '1/(2a)',
    ],
    'power of a sum': [
      '<math><msup><mn>2</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup><mo>−</mo><mn>1</mn></math>',
      '2^(n+1)−1',
    ],
    'raised and lowered parts': ['10<sup>-3</sup> x<sup>2</sup> H<sub>2</sub>O', '10^(-3) x^2 H2O'],
    deleted: ['<del>9 € </del>7 €', '~~9 €~~ 7 €'],
    'struck by style': [
      '<style>.old{text-decoration:line-through}</style><span class="old">9 €</span> 7 €',
      '~~9 €~~ 7 €',
    ],
    'a block struck by style': [
      '<p style="text-decoration: line-through red">9 <b>€</b></p><p>7 €</p>',
      '~~9 €~~\n\n7 €',
    ],
    formula: ['<math><msup><mi>x</mi><mn>2</mn></msup></math>', 'x^2'],
    button: ['<button>a</button><button>b</button>', 'a b'],
    'button inputs': ['<input type="submit" value="a">', '[a]'],
    'text field': ['a <input value="b"> c', 'a [b] c'],
    password: ['<input type="password" value="b">', '[••••]'],
    'inline blocks are set apart': [
      '<span style="display:inline-block">a</span><span style="display:inline-block">b</span>',
      'a b',
    ],
    'items of a flexible box are set apart': [
      '<div style="display:flex"><span>a</span><span>b</span></div>',
      'a b',
    ],
    'readings of words': ['<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '漢(kan)'],
  },
  frames: {
    'of this origin': [
      '<p>a</p><iframe srcdoc="b"></iframe>',
      'a\n\n[frame http://page.test]\n\nb\n\n[end of frame http://page.test]',
    ],
  },
};
