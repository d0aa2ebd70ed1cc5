import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import type { ReadPageOptions } from '../../../../shared/read/read_page.methods.ts';
import { casesOf, testEach, testTogether, textOf } from '../../../dom/e2e/table.ts';
import { MARKDOWN_CASES } from './markdown-cases.ts';
import { SNAPSHOT_CASES } from './snapshot-cases.ts';
import { PIXEL } from './pixel.ts';
import { ROW_CASES, ROWS_IN_SNAPSHOT_CASES, ROWS_IN_TEXT_CASES } from './row-cases.ts';

const MONO = 'font:13px/18px monospace';
const GITHUB = `<style>.blob-num{width:1%;min-width:50px;${MONO};user-select:none}.blob-num::before{content:attr(data-line-number)}.blob-code-inner{${MONO};white-space:pre}</style>`;
const CODEMIRROR_5 = `<style>.CodeMirror{${MONO};position:relative;overflow:hidden}.CodeMirror-lines{padding:4px 0}.CodeMirror pre{font:inherit;margin:0;padding:0 4px;white-space:pre;position:relative}.CodeMirror-gutter-wrapper{position:absolute;left:-30px}.CodeMirror-linenumber{user-select:none}.CodeMirror-code{margin-left:30px}</style>`;
const CODEMIRROR_6 = `<style>.cm-scroller{display:flex;${MONO};overflow-x:auto}.cm-content{white-space:pre;flex-grow:2;display:block}.cm-line{display:block}.cm-gutters{display:flex;flex-shrink:0}</style>`;
const MONACO =
  '<style>.monaco-editor{font:14px/19px Consolas,monospace;position:relative;height:90px;overflow:hidden}.margin{position:absolute;width:40px;height:90px}.line-numbers{position:absolute;width:30px;user-select:none}.lines-content{position:absolute;left:50px;width:500px;height:90px}.view-lines{white-space:nowrap}.view-line,.overlay{position:absolute;width:100%;height:19px}</style>';
const ACE = `<style>.ace_editor{${MONO};position:relative;height:80px;overflow:hidden}.ace_gutter{position:absolute;width:40px}.ace_gutter-cell{user-select:none}.ace_scroller{position:absolute;left:44px;right:0;top:0;bottom:0;overflow:hidden}.ace_layer{white-space:pre}.ace_line{height:18px}.ace_text-input{position:absolute;opacity:0;width:7px;height:14px}</style>`;
const REACT = `<style>.lines{position:relative;${MONO}}textarea{position:absolute;inset:0;color:transparent;background:none;white-space:pre;${MONO}}.react-line-numbers{float:left;width:40px;user-select:none}.react-code-text{white-space:pre}.react-file-line{min-height:18px}</style>`;

/** Four lines with a tab, a blank line and deep indentation. */
const LOOP = ['for (;;) {', '\tif (a[1]) {', '', '        next_*one*();'] as const;

/**
 * Abbreviations: `LOOP` is the four lines of code; text in `«»` is repeated for each of them, with `№` for its number
 * and `§` for its text, or `§(BLANK)` with a replacement for blank ones. Three apostrophes are a fence.
 */
const writtenOut = (cell: string): string =>
  cell
    .replaceAll("'''", '```')
    .replaceAll('LOOP', LOOP.join('\n'))
    .replace(/«([^»]*)»/g, (_all, row: string) =>
      LOOP.map((line, at) =>
        row
          .replaceAll('№', String(at + 1))
          .replace(/§(?:\(([^)]*)\))?/g, (_sign, blank = '') => line || String(blank)),
      ).join(''),
    );

/** Line numbers that are recognised by name, by column and by inline style, also without style sheets. */
const NUMBERED_CASES = `
# line numbers in preformatted text
a column of numbers before the code ¦ <div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1↵2↵3</pre></div></td><td class="code"><div><pre>a↵↵\tb</pre></div></td></tr></table></div> ¦ '''↵a↵↵\tb↵'''
a number in each line ¦ <pre><span class="linenos">1</span>a↵<span class="linenos">2</span>  b↵<span class="linenos">3</span>↵</pre> ¦ '''↵a↵  b↵'''
a table in the block ¦ <pre><code class="hljs"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code">a {</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"><div class="hljs-ln-n" data-line-number="2"></div></td><td class="hljs-ln-line hljs-ln-code">  <span class="hljs-number">1</span></td></tr></tbody></table></code></pre> ¦ '''↵a {↵  1↵'''
numbers next to the block, divided by elements alone ¦ <div style="display:flex"><div>1<br>2<br>3</div><pre>a↵  b↵c</pre></div> ¦ '''↵a↵  b↵c↵'''
numbers in a gutter of parts ¦ <div style="display:grid"><div><span>1</span><span>2</span></div><pre><code>a↵  b</code></pre></div> ¦ '''↵a↵  b↵'''
a header with a button is above the code ¦ <pre><code class="language-js"><div class="head"><span>app.js</span><button>Copy</button></div>a {↵  b }</code></pre> ¦ app.js↵↵'''js↵a {↵  b }↵'''
a header next to the code that says its language ¦ <pre><div>bash</div><code class="language-bash">a↵  b</code></pre> ¦ '''bash↵a↵  b↵'''
lines of one kind have no header ¦ <pre><code><div class="line">a {</div><div class="line">  b }</div></code></pre> ¦ '''↵a {↵  b }↵'''
# languages
of an attribute ¦ <pre language="js">a</pre><pre class="EnlighterJSRAW" data-enlighter-language="php">b</pre> ¦ '''js↵a↵'''↵↵'''php↵b↵'''
of a figure ¦ <figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span></pre></td><td class="code"><pre><span class="line">a</span><br><span class="line">  b</span></pre></td></tr></table></figure> ¦ '''js↵a↵  b↵'''
of the second of two parts ¦ <table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1↵</span><span class="lnt">2↵</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go">a↵  b↵</code></pre></td></tr></table> ¦ '''go↵a↵  b↵'''
of a highlighter ¦ <pre><code class="hljs css">a</code></pre><div class="highlight-python notranslate"><div class="highlight"><pre>b</pre></div></div><div class="highlight-default"><pre>c</pre></div> ¦ '''css↵a↵'''↵↵'''python↵b↵'''↵↵'''↵c↵'''
# numbers in letters
by their type ¦ <ol type="i" start="3"><li>a</li><li><p>b</p><p>c</p></li></ol> ¦ - iii. a↵- iv. b↵↵  c
numbers that are code stay ¦ <pre><span class="n">1</span>↵<span class="n">2</span>↵</pre> ¦ '''↵1↵2↵'''
# admonitions
of GitHub ¦ <div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>a</p></div> ¦ > [!NOTE]↵>↵> a
of Docusaurus ¦ <div class="theme-admonition theme-admonition-tip admonition_x alert alert--success"><div class="admonitionHeading_y"><span class="admonitionIcon_z"></span>Try it</div><div class="admonitionContent_w"><p>a</p></div></div> ¦ > [!TIP]↵>↵> **Try it**↵>↵> a
of MkDocs and Sphinx ¦ <div class="admonition warning"><p class="admonition-title">Achtung</p><p>a</p></div> ¦ > [!WARNING]↵>↵> **Achtung**↵>↵> a
of VitePress ¦ <div class="danger custom-block"><p class="custom-block-title">DANGER</p><p>a</p></div> ¦ > **DANGER**↵>↵> a
by its role ¦ <aside role="note"><div class="c-heading">Please note</div><p>a</p><ul><li>b</li></ul></aside> ¦ > **Please note**↵>↵> a↵>↵> - b
without a title ¦ <div class="alert alert-info">a</div><div role="note"><p>a <span class="title">b</span></p></div> ¦ a↵↵a b
`;

/** The source of formulas that MathJax 2 would draw. */
const UNDRAWN_CASES = `
# formulas that no script has drawn
in a line ¦ <p>so <script type="math/tex">a_1 \\le b</script> end</p> ¦ so $a_1 \\le b$ end
on a line of its own ¦ <p>so</p><script type="math/tex; mode=display">\\frac{a}{b}</script> ¦ so↵↵$\\frac{a}{b}$
with a text in their place ¦ <p>so <span class="MathJax_Preview">a ≤ b</span><script type="math/tex">a \\le b</script></p> ¦ so a ≤ b
with an empty place ¦ <p>so <span class="MathJax_Preview"></span><script type="math/tex">a</script></p> ¦ so $a$
other scripts ¦ <p>so<script type="text/x-template">a</script></p> ¦ so
`;

/** Code outside of `<pre>`, and code with line numbers, as editors and viewers mark it up. */
const CODE_CASES = `
# viewers of files
rows of a table with numbers by style ¦ ${GITHUB}<p>a.js</p><table class="highlight js-file-line-container" data-tab-size="8">«<tr><td id="L№" class="blob-num js-line-number" data-line-number="№"></td><td id="LC№" class="blob-code blob-code-inner js-file-line"><span class="pl-k">§(↵)</span></td></tr>»</table><p>end</p> ¦ a.js↵↵'''↵LOOP↵'''↵↵end
rows with numbers as text, and links in the code ¦ <style>td{${MONO}}.code{white-space:pre}</style><table><tr><td class="lines-num"><a href="#L1">1</a></td><td class="code"><code>a {</code></td></tr><tr><td class="lines-num"><a href="#L2">2</a></td><td class="code"><code>  <a href="/next">b</a></code></td></tr></table> ¦ '''↵a {↵  b↵'''
columns of numbers and lines ¦ <style>.lines{display:flex;${MONO};white-space:pre}.nums{user-select:none;width:40px}.lines div{min-height:18px}</style><div class="lines"><div class="nums"><div>1</div><div>2</div><div>3</div></div><div class="text"><div class="line">a</div><div class="line"></div><div class="line">\tb</div></div></div> ¦ '''↵a↵↵\tb↵'''
a diff with two columns of numbers ¦ ${GITHUB}<table><tr><td class="blob-num">7</td><td class="blob-num">7</td><td class="blob-code-inner"> same</td></tr><tr><td class="blob-num">8</td><td class="blob-num"></td><td class="blob-code-inner">-old</td></tr><tr><td class="blob-num"></td><td class="blob-num">8</td><td class="blob-code-inner">+new</td></tr></table> ¦ '''↵ same↵-old↵+new↵'''
numbers by a counter ¦ <style>.c{${MONO};white-space:break-spaces;counter-reset:n}.c div::before{counter-increment:n;content:counter(n) " "}</style><div class="c"><div>a</div><div>  b</div><div>c</div></div> ¦ '''↵a↵  b↵c↵'''
a button above the code stays ¦ <style>.c{${MONO};white-space:pre}</style><div class="box"><button>Copy</button><div class="c">a {↵  b↵}</div></div> ¦ [Copy]↵↵'''↵a {↵  b↵}↵'''
a plugin that counts rows ¦ <style>.line-numbers-rows{position:absolute;left:0;user-select:none}.line-numbers-rows>span{display:block;counter-increment:l}.line-numbers-rows>span::before{content:counter(l)}pre{position:relative;padding-left:40px}</style><pre class="line-numbers language-css"><code class="language-css">a {↵\tb: 1;↵}<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span><span></span></span></code></pre> ¦ '''css↵a {↵\tb: 1;↵}↵'''
# editors
preformatted lines with numbers next to them ¦ ${CODEMIRROR_5}<div class="CodeMirror"><div style="overflow:hidden;position:relative;width:3px;height:0"><textarea></textarea></div><div class="CodeMirror-lines"><div class="CodeMirror-code">«<div style="position:relative"><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber CodeMirror-gutter-elt">№</div></div><pre class=" CodeMirror-line " role="presentation"><span role="presentation" style="padding-right:.1px">§(\u200b)</span></pre></div>»</div></div></div> ¦ '''↵LOOP↵'''
a gutter before the content ¦ ${CODEMIRROR_6}<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters" aria-hidden="true"><div class="cm-gutter cm-lineNumbers"><div class="cm-gutterElement" style="height:0;visibility:hidden">99</div>«<div class="cm-gutterElement">№</div>»</div></div><div class="cm-content" contenteditable="true" role="textbox" aria-multiline="true">«<div class="cm-line">§(<br>)</div>»</div></div></div> ¦ '''↵LOOP↵'''
lines that are placed, out of order, with blanks that do not break ¦ ${MONACO}<div class="monaco-editor"><textarea class="inputarea" style="position:absolute;width:1px;height:1px;padding:0;border:0"></textarea><div class="margin"><div class="overlay"><div class="line-numbers">1</div></div><div style="top:19px" class="overlay"><div class="line-numbers">2</div></div></div><div class="lines-content"><div class="view-lines"><div style="top:38px" class="view-line"><span class="mtk1">}</span></div><div style="top:0" class="view-line"><span class="mtk1">a&nbsp;{</span></div><div style="top:19px" class="view-line"><span class="mtk1">&nbsp;&nbsp;b</span></div></div></div></div> ¦ '''↵a {↵  b↵}↵'''
layers of an editor ¦ ${ACE}<div class="ace_editor"><textarea class="ace_text-input"></textarea><div class="ace_gutter"><div class="ace_layer ace_gutter-layer">«<div class="ace_gutter-cell">№</div>»</div></div><div class="ace_scroller"><div class="ace_content"><div class="ace_layer ace_text-layer">«<div class="ace_line"><span class="ace_identifier">§</span></div>»</div><div class="ace_layer ace_cursor-layer"><div style="position:absolute;height:18px;width:2px"></div></div></div></div></div> ¦ '''↵LOOP↵'''
an editor in a shadow tree ¦ <my-editor><template shadowrootmode="open"><style>div{${MONO};white-space:pre}</style><div><div>a {</div><div>  b</div></div></template></my-editor> ¦ '''↵a {↵  b↵'''
a field over the lines that takes the keys ¦ ${REACT}<div class="react-code-file-contents lines"><div class="react-line-numbers"><div data-line-number="1" class="react-line-number">1</div><div data-line-number="2" class="react-line-number">2</div></div><textarea readonly aria-label="file content">a↵  b</textarea><div class="react-code-lines"><div class="react-code-text react-code-line-contents"><div><div id="LC1" class="react-file-line">a</div></div></div><div class="react-code-text react-code-line-contents"><div><div id="LC2" class="react-file-line">  b</div></div></div></div></div> ¦ '''↵a↵  b↵'''
# text that is not a listing
a message in a line ¦ <style>.m{${MONO};white-space:pre-wrap;padding:8px}</style><div class="m">I  am late</div><div class="m">Come <a href="/x">here</a></div> ¦ I am late↵↵Come [here](http://page.test/x)
a column of a table of data ¦ <style>.q{${MONO};white-space:pre}</style><table><tr><th>Id</th><th>Query</th></tr><tr><td>1</td><td class="q">select  1</td></tr><tr><td>2</td><td class="q">select 2</td></tr></table> ¦ | Id | Query |↵| --- | --- |↵| 1 | select 1 |↵| 2 | select 2 |
cells that keep their blanks ¦ <style>td{white-space:pre}</style><table><tr><td>a {</td><td>c</td></tr><tr><td>    b }</td><td>d</td></tr></table> ¦ |  |  |↵| --- | --- |↵| a { | c |↵| \u00a0\u00a0\u00a0\u00a0b } | d |
rows by style are lines ¦ <div style="display:table"><div style="display:table-row"><div style="display:table-cell">a</div><div style="display:table-cell">b</div></div></div><div style="display:grid;grid-template-columns:1fr 1fr"><div>c</div><div>d</div></div> ¦ a b↵↵c d
an icon with a name ¦ <style>.icon::before{content:"\ue001"}</style><p><i class="icon" title="Note"></i> Mind the gap.</p> ¦ ![Note]() Mind the gap.
a font of its own makes a header ¦ <style>pre{${MONO}}.head{font-family:serif}</style><pre><div class="head">a.js</div>b {↵  c }</pre> ¦ a.js↵↵'''↵b {↵  c }↵'''
code in a sentence ¦ <style>code{${MONO};white-space:nowrap}</style><p>Call <code>a b</code> now.</p> ¦ Call \`a b\` now.
a page all in one font ¦ <style>body{${MONO};white-space:pre-wrap}</style><h1>a</h1><p>b <img alt="c" width="9" height="9" src="${PIXEL}"></p> ¦ # a↵↵b ![c]()
`;

const ROWS = `${GITHUB}<p>a.js</p><table>«<tr><td class="blob-num"><a href="#L№">№</a></td><td class="blob-code-inner">§(↵)</td></tr>»</table><p>end</p>`;

const CODE_IN_TEXT_CASES = `
rows of a table ¦ ${ROWS} ¦ a.js↵↵LOOP↵↵end
numbers in preformatted text ¦ <pre><span class="linenos">1</span>a↵<span class="linenos">2</span>  b↵</pre> ¦ a↵  b
`;
const CODE_IN_SNAPSHOT_CASES = `
rows of a table ¦ ${ROWS} ¦ a.js↵for (;;) {↵if (a[1]) {↵next_*one*();↵end
`;

const TEXT_CASES = `
# blocks
paragraphs ¦ <p>a</p><p>b</p> ¦ a↵↵b
line break ¦ a<br>b ¦ a↵b
preformatted text ¦ <pre>a↵  b↵↵c</pre> ¦ a↵  b↵↵c
no syntax is escaped ¦ # a *b* [c] 1. d ¦ # a *b* [c] 1. d
# lists
numbers ¦ <ol><li>a</li><li>b</li></ol> ¦ 1. a↵2. b
in letters ¦ <ol type="a"><li>x</li><li>y</li></ol><ol style="list-style:upper-roman" start="4"><li>z</li></ol> ¦ a. x↵b. y↵↵IV. z
that starts later ¦ <ol start="5"><li>a</li><li value="9">b</li><li>c</li></ol> ¦ 5. a↵9. b↵10. c
# tables
rows ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ a\tb↵1\t2
empty cell between ¦ <table><tr><td>1</td><td></td><td>3</td></tr><tr><td>4</td><td>5</td><td>6</td></tr></table> ¦ 1\t\t3↵4\t5\t6
in a cell of a table of data ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x<table><caption>c</caption><tr><th>k</th><th>v</th></tr><tr><td>1</td><td><p>3</p><p>4</p></td></tr></table>y</td><td>z<table role="none"><tr><td>1</td><td>2</td></tr></table></td></tr></table> ¦ a\tb↵x c; k | v; 1 | 3 4 y\tz 1 | 2
in a table that lays out ¦ <table><tr><td>x<table><tr><td>k</td><td>v</td></tr></table></td><td>z</td></tr><tr><td><table><tr><td>1</td><td>2</td></tr></table>y</td><td>w</td></tr></table> ¦ x↵k\tv↵z↵1\t2↵y\tw
# inline
raised and lowered parts ¦ 10<sup>-3</sup> x<sup>2</sup> H<sub>2</sub>O ¦ 10^(-3) x^2 H2O
picture ¦ a<img src="${PIXEL}" alt="b" width="9" height="9">c ¦ a b c
deleted ¦ <del>9 € </del>7 € ¦ ~~9 €~~ 7 €
a block struck by style ¦ <p style="text-decoration: line-through red">9 <b>€</b></p><p>7 €</p> ¦ ~~9 €~~↵↵7 €
button ¦ <button>a</button><button>b</button> ¦ a b
password ¦ <input type="password" value="b"> ¦ [••••]
# frames
of this origin ¦ <p>a</p><iframe srcdoc="b"></iframe> ¦ a↵↵[frame http://page.test]↵↵b↵↵[end of frame http://page.test]
`;

const HTML_CASES = `
# elements
scripts and styles go ¦ <script>x</script><style>y{}</style><template>z</template>a ¦ a
what is hidden goes ¦ <p hidden>a</p><p>b</p> ¦ <p>b</p>
a field named like a member ¦ <form title="f"><input type="hidden" name="attributes">a</form> ¦ <form title="f">a</form>
what is hidden is asked for ¦ <p hidden>a</p> ¦ <p hidden>a</p> ¦ {"include_hidden":true}
text is escaped ¦ a &lt; b &amp; c &gt; d ¦ a &lt; b &amp; c &gt; d
drawings keep their shape ¦ <svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"></path></svg> ¦ <svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"></path></svg>
# attributes
handlers go, and a query keeps the encoding of its page ¦ <p onclick="x()" id="i"><a href="/?é">a</a></p> ¦ <p id="i"><a href="http://page.test/?%E9">a</a></p>
script addresses go ¦ <a href="javascript:x()">a</a> ¦ <a>a</a>
form actions to scripts go ¦ <form action=" javascript:x()"></form> ¦ <form></form>
links are not asked for ¦ <a href="/x" title="t">a</a> ¦ <a title="t">a</a> ¦ {"include_links":false}
candidates of pictures are absolute ¦ <img srcset="/a.png 1x, /b.png 2x" alt="A" width="9"> ¦ <img srcset="http://page.test/a.png 1x, http://page.test/b.png 2x" alt="A" width="9">
documents in attributes go ¦ <object data="javascript:x()" width="9" height="9"></object>a ¦ a
# controls
textarea ¦ <textarea>a</textarea> ¦ <textarea>a</textarea>
live value ¦ <input value="a"> ¦ <input value="a">
password ¦ <input type="password" value="a" data-x="b"> ¦ <input type="password">
secret textarea ¦ <textarea autocomplete="one-time-code">a</textarea> ¦ <textarea autocomplete="one-time-code"></textarea>
select ¦ <select><option value="1">a<option selected>b</select> ¦ <select><option value="1">a</option><option selected>b</option></select>
`;

/** Items below the body, without their boxes and refs. */
const NODES_CASES = `
text straight inside ¦ <p>a <b>b</b> c</p> ¦ {"role":"paragraph","tag":"p","text":"a c"} | {"role":"generic","tag":"b","text":"b"}
a link ¦ <a href="/x">a</a> ¦ {"role":"link","tag":"a","name":"a","text":"a","attributes":{"href":"http://page.test/x"}}
a field ¦ <input aria-label="a" value="b"> ¦ {"role":"textbox","tag":"input","name":"a","attributes":{"aria-label":"a","value":"b"},"value":"b"}
a tooltip that says the name again ¦ <button title="a">a</button> ¦ {"role":"button","tag":"button","name":"a","text":"a","attributes":{"title":"a"}}
a password ¦ <input type="password" aria-label="a" value="b"> ¦ {"role":"password","tag":"input","name":"a","attributes":{"type":"password","aria-label":"a"}}
a formula ¦ <p><math><mi>x</mi><mo>=</mo><mn>1</mn></math></p> ¦ {"role":"paragraph","tag":"p"} | {"role":"math","tag":"math","text":"x=1"}
a table ¦ <table><tr><td>a</td></tr></table> ¦ {"role":"table","tag":"table"} | {"role":"rowgroup","tag":"tbody"} | {"role":"row","tag":"tr"} | {"role":"cell","tag":"td","text":"a"}
a shadow tree ¦ <div><template shadowrootmode="open"><i>a</i><slot></slot></template><b>b</b></div> ¦ {"role":"generic","tag":"div"} | {"role":"generic","tag":"i","text":"a"} | {"role":"generic","tag":"b","text":"b"}
what is folded away ¦ <details><summary>a</summary>b</details> ¦ {"role":"group","tag":"details"} | {"role":"summary","tag":"summary","name":"a","text":"a","states":["collapsed"]}
`;

/** Heads of pages, and their output in addition to the encoding. */
const HEAD_CASES = `
without scripts ¦ <script>x</script><script type="application/ld+json">{}</script><noscript><link></noscript> ¦
with title and names ¦ <title>a &lt;b></title><meta name="author" content="c&quot;"> ¦ <title>a &lt;b&gt;</title><meta name="author" content="c&quot;">
with absolute addresses ¦ <link rel="canonical" href="/x"><base href="/y/"> ¦ <link rel="canonical" href="http://page.test/x"><base href="http://page.test/y/">
with styles that end where they ended ¦ <style>p { color: red } /* <b> */</style> ¦ <style>p { color: red } /* <b> */</style>
without encodings and ways out ¦ <meta charset="latin1"><meta http-equiv=" Refresh" content="9;url=/x"><meta http-equiv="content-type" content="text/html"> ¦
`;

const SENTENCE =
  'The mill was built by the river, and it ground the corn of three villages for two hundred years. ';
const LINKS = '<a href="/a">One</a> <a href="/b">Two</a> <a href="/c">Three</a>';

/** `TEXT` is a long paragraph, `LINKS` three links, and `[[` and `]]` enclose the rest of an article below navigation. */
const articleOf = (cell: string): string =>
  cell
    .replaceAll('[[', '<nav>LINKS</nav><article><h1>Mill</h1><p>TEXT</p>')
    .replaceAll(']]', '</article>')
    .replaceAll('LINKS', LINKS)
    .replaceAll('TEXT', SENTENCE.repeat(4).trim());

const MAIN_CONTENT_CASES = `
an article among navigation ¦ <nav>LINKS</nav><article><h1>Mill</h1><p>TEXT</p></article><footer>LINKS</footer> ¦ # Mill↵↵TEXT
an article in boxes ¦ <div class="sidebar">LINKS</div><div class="content"><h2>Mill</h2><p>TEXT</p><p>TEXT</p></div> ¦ ## Mill↵↵TEXT↵↵TEXT
a form around it whose fields are named like its members ¦ <form><article><p>TEXT</p><p>TEXT</p></article><input name=children><input name=remove><input id=attributes><input name=append></form> ¦ TEXT↵↵TEXT
what is hidden in it stays out ¦ <article><p>TEXT</p><p hidden>Hidden. TEXT</p></article> ¦ TEXT
an article in a shadow tree ¦ <nav>LINKS</nav><div><template shadowrootmode="open"><article><p>TEXT</p></article></template></div> ¦ TEXT
what names and elements set next to the article goes ¦ [[<div class="newsletter-signup"><p>Get the mill letter every week.</p><p>It costs nothing.</p></div><p>TEXT</p><div class="relatedPosts"><p>The bakery nearby</p></div><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵TEXT↵↵TEXT
a form that is the main part stays, a dialog over it goes ¦ <nav>LINKS</nav><main><h1>Stall</h1><form><p><label>Trading name <input></label></p><p><label>Trade register number <input></label></p><p>It is on your extract of the register of trades, in its second line, or in the letter about it.</p><p><button>Send the application</button></p></form></main><div role="dialog"><p>We and our partners store cookies to measure visits and show offers.</p></div> ¦ # Stall↵↵Trading name [____]↵↵Trade register number [____]↵↵It is on your extract of the register of trades, in its second line, or in the letter about it.↵↵[Send the application]
most of the text stays, whatever its name ¦ <nav>LINKS</nav><article class="newsletter-post"><p>TEXT</p><p>TEXT</p></article> ¦ TEXT↵↵TEXT
captions and credits go, pictures stay ¦ [[<figure><img src="/m.png" alt="The wheel" width="9" height="9"><figcaption>The wheel in May. Photo: A. Miller</figcaption></figure><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵![The wheel](http://page.test/m.png)↵↵TEXT
phrases that point away go ¦ [[<p>Read more: <a href="/x">The bakery nearby</a></p><p>Related stories exist in all three villages.</p><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵Related stories exist in all three villages.↵↵TEXT
author and date above the first paragraph go ¦ <nav>LINKS</nav><article><h1>Mill</h1><p>By Ada Miller</p><p>May 4, 2021 at 10:30</p><p>TEXT</p><p>TEXT</p></article> ¦ # Mill↵↵TEXT↵↵TEXT
links at the end go, links within stay ¦ [[<ul><li><a href="/w">Wheel</a></li><li><a href="/s">Stones</a></li></ul><p>TEXT</p><ul><li><a href="/x">The bakery</a></li><li><a href="/y">The bridge</a></li></ul>]] ¦ # Mill↵↵TEXT↵↵- [Wheel](http://page.test/w)↵- [Stones](http://page.test/s)↵↵TEXT
teasers of other articles go ¦ [[<p>TEXT</p><div><h3><a href="/x">The bakery</a></h3><p>It has baked since 1820.</p></div><div><h3><a href="/y">The bridge</a></h3><p>It was built of wood.</p></div>]] ¦ # Mill↵↵TEXT↵↵TEXT
who wrote it goes from the end ¦ <meta name="author" content="Ada Miller">[[<p>Ada Miller says that it turns.</p><p>TEXT</p><p>TEXT</p><p>Ada Miller has written about mills since 1990 and lives in one.</p><p>She sells flour.</p>]] ¦ # Mill↵↵Ada Miller↵↵TEXT↵↵Ada Miller says that it turns.↵↵TEXT↵↵TEXT
a sign-off and an address stay ¦ [[<p>TEXT</p><p>Yours sincerely,<br>Ada Miller</p><address>Mill House<br>12 Mill Lane<br>Oxford</address>]] ¦ # Mill↵↵TEXT↵↵TEXT↵↵Yours sincerely,\\↵Ada Miller↵↵Mill House\\↵12 Mill Lane\\↵Oxford
code is never dropped ¦ [[<div class="cta"><pre>grind(corn)</pre></div><p>TEXT</p>]] ¦ # Mill↵↵TEXT↵↵\`\`\`↵grind(corn)↵\`\`\`↵↵TEXT
words in a line stay, whatever their name or element ¦ [[<p>The <b class="share">great</b> <a class="tags" href="/a">mill</a> has a <span class="popup"><i>grind</i>stone</span> and a <button>lever</button>.</p><div>Its <aside class="comment" style="display:inline">wheel</aside> turns.</div><p>TEXT</p><p><span class="tags">Ada</span> <span class="share">Share</span></p>]] ¦ # Mill↵↵TEXT↵↵The **great** [mill](http://page.test/a) has a *grind*stone and a [lever] .↵↵Its wheel turns.↵↵TEXT
comments are not taken for the article ¦ <div class="entry"><p>TEXT</p><p>TEXT</p></div><div id="comments">${'<div class="comment-body"><p>A reader says: TEXT</p></div>'.repeat(5)}</div> ¦ TEXT↵↵TEXT
`;

const NEWS =
  '"headline":"The mill by the river","author":[{"@type":"Person","name":"Ada Miller"},{"name":"Jo Baker"}],"datePublished":"2021-05-04T08:30:00Z","publisher":{"name":"Valley News"}';
const MILL =
  '{"title":"The mill by the river","byline":"Ada Miller, Jo Baker","published":"2021-05-04T08:30:00Z","site":"Valley News"}';
const jsonLd = (data: string): string => `<script type="application/ld+json">${data}</script>`;

const ARTICLE_HEAD_CASES = `
JSON-LD ¦ ${jsonLd(`{"@context":"https://schema.org","@type":"NewsArticle",${NEWS}}`)} ¦ <h1>The mill by the river</h1> ¦ ${MILL}
JSON-LD that is broken, before one that is not ¦ ${jsonLd('{"@type":')}${jsonLd(`[{"@type":"NewsArticle",${NEWS}}]`)} ¦ ¦ ${MILL}
meta elements ¦ <meta property="og:title" content="The mill by the river | Valley News"><meta name="author" content="Ada Miller, Jo Baker"><meta property="article:published_time" content="2021-05-04T08:30:00Z"><meta property="og:site_name" content="Valley News"> ¦ <h1>The mill by the river</h1> ¦ ${MILL}
JSON-LD of a page about it ¦ ${jsonLd(`{"@type":"WebPage","mainEntity":{"@type":"NewsArticle",${NEWS}}}`)} ¦ ¦ ${MILL}
JSON-LD escaped for HTML, with line breaks ¦ ${jsonLd('{"@type":"NewsArticle","headline":"Salt &amp;↵Pepper"}')} ¦ ¦ {"title":"Salt & Pepper"}
bylines and dates in the text ¦ ¦ <aside><time datetime="2020-01-01">News</time></aside><h1>The mill by<br>the river</h1><div class="byline">By <a rel="author" href="/ada">Ada Miller</a></div><time datetime="2021-05-04">May 4</time> ¦ {"title":"The mill by the river","byline":"Ada Miller","published":"2021-05-04"}
an address is not a name ¦ <meta name="author" content="https://news.test/ada"> ¦ <h1>The mill</h1> ¦ {"title":"The mill"}
nothing ¦ ¦ ¦ {}
`;

const FRACTION = '<mfrac><mn>1</mn><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>';
const POWER =
  '<mrow><msup><mn>2</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup><mo>−</mo><mn>1</mn></mrow>';

/** As KaTeX writes it: hidden MathML, and its drawing. */
const KATEX = `<style>.katex-mathml{position:absolute;clip:rect(1px,1px,1px,1px);height:1px;width:1px;overflow:hidden}</style><span class="katex"><span class="katex-mathml"><math><semantics>${FRACTION}<annotation encoding="application/x-tex">\\frac{1}{2a}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">12a</span></span></span>`;

/** As MathJax writes it: signs by style or as a drawing, and MathML for assistive technology. */
const mathjax = (content: string, drawn: string, attributes: string): string =>
  `<style>mjx-assistive-mml{position:absolute!important;clip:rect(1px,1px,1px,1px);overflow:hidden!important}mjx-c::before{content:"1"}</style><mjx-container ${attributes} tabindex="0">${drawn}<mjx-assistive-mml unselectable="on" display="inline"><math>${content}</math></mjx-assistive-mml></mjx-container>`;
const CHTML =
  '<mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mn class="mjx-n"><mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-math>';
const SVG =
  '<svg aria-hidden="true" width="9" height="9"><defs><path id="N-31" d="M0 0"></path></defs><g><use href="#N-31"></use></g></svg>';

/** As KaTeX draws it without MathML, the lowest of a stack first. */
const stack = (...items: readonly string[]): string =>
  `<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist">${items.map((item) => `<span><span class="pstrut"></span>${item}</span>`).join('')}</span><span class="vlist-s">\u200b</span></span></span>`;
const katexOf = (...parts: readonly string[]): string =>
  `<span class="katex"><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut"></span>${parts.join('')}</span></span></span>`;
const LINE = '<span class="frac-line"></span>';
const letters = (text: string): string => `<span class="mord mathnormal">${text}</span>`;
/** As MathJax 3 draws it without MathML. */
const drawn = (code: string): string =>
  `<mjx-mi class="mjx-i"><mjx-c class="mjx-c${code} TEX-I"></mjx-c></mjx-mi>`;
const DRAWN_FRACTION = `<mjx-mfrac><mjx-frac><mjx-num>${drawn('1D44E')}</mjx-num><mjx-dbox><mjx-dtable><mjx-row><mjx-den>${drawn('1D44F')}</mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac>`;
const glyph = (node: string, code: string): string =>
  `<g data-mml-node="${node}"><path data-c="${code}"></path></g>`;

/** Formulas as libraries write them: how every format reads them, and how Markdown does if that is different. */
const FORMULA_CASES = `
fraction ¦ <math>${FRACTION}</math> ¦ 1/(2a)
roots ¦ <math><msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mo>,</mo><mroot><mi>x</mi><mn>3</mn></mroot></math> ¦ √(x+1),root(3)(x)
lower and upper part ¦ <math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math> ¦ x_i^2
choices ¦ <math><mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mrow><mi>k</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mo>)</mo></mrow></math> ¦ (n choose (k+1))
one condition above another ¦ <math><munder><mo>∑</mo><mfrac linethickness="0pt"><mrow><mi>i</mi><mo>≤</mo><mi>n</mi></mrow><mi>j</mi></mfrac></munder></math> ¦ ∑_((i≤n); j) ¦ ∑\\_((i≤n); j)
parts before the base ¦ <math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts></math> ¦ _6^14 C ¦ \\_6^14 C
invisible signs ¦ <math><mrow><mn>2</mn><mo>\u2062</mo><mi>a</mi><mo>+</mo><mi>sin</mi><mo>\u2061</mo><mi>x</mi><mo>+</mo><mi>f</mi><mo>\u2061</mo><mrow><mo>(</mo><mi>y</mi><mo>)</mo></mrow></mrow></math> ¦ 2a+sin x+f(y)
matrix ¦ <math><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo></math> ¦ (1, 0; 0, 1)
by KaTeX ¦ ${KATEX} ¦ $\\frac{1}{2a}$
by MathJax 3 ¦ ${mathjax(FRACTION, CHTML, 'class="MathJax" jax="CHTML"')} ¦ 1/(2a)
by MathJax 3 as a drawing ¦ ${mathjax(POWER, SVG, 'class="MathJax" jax="SVG"')} ¦ 2^(n+1)−1
by KaTeX without MathML ¦ ${katexOf(`<span class="mfrac">${stack(letters('b'), LINE, letters('a'))}</span><span class="mord">${letters('x')}<span class="msupsub">${stack(letters('i'), '2')}</span></span>`)} ¦ a/b x_i^2
a root and letters by KaTeX ¦ ${katexOf(`<span class="mord sqrt"><span class="root">${stack('3')}</span>${stack(letters('xy'))}</span>`)} ¦ root(3)(xy)
a matrix by KaTeX ¦ ${katexOf(`<span class="mopen">(</span><span class="mtable"><span class="col-align-c">${stack('1', '3')}</span><span class="col-align-c">${stack('2', '4')}</span></span><span class="mclose">)</span>`)} ¦ (1, 2; 3, 4)
by KaTeX in an element with the source ¦ <span data-math="\\frac{a}{b}">${katexOf(`<span class="mfrac">${stack(letters('b'), LINE, letters('a'))}</span>`)}</span> ¦ $\\frac{a}{b}$
by MathJax without MathML ¦ <mjx-container jax="CHTML"><mjx-math>${DRAWN_FRACTION}<mjx-msubsup>${drawn('1D465')}<mjx-script>${drawn('32')}<mjx-spacer></mjx-spacer>${drawn('1D456')}</mjx-script></mjx-msubsup></mjx-math></mjx-container> ¦ a/b x_i^2
as a drawing without MathML ¦ <mjx-container jax="SVG"><svg width="9" height="9"><g data-mml-node="math"><g data-mml-node="msqrt"><g>${glyph('mi', '1D465')}</g>${glyph('mo', '221A')}<rect></rect></g><g data-mml-node="msup">${glyph('mi', '1D465')}${glyph('mn', '32')}</g></g></svg></mjx-container> ¦ √(x)x^2
by MathJax 2 with its script ¦ <span id="MathJax-Element-1-Frame"><span>ab</span></span><script type="math/tex" id="MathJax-Element-1">\\frac{a}{b}</script> ¦ $\\frac{a}{b}$
words in a formula ¦ <math><mn>0</mn><mtext>\u00a0if\u00a0</mtext><mi>x</mi></math> ¦ 0 if x
by MathJax 4 ¦ ${mathjax(FRACTION, CHTML, 'jax="CHTML" role="math" aria-label="1 over 2 a"')} ¦ 1/(2a)
`;

const lab = await openPageLab();

const read = async (html: string, options: Partial<ReadPageOptions>): Promise<string> =>
  (await lab.call('read', html, options)).text;

const FORMATS = ['markdown', 'text', 'snapshot', 'html'] as const;
/** How a format ends, and what surrounds the content of the body. */
const FRAMES = { markdown: '|', text: '|', snapshot: '|\n', html: '<html><body>|</body></html>' } as const;

for (const [format, cases] of [
  ['markdown', MARKDOWN_CASES + NUMBERED_CASES + CODE_CASES + ROW_CASES],
  ['text', TEXT_CASES + CODE_IN_TEXT_CASES + ROWS_IN_TEXT_CASES],
  ['snapshot', SNAPSHOT_CASES + CODE_IN_SNAPSHOT_CASES + ROWS_IN_SNAPSHOT_CASES],
  ['html', HTML_CASES],
] as const)
  testTogether(
    format,
    cases,
    (all) =>
      lab.call(
        'readEach',
        all.map(([html = '', , options = '{}']) => {
          const asked: Partial<ReadPageOptions> = JSON.parse(options);
          return [writtenOut(html), { format, ...asked }] as const;
        }),
      ),
    ({ text }, _html, expected = '') => {
      expect(text).toBe(FRAMES[format].replace('|', () => writtenOut(expected)));
    },
  );

testEach('html with its head', HEAD_CASES, async (head = '', written = '') => {
  expect(await read(`<head>${head}</head><p>b</p>`, { format: 'html', include_head: true })).toBe(
    `<!DOCTYPE html>\n<html><head><meta charset="utf-8">${written}</head><body><p>b</p></body></html>`,
  );
});

testEach('formula', FORMULA_CASES, async (math = '', formula = '', markdown = formula) => {
  const all = FORMATS.map((format) => ({ format, selector: 'p' }));
  const texts = await lab.call('readFormats', `<p>so ${math} end</p>`, all);
  const line = `so ${formula} end`;
  const html = `<p>so <span role="math">${formula}</span> end</p>`;
  expect(texts).toEqual([`so ${markdown} end`, line, `${line}\n`, html]);
});

testEach('a page that was only parsed', NUMBERED_CASES + UNDRAWN_CASES, async (html = '', expected = '') => {
  expect(textOf(await lab.call('parse', html, 'markdown'))).toBe(`${writtenOut(expected)}\n`);
});

testEach('nodes', NODES_CASES, async (html = '', expected = '') => {
  const items = (await read(html, { format: 'nodes', selector: 'body > *' })).trim().split('\n');
  const wanted = expected.split(' | ').map((item): unknown => JSON.parse(item));
  expect(items.map(plain)).toEqual(
    wanted.map((item) => Object.assign({ name: '', text: '', attributes: {} }, item)),
  );
});

function plain(line: string): unknown {
  const { ref: _ref, box: _box, ...rest } = JSON.parse(line);
  return rest;
}

describe('main content', () => {
  const MAIN = { main_content_only: true };
  const TEXT = 'It ground the corn of three villages. '.repeat(9).trim();

  testTogether(
    'markdown',
    MAIN_CONTENT_CASES,
    (all) => lab.call('readEach', [...all.map(([html = '']) => [articleOf(html), MAIN] as const)]),
    ({ text }, _html, expected = '') => {
      expect(text).toBe(articleOf(expected));
    },
  );

  test('is found on a page that was only parsed', async () => {
    const [html = '', expected = ''] = casesOf(MAIN_CONTENT_CASES)[1]?.cells.map(articleOf) ?? [];
    expect(textOf(await lab.call('parse', html, 'markdown', true))).toBe(`${expected}\n`);
  });

  test('text has neither the title nor pictures without text around them', async () => {
    const html = `<article><h1>Mill</h1><p>${TEXT}</p><p><img src="/m.png" alt="The wheel" width="9" height="9"></p></article>`;
    expect(await read(html, { main_content_only: true, format: 'text' })).toBe(TEXT);
  });

  testEach('facts', ARTICLE_HEAD_CASES, async (before = '', head = '', facts = '{}') => {
    const html = `${before}<article>${head}${`<p>${`${TEXT} `.repeat(2)}</p>`.repeat(2)}</article>`;
    const { text, article } = await lab.call('read', html, { main_content_only: true, format: 'text' });
    expect(article).toEqual(JSON.parse(facts));
    expect(text).toMatch(/^It ground the corn/);
  });

  const HEADED = `<meta name="author" content="Ada Miller"><article><h1>Mill *1*</h1><p>Story by Ada Miller, May 4, 2021</p><time datetime="2021-05-04T08:30:00Z">May 4, 2021</time><h2>Mill *1*</h2><p>${TEXT}</p></article>`;

  test('writes title, byline and date at most once', async () => {
    const all = FORMATS.map((format) => ({ format, main_content_only: true }));
    const [markdown, text, outline, html] = await lab.call('readFormats', HEADED, all);
    expect([markdown, html, text]).toEqual([
      `# Mill \\*1\\*\n\nAda Miller · 2021-05-04\n\n${TEXT}`,
      `<h1>Mill *1*</h1>\n<p>Ada Miller · 2021-05-04</p>\n<article><p>${TEXT}</p></article>`,
      TEXT,
    ]);
    expect(outline).toMatch(/^# Mill/);
    expect(outline?.match(/Mill/g)).toHaveLength(1);
  });

  test('a page without main content is reported as such', async () => {
    const { coverage } = await lab.call('read', '<p>a</p>', { main_content_only: true });
    expect(coverage.map(({ kind }) => kind)).toEqual(['no_main_content']);
  });
});
