import type { ExtractCases, ExtractOptions } from './cases.ts';

const TABLES: ExtractOptions = { strategies: ['tables'] };
const LISTS: ExtractOptions = { strategies: ['definition_lists'], multiple: false };
const PERSON = { name: 'string', age: 'integer' };
const ANN = { name: 'Ann', age: '3' };
const BOB = { name: 'Bob', age: '4' };

export const TABLE_CASES: ExtractCases = {
  tables: {
    'headers above': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [ANN, BOB],
      TABLES,
    ],
    'headers in another order': [
      '<table><tr><th>Age</th><th>Name</th></tr><tr><td>3</td><td>Ann</td></tr></table>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'a head and a foot': [
      '<table><thead><tr><td>Name</td><td>Age</td></tr></thead><tbody><tr><td>Ann</td><td>3</td></tr></tbody><tfoot><tr><td>Sum</td><td>3</td></tr></tfoot></table>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'headers that are plain cells': [
      '<table><tr><td>Name</td><td>Age</td></tr><tr><td>Ann</td><td>3</td></tr></table>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'two rows of headers': [
      '<table><tr><th colspan="2">Person</th></tr><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'headers down the side': [
      '<table><tr><th>Name</th><td>Ann</td><td>Bob</td></tr><tr><th>Age</th><td>3</td><td>4</td></tr></table>',
      PERSON,
      [ANN, BOB],
      TABLES,
    ],
    'a row that spans': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td rowspan="2">Ann</td><td>3</td></tr><tr><td>4</td></tr></table>',
      PERSON,
      [ANN, { name: 'Ann', age: '4' }],
      TABLES,
    ],
    'a banner between the rows': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td colspan="2">Friends</td></tr><tr><td>Ann</td><td>3</td></tr></table>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'headers said again': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr><tr><th>Name</th><th>Age</th></tr><tr><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [ANN, BOB],
      TABLES,
    ],
    'a hidden row': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr hidden><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [BOB],
      TABLES,
    ],
    'two tables of the same kind': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table><table><tr><th>Name</th><th>Age</th></tr><tr><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [ANN, BOB],
      TABLES,
    ],
    'by roles': [
      '<div role="table"><div role="row"><span role="columnheader">Name</span><span role="columnheader">Age</span></div><div role="row"><span role="cell">Ann</span><span role="cell">3</span></div></div>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'a table in a cell': [
      '<table><tr><td><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table></td></tr></table>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'the address of a name': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td><a href="/ann">Ann</a></td><td>3</td></tr></table>',
      { ...PERSON, url: { type: 'string', format: 'uri' } },
      [{ ...ANN, url: 'http://page.test/ann' }],
      TABLES,
    ],
    'a machine’s number': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td data-value="3">three</td></tr></table>',
      PERSON,
      [{ name: 'Ann', age: 3 }],
      TABLES,
    ],
    'a missing cell': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td></tr><tr><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [{ name: 'Ann' }, BOB],
      TABLES,
    ],
    'without headers': [
      '<table><tr><td>Ann</td><td>3</td></tr><tr><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [ANN, BOB],
      TABLES,
    ],
    'that lays out': [
      '<table role="presentation"><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table>',
      PERSON,
      [],
      TABLES,
    ],
    'rows that a scope names': [
      '<table><tr><th>Name</th><th>Age</th></tr><tr class="x"><td>Ann</td><td>3</td></tr><tr><td>Cid</td><td>5</td></tr><tr class="x"><td>Bob</td><td>4</td></tr></table>',
      PERSON,
      [ANN, BOB],
      { ...TABLES, scope: 'tr.x' },
    ],
    'in a shadow tree': [
      '<div><template shadowrootmode="open"><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>3</td></tr></table></template></div>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'in a frame': [
      '<iframe srcdoc="<table><tr><th>Name<th>Age<tr><td>Ann<td>3</table>"></iframe>',
      PERSON,
      [ANN],
      TABLES,
    ],
    'a list in a cell': [
      '<table><tr><th>Name</th><th>Tags</th></tr><tr><td>Ann</td><td>a, b</td></tr><tr><td>Bob</td><td><ul><li>c</li><li>d</li></ul></td></tr></table>',
      { name: 'string', tags: { type: 'array', items: { type: 'string' } } },
      [
        { name: 'Ann', tags: ['a', 'b'] },
        { name: 'Bob', tags: ['c', 'd'] },
      ],
      TABLES,
    ],
    'an object across columns': [
      '<table><tr><th>Name</th><th>Price</th><th>Currency</th></tr><tr><td>Ann</td><td>3</td><td>EUR</td></tr></table>',
      {
        name: 'string',
        offer: { type: 'object', properties: { price: { type: 'number' }, currency: { type: 'string' } } },
      },
      [{ name: 'Ann', offer: { price: '3', currency: 'EUR' } }],
      TABLES,
    ],
  },
  'labels and values': {
    'a description list': ['<dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd>3</dd></dl>', PERSON, [ANN], LISTS],
    'labels with colons': [
      '<dl><dt>Name:</dt><dd>Ann</dd><dt>Age :</dt><dd>3</dd></dl>',
      PERSON,
      [ANN],
      LISTS,
    ],
    'groups in boxes': [
      '<dl><div><dt>Name</dt><dd>Ann</dd></div><div><dt>Age</dt><dd>3</dd></div></dl>',
      PERSON,
      [ANN],
      LISTS,
    ],
    'a label of two names': [
      '<dl><dt>Title</dt><dt>Name</dt><dd>Ann</dd></dl>',
      PERSON,
      [{ name: 'Ann' }],
      LISTS,
    ],
    'several values': [
      '<dl><dt>Name</dt><dd>Ann</dd><dt>Tags</dt><dd>a</dd><dd>b</dd></dl>',
      { name: 'string', tags: { type: 'array', items: { type: 'string' } } },
      [{ name: 'Ann', tags: ['a', 'b'] }],
      LISTS,
    ],
    'several records in one list': [
      '<dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd>3</dd><dt>Name</dt><dd>Bob</dd><dt>Age</dt><dd>4</dd></dl>',
      PERSON,
      [ANN, BOB],
      { ...LISTS, multiple: true },
    ],
    'fields of a form': [
      '<label>Name <input value="Ann"></label><label for="a">Age</label><input id="a" type="number" value="3">',
      PERSON,
      [ANN],
      LISTS,
    ],
    'no secrets of a form': [
      '<label>Name <input value="Ann"></label><label>Password <input type="password" value="s"></label>',
      { name: 'string', password: 'string' },
      [{ name: 'Ann' }],
      LISTS,
    ],
    'lines with labels': ['<p><b>Name:</b> Ann</p><p><b>Age:</b> 3</p>', PERSON, [ANN], LISTS],
    'labels in one line': ['<p><b>Name:</b> Ann <b>Age:</b> 3</p>', PERSON, [ANN], LISTS],
    'labels next to boxes': [
      '<div><span>Name:</span><span>Ann</span></div><div><span>Age:</span><span>3</span></div>',
      PERSON,
      [ANN],
      LISTS,
    ],
    'a hidden value': [
      '<dl><dt>Name</dt><dd>Ann</dd><dt>Age</dt><dd hidden>3</dd></dl>',
      PERSON,
      [{ name: 'Ann' }],
      LISTS,
    ],
  },
};
