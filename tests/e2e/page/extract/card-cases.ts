import { ONE, type ExtractCases, type ExtractOptions } from './cases.ts';

const CARDS: ExtractOptions = { strategies: ['repeated'] };
const SELECTED: ExtractOptions = { strategies: ['selectors'] };
const THING = { title: 'string', price: 'number' };
const URL_FIELD = { type: 'string', format: 'uri' } as const;
const card = (title: string, price: string): string =>
  `<li class="card"><h3>${title}</h3><p class="price">${price}</p></li>`;

export const CARD_CASES: ExtractCases = {
  'repeated parts': {
    'cards by class names': [
      `<ul>${card('A', '€1')}${card('B', '€2')}</ul>`,
      THING,
      [
        { title: 'A', price: '€1' },
        { title: 'B', price: '€2' },
      ],
      CARDS,
    ],
    'cards in several rows': [
      `<ul>${card('A', '€1')}${card('B', '€2')}</ul><ul>${card('C', '€3')}</ul>`,
      THING,
      [
        { title: 'A', price: '€1' },
        { title: 'B', price: '€2' },
        { title: 'C', price: '€3' },
      ],
      CARDS,
    ],
    'a hidden card': [
      `<ul>${card('A', '€1')}${card('B', '€2')}${card('C', '€3').replace('<li', '<li hidden')}</ul>`,
      THING,
      [
        { title: 'A', price: '€1' },
        { title: 'B', price: '€2' },
      ],
      CARDS,
    ],
    'prices by their signs': [
      '<div><div><h3>A</h3><span>$1.50</span></div><div><h3>B</h3><span>$2.50</span></div></div>',
      THING,
      [
        { title: 'A', price: '$1.50' },
        { title: 'B', price: '$2.50' },
      ],
      CARDS,
    ],
    'links and pictures': [
      '<div><article><a href="/a"><h3>A</h3></a><img src="/a.png"></article><article><a href="/b"><h3>B</h3></a><img src="/b.png"></article></div>',
      { title: 'string', url: URL_FIELD, image: URL_FIELD },
      [
        { title: 'A', url: 'http://page.test/a', image: 'http://page.test/a.png' },
        { title: 'B', url: 'http://page.test/b', image: 'http://page.test/b.png' },
      ],
      CARDS,
    ],
    'today’s price and not the old one': [
      '<ul><li><h3>A</h3><s>$9</s><b>$1</b></li><li><h3>B</h3><s>$8</s><b>$2</b></li></ul>',
      THING,
      [
        { title: 'A', price: '$1' },
        { title: 'B', price: '$2' },
      ],
      CARDS,
    ],
    'a picture that waits to be loaded': [
      '<ul><li><h3>A</h3><img src="data:image/gif;base64,AA" data-src="/a.png"></li><li><h3>B</h3><img src="data:image/gif;base64,AA" data-src="/b.png"></li></ul>',
      { title: 'string', image: URL_FIELD },
      [
        { title: 'A', image: 'http://page.test/a.png' },
        { title: 'B', image: 'http://page.test/b.png' },
      ],
      CARDS,
    ],
    'a date by its element': [
      '<ul><li><h3>A</h3><time datetime="2020-01-01">a day</time></li><li><h3>B</h3><time datetime="2020-01-02">another</time></li></ul>',
      { title: 'string', date: { type: 'string', format: 'date' } },
      [
        { title: 'A', date: '2020-01-01' },
        { title: 'B', date: '2020-01-02' },
      ],
      CARDS,
    ],
    'numbers with their words': [
      '<ul><li><h3>A</h3><span>12 reviews</span></li><li><h3>B</h3><span>3 reviews</span></li></ul>',
      { title: 'string', reviews: 'integer' },
      [
        { title: 'A', reviews: '12 reviews' },
        { title: 'B', reviews: '3 reviews' },
      ],
      CARDS,
    ],
    'labels within the parts': [
      '<ul><li><h3>A</h3><span>Colour: red</span></li><li><h3>B</h3><span>Colour: blue</span></li></ul>',
      { title: 'string', colour: 'string' },
      [
        { title: 'A', colour: 'red' },
        { title: 'B', colour: 'blue' },
      ],
      CARDS,
    ],
    'tags of each card': [
      '<ul><li><h3>A</h3><i class="tag">x</i><i class="tag">y</i></li><li><h3>B</h3><i class="tag">z</i></li></ul>',
      { title: 'string', tags: { type: 'array', items: { type: 'string' } } },
      [
        { title: 'A', tags: ['x', 'y'] },
        { title: 'B', tags: ['z'] },
      ],
      CARDS,
    ],
    'nothing alike': ['<p>a</p><div>b</div>', THING, [], CARDS],
  },
  selectors: {
    'CSS of the first match': [
      '<h1>A</h1><h1>B</h1>',
      { title: 'string' },
      [{ title: 'A' }],
      { ...SELECTED, ...ONE, selectors: { title: 'h1' } },
    ],
    XPath: [
      '<h1>A</h1>',
      { title: 'string' },
      [{ title: 'A' }],
      { ...SELECTED, ...ONE, selectors: { title: '//h1' } },
    ],
    'an attribute': [
      '<a href="/x" title="T">a</a>',
      { title: 'string', url: URL_FIELD },
      [{ title: 'T', url: 'http://page.test/x' }],
      { ...SELECTED, ...ONE, selectors: { title: { selector: 'a', attr: 'title' }, url: 'a' } },
    ],
    'all matches': [
      '<i>a</i><i>b</i>',
      { tags: { type: 'array', items: { type: 'string' } } },
      [{ tags: ['a', 'b'] }],
      { ...SELECTED, ...ONE, selectors: { tags: { selector: 'i', multiple: true } } },
    ],
    'records around the matches': [
      '<div><p><b>A</b><i>1</i></p><p><b>B</b></p></div>',
      THING,
      [{ title: 'A', price: '1' }, { title: 'B' }],
      { ...SELECTED, selectors: { title: 'b', price: 'i' } },
    ],
    'records that a scope names': [
      '<div><p>A</p><p>B</p></div>',
      { title: 'string' },
      [{ title: 'A' }, { title: 'B' }],
      { ...SELECTED, scope: 'p', selectors: { title: './/text()' } },
    ],
    'a secret': [
      '<input type="password" value="s"><b>A</b>',
      { title: 'string', password: 'string' },
      [{ title: 'A' }],
      { ...SELECTED, ...ONE, selectors: { title: 'b', password: { selector: 'input', attr: 'value' } } },
    ],
    'a secret by XPath': [
      '<input type="password" value="s"><b>A</b>',
      { title: 'string', password: 'string' },
      [{ title: 'A' }],
      { ...SELECTED, ...ONE, selectors: { title: 'b', password: '//input/@value' } },
    ],
    'no CSS': [
      '<b>A</b>',
      { title: 'string' },
      'selector_invalid: selectors.title: b[ is not a valid CSS selector.',
      { ...SELECTED, ...ONE, selectors: { title: 'b[' } },
    ],
    'a scope that matches nothing': [
      '<b>A</b>',
      { title: 'string' },
      'selector_not_found: scope: no element of http://page.test/ matches .x.',
      { ...ONE, scope: '.x' },
    ],
    'a field that no selector names is learnt': [
      '<ul><li><b>A</b><p class="price">$1</p></li><li><b>B</b><p class="price">$2</p></li></ul>',
      THING,
      [
        { title: 'A', price: '$1' },
        { title: 'B', price: '$2' },
      ],
      { ...SELECTED, selectors: { title: 'b' } },
    ],
  },
  values: {
    'text that is hidden is not read': [
      '<h1>A<span hidden>B</span><script>C</script></h1>',
      { title: 'string' },
      [{ title: 'A' }],
      { ...SELECTED, ...ONE, selectors: { title: 'h1' } },
    ],
    'blocks part words': [
      '<h1><div>A</div><div>B</div></h1>',
      { title: 'string' },
      [{ title: 'A B' }],
      { ...SELECTED, ...ONE, selectors: { title: 'h1' } },
    ],
    'the text of a picture': [
      '<p><img alt="A" src="/a.png"></p>',
      { title: 'string' },
      [{ title: 'A' }],
      { ...SELECTED, ...ONE, selectors: { title: 'p' } },
    ],
    'a control’s value': [
      '<select><option>a<option selected>b</select>',
      { title: 'string' },
      [{ title: 'b' }],
      { ...SELECTED, ...ONE, selectors: { title: 'select' } },
    ],
    'a check box': [
      '<input type="checkbox" checked>',
      { done: 'boolean' },
      [{ done: true }],
      { ...SELECTED, ...ONE, selectors: { done: 'input' } },
    ],
    'markup without scripts and comments': [
      '<div><b>a</b><script>x</script><!-- c --></div>',
      { text: 'string' },
      [{ text: '<b>a</b>' }],
      { ...SELECTED, ...ONE, selectors: { text: { selector: 'div', type: 'html' } } },
    ],
  },
};
