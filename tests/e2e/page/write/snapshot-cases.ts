import { PIXEL, lines, type ReadCases } from './cases.ts';

/** Small pages and the outline that a model acts on. */
export const SNAPSHOT_CASES: ReadCases = {
  text: {
    lines: ['<p>a</p><div>b</div>c', 'a\nb\nc\n'],
    heading: ['<h1>a</h1><h3>b</h3>', '# a\n### b\n'],
    'heading by role': ['<div role="heading" aria-level="4">a</div>', '#### a\n'],
    'link in a heading': ['<h2><a href="/x">a</a></h2>', '## [e1 a]\n'],
    'line break': ['a<br>b', 'a\nb\n'],
    'preformatted text': ['<pre>a\n b</pre>', 'a\nb\n'],
    'text that looks like a ref': ['e1 a', '\\e1 a\n'],
    'text that looks like a heading': ['# a', '\\# a\n'],
    'text that looks like a region': ['@main', '\\@main\n'],
    'text that begins with a backslash': ['\\a', '\\\\a\n'],
    'text that looks like an item': ['a [e1 b] [img c]', 'a \\[e1 b] \\[img c]\n'],
    'raised and lowered parts': [
      '10<sup>-3</sup> x<sup>2</sup> 10<sup>6</sup>V H<sub>2</sub>O 1<sup>st</sup>',
      '10^(-3) x^2 10^(6)V H2O 1st\n',
    ],
    'a reference to a note': ['a<sup><a href="/x">[1]</a></sup>', 'a[e1 "[1]"]\n'],
    'raised part in a name': ['<button>m<sup>2</sup></button>', 'e1 button m^2\n'],
    deleted: ['<del>9 €</del> 7 € <s>a<p>b</p></s>c', '~~9 €~~ 7 € ~~a~~\n~~b~~\nc\n'],
    'struck by style': ['<span style="text-decoration:line-through">9 €</span> 7 €', '~~9 €~~ 7 €\n'],
    'deleted in a name': ['<button><s>9</s> 7</button>', 'e1 button ~~9~~ 7\n'],
    'list items': ['<ul><li>a</li><li>b</li></ul>', 'a\nb\n'],
    formula: ['<math><msup><mi>x</mi><mn>2</mn></msup></math>', 'x^2\n'],
    'hidden from assistive technology': ['<span aria-hidden="true">a</span>b', 'ab\n'],
    'signs hidden from assistive technology': ['<span aria-hidden="true">→</span>b', 'b\n'],
    'hidden from assistive technology and acted on': [
      '<span aria-hidden="true"><button>a</button></span>',
      'e1 button a\n',
    ],
  },
  links: {
    'in a line': ['a <a href="/x">b</a> c', 'a [e1 b] c\n'],
    alone: ['<a href="/x">a</a>', 'e1 a\n'],
    'with addresses': [
      'a <a href="/x">b</a> <a href="/y" aria-label="c"></a><p><a href="/z">d</a></p>',
      'a [e1 b -> http://page.test/x] [e2 c -> http://page.test/y]\ne3 d -> http://page.test/z\n',
      { include_links: true },
    ],
    'with an address that is long': [
      `<a href="/${'x'.repeat(600)}">a</a>`,
      'e1 a -> http://page.test/…\n',
      { include_links: true },
    ],
    'whose name looks like an address': ['<a href="/x">a -> b</a>', 'e1 "a -> b"\n'],
    'two in a line': ['<a href="/x">a</a> <a href="/y">b</a>', '[e1 a] [e2 b]\n'],
    'without an address': ['<a>a</a>', 'a\n'],
    'with a label': ['<a href="/x" aria-label="A">b</a>', 'e1 A\n'],
    'with a picture': [`<a href="/x"><img src="${PIXEL}" alt="A" width="9" height="9"></a>`, 'e1 A\n'],
    'with a picture and text': [
      `<a href="/x"><img src="${PIXEL}" alt="A" width="9" height="9">b</a>`,
      'e1 A b\n',
    ],
    'without a name': ['<a href="/x"><svg width="9" height="9"></svg></a>', 'e1\n'],
    'without a name or a size': ['<a href="/x"></a>a', 'a\n'],
    'with a title only': ['<a href="/x" title="A"><svg width="9" height="9"></svg></a>', 'e1 A\n'],
    'with blocks': ['<a href="/x"><div>a</div><div>b</div></a>', 'e1 a b\n'],
    'as a block': ['a<a href="/x" style="display:block">b</a>', 'a\ne1 b\n'],
    'by role': ['<span role="link" tabindex="0">a</span>', 'e1 a\n'],
    current: ['<a href="/x" aria-current="page">a</a>', 'e1 link [current page] a\n'],
    'of quoted text': ['<a href="/x">[a]</a>', 'e1 "[a]"\n'],
  },
  buttons: {
    button: ['<button>a</button>', 'e1 button a\n'],
    'next to text': ['a <button>b</button> c', 'a [e1 button b] c\n'],
    disabled: ['<button disabled>a</button>', 'e1 button [disabled] a\n'],
    'with a label': ['<button aria-label="A">b</button>', 'e1 button A\n'],
    'with a picture': ['<button><svg width="9" height="9"><title>A</title></svg></button>', 'e1 button A\n'],
    'by role': ['<div role="button">a</div>', 'e1 button a\n'],
    pressed: ['<button aria-pressed="true">a</button>', 'e1 button [pressed] a\n'],
    'that opens a menu': [
      '<button aria-haspopup="menu" aria-expanded="false">a</button>',
      'e1 button [collapsed, menu] a\n',
    ],
    inputs: [
      '<input type="submit"><input type="button" value="a"><input type="image" alt="b">',
      'e1 button Submit\ne2 button a\ne3 button b\n',
    ],
    'without a name': ['<button></button>', 'e1 button\n'],
    summary: ['<details><summary>a</summary>b</details>', 'e1 button [collapsed] a\n'],
    'summary of what is open': [
      '<details open><summary>a</summary>b</details>',
      'e1 button [expanded] a\nb\n',
    ],
    'in a heading': ['<h3><button>a</button></h3>', '### [e1 button a]\n'],
    'next to text in a cell': [
      '<table><tr><th>a</th></tr><tr><td>1 <button>b</button></td></tr></table>',
      '@table\na\n1 [e1 button b]\n',
    ],
  },
  fields: {
    text: ['<input aria-label="a" value="b">', 'e1 textbox a = b\n'],
    'text without a value': ['<input aria-label="a">', 'e1 textbox a\n'],
    'text with a label': ['<label>a <input></label>', 'e1 textbox a\n'],
    'text with a label elsewhere': ['<label for="i">a</label><p>b</p><input id="i">', 'b\ne1 textbox a\n'],
    'text with a placeholder': ['<input placeholder="a">', 'e1 textbox a\n'],
    required: ['<input aria-label="a" required>', 'e1 textbox [required] a\n'],
    'read only': ['<input aria-label="a" readonly>', 'e1 textbox [readonly] a\n'],
    password: ['<input type="password" aria-label="a" value="s">', 'e1 password [filled] a\n'],
    'empty password': ['<input type="password" aria-label="a">', 'e1 password a\n'],
    'card number': ['<input autocomplete="cc-number" aria-label="a" value="4">', 'e1 textbox [filled] a\n'],
    'value that looks like options': ['<input aria-label="a" value="b (c)">', 'e1 textbox a = "b (c)"\n'],
    'value of several lines': ['<textarea aria-label="a">b\nc</textarea>', 'e1 textbox a = "b\\nc"\n'],
    'name that looks like a value': ['<input aria-label="a = b">', 'e1 textbox "a = b"\n'],
    'check box': ['<label><input type="checkbox" checked> a</label>', 'e1 checkbox [checked] a\n'],
    'radio button': ['<label><input type="radio"> a</label>', 'e1 radio a\n'],
    select: ['<select aria-label="a"><option>b<option selected>c</select>', 'e1 combobox a = c (b|c)\n'],
    'select with a bar in an option': [
      '<select aria-label="a"><option>b|c</select>',
      'e1 combobox a = b|c (b\\|c)\n',
    ],
    'select of several': [
      '<select aria-label="a" multiple><option selected>b<option>c</select>',
      'e1 listbox [multiple] a = b (b|c)\n',
    ],
    range: ['<input type="range" aria-label="a" value="3">', 'e1 slider a = 3\n'],
    date: ['<input type="date" aria-label="a" value="2020-01-02">', 'e1 date a = 2020-01-02\n'],
    file: ['<input type="file" aria-label="a">', 'e1 file a\n'],
    hidden: ['<input type="hidden" value="a">b', 'b\n'],
    meter: ['<meter aria-label="a" value="0.5"></meter>', 'e1 meter a = 0.5\n'],
    'in a group': [
      '<fieldset><legend>a</legend><input aria-label="b"></fieldset>',
      '@group a\ne1 textbox b\n',
    ],
    'in a line': ['<h2>a <input aria-label="b"></h2>', '## a [e1 textbox b]\n'],
  },
  'widgets by role': {
    checkbox: [
      '<div role="checkbox" aria-checked="mixed" tabindex="0">a</div>',
      'e1 checkbox [checked mixed] a\n',
    ],
    switch: ['<button role="switch" aria-checked="true">a</button>', 'e1 switch [checked] a\n'],
    tabs: [
      '<div role="tablist"><button role="tab" aria-selected="true">a</button><button role="tab">b</button></div><div role="tabpanel" aria-label="c">d</div>',
      '@tablist\ne1 tab [selected] a\ne2 tab b\n@tabpanel c\nd\n',
    ],
    menu: [
      '<div role="menu" aria-label="a"><div role="menuitem">b</div><div role="menuitemcheckbox" aria-checked="true">c</div></div>',
      '@menu a\ne1 menuitem b\ne2 menuitemcheckbox [checked] c\n',
    ],
    listbox: [
      '<div role="listbox" aria-label="a"><div role="option" aria-selected="true">b</div><div role="option">c</div></div>',
      'e1 listbox a\ne2 option [selected] b\ne3 option c\n',
    ],
    tree: [
      '<ul role="tree" aria-label="a"><li role="treeitem" aria-expanded="true">b<ul role="group"><li role="treeitem">c</li></ul></li></ul>',
      '@tree a\ne1 treeitem [expanded] b\ne2 treeitem c\n',
    ],
    slider: ['<div role="slider" aria-label="a" aria-valuenow="3" tabindex="0"></div>', 'e1 slider a = 3\n'],
    'text box': ['<div contenteditable aria-label="a">b</div>', 'e1 textbox a = b\n'],
    combobox: [
      '<div role="combobox" aria-label="a" aria-expanded="false" tabindex="0">b</div>',
      'e1 combobox [collapsed] a = b\n',
    ],
    clickable: ['<div onclick="x()">a</div>', 'e1 clickable a\n'],
    'clickable by tabindex': ['<div tabindex="0">a</div>', 'e1 clickable a\n'],
    'not clickable by tabindex': ['<div tabindex="-1">a</div>', 'a\n'],
    'clickable by the pointer': ['<div style="cursor:pointer">a <b>b</b></div>', 'e1 clickable a b\n'],
    draggable: ['<div draggable="true">a</div><div draggable="false">b</div>', 'e1 draggable a\nb\n'],
    'draggable, and clickable': ['<div draggable="true" tabindex="0">a</div>', 'e1 clickable a\n'],
    'draggable that holds a button': [
      '<div draggable="true">a<button>b</button></div>',
      'e1 draggable\na [e2 button b]\n',
    ],
    'clickable picture': [
      `<img src="${PIXEL}" alt="a" width="9" height="9" onclick="x()">`,
      'e1 clickable a\n',
    ],
    'clickable that holds a button': [
      '<div onclick="x()">a<button>b</button></div>',
      'e1 clickable\na [e2 button b]\n',
    ],
  },
  regions: {
    landmarks: [
      '<nav>a</nav><main>b</main><footer>c</footer>',
      '@navigation\na\n@main\nb\n@contentinfo\nc\n',
    ],
    named: ['<nav aria-label="a">b</nav>', '@navigation a\nb\n'],
    'only with a name': ['<section>a</section><section aria-label="b">c</section>', 'a\n@region b\nc\n'],
    dialog: ['<dialog open aria-label="a">b</dialog>', '@dialog a\nb\n'],
    'alert by role': ['<div role="alert">a</div>', '@alert\na\n'],
    form: ['<form>a</form><form aria-label="b">c</form>', 'a\n@form b\nc\n'],
  },
  tables: {
    table: [
      '<table><caption>t</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '@table t\na|b\n1|2\n',
    ],
    'in a cell of a table': [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>x<table><tr><th>k</th><td>1</td></tr><tr><th>v</th><td><button>Go</button></td></tr></table>y</td><td>z</td></tr></table>',
      '@table\na|b\nx k\\|1; v\\|e1 button Go y|z\n',
    ],
    'with a link': [
      '<table><tr><th>a</th></tr><tr><td><a href="/x">1</a></td></tr></table>',
      '@table\na\ne1 1\n',
    ],
    'with a bar': ['<table><tr><th>a</th></tr><tr><td>1|2</td></tr></table>', '@table\na\n1\\|2\n'],
    'with a field': [
      '<table><tr><th>a</th></tr><tr><td><input aria-label="b"></td></tr></table>',
      '@table\na\ne1 textbox b\n',
    ],
    'text after it with a bar': [
      '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>b|c',
      '@table\na\n1\nb\\|c\n',
    ],
    'that lays out': ['<table><tr><td>a</td><td>b</td></tr></table>', 'a\nb\n'],
    'with a link in its caption': [
      '<table><caption>t <a href="/x">y</a></caption><tr><th>a</th></tr><tr><td>1</td></tr></table>',
      '@table t y\na\n1\n',
    ],
    'with a button to sort by': [
      '<table><tr><th><button>a</button></th></tr><tr><td>1</td></tr></table>',
      '@table\ne1 button a\n1\n',
    ],
    grid: [
      '<div role="grid" aria-label="g"><div role="row"><span role="columnheader">a</span></div><div role="row"><span role="gridcell">1</span></div></div>',
      '@table g\na\n1\n',
    ],
  },
  'cells that are acted on': {
    selected: [
      '<table role="grid"><tr><th>a</th></tr><tr><td aria-selected="true" tabindex="0">1</td><td aria-selected="false">2</td></tr></table>',
      '@table\na|\ne1 gridcell [selected] 1|e2 gridcell 2\n',
    ],
    'that can have the focus': [
      '<div role="grid"><div role="row"><span role="gridcell" tabindex="-1">1</span><span role="gridcell">2</span></div></div>',
      '@table\ne1 gridcell 1|2\n',
    ],
    empty: [
      '<table role="grid"><tr><td tabindex="0"></td><td>2</td></tr></table>',
      '@table\ne1 gridcell|2\n',
    ],
    'of a plain table': [
      '<table><tr><th>a</th></tr><tr><td onclick="x()">1</td></tr></table>',
      '@table\na\ne1 cell 1\n',
    ],
    'that a table is sorted by': [
      '<table><tr><th aria-sort="ascending"><button>a</button></th><th aria-sort="none">b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '@table\ne2 columnheader [sort ascending] [e1 button a]|b\n1|2\n',
    ],
  },
  descriptions: {
    'of a field': [
      '<input aria-label="a" aria-describedby="d"><p id="d">b</p>',
      'e1 textbox [hint "b"] a\nb\n',
    ],
    'of a button': [
      '<button aria-description="b &quot;c&quot;">a</button>',
      'e1 button [hint "b \\"c\\""] a\n',
    ],
    'by a tooltip is left out': ['<button title="b">a</button>', 'e1 button a\n'],
    'that is long': [
      `<button aria-description="${'word '.repeat(40)}">a</button>`,
      `e1 button [hint "${'word '.repeat(19)}…"] a\n`,
    ],
  },
  pictures: {
    picture: [`a <img src="${PIXEL}" alt="b" width="9" height="9"> c`, 'a [img b] c\n'],
    alone: [`<img src="${PIXEL}" alt="b" width="9" height="9">`, 'img b\n'],
    decoration: [`a<img src="${PIXEL}" alt="" width="9" height="9">`, 'a\n'],
    drawing: ['<svg width="9" height="9"><title>a</title></svg>', 'img a\n'],
    'drawing with text': ['<svg width="50" height="20"><text y="10">a</text></svg>', 'a\n'],
  },
  frames: {
    'of this origin': [
      'a<iframe srcdoc="<button>b</button>"></iframe>c',
      lines('a', '@frame http://page.test', 'e1 button b', '@end of frame http://page.test', 'c', ''),
    ],
  },
};
