import { PIXEL, lines, type ReadCases } from './cases.ts';

const MONO = 'font: 13px/18px monospace';
const style = (css: string, html: string): string => `<style>${css}</style>${html}`;
const fence = (...code: readonly string[]): string => lines('```', ...code, '```');
/** Four lines with a tab, a blank line and deep indentation. */
const LOOP = ['for (;;) {', '\tif (a[1]) {', '', '        next_*one*();'] as const;
const rowsOf = (row: (line: string, number: number) => string): string =>
  LOOP.map((line, at) => row(line.replaceAll('<', '&lt;'), at + 1)).join('\n');

const GITHUB = `.blob-num { width: 1%; min-width: 50px; ${MONO}; user-select: none }
  .blob-num::before { content: attr(data-line-number) }
  .blob-code-inner { ${MONO}; white-space: pre }`;
const CODEMIRROR_5 = `.CodeMirror { ${MONO}; position: relative; overflow: hidden; direction: ltr }
  .CodeMirror-lines { padding: 4px 0 } .CodeMirror pre { font: inherit; margin: 0; padding: 0 4px; white-space: pre; position: relative }
  .CodeMirror-gutter-wrapper { position: absolute; left: -30px } .CodeMirror-linenumber { user-select: none }
  .CodeMirror-code { margin-left: 30px }`;
const CODEMIRROR_6 = `.cm-scroller { display: flex; ${MONO}; overflow-x: auto } .cm-content { white-space: pre; flex-grow: 2; display: block }
  .cm-line { display: block; padding: 0 2px } .cm-gutters { display: flex; flex-shrink: 0 } .cm-gutterElement { padding: 0 3px }`;
const MONACO = `.monaco-editor { font: 14px/19px Consolas, monospace; position: relative; height: 90px; overflow: hidden }
  .margin { position: absolute; width: 40px; height: 90px } .line-numbers { position: absolute; width: 30px; user-select: none }
  .lines-content { position: absolute; left: 50px; width: 500px; height: 90px } .view-lines { white-space: nowrap }
  .view-line, .overlay { position: absolute; width: 100%; height: 19px }`;
const ACE = `.ace_editor { ${MONO}; position: relative; height: 80px; overflow: hidden } .ace_gutter { position: absolute; width: 40px }
  .ace_gutter-cell { user-select: none } .ace_scroller { position: absolute; left: 44px; right: 0; top: 0; bottom: 0; overflow: hidden }
  .ace_layer { white-space: pre } .ace_line { height: 18px } .ace_text-input { position: absolute; opacity: 0; width: 7px; height: 14px }`;

/** Code outside `<pre>`, and code with line numbers, as editors and viewers mark it up. */
export const CODE_CASES: ReadCases = {
  'viewers of files': {
    'rows of a table with numbers by style': [
      style(
        GITHUB,
        `<p>a.js</p><table class="highlight js-file-line-container" data-tab-size="8">${rowsOf(
          (line, at) =>
            `<tr><td id="L${at}" class="blob-num js-line-number" data-line-number="${at}"></td><td id="LC${at}" class="blob-code blob-code-inner js-file-line">${line.replace('for', '<span class="pl-k">for</span>') || '\n'}</td></tr>`,
        )}</table><p>end</p>`,
      ),
      lines('a.js', '', fence(...LOOP), '', 'end'),
    ],
    'rows with numbers as text, and links in the code': [
      style(
        `td { ${MONO} } .code { white-space: pre }`,
        `<table><tbody>${rowsOf(
          (line, at) =>
            `<tr><td class="lines-num"><a href="#L${at}">${at}</a></td><td class="code"><code>${line.replace('next', '<a href="/next">next</a>')}</code></td></tr>`,
        )}</tbody></table>`,
      ),
      fence(...LOOP),
    ],
    'columns of numbers and lines': [
      style(
        `.lines { display: flex; ${MONO}; white-space: pre } .nums { user-select: none; width: 40px } .lines div { min-height: 18px }`,
        `<div class="lines"><div class="nums">${LOOP.map((_line, at) => `<div data-line-number="${at + 1}">${at + 1}</div>`).join('')}</div><div class="text">${LOOP.map((line) => `<div class="line">${line}</div>`).join('')}</div></div>`,
      ),
      fence(...LOOP),
    ],
    'lines with a number in each': [
      style(
        `.row { display: flex; ${MONO} } .row code { white-space: pre } .nr { width: 40px }`,
        `<section>${LOOP.map((line, at) => `<div class="row"><a class="nr" href="#${at}" aria-hidden="true">${at + 9}</a><code>${line}</code></div>`).join('')}</section>`,
      ),
      fence(...LOOP),
    ],
    'a diff with two columns of numbers': [
      style(
        GITHUB,
        `<table>${[
          ['7', '7', ' same'],
          ['8', '', '-old'],
          ['', '8', '+new'],
        ]
          .map(
            ([a, b, line]) =>
              `<tr><td class="blob-num">${a}</td><td class="blob-num">${b}</td><td class="blob-code-inner">${line}</td></tr>`,
          )
          .join('')}</table>`,
      ),
      fence(' same', '-old', '+new'),
    ],
    'lines as blocks in code': [
      `<code style="display:block;white-space:pre;font-family:monospace">a\n\n\tb</code>`,
      fence('a', '', '\tb'),
    ],
    'one line of code as a block': [
      `<p>Run</p><code style="display:block;white-space:pre;font-family:monospace">npm  i</code>`,
      lines('Run', '', fence('npm  i')),
    ],
    'white space that wraps': [
      style(
        `.log { ${MONO}; white-space: pre-wrap }`,
        '<div class="log">12:00  start\n  at a\n12:01  <b>end</b></div>',
      ),
      fence('12:00  start', '  at a', '12:01  end'),
    ],
    'numbers by a counter': [
      style(
        `.c { ${MONO}; white-space: break-spaces; counter-reset: n } .c div::before { counter-increment: n; content: counter(n) " " }`,
        '<div class="c"><div>a</div><div>  b</div><div>c</div></div>',
      ),
      fence('a', '  b', 'c'),
    ],
    'a button above the code stays': [
      style(
        `.c { ${MONO}; white-space: pre }`,
        '<div class="box"><button>Copy</button><div class="c">a {\n  b\n}</div></div>',
      ),
      lines('[Copy]', '', fence('a {', '  b', '}')),
    ],
    'a plugin that counts rows': [
      style(
        `.line-numbers-rows { position: absolute; left: 0; user-select: none } .line-numbers-rows > span { display: block; counter-increment: l } .line-numbers-rows > span::before { content: counter(l) } pre { position: relative; padding-left: 40px }`,
        `<pre class="line-numbers language-css"><code class="language-css">a {\n\tb: 1;\n}<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span><span></span></span></code></pre>`,
      ),
      lines('```css', 'a {', '\tb: 1;', '}', '```'),
    ],
    'lines as items of a list': [
      `<pre class="prettyprint linenums"><ol class="linenums"><li class="L0"><span class="pln">a</span></li><li class="L1"><span class="pln">  b</span></li><li class="L2"><span class="lit">1</span></li></ol></pre>`,
      fence('a', '  b', '1'),
    ],
  },
  editors: {
    'preformatted lines with numbers next to them': [
      style(
        CODEMIRROR_5,
        `<div class="CodeMirror"><div style="overflow:hidden;position:relative;width:3px;height:0"><textarea></textarea></div><div class="CodeMirror-lines"><div class="CodeMirror-code">${LOOP.map(
          (line, at) =>
            `<div style="position:relative"><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber CodeMirror-gutter-elt">${at + 1}</div></div><pre class=" CodeMirror-line " role="presentation"><span role="presentation" style="padding-right:.1px">${line || '\u200b'}</span></pre></div>`,
        ).join('')}</div></div></div>`,
      ),
      fence(...LOOP),
    ],
    'preformatted lines without numbers': [
      style(
        CODEMIRROR_5,
        `<div class="CodeMirror"><div class="CodeMirror-code">${LOOP.map((line) => `<pre class="CodeMirror-line"><span>${line || '\u200b'}</span></pre>`).join('')}</div></div>`,
      ),
      fence(...LOOP),
    ],
    'a gutter before the content': [
      style(
        CODEMIRROR_6,
        `<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters" aria-hidden="true"><div class="cm-gutter cm-lineNumbers"><div class="cm-gutterElement" style="height:0;visibility:hidden">99</div>${LOOP.map((_line, at) => `<div class="cm-gutterElement">${at + 1}</div>`).join('')}</div></div><div class="cm-content" contenteditable="true" role="textbox" aria-multiline="true">${LOOP.map((line) => `<div class="cm-line">${line || '<br>'}</div>`).join('')}</div></div></div>`,
      ),
      fence(...LOOP),
    ],
    'lines that are placed, out of order, with blanks that do not break': [
      style(
        MONACO,
        `<div class="monaco-editor"><textarea class="inputarea" style="position:absolute;width:1px;height:1px;padding:0;border:0"></textarea><div class="margin"><div class="margin-view-overlays">${[0, 1, 2, 3].map((at) => `<div style="top:${at * 19}px" class="overlay"><div class="line-numbers">${at + 1}</div></div>`).join('')}</div></div><div class="lines-content"><div class="view-overlays">${[0, 1, 2, 3].map((at) => `<div style="top:${at * 19}px" class="overlay"></div>`).join('')}</div><div class="view-lines">${[
          2, 3, 0, 1,
        ]
          .map(
            (at) =>
              `<div style="top:${at * 19}px" class="view-line"><span><span class="mtk1">${(LOOP[at] ?? '').replace('\t', '    ').replaceAll(' ', '&nbsp;')}</span></span></div>`,
          )
          .join('')}</div></div></div>`,
      ),
      fence('for (;;) {', '    if (a[1]) {', '', '        next_*one*();'),
    ],
    'layers of an editor': [
      style(
        ACE,
        `<div class="ace_editor"><textarea class="ace_text-input"></textarea><div class="ace_gutter"><div class="ace_layer ace_gutter-layer">${LOOP.map((_line, at) => `<div class="ace_gutter-cell">${at + 1}</div>`).join('')}</div></div><div class="ace_scroller"><div class="ace_content"><div class="ace_layer ace_text-layer">${LOOP.map((line) => `<div class="ace_line">${line.replace('next', '<span class="ace_identifier">next</span>')}</div>`).join('')}</div><div class="ace_layer ace_cursor-layer"><div style="position:absolute;height:18px;width:2px"></div></div></div></div></div>`,
      ),
      fence(...LOOP),
    ],
    'two editors side by side': [
      style(
        `.two { display: flex } .ed { ${MONO}; white-space: pre; width: 200px }`,
        '<div class="two"><div class="ed"><div>a</div><div> b</div></div><div class="ed"><div>c</div><div> d</div></div></div>',
      ),
      lines(fence('a', ' b'), '', fence('c', ' d')),
    ],
    'an editor in a shadow tree': [
      `<my-editor><template shadowrootmode="open"><style>div{${MONO};white-space:pre}</style><div><div>a {</div><div>  b</div></div></template></my-editor>`,
      fence('a {', '  b'),
    ],
    'a terminal': [
      style(
        `.xterm-rows > div { ${MONO}; white-space: pre; height: 18px }`,
        '<div class="xterm-rows"><div><span>$ ls</span></div><div>a  b</div><div></div></div>',
      ),
      fence('$ ls', 'a  b'),
    ],
    'a field over the lines that takes the keys': [
      style(
        `.lines { position: relative; ${MONO} } textarea { position: absolute; inset: 0; color: transparent; background: none; white-space: pre; ${MONO} } .react-line-numbers { float: left; width: 40px; user-select: none } .react-code-text { white-space: pre } .react-file-line { min-height: 18px }`,
        `<div class="react-code-file-contents lines"><div class="react-line-numbers"><div data-line-number="1" class="react-line-number">1</div><div data-line-number="2" class="react-line-number">2</div></div><textarea readonly aria-label="file content">a\n  b</textarea><div class="react-code-lines"><div class="react-code-text react-code-line-contents"><div><div id="LC1" class="react-file-line">a</div></div></div><div class="react-code-text react-code-line-contents"><div><div id="LC2" class="react-file-line">  b</div></div></div></div></div>`,
      ),
      fence('a', '  b'),
    ],
  },
  'line numbers in preformatted text': {
    'a column of numbers before the code': [
      '<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2\n3</pre></div></td><td class="code"><div><pre>a\n\n\tb</pre></div></td></tr></table></div>',
      fence('a', '', '\tb'),
    ],
    'numbers and code as lines with breaks': [
      '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">a {</span><br><span class="line">  b</span><br></pre></td></tr></table></figure>',
      fence('a {', '  b'),
    ],
    'a column that only counts': [
      '<table><tr><td><pre>7\n8\n9</pre></td><td><pre>a\nb\nc</pre></td></tr></table>',
      fence('a', 'b', 'c'),
    ],
    'a number in each line': [
      '<pre><span class="linenos">1</span>a\n<span class="linenos">2</span>  b\n<span class="linenos">3</span>\n</pre>',
      fence('a', '  b'),
    ],
    'a number in each line that cannot be selected': [
      '<pre><code class="language-go"><span style="display:flex"><span style="white-space:pre;user-select:none;margin-right:.4em">1</span><span>a {\n</span></span><span style="display:flex"><span style="white-space:pre;user-select:none;margin-right:.4em">2</span><span>\t1\n</span></span></code></pre>',
      lines('```go', 'a {', '\t1', '```'),
    ],
    'a table in the block': [
      '<pre><code class="hljs"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code">a {</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"><div class="hljs-ln-n" data-line-number="2"></div></td><td class="hljs-ln-line hljs-ln-code">  <span class="hljs-number">1</span></td></tr></tbody></table></code></pre>',
      fence('a {', '  1'),
    ],
    'numbers that are code stay': [
      '<pre><span class="n">1</span>\n<span class="n">2</span>\n</pre>',
      fence('1', '2'),
    ],
    'numbers in a list of numbers stay': [
      '<pre>[\n  <span class="hljs-number">1</span>,\n  <span class="hljs-number">2</span>\n]</pre>',
      fence('[', '  1,', '  2', ']'),
    ],
  },
  'text that is not a listing': {
    'a message in a line': [
      style(
        `.m { ${MONO}; white-space: pre-wrap; padding: 8px }`,
        '<div class="m">I  am late</div><div class="m">Come <a href="/x">here</a></div>',
      ),
      'I am late\n\nCome [here](http://page.test/x)',
    ],
    'an address in its lines': [
      '<address style="white-space:pre-line;font-family:monospace">1 High St\nYork</address>',
      '1 High St\\\nYork',
    ],
    'a poem in another font': ['<p style="white-space:pre-wrap">a\n  b</p>', 'a\\\nb'],
    'a column of a table of data': [
      style(
        `.q { ${MONO}; white-space: pre }`,
        '<table><tr><th>Id</th><th>Query</th></tr><tr><td>1</td><td class="q">select  1</td></tr><tr><td>2</td><td class="q">select 2</td></tr></table>',
      ),
      lines('| Id | Query |', '| --- | --- |', '| 1 | select 1 |', '| 2 | select 2 |'),
    ],
    'code in a sentence': [
      style(`code { ${MONO}; white-space: nowrap }`, '<p>Call <code>a b</code> now.</p>'),
      'Call `a b` now.',
    ],
    'two blocks of code': [
      '<div><pre>npm i</pre><pre>npm t</pre></div>',
      lines(fence('npm i'), '', fence('npm t')),
    ],
    'a page all in one font': [
      style(
        `body { ${MONO}; white-space: pre-wrap }`,
        `<h1>a</h1><p>b <img alt="c" width="9" height="9" src="${PIXEL}"></p>`,
      ),
      '# a\n\nb ![c]()',
    ],
  },
};

const NUMBERED = CODE_CASES['line numbers in preformatted text'] ?? {};

/** A page without style sheets: line numbers are found by their names, their columns and inline style. */
export const PARSED_CODE_CASES: ReadCases[string] = NUMBERED;

/** Code in formats without fences. */
export const CODE_IN_LINES_CASES: ReadCases = {
  'code outside preformatted elements': {
    'rows of a table': [
      style(
        GITHUB,
        `<p>a.js</p><table>${rowsOf((line, at) => `<tr><td class="blob-num">${at}</td><td class="blob-code-inner">${line || '\n'}</td></tr>`)}</table><p>end</p>`,
      ),
      lines('a.js', '', ...LOOP, '', 'end'),
    ],
    'numbers in preformatted text': [
      '<pre><span class="linenos">1</span>a\n<span class="linenos">2</span>  b\n</pre>',
      'a\n  b',
    ],
    'lines in a snapshot': [
      style(
        GITHUB,
        `<p>a.js</p><table>${rowsOf((line, at) => `<tr><td class="blob-num"><a href="#L${at}">${at}</a></td><td class="blob-code-inner">${line || '\n'}</td></tr>`)}</table><p>end</p>`,
      ),
      'a.js\nfor (;;) {\nif (a[1]) {\nnext_*one*();\nend\n',
      { format: 'snapshot' },
    ],
  },
};
