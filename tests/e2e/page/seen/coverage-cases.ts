const LINE = '<p style="height:30px;margin:0">row</p>';
const BOX = '<div style="position:absolute;left:0;top:0;background:#fff"><a href="/a">a</a><p>b</p></div>';

/** The notes of a page, by kind. */
export const COVERAGE_CASES = `
canvases, in one note ¦ <canvas></canvas><canvas></canvas> ¦ canvas
canvas that is not shown ¦ <canvas hidden></canvas>a ¦
closed details ¦ <details><summary>a</summary>b</details> ¦ closed_details
hidden tab panel ¦ <div role="tablist"><button role="tab">a</button></div><div role="tabpanel">b</div><div role="tabpanel" hidden>c</div> ¦ hidden_tab_panel
inert part ¦ <div inert>a</div> ¦ inert
rows that a table says it has ¦ <table aria-rowcount="90"><tr><td>a</td></tr></table> ¦ virtual_list
items that a list says it has ¦ <ul role="list"><li role="listitem" aria-setsize="90" aria-posinset="1">a</li></ul> ¦ virtual_list
rows placed in a tall box ¦ <div style="height:200px;overflow:auto"><div style="height:9000px;position:relative"><div style="position:absolute;top:0px;height:40px">row 0</div><div style="position:absolute;top:40px;height:40px">row 1</div><div style="position:absolute;top:80px;height:40px">row 2</div><div style="position:absolute;top:120px;height:40px">row 3</div><div style="position:absolute;top:160px;height:40px">row 4</div></div></div> ¦ virtual_list
rows between spacers ¦ <div style="height:200px;overflow:auto"><div style="height:4000px"></div>${LINE.repeat(8)}<div style="height:4000px"></div></div> ¦ virtual_list
some boxes in one place ¦ ${BOX.repeat(40)} ¦
long list that is all there ¦ <div style="height:200px;overflow:auto">${LINE.repeat(80)}</div> ¦
`;

/** Pages of the text `seen`. */
export const HIDDEN_PAGES = `
body not displayed ¦ <body style="display:none"><p>seen</p>
body invisible ¦ <style>body{visibility:hidden}</style><p>seen</p>
html without opacity, important ¦ <style>html{opacity:0!important}</style><p>seen</p>
html not displayed ¦ <style>html{display:none}</style><p>seen</p>
with a part that stays hidden ¦ <style>body{opacity:0;transition:opacity 1s}.x{display:none}</style><p>seen</p><p class="x">a</p>
by an animation ¦ <style>@keyframes s{from{visibility:hidden}to{visibility:visible}}body{animation:s 8s steps(1,end) both}</style><p>seen</p>
`;

/** Pages that were parsed and not rendered: only inline style and usual class names tell. */
export const PARSED_CASES = `
the visual of two halves is left out ¦ <p><span class="a-offscreen">$12.99</span><span aria-hidden="true">$12<sup>99</sup></span></p> ¦ $12.99
a visual with more words next to it ¦ <p><span class="sr-only">Price: $5</span><span aria-hidden="true">$5</span></p> ¦ Price: $5
name of a button by inline style ¦ <button><svg></svg><span style="position:absolute;left:-9999px">Close</span></button> ¦ Close
a sentence by inline style ¦ <p>a <span style="position:absolute;left:-9999px">b</span> c</p> ¦ a c
text-transform by inline style ¦ <p style="text-transform:uppercase">a <b style="text-transform:none">b</b></p> ¦ A b
label of a picture ¦ <span role="img" aria-label="4 of 5"></span> ¦ 4 of 5
fallback of an object ¦ <object><p>a</p></object> ¦ a
links of a picture ¦ <img usemap="#m" alt="a" src="/x.png"><map name="m"><area href="/b" alt="b"></map> ¦ a b
state of a row ¦ <ul><li aria-label="Unread, Bob, Hi"><b>Bob</b> Hi</li></ul> ¦ (Unread) Bob Hi
quotes ¦ <p><q>a</q></p> ¦ “a”
`;
