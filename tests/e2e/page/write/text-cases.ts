import { PIXEL } from './pixel.ts';

/** Small pages and what a person reads in them. */
export const TEXT_CASES = `
# blocks
paragraphs ¦ <p>a</p><p>b</p> ¦ a↵↵b
line break ¦ a<br>b ¦ a↵b
preformatted text ¦ <pre>a↵  b↵↵c</pre> ¦ a↵  b↵↵c
no syntax is escaped ¦ # a *b* [c] 1. d ¦ # a *b* [c] 1. d
# lists
numbers ¦ <ol><li>a</li><li>b</li></ol> ¦ 1. a↵2. b
that starts later ¦ <ol start="5"><li>a</li><li value="9">b</li><li>c</li></ol> ¦ 5. a↵9. b↵10. c
# tables
rows ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ a\tb↵1\t2
empty cell between ¦ <table><tr><td>1</td><td></td><td>3</td></tr><tr><td>4</td><td>5</td><td>6</td></tr></table> ¦ 1\t\t3↵4\t5\t6
in a cell of a table of data ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x<table><caption>c</caption><tr><th>k</th><th>v</th></tr><tr><td>1</td><td><p>3</p><p>4</p></td></tr></table>y</td><td>z</td></tr></table> ¦ a\tb↵x c; k | v; 1 | 3 4 y\tz
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

/** Small pages and the inside of their cleaned markup. */
export const HTML_CASES = `
# elements
scripts and styles go ¦ <script>x</script><style>y{}</style><template>z</template>a ¦ a
what is hidden goes ¦ <p hidden>a</p><p>b</p> ¦ <p>b</p>
what is hidden is asked for ¦ <p hidden>a</p> ¦ <p hidden>a</p> ¦ {"include_hidden":true}
text is escaped ¦ a &lt; b &amp; c &gt; d ¦ a &lt; b &amp; c &gt; d
drawings keep their shape ¦ <svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"></path></svg> ¦ <svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"></path></svg>
# attributes
handlers go ¦ <p onclick="x()" id="i">a</p> ¦ <p id="i">a</p>
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
export const NODES_CASES = `
text straight inside ¦ <p>a <b>b</b> c</p> ¦ {"role":"paragraph","tag":"p","text":"a c"} | {"role":"generic","tag":"b","text":"b"}
a link ¦ <a href="/x">a</a> ¦ {"role":"link","tag":"a","name":"a","text":"a","attributes":{"href":"http://page.test/x"}}
a field ¦ <input aria-label="a" value="b"> ¦ {"role":"textbox","tag":"input","name":"a","attributes":{"aria-label":"a","value":"b"},"value":"b"}
a tooltip that says the name again ¦ <button title="a">a</button> ¦ {"role":"button","tag":"button","name":"a","text":"a","attributes":{"title":"a"}}
a password ¦ <input type="password" aria-label="a" value="b"> ¦ {"role":"password","tag":"input","name":"a","attributes":{"type":"password","aria-label":"a"}}
a table ¦ <table><tr><td>a</td></tr></table> ¦ {"role":"table","tag":"table"} | {"role":"rowgroup","tag":"tbody"} | {"role":"row","tag":"tr"} | {"role":"cell","tag":"td","text":"a"}
a shadow tree ¦ <div><template shadowrootmode="open"><i>a</i><slot></slot></template><b>b</b></div> ¦ {"role":"generic","tag":"div"} | {"role":"generic","tag":"i","text":"a"} | {"role":"generic","tag":"b","text":"b"}
what is folded away ¦ <details><summary>a</summary>b</details> ¦ {"role":"group","tag":"details"} | {"role":"summary","tag":"summary","name":"a","text":"a","states":["collapsed"]}
`;

/** Heads of pages, and what is written of them next to the encoding. */
export const HEAD_CASES = `
without scripts ¦ <script>x</script><script type="application/ld+json">{}</script><noscript><link></noscript> ¦
with title and names ¦ <title>a &lt;b></title><meta name="author" content="c&quot;"> ¦ <title>a &lt;b&gt;</title><meta name="author" content="c&quot;">
with absolute addresses ¦ <link rel="canonical" href="/x"><base href="/y/"> ¦ <link rel="canonical" href="http://page.test/x"><base href="http://page.test/y/">
with styles that end where they ended ¦ <style>p { color: red } /* <b> */</style> ¦ <style>p { color: red } /* <b> */</style>
without encodings and ways out ¦ <meta charset="latin1"><meta http-equiv=" Refresh" content="9;url=/x"><meta http-equiv="content-type" content="text/html"> ¦
`;
