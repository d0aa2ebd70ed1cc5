/** The content of a body, and the lines of its skeleton. */
export const SKELETON_CASES = `
# elements
elements are below it ¦ <div>a<b>b</b>c</div> ¦ <div>↵ a↵ <b>b</b>↵ c↵</div>
text is escaped ¦ <p>&lt;!-- a --&gt;</p> ¦ <p>&lt;!-- a --&gt;</p>
# text
is left out ¦ <p>a</p> ¦ <p></p> ¦ {"text_length":0}
is cut ¦ <p>aaa bbb ccc ddd</p> ¦ <p>aaa bbb …</p> ¦ {"text_length":10}
of a closed details is not shown ¦ <details><summary>a</summary>b</details> ¦ <details>↵ <summary>a</summary>↵</details>
# attributes
of tests stay ¦ <p data-testid="a">b</p> ¦ <p data-testid="a">b</p>
that name elements ¦ <p id="a" class="b c">d</p> ¦ <p id="a" class="b c">d</p>
of style and handlers go ¦ <p style="color:red" onclick="x()">a</p> ¦ <p>a</p>
of data that is long go ¦ <p data-x="${'a'.repeat(41)}">b</p> ¦ <p>b</p>
script addresses go ¦ <a href="javascript:x()">a</a> ¦ <a>a</a>
inline data goes ¦ <img src="data:image/gif;base64,AAAA" alt="a"> ¦ <img src="data:…" alt="a">
credentials in addresses go ¦ <a href="https://me:secret@x.test/y">a</a> ¦ <a href="https://x.test/y">a</a>
values that a person entered go ¦ <input value="a" name="b"> ¦ <input name="b">
values are escaped ¦ <p title="a&quot;&gt;&lt;b">c</p> ¦ <p title="a&quot;&gt;&lt;b">c</p>
# hidden
is marked once ¦ <div hidden title="x"><p>a</p></div> ¦ <div hidden><!-- hidden -->↵ <p></p>↵</div>
by style ¦ <p style="display:none">a</p> ¦ <p><!-- hidden --></p>
# repetition
three are one and a number ¦ <ul><li>a</li><li>a</li><li>a</li></ul> ¦ <ul>↵ <li>a</li>↵ <!-- 2 more like this -->↵</ul>
# depth
is bounded ¦ <div><p><b>a</b></p></div> ¦ <div>↵ <!-- 2 elements deeper -->↵</div> ¦ {"max_depth":2}
# shadow trees
are written as templates ¦ <div><template shadowrootmode="open"><p>a</p></template>b</div> ¦ <div>↵ <template shadowrootmode="open">↵  <p>a</p>↵ </template>↵</div>
# frames
of this origin ¦ <iframe srcdoc="<p>a"></iframe> ¦ <iframe>↵ <!-- frame of http://page.test -->↵ <html>↵  <body>↵   <p>a</p>↵  </body>↵ </html>↵</iframe>
`;

/** States that Chromium does not report; `aria/state-cases.ts` has the others. */
export const STATE_CASES = `
in the legend of what is disabled ¦ <fieldset disabled><legend><input t></legend></fieldset> ¦
read only does not apply ¦ <input t type="checkbox" readonly> ¦
sorted ¦ <table><tr><th t aria-sort="ascending">a</th><th t aria-sort="none">b</th><th t aria-sort="other">c</th></tr></table> ¦ sort ascending |  | sort other
current ¦ <a t href="/x" aria-current="true">a</a><a t href="/x" aria-current="page">a</a> ¦ current | current page
level ¦ <div t role="treeitem" aria-level="2">a</div><h2 t aria-level="3">b</h2> ¦ level 2 |
`;

/** A page, and what a crawl learns of it. */
export const SURVEY_CASES = `
links ¦ <a href="/x">a <b>b</b></a><a href="y" rel="NoFollow">c</a> ¦ {"links":[{"url":"http://page.test/x","text":"a b"},{"url":"http://page.test/y","text":"c","rel":"nofollow"}]}
no fragments, scripts and mail ¦ <a href="#x">a</a><a href="javascript:x()">b</a><a href="mailto:x@y">c</a><a>d</a> ¦ {"links":[]}
text of a picture ¦ <a href="/x"><img alt="a"></a> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
next and previous ¦ <link rel="next" href="/2"><link rel="prev" href="/0"><link rel="stylesheet" href="/s.css"> ¦ {"links":[{"url":"http://page.test/2","text":"","rel":"next"},{"url":"http://page.test/0","text":"","rel":"prev"}]}
canonical ¦ <link rel="canonical" href="/x"><link rel="canonical" href="/y"> ¦ {"canonical":"http://page.test/x","links":[]}
robots ¦ <meta name="robots" content="NoIndex, nofollow"><meta name="ROBOTS" content="noindex"> ¦ {"robots":["noindex","nofollow"]}
a refresh ¦ <meta http-equiv="refresh" content="5; url=/x"> ¦ {"links":[{"url":"http://page.test/x","text":"","rel":"refresh"}]}
a shadow tree ¦ <div><template shadowrootmode="open"><a href="/x">a</a></template></div> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
a title ¦ <title> a  b </title> ¦ {"title":"a b"}
`;

/** A page, and where its next page is: an address, a control, or nowhere. */
export const NEXT_CASES = `
link of the head ¦ <head><link rel="next" href="/2"></head> ¦ http://page.test/2
link by rel ¦ <a rel="next" href="/2">a</a> ¦ http://page.test/2
link that says so ¦ <nav><a href="/0">Previous</a><a href="/2">Next</a></nav> ¦ http://page.test/2
number after the current one ¦ <div class="pagination"><a href="/1">1</a><span class="current">2</span><a href="/3">3</a></div> ¦ http://page.test/3
the last page ¦ <div class="pagination"><a href="/1">1</a><span class="current">2</span></div> ¦
disabled link ¦ <nav><a class="disabled" href="/2">Next</a></nav> ¦
button that loads more ¦ <button id="m">Load more</button> ¦ #m
nothing ¦ <a href="/x">a</a> ¦
`;

/** A page, a selector, and the ids of the outermost elements that it names. */
export const SELECT_CASES = `
in document order ¦ <p id="a"></p><div id="b"></div><p id="c"></p> ¦ div,p ¦ a b c
in a shadow tree ¦ <div><template shadowrootmode="open"><p id="a"></p></template></div> ¦ p ¦ a
the page before shadow trees ¦ <p id="a"></p><div><template shadowrootmode="open"><p id="b"></p></template></div> ¦ p ¦ a
nothing ¦ <p></p> ¦ div ¦ selector_not_found: No element of http://page.test/ matches selector div.
too deep ¦ <p></p> ¦ ${':is('.repeat(2_000)}p${')'.repeat(2_000)} ¦ selector_invalid: selector ${':is('.repeat(20)}… is nested too deep.
`;
