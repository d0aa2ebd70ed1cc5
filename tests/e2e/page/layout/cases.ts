/** The content of a body, and the lines of its skeleton. */
export const SKELETON_CASES = `
# elements
elements are below it ¦ <div>a<b>b</b>c</div> ¦ <div>↵ a↵ <b>b</b>↵ c↵</div>
void elements ¦ <hr><input> ¦ <hr>↵<input>
white space collapses ¦ <p> a ↵ b </p> ¦ <p>a b</p>
text is escaped ¦ <p>&lt;!-- a --&gt;</p> ¦ <p>&lt;!-- a --&gt;</p>
comments go ¦ <p>a<!-- b -->c</p> ¦ <p>ac</p>
a script parts no text ¦ <p>a<script>x</script>b</p> ¦ <p>ab</p>
textareas are opaque ¦ <textarea>a</textarea> ¦ <textarea></textarea>
drawings say their title ¦ <svg><title>a</title><path d="M0 0"/></svg> ¦ <svg><title>a</title></svg>
drawings say what they use ¦ <svg><use href="#i"/></svg> ¦ <svg><use href="#i"></use></svg>
names with strange signs ¦ <a&b>c</a&b> ¦ <a_b>c</a_b>
options say their text ¦ <select><option value="1">a</option></select> ¦ <select>↵ <option value="1">a</option>↵</select>
# text
is left out ¦ <p>a</p> ¦ <p></p> ¦ {"text_length":0}
is cut ¦ <p>aaa bbb ccc ddd</p> ¦ <p>aaa bbb …</p> ¦ {"text_length":10}
of a closed details is not shown ¦ <details><summary>a</summary>b</details> ¦ <details>↵ <summary>a</summary>↵</details>
# attributes
of tests stay ¦ <p data-testid="a">b</p> ¦ <p data-testid="a">b</p>
that name elements ¦ <p id="a" class="b c">d</p> ¦ <p id="a" class="b c">d</p>
of style and handlers go ¦ <p style="color:red" onclick="x()">a</p> ¦ <p>a</p>
of trackers go ¦ <p data-ga-click="a" data-track="b">c</p> ¦ <p>c</p>
of data that is long go ¦ <p data-x="${'a'.repeat(41)}">b</p> ¦ <p>b</p>
of data beyond five go ¦ <p data-a="1" data-b="1" data-c="1" data-d="1" data-e="1" data-f="1">b</p> ¦ <p data-a="1" data-b="1" data-c="1" data-d="1" data-e="1">b</p>
empty class ¦ <p class=" ">a</p> ¦ <p>a</p>
many classes ¦ <p class="${'aaaaaaaaa '.repeat(20)}">a</p> ¦ <p class="${'aaaaaaaaa '.repeat(12)}…">a</p>
addresses stay as they are written ¦ <a href="../x?y">a</a> ¦ <a href="../x?y">a</a>
script addresses go ¦ <a href="javascript:x()">a</a> ¦ <a>a</a>
inline data goes ¦ <img src="data:image/gif;base64,AAAA" alt="a"> ¦ <img src="data:…" alt="a">
credentials in addresses go ¦ <a href="https://me:secret@x.test/y">a</a> ¦ <a href="https://x.test/y">a</a>
long addresses are cut ¦ <a href="/a/b/${'1'.repeat(60)}">a</a> ¦ <a href="/a/b/…">a</a>
values that a person entered go ¦ <input value="a" name="b"> ¦ <input name="b">
values to choose among stay ¦ <input type="radio" name="a" value="b"> ¦ <input type="radio" name="a" value="b">
values of buttons stay ¦ <input type="submit" value="a"> ¦ <input type="submit" value="a">
values are escaped ¦ <p title="a&quot;&gt;&lt;b">c</p> ¦ <p title="a&quot;&gt;&lt;b">c</p>
# hidden
display: contents is not hidden ¦ <div style="display:contents"><p>a</p></div> ¦ <div>↵ <p>a</p>↵</div>
is marked once ¦ <div hidden title="x"><p>a</p></div> ¦ <div hidden><!-- hidden -->↵ <p></p>↵</div>
by style ¦ <p style="display:none">a</p> ¦ <p><!-- hidden --></p>
hidden inputs are not hidden elements ¦ <input type="hidden" name="a" value="b"> ¦ <input type="hidden" name="a">
visible again ¦ <div style="visibility:hidden"><p style="visibility:visible">a</p></div> ¦ <div><!-- hidden -->↵ <p>a</p>↵</div>
# repetition
three are one and a number ¦ <ul><li>a</li><li>a</li><li>a</li></ul> ¦ <ul>↵ <li>a</li>↵ <!-- 2 more like this -->↵</ul>
the last one is named ¦ <ul><li id="i1">a</li><li id="i2">b</li><li id="i3">c</li></ul> ¦ <ul>↵ <li id="i1">a</li>↵ <!-- 2 more like this, the last #i3 -->↵</ul>
alternating ones ¦ <dl><dt>a</dt><dd>1</dd><dt>b</dt><dd>2</dd><dt>c</dt><dd>3</dd></dl> ¦ <dl>↵ <dt>a</dt>↵ <dd>1</dd>↵ <!-- 4 more like those above -->↵</dl>
text between them goes too ¦ <p><b>a</b>, <b>b</b>, <b>c</b>.</p> ¦ <p>↵ <b>a</b>↵ ,↵ <!-- 2 more like this -->↵ .↵</p>
# depth
is bounded ¦ <div><p><b>a</b></p></div> ¦ <div>↵ <!-- 2 elements deeper -->↵</div> ¦ {"max_depth":2}
# shadow trees
are written as templates ¦ <div><template shadowrootmode="open"><p>a</p></template>b</div> ¦ <div>↵ <template shadowrootmode="open">↵  <p>a</p>↵ </template>↵</div>
with slots ¦ <div><template shadowrootmode="open"><slot></slot></template>b</div> ¦ <div>↵ <template shadowrootmode="open">↵  <slot></slot>↵ </template>↵ b↵</div>
# frames
of this origin ¦ <iframe srcdoc="<p>a"></iframe> ¦ <iframe>↵ <!-- frame of http://page.test -->↵ <html>↵  <body>↵   <p>a</p>↵  </body>↵ </html>↵</iframe>
that are hidden ¦ <iframe hidden srcdoc="<p>a"></iframe> ¦ <iframe hidden><!-- hidden -->↵ <!-- frame of http://page.test -->↵ <html>↵  <body>↵   <p></p>↵  </body>↵ </html>↵</iframe>
`;

/** States that Chromium does not report; `aria/state-cases.ts` has the others. */
export const STATE_CASES = `
expanded is undefined ¦ <button t aria-expanded="undefined">a</button> ¦
in the legend of what is disabled ¦ <fieldset disabled><legend><input t></legend></fieldset> ¦
group that is disabled ¦ <fieldset t disabled></fieldset> ¦ disabled
read only does not apply ¦ <input t type="checkbox" readonly> ¦
required does not apply ¦ <input t type="range" required><input t type="submit" required> ¦  |
sorted ¦ <table><tr><th t aria-sort="ascending">a</th><th t aria-sort="none">b</th><th t aria-sort="other">c</th></tr></table> ¦ sort ascending |  | sort other
current ¦ <a t href="/x" aria-current="true">a</a><a t href="/x" aria-current="page">a</a> ¦ current | current page
level ¦ <div t role="treeitem" aria-level="2">a</div><h2 t aria-level="3">b</h2> ¦ level 2 |
empty attributes ¦ <button t aria-pressed="" aria-expanded="" aria-invalid="" aria-current="" aria-haspopup="">a</button> ¦
upper case ¦ <button t aria-pressed="TRUE">a</button> ¦ pressed
`;

/** A page, and what a crawl learns of it. */
export const SURVEY_CASES = `
links ¦ <a href="/x">a <b>b</b></a><a href="y" rel="NoFollow">c</a> ¦ {"links":[{"url":"http://page.test/x","text":"a b"},{"url":"http://page.test/y","text":"c","rel":"nofollow"}]}
each address once ¦ <a href="/x">a</a><a href="/x#y">b</a> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
no fragments, scripts and mail ¦ <a href="#x">a</a><a href="javascript:x()">b</a><a href="mailto:x@y">c</a><a>d</a> ¦ {"links":[]}
a base ¦ <base href="http://page.test/b/"><a href="x">a</a> ¦ {"links":[{"url":"http://page.test/b/x","text":"a"}]}
text of a picture ¦ <a href="/x"><img alt="a"></a> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
areas of a map ¦ <map><area href="/x" alt="a"></map> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
next and previous ¦ <link rel="next" href="/2"><link rel="prev" href="/0"><link rel="stylesheet" href="/s.css"> ¦ {"links":[{"url":"http://page.test/2","text":"","rel":"next"},{"url":"http://page.test/0","text":"","rel":"prev"}]}
canonical ¦ <link rel="canonical" href="/x"><link rel="canonical" href="/y"> ¦ {"canonical":"http://page.test/x","links":[]}
robots ¦ <meta name="robots" content="NoIndex, nofollow"><meta name="ROBOTS" content="noindex"> ¦ {"robots":["noindex","nofollow"]}
a refresh ¦ <meta http-equiv="refresh" content="5; url=/x"> ¦ {"links":[{"url":"http://page.test/x","text":"","rel":"refresh"}]}
a refresh with quotes ¦ <meta http-equiv="refresh" content="0;URL='/x'"> ¦ {"links":[{"url":"http://page.test/x","text":"","rel":"refresh"}]}
a refresh without a delay ¦ <meta http-equiv="refresh" content="; url=/x"> ¦ {"links":[]}
a refresh of the page itself ¦ <meta http-equiv="refresh" content="5"> ¦ {"links":[]}
a shadow tree ¦ <div><template shadowrootmode="open"><a href="/x">a</a></template></div> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
a title ¦ <title> a  b </title> ¦ {"title":"a b"}
`;

/** A page, and where its next page is: an address, a control, or nowhere. */
export const NEXT_CASES = `
link of the head ¦ <head><link rel="next" href="/2"></head> ¦ http://page.test/2
link by rel ¦ <a rel="next" href="/2">a</a> ¦ http://page.test/2
link that says so ¦ <nav><a href="/0">Previous</a><a href="/2">Next</a></nav> ¦ http://page.test/2
link that says so in another language ¦ <nav><a href="/2">Weiter ›</a></nav> ¦ http://page.test/2
link that says so by its label ¦ <nav><a href="/2" aria-label="Next page">→</a></nav> ¦ http://page.test/2
sign outside of a pager ¦ <p><a href="/2">»</a></p> ¦
link that says more than that ¦ <a href="/2">Next we cook</a> ¦
number after the current one ¦ <div class="pagination"><a href="/1">1</a><span class="current">2</span><a href="/3">3</a></div> ¦ http://page.test/3
the last page ¦ <div class="pagination"><a href="/1">1</a><span class="current">2</span></div> ¦
another origin ¦ <a rel="next" href="http://other.test/2">a</a> ¦
disabled link ¦ <nav><a class="disabled" href="/2">Next</a></nav> ¦
button that loads more ¦ <button id="m">Load more</button> ¦ #m
button of a form ¦ <form><button>Next</button></form> ¦
nothing ¦ <a href="/x">a</a> ¦
`;

/** A page, a selector, and the ids of the outermost elements that it names. */
export const SELECT_CASES = `
in document order ¦ <p id="a"></p><div id="b"></div><p id="c"></p> ¦ div,p ¦ a b c
outermost ones ¦ <div id="a"><div id="b"></div></div><div id="c"></div> ¦ div ¦ a c
in a shadow tree ¦ <div><template shadowrootmode="open"><p id="a"></p></template></div> ¦ p ¦ a
in a frame ¦ <iframe srcdoc='<p id="a">'></iframe> ¦ p ¦ a
the page before shadow trees ¦ <p id="a"></p><div><template shadowrootmode="open"><p id="b"></p></template></div> ¦ p ¦ a
nothing ¦ <p></p> ¦ div ¦ selector_not_found: No element of http://page.test/ matches selector div.
no selector ¦ <p></p> ¦ p[ ¦ selector_invalid: selector p[ is not a valid CSS selector.
`;
