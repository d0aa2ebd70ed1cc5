import { CLEAR_PICTURE, DARK_PICTURE, OVER, WHITE_PICTURE } from './pictures.ts';

/** Text under something else. */
export const COVERED_TRICKS = `
# covered
by an absolute box ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff"></div></div>
by an absolute box with a text ¦ <div style="position:relative;height:40px"><p>WORD</p><div style="${OVER};background:#ffd">Welcome</div></div>
by a relative box moved up ¦ <p style="margin:0;height:20px">WORD</p><div style="position:relative;top:-20px;height:20px;background:#fff"></div>
by a box moved by a transform ¦ <p style="margin:0;height:20px">WORD</p><div style="transform:translateY(-20px);height:20px;background:#fff"></div>
by a box moved by translate ¦ <p style="margin:0;height:20px">WORD</p><div style="translate:0 -20px;height:20px;background:#fff"></div>
by a box before it with a z-index ¦ <div style="position:relative;height:40px"><div style="${OVER};background:#fff;z-index:1"></div><p style="margin:0">WORD</p></div>
by a box with a wide-gamut colour ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:oklch(1 0 0)"></div></div>
by a picture ¦ <div style="position:relative;height:40px"><p>WORD</p><img alt="" src="${WHITE_PICTURE}" style="${OVER}"></div>
by a dark picture that is a background ¦ <div style="position:relative;height:40px"><p>WORD</p><div style="${OVER};background:url(&quot;${DARK_PICTURE}&quot;)"></div></div>
by a picture pulled up ¦ <p style="margin:0;height:20px">WORD</p><img alt="" src="${WHITE_PICTURE}" style="display:block;margin-top:-20px;width:200px;height:20px">
by a frame ¦ <div style="position:relative;height:40px"><p>WORD</p><iframe srcdoc="<html style='background:#fff'>" style="${OVER};border:0"></iframe></div>
by a frame with a background ¦ <div style="position:relative;height:40px"><p>WORD</p><iframe style="${OVER};border:0;background:#fff"></iframe></div>
by ::after of its parent ¦ <style>.x{position:relative}.x::after{content:"";position:absolute;inset:0;background:#fff}</style><p class="x">WORD</p>
by ::after of what is around ¦ <style>.x{position:relative}.x::after{content:"";${OVER};background:#fff}</style><div class="x"><p>WORD</p></div>
by ::before of a sibling ¦ <style>.x{position:relative;height:20px}.x::before{content:"";position:absolute;top:-20px;height:20px;width:100%;background:#fff}</style><p style="margin:0;height:20px">WORD</p><div class="x"></div>
by a gradient after it ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:linear-gradient(#fff,#eee)"></div></div>
by a box without pointer events ¦ <div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;pointer-events:none"></div></div>
by ::after without pointer events ¦ <style>.x{position:relative}.x::after{content:"";position:absolute;inset:0;background:#fff;pointer-events:none}</style><p class="x">WORD</p>
while it takes no pointer events itself ¦ <div style="position:relative"><p style="pointer-events:none">WORD</p><div style="${OVER};background:#fff"></div></div>
by a canvas with a background ¦ <div style="position:relative;height:40px"><p>WORD</p><canvas style="${OVER};background:#fff"></canvas></div>
by a drawing ¦ <div style="position:relative;height:40px"><p>WORD</p><svg style="${OVER};background:#fff"></svg></div>
by the next item of a grid ¦ <div style="display:grid"><p style="grid-area:1/1;margin:0">WORD</p><div style="grid-area:1/1;background:#fff">b</div></div>
by the next item of a flex line ¦ <div style="display:flex"><p style="margin:0;width:100px">WORD</p><div style="margin-left:-100px;width:100px;background:#fff">b</div></div>
by a float ¦ <div style="background:#eee;height:20px"><span style="display:block;height:20px">WORD</span></div><div style="position:relative;float:left;margin-top:-20px;width:200px;height:20px;background:#fff"></div>
below its parent ¦ <div style="position:relative;z-index:0"><div style="background:#fff;height:40px"><p style="position:absolute;z-index:-1;margin:0">WORD</p></div></div>
by three cards one after the other ¦ <div style="position:relative;height:40px"><div style="position:absolute;inset:WORD;background:#fff">0</div><div style="${OVER};background:#eee">a</div><div style="${OVER};background:#ddd">b</div></div>
by a wide box shadow under it ¦ <p style="margin:0;height:20px">WORD</p><div style="position:relative;top:-20px;z-index:1;height:20px;background:#fff;box-shadow:0 0 9px red"></div>
by an inline block pulled to the left ¦ <div style="white-space:nowrap"><span style="display:inline-block;width:100px">WORD</span><span style="display:inline-block;position:relative;left:-100px;width:100px;height:20px;background:#fff;vertical-align:top"></span></div>
by two boxes that each cover a half ¦ <div style="position:relative;width:160px"><p style="margin:0">WORD</p><div style="position:absolute;left:0;top:0;width:40px;height:100%;background:#fff"></div><div style="position:absolute;left:40px;top:0;width:120px;height:100%;background:#fff"></div></div>
in a scroller, by a box outside of it ¦ <div style="position:relative;height:40px"><div style="overflow:hidden"><p>WORD</p></div><div style="${OVER};background:#fff"></div></div>
by a box in a shadow tree ¦ <div style="position:relative;height:40px"><template shadowrootmode="open"><slot></slot><div style="${OVER};background:#fff"></div></template><p>WORD</p></div>
far below the fold ¦ <div style="height:400px"></div><div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff"></div></div>
an alternative text of a covered picture ¦ <div style="position:relative;height:40px"><img alt="WORD" src="${DARK_PICTURE}" style="width:100%;height:40px"><div style="${OVER};background:#fff"></div></div>
the face of a covered button ¦ <div style="position:relative;height:40px"><button>WORD</button><div style="${OVER};background:#fff"></div></div>
by the ::before of its parent ¦ <style>.x{position:relative}.x::before{content:"";position:absolute;inset:0;background:#fff;z-index:2}</style><p class="x">WORD</p>
below its parent, by z-index ¦ <div style="background:#fff;position:relative;z-index:0"><div style="background:#fff;height:30px;position:relative">a</div><p style="position:absolute;z-index:-1;top:0;margin:0">WORD</p></div>
`;

/** Text whose paint is not seen. */
export const PAINTED_TRICKS = `
# painted out
color(display-p3) white ¦ color:color(display-p3 1 1 1)
oklch white ¦ color:oklch(100% 0 0)
lab white ¦ color:lab(100 0 0)
lch white ¦ color:lch(100 0 0)
color(rec2020) white ¦ color:color(rec2020 1 1 1)
color(xyz) white ¦ color:color(xyz .9505 1 1.089)
color(prophoto-rgb) white ¦ color:color(prophoto-rgb 1 1 1)
color(a98-rgb) white ¦ color:color(a98-rgb 1 1 1)
color(srgb-linear) white ¦ color:color(srgb-linear 1 1 1)
color-mix white ¦ color:color-mix(in oklch,white,white)
wide-gamut on a wide-gamut box ¦ color:oklch(.5 .1 20);background:oklch(.5 .1 20)
hsl without alpha ¦ color:hsl(0 0% 0%/0)
alpha of one hundredth ¦ color:rgb(0 0 0/.01)
white on a white gradient ¦ color:#fff;background:linear-gradient(#fff,#fff)
grey on a radial gradient of the same grey ¦ color:#eee;background:radial-gradient(#eee,#eee)
white on a white picture ¦ color:#fff;background-image:url(${WHITE_PICTURE})
dark on a dark picture ¦ color:#001133;background:url(&quot;${DARK_PICTURE}&quot;)
white over a white img ¦ <div style="position:relative;height:40px"><img alt="" src="${WHITE_PICTURE}" style="position:absolute;left:0;top:0;width:200px;height:40px"><p style="position:relative;color:#fff">WORD</p></div>
fill without alpha ¦ -webkit-text-fill-color:transparent
fill of the background ¦ -webkit-text-fill-color:#fff;color:red
fill by a rule around ¦ <style>div{-webkit-text-fill-color:transparent}</style><div><p>WORD</p></div>
white letters clipped from white ¦ color:transparent;background:linear-gradient(#fff,#fff);background-clip:text
letters clipped from nothing ¦ color:transparent;background:none;background-clip:text
a shadow of the background ¦ color:#fff;text-shadow:0 0 1px #fff
a shadow without alpha ¦ color:transparent;text-shadow:1px 1px 2px transparent
a stroke of the background ¦ color:#fff;-webkit-text-stroke:1px #fff
mask none of it ¦ mask-image:linear-gradient(#0000,#0000)
mask without size ¦ mask-image:linear-gradient(#000,#000);mask-size:0 0;mask-repeat:no-repeat
mask of what is around ¦ <div style="mask-image:linear-gradient(transparent,transparent)"><p>WORD</p></div>
the prefixed mask ¦ -webkit-mask-image:-webkit-linear-gradient(transparent,transparent)
mask by luminance ¦ mask:linear-gradient(#000,#000) luminance
circle of one pixel ¦ clip-path:circle(.4px at 0 0)
circle next to it ¦ clip-path:circle(5px at 900px 900px)
ellipse without width ¦ clip-path:ellipse(0 10px)
polygon on a line ¦ clip-path:polygon(0 0,100% 0,50% 0)
polygon of a corner ¦ clip-path:polygon(0 0,1px 0,0 1px)
inset in pixels ¦ clip-path:inset(60px 0 60px 0)
inset of one side ¦ clip-path:inset(0 100% 0 0)
rect without height ¦ clip-path:rect(0 100% 0 0)
xywh without width ¦ clip-path:xywh(0 0 0 100%)
path without area ¦ clip-path:path('M0 0L100 0Z')
clip path of a drawing without shapes ¦ <svg width="0" height="0"><clipPath id="c"></clipPath></svg><p style="clip-path:url(#c)">WORD</p>
all bright ¦ filter:brightness(99);color:#444
inverted black on white page ¦ filter:invert(1)
dark on dark by brightness ¦ <div style="background:#fff;filter:brightness(0)"><p>WORD</p></div>
no contrast ¦ <div style="background:#fff;filter:contrast(0)"><p>WORD</p></div>
opacity of a filter, twice ¦ <div style="filter:opacity(.2)"><p style="filter:opacity(.2)">WORD</p></div>
screen on white ¦ <div style="background:#fff;isolation:isolate"><p style="mix-blend-mode:screen">WORD</p></div>
lighten on white ¦ <div style="background:#fff;isolation:isolate"><div style="mix-blend-mode:lighten"><b>WORD</b></div></div>
color dodge on white ¦ <div style="background:#fff;isolation:isolate"><p style="mix-blend-mode:color-dodge">WORD</p></div>
white multiplied ¦ color:#fff;background:#fff;mix-blend-mode:multiply
multiply on black ¦ <div style="background:#000;isolation:isolate"><p style="color:red;mix-blend-mode:multiply">WORD</p></div>
a blur of all ¦ filter:opacity(0) blur(2px)
by the colour of a link ¦ <style>a{color:#fff}</style><a href="/x">WORD</a>
by the colour of a first line ¦ <style>p::first-line{color:#fff}</style><p>WORD</p>
in a generated text ¦ <style>p::before{content:"WORD";color:oklch(1 0 0)}</style><p>a</p>
in an input ¦ <input value="WORD" style="color:#fff;background:#fff">
in a textarea ¦ <textarea style="color:transparent">WORD</textarea>
a placeholder ¦ <style>::placeholder{color:transparent}</style><input placeholder="WORD">
the face of a button ¦ <button style="color:#eee;background:#eee">WORD</button>
oklab white ¦ color:oklab(1 0 0)
a clip path far away ¦ clip-path:inset(0 0 0 1000px)
black in a black box by a filter ¦ <div style="background:#ddd;filter:brightness(0)">WORD</div>
white on a gradient of nearly white ¦ color:#fff;background:linear-gradient(90deg,#fff,#fefefe)
`;

/** Text that is moved, cut off, faded, or only said by attributes. */
export const OTHER_TRICKS = `
# transformed
scale of nothing ¦ transform:scale(0)
scale of nothing, as a property ¦ scale:0
scale of almost nothing ¦ transform:scale(.02)
scale without height ¦ transform:scaleY(0)
scale with little width ¦ transform:scaleX(.001)
scales one in the other ¦ <div style="transform:scale(.2)"><div style="transform:scale(.2)"><p>WORD</p></div></div>
zoom of almost nothing ¦ zoom:.02
skewed to a line ¦ transform:skewX(90deg)
a matrix without area ¦ transform:matrix(1,0,0,0,0,0)
turned to its edge ¦ transform:rotateY(90deg)
turned to its edge, as a property ¦ rotate:y 90deg
the back of a box ¦ transform:rotateX(180deg);backface-visibility:hidden
the back by a property ¦ rotate:y 180deg;backface-visibility:hidden
the back by its parent ¦ <div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden">WORD</p></div>
offset path far away ¦ offset-path:path('M-900 -900L-950 -900')
offset by a distance ¦ offset-path:path('M0 0L-2000 0');offset-distance:100%
behind the eye ¦ transform:perspective(10px) translateZ(20px)
moved up by translate ¦ translate:0 -500px
a parent without scale ¦ <div style="transform:scale(0)"><ul><li>WORD</ul></div>
# clipped
contain paint ¦ <div style="contain:paint;height:10px"><p style="margin:40px 0 0">WORD</p></div>
contain strict without size ¦ <div style="contain:strict"><p>WORD</p></div>
contain content ¦ <div style="contain:content;width:30px;height:20px"><p style="margin:0 0 0 60px">WORD</p></div>
overflow clip ¦ <div style="overflow:clip;height:0"><p>WORD</p></div>
overflow of one way ¦ <div style="overflow-x:clip;width:0;white-space:nowrap"><p>WORD</p></div>
beyond an ellipsis ¦ <div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">abcdefghijk<span>WORD</span></div>
a text of its own beyond an ellipsis ¦ <div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">abcdefghijk<i></i>WORD</div>
lines below a clamp ¦ <div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden">a<br><b>WORD</b></div>
a line below a low box ¦ <div style="height:18px;overflow:hidden;line-height:18px">a<br>WORD</div>
two boxes that share nothing ¦ <div style="overflow:hidden;width:50px"><div style="overflow:hidden;width:120px;margin-left:60px"><p>WORD</p></div></div>
a clip path of what is around ¦ <div style="clip-path:inset(0 0 90% 0);height:60px"><p style="margin:0;padding-top:30px">WORD</p></div>
clip of the parent ¦ <div style="position:absolute;clip:rect(0,10px,10px,0)"><p style="margin:30px 0 0 30px">WORD</p></div>
max-height of nothing ¦ <div style="max-height:0;overflow:hidden"><p>WORD</p></div>
a width of nothing around words ¦ <div style="width:0;overflow:hidden"><span>WORD</span></div>
a box of one pixel that clips ¦ <div style="width:1px;height:1px;overflow:hidden">WORD</div>
a row of a table that is not tall ¦ <table style="width:200px"><tr><td><div style="height:0;overflow:hidden">WORD</div></td></tr></table>
a fieldset that contains paint ¦ <fieldset style="contain:strict;height:0;border:0;padding:0"><p>WORD</p></fieldset>
a hidden part of a frame ¦ <iframe style="height:20px;border:0" scrolling="no" srcdoc="<body style='margin:0;overflow:hidden;height:20px'><p style='margin:0;position:fixed;top:60px'>WORD</p>"></iframe>
text moved right out of its box ¦ <div style="overflow:hidden;width:60px;white-space:nowrap;text-indent:100%">WORD</div>
padding of a box that clips ¦ <div style="overflow:hidden;height:20px"><p style="margin:0;padding-top:40px">WORD</p></div>
# faded
two opacities ¦ <div style="opacity:.15"><p style="opacity:.15">WORD</p></div>
five opacities ¦ <div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5">WORD</div></div></div></div></div>
at the end of an animation ¦ <style>@keyframes f{to{opacity:0}}p{animation:f 1ms forwards}</style><p>WORD</p>
an animation of the colour ¦ <style>@keyframes f{to{color:transparent}}p{animation:f 1ms forwards}</style><p>WORD</p>
an animation that waits ¦ <style>@keyframes f{from{opacity:0}}p{animation:f 1s 1000s both}</style><p>WORD</p>
an animation in steps that is paused ¦ <style>@keyframes f{0%{visibility:hidden}}p{animation:f 9s paused}</style><p>WORD</p>
opacity and a filter ¦ <div style="opacity:.2"><p style="filter:opacity(.2)">WORD</p></div>
opacity and a pale colour ¦ <div style="opacity:.2"><p style="color:rgb(0 0 0/.2)">WORD</p></div>
a rule for what is supported ¦ <style>@supports(opacity:0){p{opacity:0}}</style><p>WORD</p>
a rule in a layer ¦ <style>@layer a{p{opacity:.001}}</style><p>WORD</p>
a variable ¦ <style>:root{--o:0}p{opacity:var(--o)}</style><p>WORD</p>
# drawings
fill none ¦ <svg width="200" height="40"><text y="20" fill="none">WORD</text></svg>
fill white ¦ <svg width="200" height="40"><text y="20" fill="#fff">WORD</text></svg>
fill by style ¦ <svg width="200" height="40"><text y="20" style="fill:transparent">WORD</text></svg>
fill-opacity of nothing ¦ <svg width="200" height="40"><text y="20" fill-opacity="0">WORD</text></svg>
fill of its group ¦ <svg width="200" height="40"><g fill="white"><text y="20">WORD</text></g></svg>
a part without fill ¦ <svg width="200" height="40"><text y="20"><tspan fill="none">WORD</tspan></text></svg>
opacity as an attribute ¦ <svg width="200" height="40"><text y="20" opacity="0">WORD</text></svg>
in definitions ¦ <svg width="200" height="40"><defs><text y="20">WORD</text></defs></svg>
outside of the view ¦ <svg width="200" height="40"><text y="900">WORD</text></svg>
title of a drawing without shapes ¦ <svg width="200" height="40"><title>WORD</title></svg>
description of a drawing ¦ <svg width="200" height="40"><desc>WORD</desc><rect width="20" height="20"/></svg>
title of a drawing without size ¦ <svg width="0" height="0"><title>WORD</title><rect width="20" height="20"/></svg>
title of a drawing of one pixel ¦ <svg width="1" height="1"><title>WORD</title><rect width="20" height="20"/></svg>
below a shape ¦ <svg width="200" height="40"><text y="20">WORD</text><rect width="200" height="40" fill="#fff"/></svg>
without a font size ¦ <svg width="200" height="40"><text y="20" font-size=".5">WORD</text></svg>
metadata ¦ <svg width="200" height="40"><metadata>WORD</metadata><rect width="20" height="20"/></svg>
# illegible
letters on top of each other ¦ letter-spacing:-9.6px;width:1ch;overflow:hidden
a heavy blur ¦ filter:blur(20px)
a heavy blur of what is around ¦ <div style="filter:blur(30px)"><p>WORD</p></div>
behind the eye, by perspective ¦ <div style="perspective:100px"><p style="transform:translateZ(200px)">WORD</p></div>
far away, by perspective ¦ <div style="perspective:10px"><p style="transform:translateZ(-4000px)">WORD</p></div>
far away by itself ¦ transform:perspective(10px) translateZ(-2000px)
cut by a small box ¦ <div style="width:20px;overflow:hidden;white-space:nowrap">aaa WORD</div>
below the clamp, in one text ¦ <div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;width:60px">aaaaaa bbbbbb WORD</div>
a header of no size ¦ <table><tr><th style="font-size:0">WORD</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
white in a field ¦ <style>input{background:white;color:white}</style><input type="email" value="WORD">
a part of a button ¦ <button>a<i style="opacity:0">b</i></button><b style="opacity:0">WORD</b>
a hidden label ¦ <label for="i" style="display:none">WORD</label><input id="i">
a hidden caption ¦ <table><caption style="display:none">WORD</caption><tr><th>a</th><th>b</th></tr><tr><td>a</td><td>b</td></tr></table>
a hidden option ¦ <select><option>a<option hidden>WORD</select>
an annotation that says more ¦ <math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x \\text{WORD}</annotation></semantics></math>
# security and fallback
discs ¦ -webkit-text-security:disc
circles ¦ -webkit-text-security:circle
squares by what is around ¦ <div style="-webkit-text-security:square"><p>WORD</p></div>
an input of discs ¦ <input value="WORD" style="-webkit-text-security:disc">
fallback of a canvas ¦ <canvas width="60" height="30">WORD</canvas>
fallback of a video ¦ <video width="60" height="30"><p>WORD</p></video>
fallback of audio ¦ <audio controls><a href="/x">WORD</a></audio>
fallback of a frame ¦ <iframe srcdoc="a" width="60" height="30">WORD</iframe>
fallback of an object ¦ <object data="${DARK_PICTURE}" type="image/svg+xml" width="60" height="30">WORD</object>
noscript ¦ <noscript>WORD</noscript>
an option of a hidden list ¦ <datalist id="d"><option value="WORD"></datalist><input list="d">
a ruby fallback ¦ <ruby>a<rp>WORD</rp><rt>b</rt></ruby>
# attributes
a picture of one pixel ¦ <img src="${DARK_PICTURE}" width="1" height="1" alt="WORD">
a picture of no height ¦ <img src="${DARK_PICTURE}" style="width:90px;height:0" alt="WORD">
a clear picture of one pixel ¦ <img src="${CLEAR_PICTURE}" style="width:1px;height:1px" alt="WORD">
a picture without opacity ¦ <img src="${DARK_PICTURE}" width="60" height="40" style="opacity:.01" alt="WORD">
a picture in nested opacities ¦ <div style="opacity:.1"><img src="${DARK_PICTURE}" width="60" height="40" style="opacity:.1" alt="WORD"></div>
a picture that is clipped ¦ <img src="${DARK_PICTURE}" width="60" height="40" style="clip-path:circle(0)" alt="WORD">
a data attribute ¦ <p data-note="WORD">a</p>
the label of a box that is not displayed ¦ <div style="display:none" aria-label="WORD">a</div>
the label of a link without opacity ¦ <a href="/x" style="opacity:0" aria-label="WORD">a</a>
the title of a picture of one pixel ¦ <img src="${DARK_PICTURE}" width="1" height="1" title="WORD">
a comment ¦ <p>a<!-- WORD --></p>
a template ¦ <template><p>WORD</p></template>
a hidden input ¦ <input type="hidden" value="WORD">
a description in meta ¦ <meta name="x" content="WORD"><p>a</p>
the label of a drawing without size ¦ <svg width="0" height="0" role="img" aria-label="WORD"></svg>
the label of an icon of one pixel ¦ <i role="img" aria-label="WORD" style="display:inline-block;width:1px;height:1px"></i>
`;
