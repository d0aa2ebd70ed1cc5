const BARE = '<body style="margin:0">';
const T = '<div id="t" style="width:50px;height:20px"></div>';

/**
 * A page without margins, and left, top, width and height that show of `#t`, `cut` where something hides a part, and offsets while it is
 * measured; or why it has no box. Else `#t` is another target.
 */
export const BOX_CASES = `
below the fold ¦ <div style="height:2000px"></div>${T} ¦ {"box":[0,2000,50,20]}
transformed ¦ <div id="t" style="width:50px;height:20px;transform:translate(10px,30px)"></div> ¦ {"box":[10,30,50,20]}
the first of several ¦ <p class="t" style="margin:0;width:50px;height:20px"></p><p class="t">b</p> ¦ {"box":[0,0,50,20],"matches":2} ¦ {"selector":".t"}
in a scroller ¦ <div style="width:100px;height:100px;overflow:auto"><div style="height:500px"></div>${T}</div> ¦ {"box":[0,80,50,20],"scrolled":[420]}
in a scroller in a scroller ¦ <div style="width:100px;height:100px;overflow:auto"><div style="height:300px"></div><div style="width:80px;height:60px;overflow:auto"><div style="height:200px"></div>${T}</div></div> ¦ {"box":[0,80,50,20],"scrolled":[260,160]}
to the side in a scroller ¦ <div style="width:100px;height:100px;overflow:auto"><div style="width:400px"><div id="t" style="margin-left:300px;width:50px;height:20px"></div></div></div> ¦ {"box":[50,0,50,20],"scrolled":[250]}
clipped in part ¦ <div style="height:10px;overflow:clip">${T}</div> ¦ {"box":[0,0,50,10],"cut":true}
clipped away ¦ <div style="width:100px;height:100px;overflow:clip"><div style="height:500px"></div>${T}</div> ¦ screenshot_failed: Element <div#t> is clipped by Element <div>, which cannot be scrolled to it.
in a frame ¦ <iframe style="border:0;margin:10px 0 0 20px" srcdoc='${BARE}${T}'></iframe> ¦ {"box":[20,10,50,20]}
below the fold of a frame ¦ <iframe style="display:block;border:0;height:100px" srcdoc='${BARE}<div style="height:300px"></div>${T}'></iframe> ¦ {"box":[0,80,50,20]}
in a shadow tree ¦ <div style="width:100px;height:100px;overflow:auto"><template shadowrootmode="open"><div style="height:500px"></div>${T}</template></div> ¦ {"box":[0,80,50,20],"scrolled":[420]}
not displayed ¦ <p id="t" hidden>a</p> ¦ screenshot_failed: Element <p#t> is not displayed.
invisible ¦ <p id="t" style="visibility:hidden">a</p> ¦ screenshot_failed: Element <p#t> is hidden by visibility.
not there ¦ ¦ selector_not_found: No element of http://page.test/ matches selector #t.
invalid selector ¦ ¦ selector_invalid: selector ! is not a valid CSS selector. ¦ {"selector":"!"}
invalid ref ¦ ¦ ref_not_found: Ref e1 was never shown to you. ¦ {"ref":"e1"}
`;
