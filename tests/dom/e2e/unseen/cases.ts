/** Pictures of one colour: white, dark blue, and one without any paint. */
const WHITE_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///////yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
const DARK_PICTURE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'%3E%3Crect width='40' height='40' fill='%23013'/%3E%3C/svg%3E";
const CLEAR_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const OVER = 'position:absolute;left:0;top:0;width:100%;height:100%';

const COVERED_TRICKS = `
# covered
by an absolute box, also of a wide-gamut colour ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff"></div></div><div style="position:relative"><p>WORD</p><div style="${OVER};background:oklch(1 0 0)"></div></div>
by a relative box moved up ¦ <p style="margin:0;height:20px">WORD</p><div style="position:relative;top:-20px;height:20px;background:#fff"></div>
by a box before it with a z-index ¦ <div style="position:relative;height:40px"><div style="${OVER};background:#fff;z-index:1"></div><p style="margin:0">WORD</p></div>
by a frame ¦ <div style="position:relative;height:40px"><p>WORD</p><iframe srcdoc="<html style='background:#fff'>" style="${OVER};border:0"></iframe></div>
by a gradient after it ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:linear-gradient(#fff,#eee)"></div></div>
by a drawing ¦ <div style="position:relative;height:40px"><p>WORD</p><svg style="${OVER};background:#fff"></svg></div>
by the next item of a grid ¦ <div style="display:grid"><p style="grid-area:1/1;margin:0">WORD</p><div style="grid-area:1/1;background:#fff">b</div></div>
below its parent ¦ <div style="position:relative;z-index:0"><div style="background:#fff;height:40px"><p style="position:absolute;z-index:-1;margin:0">WORD</p></div></div>
by two boxes that each cover a half ¦ <div style="position:relative;width:160px"><p style="margin:0">WORD</p><div style="position:absolute;left:0;top:0;width:40px;height:100%;background:#fff"></div><div style="position:absolute;left:40px;top:0;width:120px;height:100%;background:#fff"></div></div>
an alternative text of a covered picture ¦ <div style="position:relative;height:40px"><img alt="WORD" src="${DARK_PICTURE}" style="width:100%;height:40px"><div style="${OVER};background:#fff"></div></div>
the face of a covered button ¦ <div style="position:relative;height:40px"><button>WORD</button><div style="${OVER};background:#fff"></div></div>
by borders alone ¦ <div style="position:relative"><p>WORD</p><div style="position:absolute;left:0;top:0;width:0;height:0;border:60px solid #fff"></div></div>
by its own outline ¦ width:80px;outline:40px solid #fff;outline-offset:-40px
by two layers that let little through ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fffd"></div><div style="${OVER};background:#fffd"></div></div>
by a shadow inside a box ¦ <div style="position:relative;height:40px"><p style="margin:0">WORD</p><div style="${OVER};box-shadow:inset 0 0 0 60px #fff"></div></div>
by shapes of its drawing ¦ <svg width="200" height="40"><text x="80" y="24" font-size="8">WORD</text><circle cx="95" cy="20" r="60" fill="#fff"/></svg><svg width="200" height="40"><text y="20">WORD</text><path d="M0 0H200V40H0Z" fill="#fff"/></svg>
by a thick line through it, or through what is around ¦ <p style="text-decoration:line-through #fff 60px">WORD</p><div style="text-decoration:line-through #fff 60px"><span>WORD</span></div>
by a fixed box that a transform holds ¦ <div style="transform:translate(0);height:40px"><p>WORD</p><div style="position:fixed;inset:0;background:#fff;pointer-events:none"></div></div>
`;

const PAINTED_TRICKS = `
# painted out
white in other notations ¦ <p style="color:color(display-p3 1 1 1)">WORD</p><p style="color:oklch(100% 0 0)">WORD</p><p style="color:color-mix(in oklch,white,white)">WORD</p>
without alpha, or with almost none ¦ <p style="color:hsl(0 0% 0%/0)">WORD</p><p style="color:rgb(0 0 0/.01)">WORD</p><p style="-webkit-text-fill-color:transparent">WORD</p>
white on a white gradient ¦ color:#fff;background:linear-gradient(#fff,#fff)
white on a set of white gradients ¦ color:#fff;background:image-set(linear-gradient(#fff,#fff) 1x)
out of the dark box around it ¦ <div style="background:#000;color:#fff;height:0">WORD</div>
in a clear frame of a white page ¦ <iframe style="border:0" srcdoc="<p style='color:#fff'>WORD"></iframe>
a property in disguise ¦ <p style="c\\6flor:#fff">WORD</p><p style="font-size:1px/* 12px */">WORD</p>
white letters clipped from white, or from nothing ¦ <p style="color:transparent;background:linear-gradient(#fff,#fff);background-clip:text">WORD</p><p style="color:transparent;background:none;background-clip:text">WORD</p>
a shadow of the background ¦ color:#fff;text-shadow:0 0 1px #fff
shapes without area ¦ <p style="clip-path:circle(.4px at 0 0)">WORD</p><p style="clip-path:ellipse(0 10px)">WORD</p><p style="clip-path:polygon(0 0,100% 0,50% 0)">WORD</p><p style="clip-path:inset(60px 0 60px 0)">WORD</p><p style="clip-path:rect(0 100% 0 0)">WORD</p><p style="clip-path:xywh(0 0 0 100%)">WORD</p><p style="clip-path:path('M0 0L100 0Z')">WORD</p>
clip path of a drawing without shapes ¦ <svg width="0" height="0"><clipPath id="c"></clipPath></svg><p style="clip-path:url(#c)">WORD</p>
a filter of opacity, twice, and white multiplied ¦ <div style="filter:opacity(.2)"><p style="filter:opacity(.2)">WORD</p></div><p style="color:#fff;background:#fff;mix-blend-mode:multiply">WORD</p>
by the colour of a link ¦ <style>a{color:#fff}</style><a href="/x">WORD</a>
by the links of the page ¦ <body link="#fff" vlink="#fff"><a href="/x">WORD</a>
in generated texts ¦ <style>p::before{content:"WORD";color:oklch(1 0 0)}b::after{content:"WORD";background:#000}i::after{content:"WORD";display:block;transform:scale(0)}</style><p>a</p><b>b</b><i>c</i>
in an input, or a textarea ¦ <input value="WORD" style="color:#fff;background:#fff"><textarea style="color:transparent">WORD</textarea>
the face of a button ¦ <button style="color:#eee;background:#eee">WORD</button>
`;

/** Text that is moved, cut off, faded, or only in attributes. */
const OTHER_TRICKS = `
# transformed
scale of nothing, almost nothing, no height, and scales one in the other ¦ <p style="transform:scale(0)">WORD</p><p style="transform:scale(.02)">WORD</p><p style="transform:scaleY(0)">WORD</p><div style="transform:scale(.2)"><div style="transform:scale(.2)"><p>WORD</p></div></div>
zoom of almost nothing, and turned to its edge ¦ <p style="zoom:.02">WORD</p><p style="transform:rotateY(90deg)">WORD</p>
moved far away ¦ <p style="offset-path:path('M-900 -900L-950 -900')">WORD</p><p style="translate:0 -500px">WORD</p>
# clipped
contain paint or content, and overflow clip, both ways and one ¦ <div style="contain:paint;height:10px"><p style="margin:40px 0 0">WORD</p></div><div style="contain:content;width:30px;height:20px"><p style="margin:0 0 0 60px">WORD</p></div><div style="overflow:clip;height:0"><p>WORD</p></div><div style="overflow-x:clip;width:0;white-space:nowrap"><p>WORD</p></div>
beyond an ellipsis, and lines below a clamp ¦ <div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">abcdefghijk<span>WORD</span></div><div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden">a<br><b>WORD</b></div>
two boxes that share nothing, and a row of a table that is not tall ¦ <div style="overflow:hidden;width:50px"><div style="overflow:hidden;width:120px;margin-left:60px"><p>WORD</p></div></div><table style="width:200px"><tr><td><div style="height:0;overflow:hidden">WORD</div></td></tr></table>
a clip path of what is around, also out of the flow ¦ <div style="clip-path:inset(0 0 90% 0);height:60px"><p style="margin:0;padding-top:30px">WORD</p></div><div style="clip-path:inset(0);width:60px;height:20px"><p style="position:absolute;left:99px;margin:0">WORD</p></div>
clip of the parent, also out of the flow ¦ <div style="position:absolute;clip:rect(0,10px,10px,0)"><p style="margin:30px 0 0 30px">WORD</p></div><div style="position:absolute;clip:rect(0,60px,20px,0);width:60px;height:20px"><p style="position:fixed;left:99px;margin:0">WORD</p></div>
without room, and placed in a box that translate moves ¦ <div style="max-height:0;overflow:hidden"><p>WORD</p></div><div style="width:1px;height:1px;overflow:hidden">WORD</div><div style="translate:1px;overflow:hidden;height:0"><p style="position:absolute;top:9px;margin:0">WORD</p></div>
a hidden part of a frame ¦ <iframe style="height:20px;border:0" scrolling="no" srcdoc="<body style='margin:0;overflow:hidden;height:20px'><p style='margin:0;position:fixed;top:60px'>WORD</p>"></iframe>
# faded
two opacities, one and a pale colour, or a filter ¦ <div style="opacity:.15"><p style="opacity:.15">WORD</p></div><div style="opacity:.2"><p style="color:rgb(0 0 0/.2)">WORD</p></div><div style="opacity:.2"><p style="filter:opacity(.2)">WORD</p></div>
at every scroll position ¦ <style>@keyframes f{from,to{opacity:0}}p{animation:f linear both;animation-timeline:scroll()}</style><p style="height:300px">WORD</p>
at the end of an animation ¦ <style>@keyframes f{to{opacity:0}}p{animation:f 1ms forwards}</style><p>WORD</p>
an animation of the colour ¦ <style>@keyframes f{to{color:transparent}}p{animation:f 1ms forwards}</style><p>WORD</p>
an animation in steps that is paused ¦ <style>@keyframes f{0%{visibility:hidden}}p{animation:f 9s paused}</style><p>WORD</p>
a variable ¦ <style>:root{--o:0}p{opacity:var(--o)}</style><p>WORD</p>
# drawings
no fill, a clear one or a white one, of the text, its part or its group ¦ <svg width="200" height="40"><text y="20" fill="none">WORD</text><text y="20"><tspan fill="none">WORD</tspan></text></svg><svg width="200" height="40"><text y="20" style="fill:transparent">WORD</text><text y="20" fill-opacity="0">WORD</text></svg><svg width="200" height="40"><text y="20" fill="#fff">WORD</text><g fill="white"><text y="20">WORD</text></g></svg>
outside of a text ¦ <svg width="200" height="40">WORD<rect width="90" height="20" fill="#eee">WORD</rect><text y="35">a</text></svg>
in definitions, or outside of the view ¦ <svg width="200" height="40"><defs><text y="20">WORD</text></defs></svg><svg width="200" height="40"><text y="900">WORD</text></svg>
title of a drawing without shapes or size ¦ <svg width="200" height="40"><title>WORD</title></svg><svg width="0" height="0"><title>WORD</title><rect width="20" height="20"/></svg>
description and metadata of a drawing ¦ <svg width="200" height="40"><desc>WORD</desc><rect width="20" height="20"/></svg><svg width="200" height="40"><metadata>WORD</metadata><rect width="20" height="20"/></svg>
without a font size, or below a shape ¦ <svg width="200" height="40"><text y="20" font-size=".5">WORD</text></svg><svg width="200" height="40"><text y="20">WORD</text><rect width="200" height="40" fill="#fff"/></svg>
a formula that is not visible ¦ <div style="visibility:hidden"><math><mi>WORD</mi></math></div><math style="color:#fff"><mi>WORD</mi></math>
a white part of a formula ¦ <math><mi>x</mi><mtext mathcolor="white">WORD</mtext><mtext style="color:#fff">WORD</mtext></math>
a paint, or a path, that is not there ¦ <svg width="200" height="40"><text y="20" fill="url(#nothing)">WORD</text><text><textPath href="#nothing">WORD</textPath></text></svg>
a mask of dark shapes ¦ <svg width="200" height="40"><mask id="m"><rect width="200" height="40" fill="#000"/></mask><text y="20" mask="url(#m)">WORD</text></svg>
hidden parts of a formula ¦ <math><mi>x</mi><mtext style="display:none">WORD</mtext><mrow>WORD<!-- WORD --></mrow></math>
# illegible
far away, by perspective, and letters in one another ¦ <div style="perspective:10px"><p style="transform:translateZ(-4000px)">WORD</p></div><p style="letter-spacing:-.8em">WORD</p>
a size next to a readable line height, and one adjusted to nothing ¦ <p style="font:1px/40px serif">WORD</p><p style="font-size-adjust:0">WORD</p>
a word cut after its first stroke, or by a small box ¦ <div style="width:3px;overflow:hidden;white-space:nowrap">WORD</div><div style="width:20px;overflow:hidden;white-space:nowrap">aaa WORD</div>
below the clamp, in one text ¦ <div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;width:60px">aaaaaa bbbbbb WORD</div>
a header of no size ¦ <table><tr><th style="font-size:0">WORD</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
white in a field ¦ <style>input{background:white;color:white}</style><input type="email" value="WORD">
a placeholder of the ground's colour ¦ <style>div{background:#eee}input{background:none;border:0}::placeholder{color:#eee}</style><div><input placeholder="WORD"></div>
a placeholder without opacity ¦ <style>::placeholder{opacity:0}</style><textarea placeholder="WORD"></textarea>
a placeholder without size ¦ <style>::placeholder{font-size:0}</style><input type="password" placeholder="WORD">
a placeholder without fill ¦ <style>input{-webkit-text-fill-color:transparent}</style><input placeholder="WORD">
a hidden label, caption and option ¦ <label for="i" style="display:none">WORD</label><input id="i"><table><caption style="display:none">WORD</caption><tr><th>a</th><th>b</th></tr><tr><td>a</td><td>b</td></tr></table><select><option>a<option hidden>WORD</select>
an annotation that says more ¦ <math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x \\text{WORD}</annotation></semantics></math>
# by rules
slotted, or a part ¦ <style>x-a::part(p){opacity:0}</style><div><template shadowrootmode="open"><style>::slotted(p){opacity:0}</style><slot></slot></template><p>WORD</p></div><x-a><template shadowrootmode="open"><p part="p">WORD</p></template></x-a>
a host ¦ <div><template shadowrootmode="open"><style>:host{opacity:0}</style><slot></slot></template><p>WORD</p></div>
nested, and nested in itself ¦ <style>.a{& p{opacity:0}}.c{&:not(.b){opacity:0}}</style><div class="a"><p>WORD</p></div><p class="c">WORD</p>
a layer, and one of several ¦ <style>@layer x{:is(.a,.b)>p:not(.c){font-size:0}}</style><div class="a"><p>WORD</p></div>
by an attribute ¦ <style>[data-a="b"]{clip-path:inset(50%)}</style><p data-a="b">WORD</p>
by place alone ¦ <style>:nth-child(2 of p){position:absolute;left:-999px}</style><p>a</p><p>WORD</p>
a name with signs ¦ <style>.a\\:b\\[1\\]{text-indent:-999px}</style><p class="a:b[1]">WORD</p>
the colour of what is around ¦ <style>div{color:#fff}</style><div><p>WORD</p></div>
a colour on its ground ¦ <style>p{color:#fff}div{background:#fff}</style><div><section><p>WORD</p></section></div>
pushed by what is before it ¦ <style>.a{height:0;margin-bottom:-999px}</style><div class="a"></div><p>WORD</p>
# security and fallback
discs, squares by what is around, and an input of discs ¦ <p style="-webkit-text-security:disc">WORD</p><div style="-webkit-text-security:square"><p>WORD</p></div><input value="WORD" style="-webkit-text-security:disc">
fallback of a canvas, and of a frame ¦ <canvas width="60" height="30">WORD</canvas><iframe srcdoc="a" width="60" height="30">WORD</iframe>
fallback of an object ¦ <object data="${DARK_PICTURE}" type="image/svg+xml" width="60" height="30">WORD</object>
fallback of a gauge ¦ <meter value=".5">WORD</meter><progress value=".5">WORD</progress>
noscript ¦ <noscript>WORD</noscript>
an option of a hidden list ¦ <datalist id="d"><option value="WORD"></datalist><input list="d">
an option of a list without a size ¦ <p><select style="width:0;height:0;padding:0;border:0"><option>WORD</select></p>
a value far outside of its field ¦ <input value="WORD" style="text-indent:-999px">
a value in a field of one pixel ¦ <input value="WORD" style="width:1px;height:1px;padding:0;border:0">
a cell of a collapsed column ¦ <table><col><col style="visibility:collapse"><tr><td>a</td><td>WORD</td></tr></table>
# attributes
a picture of one pixel, dark or clear ¦ <img src="${DARK_PICTURE}" width="1" height="1" alt="WORD"><img src="${CLEAR_PICTURE}" style="width:1px;height:1px" alt="WORD">
a picture without opacity, one that is clipped, and the title of one of one pixel ¦ <img src="${DARK_PICTURE}" width="60" height="40" style="opacity:.01" alt="WORD"><img src="${DARK_PICTURE}" width="60" height="40" style="clip-path:circle(0)" alt="WORD"><img src="${DARK_PICTURE}" width="1" height="1" title="WORD">
the label of a box that is not displayed, or of an icon of one pixel ¦ <div style="display:none" aria-label="WORD">a</div><i role="img" aria-label="WORD" style="display:inline-block;width:1px;height:1px"></i>
the label of a link that nobody sees ¦ <div style="visibility:hidden"><a href="/x" aria-label="WORD"></a></div><a href="/x" aria-label="WORD" style="position:absolute;left:-999px"></a>
a data attribute, a comment, a template, a hidden input, a description ¦ <p data-note="WORD">a<!-- WORD --></p><template><p>WORD</p></template><input type="hidden" value="WORD"><meta name="x" content="WORD">
an area of a map that no picture has ¦ <map name="m"><area alt="WORD" shape="rect" coords="0,0,9,9" href="/x"></map>
`;

/** Visible text, by the same means that the tricks use. */
export const LOOK_ALIKES = `
# next to a cover
over an absolute box ¦ <div style="position:relative;height:40px"><div style="${OVER};background:#eee"></div><p style="position:relative;margin:0">WORD</p></div>
under a box without paint ¦ <div style="position:relative"><p>WORD</p><div style="${OVER}"></div></div>
under a faint box ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;opacity:.4"></div></div>
under a box clipped away ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;clip-path:inset(50%)"></div></div>
under a clear picture ¦ <div style="position:relative;height:40px"><p style="margin:0">WORD</p><img alt="" src="${CLEAR_PICTURE}" style="${OVER}"></div>
under a frame without paint ¦ <div style="position:relative;height:40px"><p style="margin:0">WORD</p><iframe srcdoc="" style="${OVER};border:0"></iframe></div>
under a clear gradient ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:linear-gradient(transparent,#fff)"></div></div>
under an empty drawing ¦ <div style="position:relative;height:40px"><p style="margin:0">WORD</p><svg style="${OVER}"></svg></div>
in a box over another one ¦ <div style="position:relative;height:40px"><p style="margin:0">a</p><div style="${OVER};background:#ffd">WORD</div></div>
in a bubble with a tail under it ¦ <style>.x{position:relative;background:#ffd}.x::after{content:"";position:absolute;left:9px;bottom:-9px;width:9px;height:9px;background:#ffd}</style><p class="x">WORD</p>
in a span over a pseudo-element ¦ <style>.x{position:relative}.x::before{content:"";position:absolute;inset:0;background:#ffd}.x span{position:relative}</style><p class="x"><span>WORD</span></p>
in the top item of a grid ¦ <div style="display:grid"><div style="grid-area:1/1;background:#ffd">a</div><p style="grid-area:1/1;margin:0;background:#fff">WORD</p></div>
in front by order ¦ <div style="display:grid"><p style="grid-area:1/1;margin:0;z-index:1">WORD</p><div style="grid-area:1/1;background:#ffd">b</div></div>
under a cover that is moved away ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;transform:translateX(-500px)"></div></div>
in a shadow tree over its backdrop ¦ <div style="position:relative;height:40px"><template shadowrootmode="open"><div style="${OVER};background:#ffd"></div><div style="position:relative"><slot></slot></div></template>WORD</div>
white over a box far into the page ¦ <div style="height:0;overflow:hidden">${'<i></i>'.repeat(400)}</div><div style="position:relative;height:40px"><div style="${OVER};background:#013"></div><p style="position:relative;margin:0;color:#fff">WORD</p></div>
a button over a picture ¦ <div style="position:relative;height:40px"><img alt="" src="${DARK_PICTURE}" style="${OVER}"><button style="position:relative">WORD</button></div>
under a link over the whole card ¦ <div style="position:relative"><p>WORD</p><a href="/x" style="${OVER}"></a></div>
under two faint layers ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff8"></div><div style="${OVER};background:#fff8"></div></div>
in a ring of a drawing ¦ <svg width="200" height="40"><text x="80" y="24" font-size="8">WORD</text><circle cx="95" cy="20" r="60" fill="none" stroke="#000"/></svg>
in an outline, and under a line through it ¦ <p style="width:90px;outline:4px solid #a00;outline-offset:-6px">WORD</p><p style="text-decoration:line-through #a00 2px">WORD</p>
next to an arrow of borders ¦ <div style="position:relative;height:40px"><p>WORD</p><div style="${OVER};width:0;height:0;border:60px solid transparent;border-top-color:#fff"></div></div>
# painted
color(display-p3) green ¦ color:color(display-p3 0 .5 0)
white on an oklch box ¦ color:#fff;background:oklch(.3 .1 20)
white on a dark gradient ¦ color:#fff;background:linear-gradient(#012,#234)
white on a dark picture ¦ color:#fff;background:url(&quot;${DARK_PICTURE}&quot;)
dark on a white picture ¦ background:url(${WHITE_PICTURE})
white over a dark img ¦ <div style="position:relative;height:40px"><img alt="" src="${DARK_PICTURE}" style="position:absolute;left:0;top:0;width:200px;height:40px"><p style="position:relative;color:#fff">WORD</p></div>
below the box of its colour around it ¦ <div style="background:#080;height:20px;position:relative"><p style="position:absolute;top:30px;margin:0;color:#080">WORD</p></div>
next to a sign on its colour ¦ <style>p::before{content:"!";color:#fff;background:#d00}b{color:#d00}</style><p><b>WORD</b></p>
in a clear frame over a dark box ¦ <div style="background:#013"><iframe style="border:0" srcdoc="<p style='color:#fff'>WORD"></iframe></div>
on the dark canvas that a page declares ¦ <meta name="color-scheme" content="dark"><p style="color:#fff">WORD</p>
letters of a gradient ¦ background:linear-gradient(90deg,red,blue);background-clip:text;color:transparent
white with a dark shadow ¦ color:#fff;text-shadow:0 0 2px #000
white with a dark stroke ¦ color:#fff;-webkit-text-stroke:1px #000
a dark fill of a white colour ¦ color:#fff;-webkit-text-fill-color:#000
mask of all ¦ mask-image:linear-gradient(#000,#000)
masks that leave a part together ¦ mask:linear-gradient(#000 0 0),linear-gradient(90deg,#000 90%,#0000 90%);mask-composite:intersect
a mask of a light shape ¦ <svg width="200" height="40"><mask id="m"><rect width="200" height="40" fill="#fff"/></mask><text y="20" mask="url(#m)">WORD</text></svg>
a flood under the letters ¦ <svg width="0" height="0"><filter id="f"><feFlood flood-color="#ff8"/><feComposite in="SourceGraphic"/></filter></svg><p style="filter:url(#f)">WORD</p>
circle around it ¦ clip-path:circle(200px)
polygon of a slant ¦ clip-path:polygon(0 0,100% 0,100% 90%,0 100%)
path of a large area ¦ clip-path:path('M0 0H230V90H0Z')
brighter ¦ <div style="background:#222;color:#999;filter:brightness(1.5)">WORD</div>
inverted with its box ¦ <div style="background:#fff;filter:invert(1)"><p>WORD</p></div>
a small blur ¦ filter:blur(.4px)
multiplied on white ¦ mix-blend-mode:multiply
white in a dark input ¦ <input value="WORD" style="color:#fff;background:#222">
white placeholder of a dark field ¦ <style>input{background:#222}::placeholder{color:#fff}</style><input placeholder="WORD">
a placeholder of a field with white letters ¦ <style>input{background:#fff;color:#fff}::placeholder{color:#666}</style><input placeholder="WORD">
a pale placeholder ¦ <style>::placeholder{color:#888}</style><input placeholder="WORD">
# moved
shrunk a little ¦ transform:scale(.6)
mirrored ¦ transform:scaleX(-1);width:100px
turned upside down ¦ transform:rotate(180deg)
a tilt in space ¦ transform:perspective(400px) rotateY(30deg)
the front with a hidden back ¦ backface-visibility:hidden;transform:rotateY(0deg)
turned around twice ¦ <div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden;transform:rotateY(180deg)">WORD</p></div>
small and enlarged ¦ font-size:2px;transform:scale(8);transform-origin:0 0
scales that cancel out ¦ <div style="transform:scale(.1);transform-origin:0 0"><div style="transform:scale(10);transform-origin:0 0"><p>WORD</p></div></div>
# clipped
contain paint ¦ <div style="contain:paint"><p>WORD</p></div>
before an ellipsis ¦ <div style="width:90px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">WORD and much more</div>
under a mask of two ends, and scrolled in one ¦ <p style="mask-image:linear-gradient(90deg,transparent,#000 10%,#000 90%,transparent)">WORD and more</p><div style="height:30px;overflow:auto;mask-image:linear-gradient(#000 80%,transparent)">a<br>b<br>c<p>WORD</p></div>
a half of a box that leaves it ¦ <p style="clip-path:inset(0 50% 0 0)">WORD</p>
above the clamp ¦ <div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden">a<br>WORD<br>c</div>
a first line of a low box ¦ <div style="height:18px;overflow:hidden;line-height:18px">WORD<br>a</div>
overflow clip with room ¦ <div style="overflow:clip;height:30px">WORD</div>
overflow clip with a margin ¦ <div style="overflow:clip;overflow-clip-margin:40px;height:0">WORD</div>
a scroller to the side ¦ <div style="overflow-x:auto;width:100px;white-space:nowrap">WORD and more and more</div>
# faded
two opacities ¦ <div style="opacity:.6"><p style="opacity:.6">WORD</p></div>
at the end of an animation ¦ <style>@keyframes f{from{opacity:0}}p{animation:f 1ms forwards}</style><p>WORD</p>
at another scroll position ¦ <style>@keyframes f{from{opacity:0}to{opacity:1}}p{animation:f linear both;animation-timeline:scroll()}</style><p style="height:300px">WORD</p>
# legible
close letters ¦ letter-spacing:-1px
seen in perspective ¦ <div style="perspective:400px"><p style="transform:rotateY(20deg)">WORD</p></div>
transforms and containment of a part of a line ¦ <b style="transform:skew(90deg)">WORD</b> <b style="content-visibility:hidden">a</b>
in front of the viewer ¦ <div style="perspective:90px"><p style="transform:translateZ(2px)">WORD</p></div>
without perspective for what is flat ¦ <div style="perspective:10px"><p>WORD</p></div>
the first line of a clamp ¦ <div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;width:100px">WORD aaaaaa bbbbbb</div>
# drawings
a text of a drawing ¦ <svg width="200" height="40"><text y="20">WORD</text></svg>
a fill of a colour ¦ <svg width="200" height="40"><text y="20" fill="#a00">WORD</text></svg>
white on a dark shape ¦ <svg width="200" height="40"><rect width="200" height="40" fill="#012"/><text y="20" fill="#fff">WORD</text></svg>
a stroke ¦ <svg width="200" height="40"><text y="20" fill="#fff" stroke="#00f">WORD</text></svg>
a gradient as fill ¦ <svg width="200" height="40"><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><text y="20" fill="url(#g)">WORD</text></svg>
# security and fallback
no security ¦ -webkit-text-security:none
fallback of an object that has nothing ¦ <object data="data:x/none,">WORD</object>
`;

/** Text that effects or unreachable covers hide. */
const EFFECT_TRICKS = `
# masked
by a clear gradient ¦ mask-image:linear-gradient(transparent,transparent)
by a clear picture ¦ mask-image:url(&quot;${CLEAR_PICTURE}&quot;)
by a mask without size ¦ mask:linear-gradient(#000,#000) 0 0/0 0 no-repeat
by a mask that is elsewhere ¦ mask:linear-gradient(#000,#000) -99px 0/9px 9px no-repeat
by black that counts as dark ¦ mask:linear-gradient(#000,#000);mask-mode:luminance
by the mask of what is around ¦ <div style="mask-image:linear-gradient(transparent,transparent)"><p>WORD</p></div>
by a mask of a drawing without shapes ¦ <svg width="0" height="0"><mask id="m"></mask></svg><p style="mask:url(#m)">WORD</p>
by masks that leave nothing together ¦ <p style="mask:linear-gradient(#000 0 0),linear-gradient(#000 0 0);mask-composite:exclude">WORD</p><p style="mask:linear-gradient(#000 0 0),linear-gradient(#000 0 0);mask-composite:subtract">WORD</p><p style="mask:linear-gradient(90deg,#000 50%,#0000 50%),linear-gradient(90deg,#0000 50%,#000 50%);mask-composite:intersect">WORD</p>
# filtered
inverted without its box ¦ filter:invert(1)
brightened to white ¦ color:#999;filter:brightness(9)
one grey with its box ¦ background:#fff;filter:contrast(0)
blurred away ¦ color:#999;filter:blur(99px)
a filter of a drawing that takes all alpha ¦ <svg width="0" height="0"><filter id="f"><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/></filter></svg><p style="filter:url(#f)">WORD</p>
a filter of a drawing that paints over it, or thins it out ¦ <svg width="0" height="0"><filter id="f"><feFlood flood-color="#fff"/></filter><filter id="g"><feMorphology operator="erode" radius="9"/></filter></svg><p style="filter:url(#f)">WORD</p><p style="filter:url(#g)">WORD</p>
by the filter of what is around ¦ <div style="filter:invert(1)"><p>WORD</p></div>
by a backdrop filter over it ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};backdrop-filter:contrast(0)"></div></div>
# blended
black that lightens ¦ <div style="background:#fff;isolation:isolate"><p style="mix-blend-mode:lighten">WORD</p></div>
black on a screen ¦ <div style="background:#fff;isolation:isolate"><p style="mix-blend-mode:screen">WORD</p></div>
by a layer that lightens ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;mix-blend-mode:lighten"></div></div>
# turned
the back of a box ¦ backface-visibility:hidden;transform:rotateY(180deg)
the back of a card ¦ <div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden">WORD</p></div>
upside down, without a back ¦ backface-visibility:hidden;transform:rotateX(180deg)
# skewed
to its edge ¦ transform:skew(89.99deg)
up to its edge ¦ transform-origin:0 0;transform:skewY(89.9deg)
# covered by generated boxes
after it ¦ <style>p{position:relative}p::after{content:"";position:absolute;inset:0;background:#fff}</style><p>WORD</p>
before it, in front ¦ <style>p{position:relative}p::before{content:"";position:absolute;inset:0;background:#fff;z-index:1}</style><p>WORD</p>
of what is around ¦ <style>div{position:relative}div::after{content:"";position:absolute;inset:0;background:#fff}</style><div><p>WORD</p></div>
# covered by what lets clicks through
a layer ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;pointer-events:none"></div></div>
a picture ¦ <div style="position:relative"><p>WORD</p><img alt="" src="${DARK_PICTURE}" style="${OVER};pointer-events:none"></div>
a gradient ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:linear-gradient(#fff,#eee);pointer-events:none"></div></div>
a shape of a drawing ¦ <div style="position:relative"><p>WORD</p><svg style="${OVER};pointer-events:none"><rect width="100%" height="100%" fill="#fff"/></svg></div>
a shadow ¦ <div style="position:relative;height:60px"><p>WORD</p><div style="position:absolute;left:300px;top:0;width:240px;height:60px;box-shadow:-300px 0 #fff;pointer-events:none"></div></div>
# covered by outlines and shadows
an outline of an empty box after it, and before it ¦ <p>WORD</p><div style="outline:60px solid #fff"></div><div style="outline:60px solid #fff"></div><p>WORD</p>
a shadow that a blend mode raises ¦ <p>WORD</p><div style="mix-blend-mode:screen;box-shadow:0 0 0 60px #fff"></div>
its own wide stroke ¦ -webkit-text-stroke:2px #fff
# shapes and masks
a shape that only hit tests know ¦ clip-path:shape(from 0 0,line to 1px 0,line to 0 1px)
an outline that takes itself away ¦ clip-path:polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,100% 0,100% 100%,0 100%)
a half of a mask, of a wide box and of one around it ¦ <p style="mask-image:linear-gradient(90deg,transparent 50%,#000)">WORD</p><div style="mask-image:linear-gradient(to left,#000 50%,transparent 50%)"><p>WORD</p></div>
out of a masked box ¦ <div style="mask-image:linear-gradient(#000,#000);height:0"><p>WORD</p></div>
a half of a box ¦ <p style="clip-path:inset(0 0 0 50%)">WORD</p>
a block in a part of a line that is clipped ¦ <span style="clip-path:inset(0)"><div>WORD</div></span>
# behind the viewer, or thin
by perspective of its own, and of what is around ¦ <p style="transform:perspective(1px) translateZ(2px)">WORD</p><div style="perspective:9px"><p style="transform:translateZ(20px)">WORD</p></div>
by scale in one direction ¦ scale:1 .01
# without a visual
a column of a table ¦ display:table-column
clipped in a link that draws nothing ¦ <a href="/x"><b style="clip-path:circle(0)">WORD</b></a><a href="/x" style="font-size:0">WORD</a>
next to an empty generated box ¦ <style>p::before{content:""}</style><p style="font-size:0">WORD</p>
next to what is cut away with it ¦ <div style="clip-path:circle(0)">WORD<i>x</i></div>
almost without opacity ¦ opacity:.07
`;

/** Hidden texts that are read today. One that is read no more belongs among the tricks. */
export const KNOWN_TRICKS = `
# annotated
a command of TeX ¦ <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x \\WORD</annotation></semantics></math>
a colour of TeX ¦ <math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\textcolor{WORD}{x}</annotation></semantics></math>
`;

export const TRICKS = COVERED_TRICKS + PAINTED_TRICKS + OTHER_TRICKS + EFFECT_TRICKS;

/** Hidden by the source alone: a page that was only parsed has no layout, and its style sheets are unknown. */
export const SOURCE_TRICKS = `
# by style
not displayed ¦ display:none
invisible ¦ visibility:hidden
collapsed ¦ visibility:collapse
without opacity, or with almost none ¦ <p style="opacity:0">WORD</p><p style="opacity:.01">WORD</p><p style="filter:opacity(0)">WORD</p>
skipped ¦ content-visibility:hidden
without a size ¦ <p style="font-size:0">WORD</p><p style="font-size:1px">WORD</p>
in the colour of its ground ¦ color:#fff;background:#fff
clear ¦ <p style="color:transparent">WORD</p><p style="color:rgb(0 0 0/0)">WORD</p>
shapes without area ¦ <p style="clip-path:inset(50%)">WORD</p><p style="clip-path:circle(0)">WORD</p><p style="position:absolute;clip:rect(0 0 0 0)">WORD</p>
moved away ¦ <p style="position:absolute;left:-9999px">WORD</p><p style="text-indent:-9999px">WORD</p><p style="transform:translateX(-99999px)">WORD</p>
shrunk ¦ transform:scale(0)
without room ¦ <p style="height:0;overflow:hidden">WORD</p><p style="max-height:0;overflow:hidden">WORD</p>
a clear mask ¦ mask-image:linear-gradient(transparent,transparent)
in other notations ¦ <p style="DISPLAY : NONE !important">WORD</p><p style="opacity:0%">WORD</p><p style="/**/display:none">WORD</p>
# by rules of the page
of a class, a tag and an attribute ¦ <style>.x{display:none}</style><p class="x">WORD</p><style>b{opacity:0}</style><b>WORD</b><style>[data-x]{font-size:0}</style><p data-x>WORD</p>
of what is around, and inherited ¦ <style>.x{visibility:hidden}</style><div class="x"><p>WORD</p></div><style>.y p{color:#fff;background:#fff}</style><div class="y"><p>WORD</p></div>
in a group, and nested selectors ¦ <style>@media screen{.x{position:absolute;left:-9999px}}</style><p class="x">WORD</p><style>@layer a{:is(.y,.z)>p{clip-path:inset(50%)}}</style><div class="y"><p>WORD</p></div>
by weight ¦ <style>#x{display:none}.x{display:block}</style><p class="x" id="x">WORD</p><style>.y{display:none!important}</style><p class="y" style="color:red">WORD</p>
# by HTML
hidden, also until found ¦ <p hidden>WORD</p><p hidden="until-found">WORD</p>
what opens ¦ <dialog>WORD</dialog><div popover>WORD</div><details><summary>a</summary>WORD</details>
what is never shown ¦ <template>WORD</template><!-- WORD --><datalist><option>WORD</datalist><input type="hidden" value="WORD">
`;

/** Text that the source of a page shows, by the same means. */
export const SOURCE_LOOK_ALIKES = `
overruled by a heavier rule ¦ <style>.x{display:none}p.x{display:block}</style><p class="x">WORD</p>
overruled by inline style ¦ <style>.x{display:none}</style><p class="x" style="display:block">WORD</p>
visible again ¦ <style>.x{visibility:hidden}.x b{visibility:visible}</style><p class="x"><b>WORD</b></p>
a gap without letters ¦ <style>.x{font-size:0}.x b{font-size:16px}</style><p class="x"><b>WORD</b></p>
on paper, on a narrow screen, or under the pointer ¦ <style>@media print{.x{display:none}}@media (max-width:600px){.x{display:none}}.x:hover{display:none}</style><p class="x">WORD</p>
shown when it is scrolled to ¦ <style>.x{opacity:0;transition:opacity 1s}</style><p class="x">WORD</p>
the whole page ¦ <style>body{visibility:hidden}[v-cloak]{display:none}</style><div v-cloak><p>WORD</p>${'Most of its words. '.repeat(20)}</div>
letters cut out of a gradient ¦ <style>.x{color:transparent;background:linear-gradient(red,blue);background-clip:text}</style><p class="x">WORD</p>
without scripts ¦ <noscript><style>.x{display:none}</style></noscript><p class="x">WORD</p>
`;
