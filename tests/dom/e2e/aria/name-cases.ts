/** Where names come from, and in which order (accname 1.2, HTML-AAM). */
export const NAME_CASES = `
# aria-labelledby
one element ¦ <b id="a">Name</b><button t aria-labelledby="a">x</button>
several, in the order given ¦ <b id="a">One</b><b id="b">Two</b><button t aria-labelledby="b a">x</button>
all of them missing ¦ <button t aria-labelledby="gone lost">Own</button>
itself and another ¦ <b id="a">file</b><button t id="b" aria-label="Delete" aria-labelledby="b a">x</button>
over aria-label ¦ <b id="a">Ref</b><button t aria-label="Label" aria-labelledby="a">x</button>
a chain is not followed ¦ <b id="a">End</b><b id="b" aria-labelledby="a">Middle</b><button t aria-labelledby="b">x</button>
target with aria-label ¦ <b id="a" aria-label="Label">text</b><button t aria-labelledby="a">x</button>
misspelt, and next to the right spelling ¦ <b id="a">One</b><b id="b">Two</b><button t aria-labeledby="a" aria-label="x"></button><button t aria-labeledby="a" aria-labelledby="b"></button>
hidden target ¦ <b id="a" hidden>Hidden name</b><button t aria-labelledby="a">x</button>
hidden parts of a hidden target ¦ <div id="a" hidden>One <b hidden>two</b> <b>three</b></div><button t aria-labelledby="a">x</button>
hidden parts of a visible target ¦ <div id="a">One <b hidden>two</b> <b>three</b></div><button t aria-labelledby="a">x</button>
target is a text field ¦ <input id="a" value="typed"><button t aria-labelledby="a">x</button>
target is a select ¦ <select id="a"><option>one</option><option selected>two</option></select><button t aria-labelledby="a">x</button>
named by an element further down ¦ <button t aria-labelledby="a">One <b id="a">Two</b></button>
a table row names a check box ¦ <table><tr id="r"><td>Ann</td><td>3</td><td><input t type="checkbox" aria-labelledby="r"></td></tr></table>
# aria-label
over text ¦ <button t aria-label="Close">x</button>
blank ¦ <button t aria-label="  ">Own</button>
on a div ¦ <div t aria-label="Named">x</div>
on a span inside a button ¦ <button t>Save <span aria-label="all of it">x</span></button>
# labels of controls
for, and around ¦ <label for="i">Name</label><input t id="i"><label>Name <input t></label>
for and around a custom element ¦ <label for="i">Name</label><x-field t id="i" role="checkbox" tabindex="0"></x-field><label>Name <x-field t role="textbox" tabindex="0"></x-field></label>
two labels ¦ <label for="i">First</label><label for="i">Second</label><input t id="i">
text around ¦ <label>Flash the screen <input t type="checkbox"> times</label><label>Every<input t type="number">days</label>
a text field in the label of a check box ¦ <label><input t type="checkbox"> Flash <input value="3" aria-label="n"> times</label>
a custom textbox in a label ¦ <label><input t type="checkbox"> Flash <span role="textbox" contenteditable>4</span> times</label>
hidden label ¦ <label for="i" hidden>Hidden</label><input t id="i">
label with aria-hidden ¦ <label for="i" aria-hidden="true">Hidden</label><input t id="i">
label with a hidden part ¦ <label for="i">Name <b hidden>(secret)</b></label><input t id="i">
empty label and a title ¦ <label for="i"></label><input t id="i" title="Hint">
empty label and a placeholder ¦ <label for="i"> </label><input t id="i" placeholder="Type">
of a select ¦ <label for="s">Pick</label><select t id="s"><option>x</option></select>
of a file field ¦ <label for="f">Photo</label><input t type="file" id="f">
of a check box by role ¦ <label for="d">Dark</label><div t id="d" role="checkbox" aria-checked="true" tabindex="0"></div>
label over title and placeholder ¦ <label for="i">Label</label><input t id="i" title="Title" placeholder="Type">
# legend, caption, figcaption
legend ¦ <fieldset t><legend>Address</legend><input></fieldset>
legend that is not first ¦ <fieldset t><input><legend>Address</legend></fieldset>
empty legend and a title ¦ <fieldset t title="Hint"><legend></legend></fieldset>
hidden legend ¦ <fieldset t><legend hidden>Hidden</legend></fieldset>
caption ¦ <table t><caption>Prices</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>
summary of a table before its title ¦ <table t summary="Prices" title="Hint"><tr><th>a</th></tr><tr><td>1</td></tr></table>
figcaption and a title ¦ <figure t title="Hint"><figcaption>A mill</figcaption></figure>
option label ¦ <select size="3" aria-label="s"><option t label="Shown">text</option><option t label="">empty</option></select>
# title and placeholder
title of a link with text, of a button without ¦ <a t href="/x" title="Hint">Text</a><button t title="Close"></button>
placeholder ¦ <input t placeholder="Search …"><input t placeholder="Town" value="x"><textarea t placeholder="Note">x</textarea>
placeholder and title ¦ <input t placeholder="Type" title="Hint">
aria-placeholder ¦ <div t role="textbox" aria-placeholder="Type" tabindex="0"></div>
title of an input button ¦ <input t type="button" title="Hint">
value of an image button ¦ <input t type="image" value="Find" title="Hint" src="data:,">
title of a div ¦ <div t title="Hint">x</div>
title of a span inside a link ¦ <a t href="/x"><span title="Hint"></span></a>
# names from content
no space between inline elements ¦ <button t>Sa<b>ve</b></button>
blocks are set apart ¦ <button t><div>One</div><div>Two</div></button>
line break ¦ <button t>One<br>Two</button>
decorative image ¦ <a t href="/x"><img alt="" src="data:,"> page</a>
svg with a title ¦ <button t><svg width="9" height="9"><title>Close</title></svg></button>
hidden content ¦ <button t>Save <b hidden>secret</b></button>
visible content of what is invisible ¦ <h2 t>One <span style="visibility: hidden">two <span style="visibility: visible">three</span></span></h2>
display: contents ¦ <button t>One <span style="display: contents">two</span></button>
content-visibility: hidden ¦ <a t href="/x">One <span style="display: block; content-visibility: hidden">two</span></a>
transparent content ¦ <button t>One <span style="opacity: 0">two</span></button>
content with aria-hidden ¦ <button t>Save <b aria-hidden="true">x</b></button>
screen reader text ¦ <style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }</style><button t>x<span class="sr">Close</span></button>
script and style ¦ <button t>Save<script type="x">no()</script><style>b { color: red }</style></button>
cell ¦ <table><tr><th t>Head</th></tr><tr><td t>Cell <b>two</b></td></tr></table>
row of roles ¦ <div role="grid" aria-label="g"><div t role="row"><span role="gridcell">a</span><span role="gridcell">b</span></div></div>
tree item with a group ¦ <div role="tree"><div t role="treeitem" aria-expanded="true">One<div role="group"><div role="treeitem">Two</div></div></div></div>
list item and paragraph are not named ¦ <ul><li t>one</li></ul><p t>one</p>
definition and term ¦ <dl><dt t>Term</dt><dd t>Meaning</dd></dl>
link around a block ¦ <a t href="/x"><h3>Title</h3><p>Text</p></a>
link with a figure ¦ <a t href="/x"><figure><img alt="Mill" src="data:,"><figcaption>A mill</figcaption></figure></a>
summary ¦ <details><summary t>More <b>text</b></summary>body</details>
button inside a label inside a button ¦ <div t role="button" tabindex="0"><span aria-label="One">x</span><span aria-label="Two">y</span></div>
math inside a link ¦ <a t href="/x"><math><mi>x</mi></math></a>
ruby ¦ <button t><ruby>漢<rt>kan</rt></ruby></button>
q has quotes ¦ <button t>Say <q>hi</q></button>
# generated content
::before ¦ <style>.b::before { content: "New " }</style><button t class="b">mail</button>
with alternative text ¦ <style>.b::before { content: "★" / "Favourite" }</style><button t class="b"></button>
with empty alternative text ¦ <style>.b::before { content: "★" / "" }</style><button t class="b">Like</button>
a picture ¦ <style>.b::before { content: url("data:,") }</style><button t class="b">Like</button>
in a referenced element ¦ <style>.b::before { content: "New " }</style><b id="a" class="b">mail</b><button t aria-labelledby="a">x</button>
an icon font ¦ <style>.b::before { content: "\\e001" }</style><button t class="b">Like</button>
quotes ¦ <style>.b::before { content: open-quote } .b::after { content: close-quote }</style><button t class="b">hi</button>
# shadow trees and slots
slotted text ¦ <x-a t role="button" tabindex="0"><template shadowrootmode="open">Say <slot></slot>!</template>hello</x-a>
default content of a slot ¦ <x-a t role="button" tabindex="0"><template shadowrootmode="open"><slot>default</slot></template></x-a>
button in a shadow tree ¦ <x-a><template shadowrootmode="open"><button t><slot></slot></button></template>Save</x-a>
aria-labelledby in the same shadow tree ¦ <x-a><template shadowrootmode="open"><b id="a">Name</b><button t aria-labelledby="a">x</button></template></x-a>
aria-labelledby out of a shadow tree ¦ <b id="a">Outside</b><x-a><template shadowrootmode="open"><button t aria-labelledby="a">Own</button></template></x-a>
content that is not slotted ¦ <x-a t role="button" tabindex="0"><template shadowrootmode="open">Shadow</template>light</x-a>
`;
