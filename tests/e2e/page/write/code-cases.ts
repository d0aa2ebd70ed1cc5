import { PIXEL } from './pixel.ts';

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
 * What is written for short: `LOOP` is the four lines of code, and what `«»` enclose is repeated for each of them, with its number as `№`
 * and its text as `§`, or as `§(BLANK)` says if it has none. Three apostrophes are a fence.
 */
export const writtenOut = (cell: string): string =>
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

/** Line numbers that are found by their names, their columns and inline style, also without style sheets. */
export const NUMBERED_CASES = `
# line numbers in preformatted text
a column of numbers before the code ¦ <div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1↵2↵3</pre></div></td><td class="code"><div><pre>a↵↵\tb</pre></div></td></tr></table></div> ¦ '''↵a↵↵\tb↵'''
a number in each line ¦ <pre><span class="linenos">1</span>a↵<span class="linenos">2</span>  b↵<span class="linenos">3</span>↵</pre> ¦ '''↵a↵  b↵'''
a table in the block ¦ <pre><code class="hljs"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code">a {</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"><div class="hljs-ln-n" data-line-number="2"></div></td><td class="hljs-ln-line hljs-ln-code">  <span class="hljs-number">1</span></td></tr></tbody></table></code></pre> ¦ '''↵a {↵  1↵'''
numbers that are code stay ¦ <pre><span class="n">1</span>↵<span class="n">2</span>↵</pre> ¦ '''↵1↵2↵'''
`;

/** Code outside of `<pre>`, and code with line numbers, as editors and viewers mark it up. */
export const CODE_CASES = `
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
code in a sentence ¦ <style>code{${MONO};white-space:nowrap}</style><p>Call <code>a b</code> now.</p> ¦ Call \`a b\` now.
a page all in one font ¦ <style>body{${MONO};white-space:pre-wrap}</style><h1>a</h1><p>b <img alt="c" width="9" height="9" src="${PIXEL}"></p> ¦ # a↵↵b ![c]()
`;

const ROWS = `${GITHUB}<p>a.js</p><table>«<tr><td class="blob-num"><a href="#L№">№</a></td><td class="blob-code-inner">§(↵)</td></tr>»</table><p>end</p>`;

/** Code in formats without fences. */
export const CODE_IN_TEXT_CASES = `
rows of a table ¦ ${ROWS} ¦ a.js↵↵LOOP↵↵end
numbers in preformatted text ¦ <pre><span class="linenos">1</span>a↵<span class="linenos">2</span>  b↵</pre> ¦ a↵  b
`;
export const CODE_IN_SNAPSHOT_CASES = `
rows of a table ¦ ${ROWS} ¦ a.js↵for (;;) {↵if (a[1]) {↵next_*one*();↵end
`;
