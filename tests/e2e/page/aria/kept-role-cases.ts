/** Roles that an author takes away, parts of drawings, cells of grids, rows of tables, and references that count twice, across trees or by script. */
export const KEPT_ROLE_CASES = `
# role none on what can have the focus
fields and lists of choices ¦ <select t role="none" aria-label="a"><option>x</option></select><textarea t role="presentation" aria-label="b"></textarea>
a frame with a title ¦ <iframe t role="none" title="Map"></iframe>
picture that is tabbable ¦ <img t role="none" tabindex="0" alt="Mill" src="data:,">
row and cell ¦ <table><tr><th>a</th><th>b</th></tr><tr t role="none" tabindex="0"><td t role="none" tabindex="-1">x</td><td>y</td></tr></table>
items of a list without its role ¦ <ol role="presentation"><li t>a</li><li t aria-label="B">b</li></ol>
reference that leads nowhere ¦ <nav t role="none" aria-labelledby="gone">x</nav>
reference that leads to something ¦ <b id="a">One</b><nav t role="none" aria-labelledby="a">x</nav>
editable as plain text ¦ <h2 t role="none" contenteditable="plaintext-only">x</h2>
# more parts of drawings
text ¦ <svg width="50" height="50"><text t y="9">Go</text></svg>
group of role img ¦ <svg width="50" height="50"><g t role="img"><title>G</title><rect width="5" height="5"/></g></svg>
link without an address ¦ <svg width="50" height="50"><a t><text y="9">Go</text></a></svg>
shape with an empty title ¦ <svg width="50" height="50"><rect t width="5" height="5"><title> </title></rect></svg>
whole drawing of role none ¦ <svg t role="none" width="9" height="9"><title>S</title><rect width="9" height="9"/></svg>
drawing in a button ¦ <button t><svg width="9" height="9"><title>Close</title><rect width="9" height="9"/></svg></button>
drawing in a link, named by reference ¦ <a t href="/x"><svg role="img" aria-labelledby="s d" width="9" height="9"><title id="s">Sail</title><desc id="d">white</desc></svg></a>
# cells of grids
selected and focusable ¦ <table role="grid" aria-label="G"><tbody><tr><td t tabindex="0" aria-selected="true">x</td><td t tabindex="-1">y</td></tr></tbody></table>
headers ¦ <table role="grid" aria-label="G"><tr><th t>A</th><th t>B</th></tr><tr><th t scope="row">c</th><td t>d</td></tr></table>
header that sorts ¦ <table role="grid" aria-label="G"><tr><th t aria-sort="ascending"><button t>A</button></th></tr></table>
body without its role ¦ <table role="grid" aria-label="G"><tbody role="presentation"><tr t><td t>x</td></tr></tbody></table>
treegrid with levels ¦ <table role="treegrid" aria-label="G"><tr t aria-level="1" aria-expanded="true"><td t>x</td></tr></table>
# references set by script
over a label ¦ <b id="a">One</b><input t aria-label="x" data-label="#a">
over the label of a field ¦ <b id="a">One</b><label>Two <input t data-label="#a"></label>
on a region ¦ <b id="a">One</b><section t data-label="#a">x</section>
on a role that is taken away ¦ <b id="a">One</b><nav t role="none" data-label="#a">x</nav>
# parts of drawings
shapes with a title ¦ <svg width="50" height="50"><rect t width="9" height="9"><title>R</title></rect><path t d="M0 0L5 5"><title>P</title></path><circle t r="5"/></svg>
groups ¦ <svg width="50" height="50"><g t><title>G</title><rect width="5" height="5"/></g><g t><rect width="5" height="5"/></g></svg>
pictures ¦ <svg width="50" height="50"><image t href="data:," width="5" height="5"/><image t href="data:," width="5" height="5"><title>I</title></image></svg>
links ¦ <svg width="50" height="50"><a t href="/x"><title>L</title><rect width="5" height="5"/></a></svg>
# rows and terms
row of a grid ¦ <table role="grid"><tr t><td>a</td><td>b</td></tr></table>
# references that count again
in a row ¦ <div role="grid"><div t role="row"><span role="gridcell"><a id="a" href="/x">Ann</a></span><span role="gridcell"><b id="b" role="button" tabindex="0" aria-label="Remove" aria-labelledby="b a">x</b></span></div></div>
set by script into another tree ¦ <b id="a">One</b><div><template shadowrootmode="open"><button t data-label="#a">x</button></template></div>
# decorations part no words
in a link ¦ <a t href="/x">(<img src="data:," alt="">reload)</a>
`;
