import { CLEAR_PICTURE, DARK_PICTURE, OVER, WHITE_PICTURE } from './pictures.ts';

/** Text that a person sees, by the same means that the tricks use. */
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
a button over a picture ¦ <div style="position:relative;height:40px"><img alt="" src="${DARK_PICTURE}" style="${OVER}"><button style="position:relative">WORD</button></div>
under a link over the whole card ¦ <div style="position:relative"><p>WORD</p><a href="/x" style="${OVER}"></a></div>
# painted
color(display-p3) green ¦ color:color(display-p3 0 .5 0)
white on an oklch box ¦ color:#fff;background:oklch(.3 .1 20)
white on a dark gradient ¦ color:#fff;background:linear-gradient(#012,#234)
white on a dark picture ¦ color:#fff;background:url(&quot;${DARK_PICTURE}&quot;)
dark on a white picture ¦ background:url(${WHITE_PICTURE})
white over a dark img ¦ <div style="position:relative;height:40px"><img alt="" src="${DARK_PICTURE}" style="position:absolute;left:0;top:0;width:200px;height:40px"><p style="position:relative;color:#fff">WORD</p></div>
letters of a gradient ¦ background:linear-gradient(90deg,red,blue);background-clip:text;color:transparent
white with a dark shadow ¦ color:#fff;text-shadow:0 0 2px #000
white with a dark stroke ¦ color:#fff;-webkit-text-stroke:1px #000
a dark fill of a white colour ¦ color:#fff;-webkit-text-fill-color:#000
mask of all ¦ mask-image:linear-gradient(#000,#000)
circle around it ¦ clip-path:circle(200px)
polygon of a slant ¦ clip-path:polygon(0 0,100% 0,100% 90%,0 100%)
path of a large area ¦ clip-path:path('M0 0H230V90H0Z')
brighter ¦ <div style="background:#222;color:#999;filter:brightness(1.5)">WORD</div>
inverted with its box ¦ <div style="background:#fff;filter:invert(1)"><p>WORD</p></div>
a small blur ¦ filter:blur(.4px)
multiplied on white ¦ mix-blend-mode:multiply
white in a dark input ¦ <input value="WORD" style="color:#fff;background:#222">
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
above the clamp ¦ <div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden">a<br>WORD<br>c</div>
a first line of a low box ¦ <div style="height:18px;overflow:hidden;line-height:18px">WORD<br>a</div>
overflow clip with room ¦ <div style="overflow:clip;height:30px">WORD</div>
overflow clip with a margin ¦ <div style="overflow:clip;overflow-clip-margin:40px;height:0">WORD</div>
a scroller to the side ¦ <div style="overflow-x:auto;width:100px;white-space:nowrap">WORD and more and more</div>
# faded
two opacities ¦ <div style="opacity:.6"><p style="opacity:.6">WORD</p></div>
at the end of an animation ¦ <style>@keyframes f{from{opacity:0}}p{animation:f 1ms forwards}</style><p>WORD</p>
# legible
close letters ¦ letter-spacing:-1px
seen in perspective ¦ <div style="perspective:400px"><p style="transform:rotateY(20deg)">WORD</p></div>
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
