import { PIXEL } from './pixel.ts';

export const SNAPSHOT_CASES = `
# text
raised and lowered parts ¦ 10<sup>-3</sup> x<sup>2</sup> 10<sup>6</sup>V H<sub>2</sub>O 1<sup>st</sup> ¦ 10^(-3) x^2 10^(6)V H2O 1st
lines ¦ <p>a</p><div>b</div>c ¦ a↵b↵c
headings, one of them with a link ¦ <h1>a</h1><h3>b</h3><h4 aria-level="2">c</h4><h3 role="heading">d</h3><h2><a href="/x">a</a></h2> ¦ # a↵### b↵## c↵### d↵## [e1 a]
text that looks like a ref or a heading ¦ <p>e1 a</p># a ¦ \\e1 a↵\\# a
a splitter ¦ <div role="separator" tabindex="0" aria-valuenow="30" aria-label="Side"></div> ¦ e1 separator Side = 30
what opens a popover ¦ <button popovertarget="p">a</button><div id="p" popover>b</div> ¦ e1 button [collapsed] a
inert parts ¦ <div inert><button>a</button></div> ¦ e1 button [inert] a
text that looks like an item ¦ a [e1 b] [img c] ¦ a \\[e1 b] \\[img c]
a reference to a note ¦ a<sup><a href="/x">[1]</a></sup> ¦ a[e1 "[1]"]
deleted ¦ <del>9 €</del> 7 € <s>a<p>b</p></s>c ¦ ~~9 €~~ 7 € ~~a~~↵~~b~~↵c
hidden from assistive technology and acted on ¦ <span aria-hidden="true"><button>a</button></span> ¦ e1 button a
label of a custom element ¦ <label for="i">a</label><x-field id="i" tabindex="0"><b>b</b></x-field> ¦ a[e1 clickable b]
# links
in a line ¦ a <a href="/x">b</a> c ¦ a [e1 b] c
with addresses ¦ a <a href="/x">b</a> <a href="/y" aria-label="c"></a><p><a href="/z">d</a></p> ¦ a [e1 b -> http://page.test/x] [e2 c -> http://page.test/y]↵e3 d -> http://page.test/z ¦ {"include_links":true}
with an address that is long ¦ <a href="/${'x'.repeat(600)}">a</a> ¦ e1 a -> http://page.test/… ¦ {"include_links":true}
with a label ¦ <a href="/x" aria-label="A">b</a> ¦ e1 A
without a name ¦ <a href="/x"><svg width="9" height="9"></svg></a> ¦ e1
with blocks ¦ <a href="/x"><div>a</div><div>b</div></a> ¦ e1 a b
current ¦ <a href="/x" aria-current="page">a</a> ¦ e1 link [current page] a
# buttons
next to text ¦ a <button>b</button> c ¦ a [e1 button b] c
disabled ¦ <button disabled>a</button> ¦ e1 button [disabled] a
that opens a menu ¦ <button aria-haspopup="menu" aria-expanded="false">a</button> ¦ e1 button [collapsed, menu] a
summary ¦ <details><summary>a</summary>b</details> ¦ e1 button [collapsed] a
in a heading ¦ <h3><button>a</button></h3> ¦ ### [e1 button a]
# fields
file ¦ <input type="file" aria-label="a"> ¦ e1 file a
text, one required ¦ <input aria-label="a" value="b"><input aria-label="a" required> ¦ e1 textbox a = b↵e2 textbox [required] a
password and card number ¦ <input type="password" aria-label="a" value="s"><input autocomplete="cc-number" aria-label="a" value="4"> ¦ e1 password [filled] a↵e2 textbox [filled] a
values that look like options or have several lines ¦ <input aria-label="a" value="b (c)"><textarea aria-label="a">b↵c</textarea> ¦ e1 textbox a = "b (c)"↵e2 textbox a = "b\\nc"
check box ¦ <label><input type="checkbox" checked> a</label> ¦ e1 checkbox [checked] a
select of one and of several ¦ <select aria-label="a"><option>b<option selected>c</select><select aria-label="a" multiple><option selected>b<option>c</select> ¦ e1 combobox a = c (b|c)↵e2 listbox [multiple] a = b (b|c)
with a label, though drawn by a button ¦ <label for="f">a</label><button id="f" role="combobox" aria-expanded="false">b</button><label for="g">c</label><button id="g" role="switch" style="display:block;width:9px;height:9px"></button> ¦ e1 combobox [collapsed] a = b↵e2 switch c
labels of what is written without its name ¦ <p><label for="b">a</label><button id="b">b</button><p><label for="o">c</label> <output id="o">1</output><p><label for="s">d</label><select id="s" style="display:none"><option>e</select><span role="combobox" tabindex="0">e</span> ¦ a [e1 button b]↵c 1↵d↵e2 combobox = e
in a group ¦ <fieldset><legend>a</legend><input aria-label="b"></fieldset> ¦ @group a↵e1 textbox b
# widgets by role
tabs ¦ <div role="tablist"><button role="tab" aria-selected="true">a</button><button role="tab">b</button></div><div role="tabpanel" aria-label="c">d</div> ¦ @tablist↵e1 tab [selected] a↵e2 tab b↵@tabpanel c↵d
menu ¦ <div role="menu" aria-label="a"><div role="menuitem">b</div><div role="menuitemcheckbox" aria-checked="true">c</div></div> ¦ @menu a↵e1 menuitem b↵e2 menuitemcheckbox [checked] c
listbox ¦ <div role="listbox" aria-label="a"><div role="option" aria-selected="true">b</div><div role="option">c</div></div> ¦ e1 listbox a↵e2 option [selected] b↵e3 option c
tree ¦ <ul role="tree" aria-label="a"><li role="treeitem" aria-expanded="true">b<ul role="group"><li role="treeitem">c</li></ul></li></ul> ¦ @tree a↵e1 treeitem [expanded] b↵e2 treeitem c
tree with its labels in blocks, next to controls, above further text and inside <details> ¦ <ul role="tree" tabindex="0"><li role="treeitem" aria-expanded="true"><div><i></i><div><input type="checkbox"> a <a href="/x">b</a></div></div><ul role="group" aria-label="g"><li role="treeitem"><p>c</p></ul><p>d</p><li role="treeitem"><details open><summary>e</summary><div role="treeitem">f</div></details></ul> ¦ e1 tree↵e2 treeitem [expanded] [e3 checkbox] a [e4 b]↵@group g↵e5 treeitem c↵d↵e6 treeitem [e7 button [expanded] e]↵e8 treeitem f
items with labels, in each other ¦ <ul role="menubar"><li role="menuitem" aria-label="a">b<ul role="menu"><li role="menuitem"><b>c</b></ul></ul><div role="treeitem" aria-label="d"><div>e</div><a href="/x">f</a><div role="tree"><div role="treeitem"><div>g</div></div></div></div><div role="button" tabindex="0" aria-label="h">i <a href="/x">j</a></div> ¦ @menubar↵e1 menuitem a↵@menu↵e2 menuitem c↵e3 treeitem d↵e4 f↵@tree↵e5 treeitem g↵e6 button h↵e7 j
items in a cell ¦ <table><tr><th>a</th><th>b</th></tr><tr><td><div role="tree"><div role="treeitem"><p>c</p><div role="group"><div role="treeitem">d</div></div></div></div></td><td><div role="listbox" aria-label="e"></div><div onclick="x()"><p>f</p></div></td></tr></table> ¦ @table↵a|b↵[e1 treeitem c] [e2 treeitem d]|[e3 listbox e] [e4 clickable] f
headings that are clicked, and regions that can have the focus ¦ <h2 onclick="x()"><div>a</div></h2><div role="tabpanel" tabindex="0" aria-label="b"><p>c</p></div> ¦ ## [e1 clickable a]↵e2 tabpanel b↵c
slider and combobox ¦ <div role="slider" aria-label="a" aria-valuenow="3" tabindex="0"></div><div role="combobox" aria-label="a" aria-expanded="false" tabindex="0">b</div> ¦ e1 slider a = 3↵e2 combobox [collapsed] a = b
clickable, by a handler and by the pointer ¦ <div onclick="x()">a</div><div style="cursor:pointer">a <b>b</b></div> ¦ e1 clickable a↵e2 clickable a b
draggable ¦ <div draggable="true">a</div><div draggable="false">b</div> ¦ e1 draggable a↵b
draggable that holds a button ¦ <div draggable="true">a<button>b</button></div> ¦ e1 draggable↵a [e2 button b]
# regions
landmarks, one with a name ¦ <nav>a</nav><nav aria-label="a">b</nav><main>b</main><footer>c</footer> ¦ @navigation↵a↵@navigation a↵b↵@main↵b↵@contentinfo↵c
only with a name ¦ <section>a</section><section aria-label="b">c</section> ¦ a↵@region b↵c
alert by role ¦ <div role="alert">a</div> ¦ @alert↵a
# tables
table ¦ <table><caption>t</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ @table t↵a|b↵1|2
in a cell of a table ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x<table><tr><th>k</th><td>1</td></tr><tr><th>v</th><td><button>Go</button></td></tr></table>y</td><td>z</td></tr></table> ¦ @table↵a|b↵x k\\|1; v\\|e1 button Go y|z
that lays out, in a cell ¦ <table><tr><th>a</th><th>b</th></tr><tr><td>x</td><td><table role="presentation"><tr><td>1 <button>Go</button></td><td>2</td></tr></table></td></tr></table> ¦ @table↵a|b↵x|1 [e1 button Go]\\|2
with a link ¦ <table><tr><th>a</th></tr><tr><td><a href="/x">1</a></td></tr></table> ¦ @table↵a↵e1 1
that lays out ¦ <table><tr><td>a</td><td>b</td></tr></table> ¦ a↵b
with a button to sort by ¦ <table><tr><th><button>a</button></th></tr><tr><td>1</td></tr></table> ¦ @table↵e1 button a↵1
grid ¦ <div role="grid" aria-label="g"><div role="row"><span role="columnheader">a</span></div><table role="presentation"><tr role="row">${'<td role="gridcell">1'.repeat(25)}</table></div> ¦ @table g↵a${'|'.repeat(24)}↵${'1|'.repeat(24)}1
grid with content around its rows ¦ <div role="grid"><p>t | u</p><div role="row"><span role="columnheader">a</span></div><div><button>Next</button></div></div>v ¦ @table↵t \\| u↵a↵e1 button Next↵v
grid whose script numbers its rows and columns ¦ <div role="grid"><div role="row" aria-rowindex="2"><i role="gridcell" aria-colindex="1">a2</i></div><div role="row" aria-rowindex="1"><i role="gridcell" aria-colindex="1">a1</i></div><div role="row" aria-rowindex="1"><i role="gridcell" aria-colindex="3">c1</i><i role="gridcell" aria-colindex="2">b1</i></div><div role="row" aria-rowindex="2"><i role="gridcell" aria-colindex="2">b2</i></div></div> ¦ @table↵a1|b1|c1↵a2|b2|
list by the role of a grid, with a table in an item ¦ <div role="grid"><p>a</p><table><tr><th>b</th></tr><tr><td>1</td></tr></table></div> ¦ a↵@table↵b↵1
captions with a button, next to a name, and a legend ¦ <table><caption>t <button>show</button></caption><tr hidden><th>a</th></tr></table><table aria-label="n"><caption>u</caption><tr><th>a</th><td aria-hidden="true">–</td><td><fieldset><legend>l</legend><button>b</button></fieldset></td></tr></table> ¦ @table t show↵e1 button show↵@table n↵u↵a|–|l [e2 button b]
# cells that are acted on
selected, and of a plain table ¦ <table role="grid"><tr><th>a</th></tr><tr><td aria-selected="true" tabindex="0">1</td><td aria-selected="false">2</td></tr></table><table><tr><th>a</th></tr><tr><td onclick="x()">1</td></tr></table> ¦ @table↵a|↵e1 gridcell [selected] 1|e2 gridcell 2↵@table↵a↵e3 cell 1
that can have the focus ¦ <div role="grid"><div role="row"><span role="gridcell" tabindex="-1">1</span><span role="gridcell">2</span></div></div> ¦ @table↵e1 gridcell 1|2
that a table is sorted by ¦ <table><tr><th aria-sort="ascending"><button>a</button></th><th aria-sort="none">b</th></tr><tr><td>1</td><td>2</td></tr></table> ¦ @table↵e2 columnheader [sort ascending] [e1 button a]|b↵1|2
# descriptions
of a field and a button ¦ <input aria-label="a" aria-describedby="d"><p id="d">b</p><button aria-description="b &quot;c&quot;">a</button> ¦ e1 textbox [hint "b"] a↵b↵e2 button [hint "b \\"c\\""] a
that a placeholder adds to a name ¦ <label>a <input placeholder="DD/MM" value="1/2"></label><input aria-label="Find it" placeholder="Find …"><input placeholder="c"> ¦ e1 textbox [hint "DD/MM"] a = 1/2↵e2 textbox Find it↵e3 textbox c
# pictures
picture ¦ a <img src="${PIXEL}" alt="b" width="9" height="9"> c ¦ a [img b] c
drawing ¦ <svg width="9" height="9"><title>a</title><rect width="9" height="9"/></svg> ¦ img a
# visibility: hidden
a button and its like ¦ <div style="visibility:hidden"><button>a</button><button aria-label="b"></button><button><svg width="9" height="9"></svg></button><a href="/x">c</a><input aria-label="d"><span tabindex="0">e</span></div>f ¦ f
what opens and what can be clicked ¦ <div style="visibility:hidden"><div role="tree"><div role="treeitem">a<div role="group" style="visibility:visible"><div role="treeitem">h</div></div></div></div><div role="listbox" aria-label="b"><div role="option">c</div></div><div role="dialog" aria-label="d"><p>e</p></div><div onclick="x()"><p>f</p></div></div>g ¦ e1 treeitem h↵g
what is visible again in it ¦ <div style="visibility:hidden" onclick="x()"><p>a</p><p style="visibility:visible"><button>b</button></p></div> ¦ e1 button b
# frames
with a name ¦ <iframe title="a &quot;b&quot; = c" srcdoc="<p>d</p>"></iframe> ¦ @frame http://page.test "a \\"b\\" = c"↵d↵@end of frame http://page.test
of this origin ¦ a<iframe srcdoc="<button>b</button>"></iframe>c ¦ a↵@frame http://page.test↵e1 button b↵@end of frame http://page.test↵c
`;
