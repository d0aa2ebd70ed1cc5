import { ONE, script, type ExtractCases, type ExtractOptions } from './cases.ts';

const THING = { name: 'string', price: 'number' };
const only = (strategy: 'json_ld' | 'microdata' | 'rdfa' | 'meta'): ExtractOptions => ({
  strategies: [strategy],
  ...ONE,
});
const URL_FIELD = { type: 'string', format: 'uri' } as const;

export const MACHINE_CASES: ExtractCases = {
  'JSON-LD': {
    'a thing': [
      script({ '@type': 'Product', name: 'Mill', price: 5 }),
      THING,
      [{ name: 'Mill', price: 5 }],
      only('json_ld'),
    ],
    'an offer within': [
      script({ '@type': 'Product', name: 'Mill', offers: { '@type': 'Offer', price: '5.00' } }),
      THING,
      [{ name: 'Mill', price: '5.00' }],
      only('json_ld'),
    ],
    'a graph': [
      script({
        '@graph': [
          { '@type': 'WebSite', name: 'Site' },
          { '@type': 'Product', name: 'Mill', price: 5 },
        ],
      }),
      THING,
      [{ name: 'Mill', price: 5 }],
      only('json_ld'),
    ],
    'a reference': [
      script({
        '@graph': [
          { '@type': 'Product', name: 'Mill', offers: { '@id': '#o' } },
          { '@id': '#o', '@type': 'Offer', price: 5 },
        ],
      }),
      THING,
      [{ name: 'Mill', price: 5 }],
      only('json_ld'),
    ],
    'several things': [
      script([
        { '@type': 'Product', name: 'A', price: 1 },
        { '@type': 'Product', name: 'B', price: 2 },
      ]),
      THING,
      [
        { name: 'A', price: 1 },
        { name: 'B', price: 2 },
      ],
      { strategies: ['json_ld'] },
    ],
    'a list of items': [
      script({
        '@type': 'ItemList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, item: { '@type': 'Product', name: 'A', price: 1 } },
          { '@type': 'ListItem', position: 2, item: { '@type': 'Product', name: 'B', price: 2 } },
        ],
      }),
      THING,
      [
        { name: 'A', price: 1 },
        { name: 'B', price: 2 },
      ],
      { strategies: ['json_ld'] },
    ],
    'a comma too many': [
      script('{"@type":"Product","name":"Mill","price":5,}'),
      THING,
      [{ name: 'Mill', price: 5 }],
      only('json_ld'),
    ],
    'invalid JSON': [script('{'), THING, [], only('json_ld')],
    'a script of another type': [
      '<script type="application/json">{"name":"Mill","price":5}</script>',
      THING,
      [],
      only('json_ld'),
    ],
    'an address': [
      script({ '@type': 'Product', name: 'Mill', image: '/m.png' }),
      { name: 'string', image: URL_FIELD },
      [{ name: 'Mill', image: 'http://page.test/m.png' }],
      only('json_ld'),
    ],
    'keywords as one text': [
      script({ '@type': 'Article', name: 'Mill', keywords: 'a, b' }),
      { name: 'string', keywords: { type: 'array', items: { type: 'string' } } },
      [{ name: 'Mill', keywords: ['a', 'b'] }],
      only('json_ld'),
    ],
    'the name of an author is not the name of the work': [
      script({ '@type': 'Article', headline: 'Mills', author: { '@type': 'Person', name: 'Ann' } }),
      { headline: 'string', author: 'string' },
      [{ headline: 'Mills', author: 'Ann' }],
      only('json_ld'),
    ],
  },
  microdata: {
    'an item': [
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Mill</b><data itemprop="price" value="5">five</data></div>',
      THING,
      [{ name: 'Mill', price: '5' }],
      only('microdata'),
    ],
    'values of attributes': [
      '<div itemscope><meta itemprop="name" content="Mill"><a itemprop="url" href="/m">x</a><time itemprop="date" datetime="2020-01-02">then</time></div>',
      { name: 'string', url: URL_FIELD, date: { type: 'string', format: 'date' } },
      [{ name: 'Mill', url: 'http://page.test/m', date: '2020-01-02' }],
      only('microdata'),
    ],
    'an item in an item': [
      '<div itemscope><b itemprop="name">Mill</b><div itemprop="offers" itemscope><i itemprop="price">5</i></div></div>',
      THING,
      [{ name: 'Mill', price: '5' }],
      only('microdata'),
    ],
    'a reference': [
      '<div itemscope itemref="p"><b itemprop="name">Mill</b></div><i id="p" itemprop="price">5</i>',
      THING,
      [{ name: 'Mill', price: '5' }],
      only('microdata'),
    ],
    'a reference to itself': [
      '<div id="d" itemscope itemref="d"><b itemprop="name">Mill</b><i itemprop="price">5</i></div>',
      THING,
      [{ name: 'Mill', price: '5' }],
      only('microdata'),
    ],
    'several items': [
      '<p itemscope itemtype="x"><b itemprop="name">A</b><i itemprop="price">1</i></p><p itemscope itemtype="x"><b itemprop="name">B</b><i itemprop="price">2</i></p>',
      THING,
      [
        { name: 'A', price: '1' },
        { name: 'B', price: '2' },
      ],
      { strategies: ['microdata'] },
    ],
  },
  RDFa: {
    'a thing': [
      '<div vocab="https://schema.org/" typeof="Product"><b property="name">Mill</b><i property="price" content="5">five</i></div>',
      THING,
      [{ name: 'Mill', price: '5' }],
      only('rdfa'),
    ],
    'a thing in a thing': [
      '<div typeof="Product"><b property="schema:name">Mill</b><div property="offers" typeof="Offer"><i property="price">5</i></div></div>',
      THING,
      [{ name: 'Mill', price: '5' }],
      only('rdfa'),
    ],
  },
  'head of the page': {
    'Open Graph': [
      '<meta property="og:title" content="Mill"><meta property="product:price:amount" content="5">',
      { title: 'string', price: 'number' },
      [{ title: 'Mill', price: '5' }],
      only('meta'),
    ],
    'the more careful author counts': [
      '<title>Mill - Shop</title><meta name="title" content="The mill"><meta property="og:title" content="Mill">',
      { title: 'string' },
      [{ title: 'Mill' }],
      only('meta'),
    ],
    'title and canonical address': [
      '<title>Mill</title><link rel="canonical" href="/m">',
      { title: 'string', url: URL_FIELD },
      [{ title: 'Mill', url: 'http://page.test/m' }],
      only('meta'),
    ],
    description: [
      '<meta name="description" content=" A mill. ">',
      { description: 'string' },
      [{ description: 'A mill.' }],
      only('meta'),
    ],
  },
  'one record from several places': {
    'gaps are filled': [
      `${script({ '@type': 'Product', name: 'Mill' })}<meta property="product:price:amount" content="5">`,
      THING,
      [{ name: 'Mill', price: '5' }],
      { strategies: ['json_ld', 'meta'], ...ONE },
    ],
    'what does not fit is replaced': [
      `${script({ '@type': 'Product', name: 'Mill', price: 'on request' })}<dl><dt>Price</dt><dd>5</dd></dl>`,
      THING,
      [{ name: 'Mill', price: '5' }],
      { strategies: ['json_ld', 'definition_lists'], ...ONE },
    ],
  },
};
