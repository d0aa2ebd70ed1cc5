/** Small pages and the GitHub-flavoured Markdown that has to be written for them. */
export const MARKDOWN_CASES = `
# blocks
rule by role ¦ a<div role="separator"></div>b ¦ a↵↵---↵↵b
paragraphs ¦ <p>One</p><p>Two</p> ¦ One↵↵Two
white space collapses ¦ <p>  a↵\t b  </p> ¦ a b
a verse by no-break spaces ¦ <p>a<br>&nbsp;&nbsp;b</p> ¦ a\\↵\u00a0\u00a0b
lines that style keeps, without their blanks ¦ <p style="white-space:pre-line">a↵   b</p> ¦ a\\↵b
indentation that style keeps ¦ <p style="white-space:break-spaces">a↵  b</p> ¦ a\\↵\u00a0\u00a0b
words that a margin parts ¦ <style>i{margin:0}</style><p>Price<span style="margin-left:8px">12</span></p> ¦ Price 12
a margin narrower than a blank ¦ <p>1<span style="margin-left:1px">2</span></p> ¦ 12
generated text that a margin parts ¦ <style>p::before{content:"Star";margin-right:6px}</style><p>Rate</p> ¦ Star Rate
numbers of counters in place of markers ¦ <style>ol{list-style:none;counter-reset:s}li{counter-increment:s}li::before{content:counter(s) ". "}</style><ol><li>a</li><li>b</li></ol> ¦ 1. a↵2. b
a list whose numbers are not shown ¦ <ol style="list-style:none"><li>a</li><li>b</li></ol> ¦ - a↵- b
rows that span to the end of their section ¦ <table><tr><th>A</th><th>B</th></tr><tbody><tr><td rowspan="9">x</td><td>1</td></tr></tbody><tbody><tr><td>y</td><td>2</td></tr></tbody></table> ¦ | A | B |↵| --- | --- |↵| x | 1 |↵| y | 2 |
a no-break space is a space ¦ <p>a&nbsp;&nbsp;b</p> ¦ a b
text next to a block ¦ a<div>b</div>c ¦ a↵↵b↵↵c
empty elements ¦ <p></p><div><span></span></div><p>a</p> ¦ a
an empty page ¦
headings ¦ <h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h5>E</h5><h6>F</h6> ¦ # A↵↵## B↵↵### C↵↵#### D↵↵##### E↵↵###### F
blocks in a heading ¦ <h2><div>a</div><div>b</div></h2> ¦ ## a b
heading that ends with a hash ¦ <h2>C#</h2> ¦ ## C\\#
empty heading ¦ <h2></h2><p>a</p> ¦ a
list in a heading ¦ <h2>a<ul><li>b</li></ul></h2><p>c</p> ¦ ## a↵↵- b↵↵c
heading in a heading by role ¦ <h2>a <span role="heading">b</span></h2> ¦ ## a b
heading by role ¦ <div role="heading" aria-level="3">A</div> ¦ ### A
heading by role of a level that is too high ¦ <div role="heading" aria-level="9">A</div> ¦ ###### A
rule ¦ <p>a</p><hr><p>b</p> ¦ a↵↵---↵↵b
quote ¦ <blockquote><p>a</p><p>b</p></blockquote><p>c</p> ¦ > a↵>↵> b↵↵c
line break ¦ <p>a<br>b</p> ¦ a\\↵b
line break at the start ¦ <p><br>a</p> ¦ a
line break at the end ¦ <p>a<br></p><p>b</p> ¦ a↵↵b
line break before a block ¦ a<br><div>b</div> ¦ a↵↵b
line breaks in a row ¦ a<br><br>b ¦ a\\↵\\↵b
line breaks with a blank between them ¦ a<br> <br>b ¦ a\\↵\\↵b
line break at the end of emphasis ¦ <b>a<br></b>b ¦ **a**\\↵b
details that are closed ¦ <details><summary>a</summary>b<p>c</p></details> ¦ a
description list ¦ <dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl> ¦ a↵: b↵↵c↵: d
paragraph in a description ¦ <dl><dt>a</dt><dd><p>b</p><p>c</p></dd></dl> ¦ a↵: b↵↵  c
role none takes the meaning away ¦ <h2 role="none">a</h2> ¦ a
# code
block ¦ <pre>a↵  b↵</pre> ¦ \`\`\`↵a↵  b↵\`\`\`
block with a language ¦ <pre><code class="language-js">a</code></pre> ¦ \`\`\`js↵a↵\`\`\`
language around the block ¦ <div class="highlight-source-ts"><pre>a</pre></div> ¦ \`\`\`ts↵a↵\`\`\`
block with line breaks ¦ <pre>a<br>b</pre> ¦ \`\`\`↵a↵b↵\`\`\`
block that holds fences ¦ <pre>\`\`\`↵a↵\`\`\`</pre> ¦ \`\`\`\`↵\`\`\`↵a↵\`\`\`↵\`\`\`\`
empty block ¦ <pre> ↵ </pre>a ¦ a
block in a list ¦ <ul><li>a<pre>b↵c</pre></li></ul> ¦ - a↵↵  \`\`\`↵  b↵  c↵  \`\`\`
block in a quote ¦ <blockquote><pre>b↵↵c</pre></blockquote> ¦ > \`\`\`↵> b↵>↵> c↵> \`\`\`
inline ¦ a <code>b  c</code> d ¦ a \`b c\` d
inline that begins with a backtick ¦ <code>\`a</code> ¦ \`\` \`a \`\`
inline without text ¦ a<code> </code>b ¦ ab
inline with blanks at its ends ¦ a<code> b </code>c ¦ a \`b\` c
inline that is a link ¦ <code><a href="/x">a</a></code> ¦ [\`a\`](http://page.test/x)
is not escaped ¦ <code>*a_b*</code> ¦ \`*a_b*\`
keyboard, sample ¦ <kbd>a</kbd> <samp>b</samp> ¦ \`a\` \`b\`
button in a block is left out ¦ <pre>a<button>Copy</button></pre> ¦ \`\`\`↵a↵\`\`\`
# emphasis
strong ¦ a <b>b</b> <strong>c</strong> d ¦ a **b** **c** d
emphasis ¦ a <i>b</i> <em>c</em> <cite>d</cite> e ¦ a *b* *c* *d* e
deleted ¦ <del>a</del> <s>b</s> ¦ ~~a~~ ~~b~~
struck by style ¦ <style>.old{text-decoration-line:line-through}</style><b class="old">9 €</b> 7 € ¦ ~~9 €~~ 7 €
blanks at the ends move out ¦ a<b> b </b>c ¦ a **b** c
the same in itself ¦ <b>a <strong>b</strong> c</b> ¦ **a b c**
empty ¦ a<b></b>b ¦ ab
with a block in it ¦ <b>a<div>b</div>c</b> ¦ **a**↵↵**b**↵↵**c**
that ends with punctuation before a letter ¦ <b>a:</b>b ¦ **a**:b
in brackets before a letter ¦ <b>(a)</b>b ¦ (**a**)b
of punctuation alone ¦ a<b>!</b>b ¦ a!b
that ends with a link before a letter ¦ <b>a <a href="/x">b</a></b>c ¦ **a [b](http://page.test/x)**&#x63;
of another kind right after it ¦ <b>a</b><i>b</i> ¦ **a**b
around a blank that is not collapsed ¦ a<b>\u2003b\u2003</b>c ¦ a\u2003**b**\u2003c
quotes ¦ <q>a</q> ¦ “a”
superscript and subscript ¦ x<sup>2</sup> H<sub>2</sub>O ¦ x^2 H2O
superscript before a letter ¦ 10<sup>6</sup>V ¦ 10^(6)V
superscript in brackets ¦ 2<sup>(n+1)</sup> ¦ 2^(n+1)
superscript of an ordinal and a mark of trade ¦ 1<sup>st</sup> a<sup>®</sup> ¦ 1st a®
superscript that refers to a note ¦ a<sup>[1]</sup> b<sup>*</sup> ¦ a\\[1] b\\*
index before a digit ¦ log<sub>2</sub>8 ¦ log_(2)8
index of letters ¦ a<sub>n</sub> a<sub>n+1</sub> ¦ a_n a_(n+1)
readings of words ¦ <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> ¦ 漢(kan)
mark, small and abbr are their text ¦ <mark>a</mark> <small>b</small> <abbr title="x">c</abbr> ¦ a b c
# links
around a decoration ¦ <a href="/x"><img src="/i.png" alt="" width="9" height="9"></a> ¦ [![](http://page.test/i.png)](http://page.test/x)
link ¦ <a href="/x">a</a> ¦ [a](http://page.test/x)
without an address ¦ <a>a</a> ¦ a
to a script ¦ <a href="javascript:x()">a</a> ¦ a
to a script in disguise ¦ <a href=" java↵script:x()">a</a> ¦ a
with parentheses in the address ¦ <a href="/x_(y)">a</a> ¦ [a](http://page.test/x_\\(y\\))
without text ¦ <a href="/x"></a> ¦
named by a label ¦ <a href="/x" aria-label="A"></a> ¦ [A](http://page.test/x)
around a picture ¦ <a href="/x"><img src="/i.png" alt="A" width="9" height="9"></a> ¦ [![A](http://page.test/i.png)](http://page.test/x)
around blocks ¦ <a href="/x"><h3>a</h3><p>b</p></a> ¦ ### [a](http://page.test/x)↵↵b
with brackets in its text ¦ <a href="/x">a [b]</a> ¦ [a \\[b\\]](http://page.test/x)
link in bold ¦ <b><a href="/x">a</a></b> ¦ **[a](http://page.test/x)**
links are not asked for ¦ <a href="/x">a</a> ¦ a ¦ {"include_links":false}
area of a map is not text ¦ <map name="m"><area href="/x" alt="a"></map>b ¦ b
drawn link ¦ <svg width="50" height="20"><a href="/x"><text y="10">a</text></a></svg> ¦ [a](http://page.test/x)
# pictures
picture ¦ <img src="/a.png" alt="A" width="9" height="9"> ¦ ![A](http://page.test/a.png)
with brackets in its text ¦ <img src="/a.png" alt="[A]" width="9" height="9"> ¦ ![\\[A\\]](http://page.test/a.png)
without text ¦ <img src="/a.png" width="9" height="9"> ¦ ![](http://page.test/a.png)
decoration ¦ a<img src="/a.png" alt="" width="9" height="9"> ¦ a
links are not asked for ¦ <img src="/a.png" alt="A" width="9" height="9"> ¦ ![A]() ¦ {"include_links":false}
drawing with a title ¦ <svg width="9" height="9"><title>A</title><rect width="9" height="9"/></svg> ¦ ![A]()
canvas and video ¦ <canvas aria-label="A" width="9" height="9"></canvas><video title="B" width="9" height="9"></video> ¦ ![A]()![video: B]()
# formulas
sum ¦ <math><munderover><mo>∑</mo><mn>0</mn><mi>n</mi></munderover><mi>i</mi></math> ¦ ∑\\_0^n i
# controls
button inputs ¦ <input type="submit"><input type="button" value="a"> ¦ [Submit] [a]
check boxes ¦ <input type="checkbox"> a <input type="checkbox" checked> b ¦ [ ] a [x] b
radio buttons ¦ <input type="radio"> a <input type="radio" checked> b ¦ ( ) a (x) b
text field ¦ a <input value="b"> ¦ a [b]
empty text field with a placeholder ¦ <input placeholder="a"> ¦ [a]
password ¦ <input type="password" value="secret"> ¦ [••••]
value with brackets ¦ <input value="a]*b"> ¦ [a\\]\\*b]
select ¦ <select><option>a<option selected>b</select> ¦ [b]
select of several ¦ <select multiple><option selected>a<option selected>b</select> ¦ [a, b]
button elements ¦ a<button>b</button>c ¦ a [b] c
button with a label only ¦ <button aria-label="a"><svg width="9" height="9"></svg></button> ¦ [a]
hidden input ¦ <input type="hidden" value="a">b ¦ b
meter ¦ <meter value="0.5"></meter> <progress value="2" max="4"></progress> ¦ [0.5] [2]
value of one blank ¦ <input value=" "> ¦ [ ]
# text
stars ¦ *a* **b** ¦ \\*a\\* \\*\\*b\\*\\*
underscores within words ¦ a_b_c ¦ a_b_c
underscores around words ¦ _a_ ¦ \\_a\\_
brackets ¦ [a](b) ¦ \\[a](b)
backticks ¦ \`a\` ¦ \\\`a\\\`
tags as text ¦ &lt;b&gt;a ¦ \\<b>a
character references as text ¦ &amp;amp; ¦ \\&amp;
hash ¦ # a ¦ \\# a
hash within a word ¦ #a ¦ #a
numbers ¦ 1. a ¦ 1\\. a
dash ¦ - a ¦ \\- a
quote ¦ > a ¦ \\> a
dashes after a line break ¦ a<br>--- ¦ a\\↵\\---
equal signs after a line break ¦ a<br>=== ¦ a\\↵\\===
pipe ¦ | a | b | ¦ \\| a | b |
tildes ¦ ~~a~~ ¦ \\~\\~a\\~\\~
backslash before a sign ¦ \\* ¦ \\\\\\*
a number whose dot is in another element ¦ <i></i>1<span>. a</span> ¦ 1\\. a
character references over two elements ¦ &amp;<span>lt;</span> ¦ \\&lt;
exclamation mark before a link ¦ a!<a href="/x">b</a> ¦ a\\![b](http://page.test/x)
parenthesis after a button ¦ <button>a</button>(b) ¦ [a] (b)
backslash at the end ¦ a\\<br>b ¦ a\\\\\\↵b
address with signs ¦ https://x.test/_a_(b)_c. ¦ <https://x.test/_a_(b)_c>.
address without a scheme ¦ www.x.test/_a_b ¦ www\\.x.test/\\_a_b
# lists
bullets ¦ <ul><li>a</li><li>b</li></ul> ¦ - a↵- b
that starts later ¦ <ol start="3"><li>a</li><li>b</li></ol> ¦ 3. a↵4. b
with a value ¦ <ol><li>a</li><li value="5">b</li><li>c</li></ol> ¦ 1. a↵5. b↵6. c
reversed from a start ¦ <ol reversed start="9"><li>a</li><li>b</li></ol> ¦ 9. a↵8. b
reversed ¦ <ol reversed><li>a</li><li>b</li></ol> ¦ 2. a↵1. b
in a list ¦ <ul><li>a<ul><li>b</li></ul></li><li>c</li></ul> ¦ - a↵  - b↵- c
straight inside numbers ¦ <ol><li>a</li><ol><li>b</li></ol><li>c</li></ol> ¦ 1. a↵   1. b↵2. c
one after the other ¦ <ul><li>a</li></ul><ul><li>b</li></ul> ¦ - a↵↵* b
numbers after numbers ¦ <ol><li>a</li></ol><ol><li>b</li></ol> ¦ 1. a↵↵1) b
paragraphs in items ¦ <ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul> ¦ - a↵↵  b↵- c
empty item ¦ <ul><li></li><li>a</li></ul> ¦ - a
item without a list ¦ <li>a</li> ¦ - a
heading in an item ¦ <ul><li><h3>a</h3>b</li></ul> ¦ - ### a↵↵  b
tasks ¦ <ul><li><input type="checkbox" checked> a</li></ul> ¦ - [x] a
by roles ¦ <div role="list"><div role="listitem">a</div><div role="listitem">b</div></div> ¦ - a↵- b
straight inside a list that has no item ¦ <ul><ul><li>a</li><li>b</li></ul></ul> ¦ - - a↵  - b
inside a list, in a box outside its items ¦ <ul><li>a</li><div><ul><li>b</li></ul></div></ul> ¦ - a↵  - b
numbers that start later, straight inside lists ¦ <ul><li>a</li><ul><li><ol start="2"><li>b</li></ol></li></ul></ul> ¦ - a↵↵  - 2. b
several straight inside a list ¦ <ul><li>a</li><ul><li>b</li></ul><ul><li>c</li></ul><li>d</li></ul> ¦ - a↵  - b↵  * c↵- d
straight inside a list in a cell ¦ <table><tr><th>a</th></tr><tr><td><ul><li>1</li><ul><li>2</li></ul></ul></td></tr></table> ¦ | a |↵| --- |↵| - 1<br>  - 2 |
text inside a list, outside its items ¦ <ul><li>a</li>b<li>c</li></ul> ¦ - a↵↵b↵↵- c
text after a list in an item ¦ <ul><li>a<ul><li>b</li></ul>c</li><li>d</li></ul> ¦ - a↵  - b↵↵  c↵- d
numbers that start later in an item ¦ <ul><li>a<ol start="3"><li>b</li></ol></li></ul> ¦ - a↵↵  3. b
rule in an item ¦ <ul><li><hr>a</li></ul> ¦ - ***↵↵  a
text that looks like a marker ¦ <ul><li>- a</li><li>1. b</li><li>[x] c</li></ul> ¦ - \\- a↵- 1\\. b↵- \\[x] c
of ten ¦ <ol start="9"><li>a</li><li>b<p>c</p></li></ol> ¦ 9. a↵10. b↵↵    c
that starts below zero ¦ <ol start="-1"><li>a</li><li>b</li><li>c</li></ol> ¦ 0. a↵0. b↵1. c
# tables
without a head ¦ <table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table> ¦ |  |  |↵| --- | --- |↵| 1 | 2 |↵| 3 | 4 |
with headers in the first row ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ | a | b |↵| --- | --- |↵| 1 | 2 |
with headers in the first column ¦ <table><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></table> ¦ |  |  |↵| --- | --- |↵| a | 1 |↵| b | 2 |
with a caption ¦ <table><caption>C</caption><tr><th>a</th></tr><tr><td>1</td></tr></table> ¦ C↵↵| a |↵| --- |↵| 1 |
that spans columns ¦ <table><tr><th colspan="2">a</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ | a |  |↵| --- | --- |↵| 1 | 2 |
that spans rows ¦ <table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table> ¦ | a | b |↵| --- | --- |↵| 1 | 2 |↵|  | 3 |
with missing cells ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table> ¦ | a | b |↵| --- | --- |↵| 1 |  |
with alignment ¦ <table><tr><th align="left">a</th><th align="center">b</th><th style="text-align:right">c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table> ¦ | a | b | c |↵| :-- | :-: | --: |↵| 1 | 2 | 3 |
with pipes ¦ <table><tr><th>a</th></tr><tr><td>1|2 <code>3|4</code></td></tr></table> ¦ | a |↵| --- |↵| 1\\|2 \`3\\|4\` |
with line breaks ¦ <table><tr><th>a</th></tr><tr><td>1<br>2<p>3</p></td></tr></table> ¦ | a |↵| --- |↵| 1<br>2<br>3 |
with a list ¦ <table><tr><th>a</th></tr><tr><td><ul><li>1</li><li>2</li></ul></td></tr></table> ¦ | a |↵| --- |↵| - 1<br>- 2 |
with a block of code ¦ <table><tr><th>a</th></tr><tr><td><pre>1↵2</pre></td></tr></table> ¦ | a |↵| --- |↵| \`1 2\` |
that lays out by role ¦ <table role="presentation"><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table> ¦ a↵↵b↵↵c↵↵d
in a cell of a table of data ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x<table><tr><th>k</th><th>v</th></tr><tr><td>1|2</td><td><b>3</b></td></tr></table>y</td><td>z</td></tr></table> ¦ | a | b |↵| --- | --- |↵| x<br>k \\| v<br>1\\|2 \\| **3**<br>y | z |
in a table in a table of data ¦ <table><caption>c</caption><tr><td>a</td><td><table><tr><td>b</td><td><table><tr><td>d</td><td>e</td></tr></table></td></tr></table></td></tr></table> ¦ c↵↵|  |  |↵| --- | --- |↵| a | b \\| d \\| e |
of many cells in a table ¦ <table><tr><th>a</th></tr><tr><td><table>${'<tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr>'.repeat(5)}</table></td></tr></table> ¦ a↵↵|  |  |  |  |  |↵| --- | --- | --- | --- | --- |↵${Array.from({ length: 5 }, () => '| 1 | 2 | 3 | 4 | 5 |').join('↵')}
by roles ¦ <div role="table"><div role="row"><span role="columnheader">a</span><span role="columnheader">b</span></div><div role="row"><span role="cell">1</span><span role="cell">2</span></div></div> ¦ | a | b |↵| --- | --- |↵| 1 | 2 |
in a list ¦ <ul><li>x<table><tr><th>a</th></tr><tr><td>1</td></tr></table></li></ul> ¦ - x↵↵  | a |↵  | --- |↵  | 1 |
empty ¦ <table><tr><th></th></tr><tr><td></td></tr></table>a ¦ a
with a hidden column ¦ <table><tr><th>a</th><th hidden>b</th></tr><tr><td>1</td><td hidden>2</td></tr></table> ¦ | a |↵| --- |↵| 1 |
with a row of the foot ¦ <table><thead><tr><th>a</th></tr></thead><tfoot><tr><td>9</td></tr></tfoot><tbody><tr><td>1</td></tr></tbody></table> ¦ | a |↵| --- |↵| 9 |↵| 1 |
with two header rows ¦ <table><thead><tr><th>a</th><th>b</th></tr><tr><th>c</th><th>d</th></tr></thead><tr><td>1</td><td>2</td></tr></table> ¦ | a | b |↵| --- | --- |↵| c | d |↵| 1 | 2 |
# frames
of this origin ¦ <p>a</p><iframe srcdoc="<p>b"></iframe><p>c</p> ¦ a↵↵[frame http://page.test]↵↵b↵↵[end of frame http://page.test]↵↵c
that is tiny ¦ a<iframe srcdoc="x" width="1" height="1"></iframe>b ¦ ab
# shadow trees
replace the content of their hosts ¦ <div><template shadowrootmode="open"><p>a</p></template>b</div> ¦ a
show assigned content in slots ¦ <div><template shadowrootmode="open">a <slot></slot> c</template><b>b</b></div> ¦ a **b** c
`;
