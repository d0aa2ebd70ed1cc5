import { lines, type ReadCases } from './cases.ts';

/** Lists, tables, frames and shadow trees, and the GitHub-flavoured Markdown that has to be written for them. */
export const MARKDOWN_STRUCTURE_CASES: ReadCases = {
  lists: {
    bullets: ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    numbers: ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    'that starts later': ['<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
    'with a value': ['<ol><li>a</li><li value="5">b</li><li>c</li></ol>', '1. a\n5. b\n6. c'],
    reversed: ['<ol reversed><li>a</li><li>b</li></ol>', '2. a\n1. b'],
    'in a list': ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    'numbers in bullets': ['<ul><li>a<ol><li>b</li></ol></li></ul>', '- a\n  1. b'],
    'bullets in numbers': ['<ol><li>a<ul><li>b</li></ul></li></ol>', '1. a\n   - b'],
    'straight inside a list': ['<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    'straight inside numbers': ['<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>', '1. a\n   1. b\n2. c'],
    'one after the other': ['<ul><li>a</li></ul><ul><li>b</li></ul>', '- a\n\n* b'],
    'numbers after numbers': ['<ol><li>a</li></ol><ol><li>b</li></ol>', '1. a\n\n1) b'],
    'two with text between': ['<ul><li>a</li></ul>b<ul><li>c</li></ul>', '- a\n\nb\n\n- c'],
    'paragraphs in items': ['<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>', '- a\n\n  b\n- c'],
    'text before': ['a<ul><li>b</li></ul>c', 'a\n\n- b\n\nc'],
    'empty item': ['<ul><li></li><li>a</li></ul>', '- a'],
    'empty number': ['<ol><li></li><li>a</li></ol>', '2. a'],
    'item without a list': ['<li>a</li>', '- a'],
    'in a quote': ['<blockquote><ul><li>a</li><li>b</li></ul></blockquote>', '> - a\n> - b'],
    'quote in an item': ['<ul><li><blockquote>a</blockquote></li></ul>', '- > a'],
    'heading in an item': ['<ul><li><h3>a</h3>b</li></ul>', '- ### a\n\n  b'],
    tasks: ['<ul><li><input type="checkbox" checked> a</li></ul>', '- [x] a'],
    'by roles': [
      '<div role="list"><div role="listitem">a</div><div role="listitem">b</div></div>',
      '- a\n- b',
    ],
    'straight inside a list that has no item': ['<ul><ul><li>a</li><li>b</li></ul></ul>', '- - a\n  - b'],
    'inside a list, in a box outside its items': [
      '<ul><li>a</li><div><ul><li>b</li></ul></div></ul>',
      '- a\n  - b',
    ],
    'straight inside a list in an item': [
      '<ul><li>a<ul><ul><li>b</li></ul><li>c</li></ul></li></ul>',
      '- a\n  - - b\n  - c',
    ],
    'numbers that start later, straight inside lists': [
      '<ul><li>a</li><ul><li><ol start="2"><li>b</li></ol></li></ul></ul>',
      '- a\n\n  - 2. b',
    ],
    'several straight inside a list': [
      '<ul><li>a</li><ul><li>b</li></ul><ul><li>c</li></ul><li>d</li></ul>',
      '- a\n  - b\n  * c\n- d',
    ],
    'straight inside a list, three deep': ['<ul><li>a</li><ul><ul><li>b</li></ul></ul></ul>', '- a\n  - - b'],
    'straight inside a list in a cell': [
      '<table><tr><th>a</th></tr><tr><td><ul><li>1</li><ul><li>2</li></ul></ul></td></tr></table>',
      '| a |\n| --- |\n| - 1<br>  - 2 |',
    ],
    'text inside a list, outside its items': ['<ul><li>a</li>b<li>c</li></ul>', '- a\n\nb\n\n- c'],
    'text after a list in an item': [
      '<ul><li>a<ul><li>b</li></ul>c</li><li>d</li></ul>',
      '- a\n  - b\n\n  c\n- d',
    ],
    'numbers that start later in an item': [
      '<ul><li>a<ol start="3"><li>b</li></ol></li></ul>',
      '- a\n\n  3. b',
    ],
    'rule in an item': ['<ul><li><hr>a</li></ul>', '- ***\n\n  a'],
    'text that looks like a marker': [
      '<ul><li>- a</li><li>1. b</li><li>[x] c</li></ul>',
      '- \\- a\n- 1\\. b\n- \\[x] c',
    ],
    'in a definition': ['<dl><dt>a</dt><dd><ul><li>b</li></ul></dd></dl>', 'a\n\n- b'],
    'without its role': ['<ul role="none"><li>a</li></ul>', '- a'],
    'menu element': ['<menu><li>a</li></menu>', '- a'],
    'of ten': [`<ol start="9"><li>a</li><li>b<p>c</p></li></ol>`, '9. a\n10. b\n\n    c'],
    'that starts below zero': ['<ol start="-1"><li>a</li><li>b</li><li>c</li></ol>', '0. a\n0. b\n1. c'],
    'line break in an item': ['<ul><li>a<br>b</li></ul>', '- a\\\n  b'],
  },
  tables: {
    'with a head': [
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    'without a head': [
      '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    'with headers in the first row': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    'with headers in the first column': [
      '<table><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></table>',
      '|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |',
    ],
    'with a caption': [
      '<table><caption>C</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>',
      'C\n\n| a |\n| --- |\n| 1 |',
    ],
    'that spans columns': [
      '<table><tr><th colspan="2">a</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a |  |\n| --- | --- |\n| 1 | 2 |',
    ],
    'that spans rows': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |',
    ],
    'with missing cells': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 |  |',
    ],
    'with alignment': [
      '<table><tr><th align="left">a</th><th align="center">b</th><th style="text-align:right">c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
      '| a | b | c |\n| :-- | :-: | --: |\n| 1 | 2 | 3 |',
    ],
    'with pipes': [
      '<table><tr><th>a</th></tr><tr><td>1|2 <code>3|4</code></td></tr></table>',
      '| a |\n| --- |\n| 1\\|2 `3\\|4` |',
    ],
    'with line breaks': [
      '<table><tr><th>a</th></tr><tr><td>1<br>2<p>3</p></td></tr></table>',
      '| a |\n| --- |\n| 1<br>2<br>3 |',
    ],
    'with a line break at the end of a cell': [
      '<table><tr><th>a</th></tr><tr><td>1<br></td></tr></table>',
      '| a |\n| --- |\n| 1 |',
    ],
    'with a list': [
      '<table><tr><th>a</th></tr><tr><td><ul><li>1</li><li>2</li></ul></td></tr></table>',
      '| a |\n| --- |\n| - 1<br>- 2 |',
    ],
    'with a link and emphasis': [
      '<table><tr><th>a</th></tr><tr><td><a href="/x"><b>1</b></a></td></tr></table>',
      '| a |\n| --- |\n| [**1**](http://page.test/x) |',
    ],
    'with a block of code': [
      '<table><tr><th>a</th></tr><tr><td><pre>1\n2</pre></td></tr></table>',
      '| a |\n| --- |\n| `1 2` |',
    ],
    'that lays out': ['<table><tr><td>a</td></tr></table>', 'a'],
    'that lays out by role': [
      '<table role="presentation"><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
      'a\n\nb\n\nc\n\nd',
    ],
    'in a table': [
      '<table><tr><td><table><tr><th>a</th></tr><tr><td>1</td></tr></table></td></tr></table>',
      '| a |\n| --- |\n| 1 |',
    ],
    'in a cell of a table of data': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>x<table><tr><th>k</th><th>v</th></tr><tr><td>1|2</td><td><b>3</b></td></tr></table>y</td><td>z</td></tr></table>',
      '| a | b |\n| --- | --- |\n| x<br>k \\| v<br>1\\|2 \\| **3**<br>y | z |',
    ],
    'that lays out a cell of a table of data': [
      '<table><tr><th>a</th></tr><tr><td><table><tr><td>x</td></tr></table></td></tr></table>',
      '| a |\n| --- |\n| x |',
    ],
    'in a table in a table of data': [
      '<table><caption>c</caption><tr><td>a</td><td><table><tr><td>b</td><td><table><tr><td>d</td><td>e</td></tr></table></td></tr></table></td></tr></table>',
      'c\n\n|  |  |\n| --- | --- |\n| a | b \\| d \\| e |',
    ],
    'of many cells in a table': [
      `<table><tr><th>a</th></tr><tr><td><table>${'<tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr>'.repeat(5)}</table></td></tr></table>`,
      `a\n\n|  |  |  |  |  |\n| --- | --- | --- | --- | --- |\n${Array.from({ length: 5 }, () => '| 1 | 2 | 3 | 4 | 5 |').join('\n')}`,
    ],
    'by roles': [
      '<div role="table"><div role="row"><span role="columnheader">a</span><span role="columnheader">b</span></div><div role="row"><span role="cell">1</span><span role="cell">2</span></div></div>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    'in a list': [
      '<ul><li>x<table><tr><th>a</th></tr><tr><td>1</td></tr></table></li></ul>',
      lines('- x', '', '  | a |', '  | --- |', '  | 1 |'),
    ],
    empty: ['<table><tr><th></th></tr><tr><td></td></tr></table>a', 'a'],
    'with a hidden column': [
      '<table><tr><th>a</th><th hidden>b</th></tr><tr><td>1</td><td hidden>2</td></tr></table>',
      '| a |\n| --- |\n| 1 |',
    ],
    'with a row of the foot': [
      '<table><thead><tr><th>a</th></tr></thead><tfoot><tr><td>9</td></tr></tfoot><tbody><tr><td>1</td></tr></tbody></table>',
      '| a |\n| --- |\n| 9 |\n| 1 |',
    ],
    'with two header rows': [
      '<table><thead><tr><th>a</th><th>b</th></tr><tr><th>c</th><th>d</th></tr></thead><tr><td>1</td><td>2</td></tr></table>',
      '| a | b |\n| --- | --- |\n| c | d |\n| 1 | 2 |',
    ],
  },
  frames: {
    'of this origin': [
      '<p>a</p><iframe srcdoc="<p>b"></iframe><p>c</p>',
      'a\n\n[frame http://page.test]\n\nb\n\n[end of frame http://page.test]\n\nc',
    ],
    'without content': ['a<iframe srcdoc=""></iframe>b', 'a\n\nb'],
    'that is tiny': ['a<iframe srcdoc="x" width="1" height="1"></iframe>b', 'ab'],
  },
  'shadow trees': {
    'replace the content of their hosts': [
      '<div><template shadowrootmode="open"><p>a</p></template>b</div>',
      'a',
    ],
    'show assigned content in slots': [
      '<div><template shadowrootmode="open">a <slot></slot> c</template><b>b</b></div>',
      'a **b** c',
    ],
    'show the default of an empty slot': [
      '<div><template shadowrootmode="open">a <slot>b</slot></template></div>',
      'a b',
    ],
  },
};
