export const MARKDOWN_CASES = `
# blocks
paragraphs ¦ <p>One</p><p>Two</p> ¦ One↵↵Two
white space collapses ¦ <p>  a↵\t b  </p> ¦ a b
a verse by no-break spaces ¦ <p>a<br>&nbsp;&nbsp;b</p> ¦ a\\↵\u00a0\u00a0b
words that a margin parts ¦ <style>i{margin:0}</style><p>Price<span style="margin-left:8px">12</span></p> ¦ Price 12
numbers of counters in place of markers ¦ <style>ol{list-style:none;counter-reset:s}li{counter-increment:s}li::before{content:counter(s) ". "}</style><ol><li>a</li><li>b</li></ol> ¦ 1. a↵2. b
numbers that browsers count ¦ <style>ol{list-style:none}li::before{content:counter(list-item) ". "}</style><ol start="3"><li>a</li><li>b</li></ol> ¦ 3. a↵4. b
counters of a shadow tree ¦ <div><template shadowrootmode="open"><style>p{counter-increment:s}p::before{content:counter(s) " "}</style><p>a</p><p>b</p></template></div> ¦ 1 a↵↵2 b
a list whose numbers are not shown ¦ <ol style="list-style:none"><li>a</li><li>b</li></ol> ¦ - a↵- b
text next to a block ¦ a<div>b</div>c ¦ a↵↵b↵↵c
empty elements ¦ <p></p><div><span></span></div><p>a</p> ¦ a
an empty page ¦
headings ¦ <h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h5>E</h5><h6>F</h6> ¦ # A↵↵## B↵↵### C↵↵#### D↵↵##### E↵↵###### F
heading that ends with a hash ¦ <h2>C#</h2> ¦ ## C\\#
empty heading ¦ <h2></h2><p>a</p> ¦ a
heading by role ¦ <div role="heading" aria-level="3">A</div> ¦ ### A
rule ¦ <p>a</p><hr><p>b</p> ¦ a↵↵---↵↵b
quote ¦ <blockquote><p>a</p><p>b</p></blockquote><p>c</p> ¦ > a↵>↵> b↵↵c
line break ¦ <p>a<br>b</p> ¦ a\\↵b
line break at the end ¦ <p>a<br></p><p>b</p> ¦ a↵↵b
line breaks in a row ¦ a<br><br>b ¦ a\\↵\\↵b
details that are closed ¦ <details><summary>a</summary>b<p>c</p></details> ¦ a
description list ¦ <dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl> ¦ a↵: b↵↵c↵: d
# code
block ¦ <pre>a↵  b↵</pre> ¦ \`\`\`↵a↵  b↵\`\`\`
block with a language ¦ <pre><code class="language-js">a</code></pre> ¦ \`\`\`js↵a↵\`\`\`
block that holds fences ¦ <pre>\`\`\`↵a↵\`\`\`</pre> ¦ \`\`\`\`↵\`\`\`↵a↵\`\`\`↵\`\`\`\`
block in a list ¦ <ul><li>a<pre>b↵c</pre></li></ul> ¦ - a↵↵  \`\`\`↵  b↵  c↵  \`\`\`
inline ¦ a <code>b  c</code> d ¦ a \`b c\` d
inline around a block ¦ <code>↵<pre>a↵  b</pre>↵</code> ¦ \`\`\`↵a↵  b↵\`\`\`
inline with line breaks ¦ a <code>b c<br>↵d</code> e ¦ a \`b c\`\\↵\`d\` e
inline that begins with a backtick ¦ <code>\`a</code> ¦ \`\` \`a \`\`
inline that is a link ¦ <code><a href="/x">a</a></code> ¦ [\`a\`](http://page.test/x)
is not escaped ¦ <code>*a_b*</code> ¦ \`*a_b*\`
keyboard, sample ¦ <kbd>a</kbd> <samp>b</samp> ¦ \`a\` \`b\`
# emphasis
strong ¦ a <b>b</b> <strong>c</strong> d ¦ a **b** **c** d
emphasis ¦ a <i>b</i> <em>c</em> <cite>d</cite> e ¦ a *b* *c* *d* e
deleted ¦ <del>a</del> <s>b</s> ¦ ~~a~~ ~~b~~
struck by style ¦ <style>.old{text-decoration-line:line-through}</style><b class="old">9 €</b> 7 € ¦ ~~9 €~~ 7 €
blanks at the ends move out ¦ a<b> b </b>c ¦ a **b** c
with a block in it ¦ <b>a<div>b</div>c</b> ¦ **a**↵↵**b**↵↵**c**
that ends with punctuation before a letter ¦ <b>a:</b>b ¦ **a**:b
that ends with a link before a letter ¦ <b>a <a href="/x">b</a></b>c ¦ **a [b](http://page.test/x)**&#x63;
quotes ¦ <q>a</q> ¦ “a”
quotes in prose with line breaks ¦ <p style="white-space:pre-line">a <q>b</q></p> ¦ a “b”
superscript and subscript ¦ x<sup>2</sup> H<sub>2</sub>O ¦ x^2 H2O
superscript before a letter ¦ 10<sup>6</sup>V ¦ 10^(6)V
superscript of an ordinal and a mark of trade ¦ 1<sup>st</sup> a<sup>®</sup> ¦ 1st a®
index of letters ¦ a<sub>n</sub> a<sub>n+1</sub> ¦ a_n a_(n+1)
readings of words ¦ <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> ¦ 漢(kan)
# links
link ¦ <a href="/x">a</a> ¦ [a](http://page.test/x)
without an address, or to a script in the open or in disguise ¦ <a>a</a> <a href="javascript:x()">b</a> <a href=" java↵script:x()">c</a> ¦ a b c
with parentheses in the address ¦ <a href="/x_(y)">a</a> ¦ [a](http://page.test/x_\\(y\\))
named by a label ¦ <a href="/x" aria-label="A"></a> ¦ [A](http://page.test/x)
around a picture ¦ <a href="/x"><img src="/i.png" alt="A" width="9" height="9"></a> ¦ [![A](http://page.test/i.png)](http://page.test/x)
around blocks ¦ <a href="/x"><h3>a</h3><p>b</p></a> ¦ ### [a](http://page.test/x)↵↵b
with brackets in its text ¦ <a href="/x">a [b]</a> ¦ [a \\[b\\]](http://page.test/x)
links are not asked for ¦ <a href="/x">a</a> ¦ a ¦ {"include_links":false}
# pictures
picture ¦ <img src="/a.png" alt="A" width="9" height="9"> ¦ ![A](http://page.test/a.png)
without text ¦ <img src="/a.png" width="9" height="9"> ¦ ![](http://page.test/a.png)
yet to be loaded ¦ <img src="data:," data-src="/a.png" alt="A" width="9" height="9"><img src="data:," data-lazy-src="/b.png" alt="B" width="9" height="9"> ¦ ![A](http://page.test/a.png)![B](http://page.test/b.png)
links are not asked for ¦ <img src="/a.png" alt="A" width="9" height="9"> ¦ ![A]() ¦ {"include_links":false}
drawing with a title ¦ <svg width="9" height="9"><title>A</title><rect width="9" height="9"/></svg> ¦ ![A]()
canvas and video ¦ <canvas aria-label="A" width="9" height="9"></canvas><video title="B" width="9" height="9"></video> ¦ ![A]()![video: B]()
# controls
button inputs ¦ <input type="submit"><input type="button" value="a"> ¦ [Submit] [a]
check boxes ¦ <input type="checkbox"> a <input type="checkbox" checked> b ¦ [ ] a [x] b
radio buttons ¦ <input type="radio"> a <input type="radio" checked> b ¦ ( ) a (x) b
text field ¦ a <input value="b"> ¦ a [b]
password ¦ <input type="password" value="secret"> ¦ [••••]
value with brackets ¦ <input value="a]*b"> ¦ [a\\]\\*b]
select ¦ <select><option>a<option selected>b</select> ¦ [b]
button elements ¦ a<button>b</button>c ¦ a [b] c
# text
TeX is not escaped ¦ <p>\\(x_1 * y_1 * z\\) is $a^{*}$, \\[b_{1}^{*}\\] is $$c_{1}^{*}$$</p> ¦ \\(x_1 * y_1 * z\\) is $a^{*}$, \\[b_{1}^{*}\\] is $$c_{1}^{*}$$
prices are not TeX ¦ <p>$5 * $6 *x* $7_ $8_</p> ¦ $5 \\* $6 \\*x\\* $7\\_ $8\\_
stars ¦ *a* **b** ¦ \\*a\\* \\*\\*b\\*\\*
underscores around words ¦ _a_ ¦ \\_a\\_
brackets ¦ [a](b) ¦ \\[a](b)
backticks ¦ \`a\` ¦ \\\`a\\\`
tags as text ¦ &lt;b&gt;a ¦ \\<b>a
hash ¦ # a ¦ \\# a
numbers ¦ 1. a ¦ 1\\. a
dash ¦ - a ¦ \\- a
quote ¦ > a ¦ \\> a
dashes after a line break ¦ a<br>--- ¦ a\\↵\\---
pipe ¦ | a | b | ¦ \\| a | b |
tildes ¦ ~~a~~ ¦ \\~\\~a\\~\\~
backslash before a sign ¦ \\* ¦ \\\\\\*
exclamation mark before a link ¦ a!<a href="/x">b</a> ¦ a\\![b](http://page.test/x)
backslash at the end ¦ a\\<br>b ¦ a\\\\\\↵b
address with signs ¦ https://x.test/_a_(b)_c. ¦ <https://x.test/_a_(b)_c>.
# lists
bullets ¦ <ul><li>a</li><li>b</li></ul> ¦ - a↵- b
that starts later ¦ <ol start="3"><li>a</li><li>b</li></ol> ¦ 3. a↵4. b
with a value ¦ <ol><li>a</li><li value="5">b</li><li>c</li></ol> ¦ 1. a↵5. b↵6. c
reversed ¦ <ol reversed><li>a</li><li>b</li></ol> ¦ 2. a↵1. b
in a list ¦ <ul><li>a<ul><li>b</li></ul></li><li>c</li></ul> ¦ - a↵  - b↵- c
straight inside numbers ¦ <ol><li>a</li><ol><li>b</li></ol><li>c</li></ol> ¦ 1. a↵   1. b↵2. c
one after the other ¦ <ul><li>a</li></ul><ul><li>b</li></ul> ¦ - a↵↵* b
paragraphs in items ¦ <ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul> ¦ - a↵↵  b↵- c
tasks ¦ <ul><li><input type="checkbox" checked> a</li></ul> ¦ - [x] a
by roles ¦ <div role="list"><div role="listitem">a</div><div role="listitem">b</div></div> ¦ - a↵- b
text inside a list, outside its items ¦ <ul><li>a</li>b<li>c</li></ul> ¦ - a↵↵b↵↵- c
text that looks like a marker ¦ <ul><li>- a</li><li>1. b</li><li>[x] c</li></ul> ¦ - \\- a↵- 1\\. b↵- \\[x] c
of ten ¦ <ol start="9"><li>a</li><li>b<p>c</p></li></ol> ¦ 9. a↵10. b↵↵    c
# tables
without a head ¦ <table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table> ¦ |  |  |↵| --- | --- |↵| 1 | 2 |↵| 3 | 4 |
with headers in the first row ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ | a | b |↵| --- | --- |↵| 1 | 2 |
with a caption, and content around the rows ¦ <div role="grid"><h2>H</h2><div role="row"><b role="columnheader">a</b></div><ul><li>1</li><li>2</li></ul></div><table><caption>C</caption><tr><th>a</th></tr><tr><td>1</td></tr></table> ¦ | a |↵| --- |↵↵## H↵↵- 1↵- 2↵↵C↵↵| a |↵| --- |↵| 1 |
that lays out, in a cell of a table of data ¦ <table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><table role="presentation"><tr><td>1</td><td>2</td></tr></table></td></tr></table> ¦ | A | B |↵| --- | --- |↵| x | 1 \\| 2 |
that spans columns ¦ <table><tr><th colspan="2">a</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ | a |  |↵| --- | --- |↵| 1 | 2 |
that spans rows ¦ <table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table> ¦ | a | b |↵| --- | --- |↵| 1 | 2 |↵|  | 3 |
with missing cells ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table> ¦ | a | b |↵| --- | --- |↵| 1 |  |
with alignment ¦ <table><tr><th align="left">a</th><th align="center">b</th><th style="text-align:right">c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table> ¦ | a | b | c |↵| :-- | :-: | --: |↵| 1 | 2 | 3 |
with pipes ¦ <table><tr><th>a</th></tr><tr><td>1|2 <code>3|4</code></td></tr></table> ¦ | a |↵| --- |↵| 1\\|2 \`3\\|4\` |
with line breaks and a list ¦ <table><tr><th>a</th></tr><tr><td>1<br>2<p>3</p></td></tr><tr><td><ul><li>1</li><li>2</li></ul></td></tr></table> ¦ | a |↵| --- |↵| 1<br>2<br>3 |↵| - 1<br>- 2 |
in a cell of a table of data ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x<table><tr><th>k</th><th>v</th></tr><tr><td>1|2</td><td><b>3</b></td></tr></table>y</td><td>z</td></tr></table> ¦ | a | b |↵| --- | --- |↵| x<br>k \\| v<br>1\\|2 \\| **3**<br>y | z |
with lines of code ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x<pre>if a|b:↵  c↵↵d</pre>y</td><td>z</td></tr></table> ¦ | a | b |↵| --- | --- |↵| x<br>\`if a\\|b:\`<br>\`  c\`<br><br>\`d\`<br>y | z |
by roles ¦ <div role="table"><div role="row"><span role="columnheader">a</span><span role="columnheader">b</span></div><div role="row"><span role="cell">1</span><span role="cell">2</span></div></div> ¦ | a | b |↵| --- | --- |↵| 1 | 2 |
with a hidden column and cell ¦ <table><tr><th>a</th><th hidden>b</th><th>c</th></tr><tr><td style="opacity:0">1</td><td hidden>2</td><td>3</td></tr></table> ¦ | a | c |↵| --- | --- |↵|  | 3 |
# frames
of this origin ¦ <p>a</p><iframe srcdoc="<p>b"></iframe><p>c</p> ¦ a↵↵[frame http://page.test]↵↵b↵↵[end of frame http://page.test]↵↵c
# shadow trees
replace the content of their hosts ¦ <div><template shadowrootmode="open"><p>a</p></template>b</div> ¦ a
show assigned content in slots ¦ <div><template shadowrootmode="open">a <slot></slot> c</template><b>b</b></div> ¦ a **b** c
`;
