/** Roles that an author takes away, parts of drawings, cells of grids, rows of tables, and references that count twice, across trees or by script. */
export const KEPT_ROLE_CASES = `
# role none on what can have the focus
fields and lists of choices ¦ <select t role="none" aria-label="a"><option>x</option></select><textarea t role="presentation" aria-label="b"></textarea>
summary of details ¦ <details open><summary t role="none">More</summary>x</details>
a frame with a title ¦ <iframe t role="none" title="Map"></iframe>
picture that is tabbable ¦ <img t role="none" tabindex="0" alt="Mill" src="data:,">
picture that only scripts focus ¦ <img t role="none" tabindex="-1" alt="Mill" src="data:,">
fieldset that is disabled ¦ <fieldset t role="none" disabled><legend>G</legend><input></fieldset>
row and cell ¦ <table><tr><th>a</th><th>b</th></tr><tr t role="none" tabindex="0"><td t role="none" tabindex="-1">x</td><td>y</td></tr></table>
cell of a table that lays out ¦ <table role="none"><tr><td t tabindex="0">x</td><td t>y</td></tr></table>
items of a list without its role ¦ <ol role="presentation"><li t>a</li><li t aria-label="B">b</li></ol>
list in an item of a list without its role ¦ <ul role="none"><li>a<ul t><li t>b</li></ul></li></ul>
reference that leads nowhere ¦ <nav t role="none" aria-labelledby="gone">x</nav>
reference that leads to something ¦ <b id="a">One</b><nav t role="none" aria-labelledby="a">x</nav>
label of no length ¦ <nav t role="none" aria-label="">x</nav>
inside a disabled fieldset ¦ <fieldset disabled><button t role="none">a</button></fieldset>
editable as plain text ¦ <h2 t role="none" contenteditable="plaintext-only">x</h2>
# more parts of drawings
text ¦ <svg width="50" height="50"><text t y="9">Go</text></svg>
text with a label ¦ <svg width="50" height="50"><text t y="9" aria-label="L">Go</text></svg>
group of role img ¦ <svg width="50" height="50"><g t role="img"><title>G</title><rect width="5" height="5"/></g></svg>
link without an address ¦ <svg width="50" height="50"><a t><text y="9">Go</text></a></svg>
link of the older kind ¦ <svg width="50" height="50"><a t xlink:href="/x"><text y="9">Go</text></a></svg>
use with a title ¦ <svg width="50" height="50"><defs><rect id="r" width="5" height="5"/></defs><use t href="#r"><title>U</title></use></svg>
shape with an empty title ¦ <svg width="50" height="50"><rect t width="5" height="5"><title> </title></rect></svg>
ellipse, line, polygon and polyline ¦ <svg width="50" height="50"><ellipse t rx="5" ry="3" aria-label="a"/><line t x2="9" y2="9" stroke="red" aria-label="b"/><polygon t points="0,0 5,5 0,5" aria-label="c"/><polyline t points="0,0 5,5 0,5" aria-label="d"/></svg>
whole drawing of role none ¦ <svg t role="none" width="9" height="9"><title>S</title><rect width="9" height="9"/></svg>
whole drawing that can have the focus ¦ <svg t role="presentation" tabindex="0" aria-label="S" width="9" height="9"><rect width="9" height="9"/></svg>
drawing in a button ¦ <button t><svg width="9" height="9"><title>Close</title><rect width="9" height="9"/></svg></button>
drawing in a link, named by reference ¦ <a t href="/x"><svg role="img" aria-labelledby="s d" width="9" height="9"><title id="s">Sail</title><desc id="d">white</desc></svg></a>
# cells of grids
selected and focusable ¦ <table role="grid" aria-label="G"><tbody><tr><td t tabindex="0" aria-selected="true">x</td><td t tabindex="-1">y</td></tr></tbody></table>
headers ¦ <table role="grid" aria-label="G"><tr><th t>A</th><th t>B</th></tr><tr><th t scope="row">c</th><td t>d</td></tr></table>
header that sorts ¦ <table role="grid" aria-label="G"><tr><th t aria-sort="ascending"><button t>A</button></th></tr></table>
cell with a link and a button ¦ <table role="grid" aria-label="G"><tr><td t><a href="/x">Ann</a> <button>Edit</button></td></tr></table>
cell with a label ¦ <div role="grid" aria-label="G"><div t role="row"><div t role="gridcell" aria-label="L">x</div></div></div>
cell of a grid in a table ¦ <table><tr><td t role="gridcell">x</td></tr></table>
body without its role ¦ <table role="grid" aria-label="G"><tbody role="presentation"><tr t><td t>x</td></tr></tbody></table>
treegrid with levels ¦ <table role="treegrid" aria-label="G"><tr t aria-level="1" aria-expanded="true"><td t>x</td></tr></table>
# references set by script
over a label ¦ <b id="a">One</b><input t aria-label="x" data-label="#a">
over the label of a field ¦ <b id="a">One</b><label>Two <input t data-label="#a"></label>
to nothing ¦ <button t data-label=".gone" aria-label="L">x</button>
on a region ¦ <b id="a">One</b><section t data-label="#a">x</section>
on a role that is taken away ¦ <b id="a">One</b><nav t role="none" data-label="#a">x</nav>
to a part that is hidden ¦ <b id="a" hidden>One</b><button t data-label="#a">x</button>
on a table and a drawing ¦ <b id="a">One</b><table t data-label="#a"><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><svg t role="img" data-label="#a" width="9" height="9"><rect width="9" height="9"/></svg>
# parts of drawings
shapes with a title ¦ <svg width="50" height="50"><rect t width="9" height="9"><title>R</title></rect><path t d="M0 0L5 5"><title>P</title></path><circle t r="5"/></svg>
shapes that take the focus ¦ <svg width="50" height="50"><rect t tabindex="0" width="9" height="9"/></svg>
shapes with a description alone ¦ <svg width="50" height="50"><path t d="M0 0L5 5"><desc>D</desc></path></svg>
groups ¦ <svg width="50" height="50"><g t><title>G</title><rect width="5" height="5"/></g><g t><rect width="5" height="5"/></g></svg>
groups with a role ¦ <svg width="50" height="50"><g t role="button" tabindex="0"><title>B</title><rect width="5" height="5"/></g></svg>
pictures ¦ <svg width="50" height="50"><image t href="data:," width="5" height="5"/><image t href="data:," width="5" height="5"><title>I</title></image></svg>
links ¦ <svg width="50" height="50"><a t href="/x"><title>L</title><rect width="5" height="5"/></a></svg>
graphics roles ¦ <svg t role="graphics-document" aria-label="x" width="9" height="9"><rect t role="graphics-symbol" aria-label="y" width="5" height="5"/><g t role="graphics-object" aria-label="z"><rect width="5" height="5"/></g></svg>
# rows and terms
row of a grid ¦ <table role="grid"><tr t><td>a</td><td>b</td></tr></table>
row of a treegrid ¦ <div role="treegrid"><div t role="row"><span role="gridcell">x</span></div></div>
row of a group in a grid ¦ <div role="grid"><div role="rowgroup"><div t role="row"><span role="gridcell">x</span></div></div></div>
row of a table ¦ <div role="table"><div t role="row"><span role="cell">x</span></div></div>
# references that count again
in a row ¦ <div role="grid"><div t role="row"><span role="gridcell"><a id="a" href="/x">Ann</a></span><span role="gridcell"><b id="b" role="button" tabindex="0" aria-label="Remove" aria-labelledby="b a">x</b></span></div></div>
set by script into another tree ¦ <b id="a">One</b><div><template shadowrootmode="open"><button t data-label="#a">x</button></template></div>
# decorations part no words
in a link ¦ <a t href="/x">(<img src="data:," alt="">reload)</a>
a picture parts them ¦ <a t href="/x">(<img src="data:," alt="x">reload)</a>
`;
