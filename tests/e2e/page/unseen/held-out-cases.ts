import { CLEAR_PICTURE, DARK_PICTURE, OVER, WHITE_PICTURE, type WordCases } from './cases.ts';

/** Written before the rules were, and not consulted while they were written. */
export const HELD_OUT_TRICKS: WordCases = {
  covered: {
    'by a later card': `<div style="position:relative;width:200px;height:40px"><p style="margin:0">WORD</p><div style="position:absolute;inset:0;background:#eef">Offers</div></div>`,
    'by a picture of its own size': `<div style="position:relative;height:24px"><span>WORD</span><img alt="" src="${WHITE_PICTURE}" style="${OVER}"></div>`,
    'by the box after it, pulled up': `<p style="margin:0;height:20px">WORD</p><div style="position:relative;margin-top:-20px;height:20px;background:#fff">shop</div>`,
    'by a gradient': `<div style="position:relative"><b>WORD</b><i style="${OVER};background:linear-gradient(#fff,#fff)"></i></div>`,
    'by the ::before of its parent': `<style>.x{position:relative}.x::before{content:"";position:absolute;inset:0;background:#fff;z-index:2}</style><p class="x">WORD</p>`,
    'by a box that lets clicks through': `<div style="position:relative"><em>WORD</em><div style="${OVER};background:#fff;pointer-events:none"></div></div>`,
    'below its parent, by z-index': `<div style="background:#fff;position:relative;z-index:0"><div style="background:#fff;height:30px;position:relative">a</div><p style="position:absolute;z-index:-1;top:0;margin:0">WORD</p></div>`,
    'by a frame': `<div style="position:relative;height:40px"><p>WORD</p><iframe srcdoc="<body style='background:#fff'>a" style="${OVER};border:0"></iframe></div>`,
  },
  'painted out': {
    'display-p3 white': '<p style="color:color(display-p3 1 1 1)">WORD</p>',
    'oklab white': '<p style="color:oklab(1 0 0)">WORD</p>',
    'white on a white gradient':
      '<p style="color:#fff;background:linear-gradient(90deg,#fff,#fefefe)">WORD</p>',
    'white on a white picture': `<p style="color:#fff;background:url(${WHITE_PICTURE})">WORD</p>`,
    'a filled white, black by colour': '<p style="color:#000;-webkit-text-fill-color:#fff">WORD</p>',
    'a mask without paint': '<p style="mask-image:linear-gradient(transparent,transparent)">WORD</p>',
    'a clip path far away': '<p style="clip-path:inset(0 0 0 1000px)">WORD</p>',
    'all brightness': '<p style="filter:brightness(100);color:#222">WORD</p>',
    'a blend that lightens':
      '<div style="background:#fff;isolation:isolate"><p style="mix-blend-mode:lighten">WORD</p></div>',
    'black in a black box by a filter': '<div style="background:#ddd;filter:brightness(0)">WORD</div>',
  },
  transformed: {
    'a hundredth in size': '<p style="transform:scale(.01)">WORD</p>',
    'turned to its edge': '<p style="transform:rotateX(90deg)">WORD</p>',
    'the back of a card': '<p style="backface-visibility:hidden;transform:rotateY(180deg)">WORD</p>',
  },
  clipped: {
    'out of a box that contains paint':
      '<div style="contain:paint;height:20px"><p style="margin:60px 0 0">WORD</p></div>a',
    'lines after the clamp':
      '<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden">One line<br>WORD</div>',
    'beyond the ellipsis':
      '<div style="width:80px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">0123456789<b>WORD</b></div>',
  },
  faded: {
    'three opacities':
      '<div style="opacity:.3"><div style="opacity:.3"><p style="opacity:.3">WORD</p></div></div>',
    'at the end of an animation':
      '<style>@keyframes f{to{opacity:.01}}p{animation:f 1ms forwards}</style><p>WORD</p>',
  },
  drawings: {
    'filled by nothing': '<svg width="200" height="40"><text y="20" fill="none">WORD</text></svg>',
    'filled white by a rule':
      '<style>text{fill:#fff}</style><svg width="200" height="40"><text y="20">WORD</text></svg>',
  },
  'security and fallback': {
    'dots for letters': '<p style="-webkit-text-security:disc">WORD</p>',
    'fallback of a canvas': '<canvas width="50" height="20"><p>WORD</p></canvas>',
  },
  attributes: {
    'a picture of one pixel': `<img src="${CLEAR_PICTURE}" width="1" height="1" alt="WORD">`,
    'the label of a box that is not there': '<div hidden aria-label="WORD">a</div>',
  },
};

export const HELD_OUT_LOOK_ALIKES: WordCases = {
  'next to a cover': {
    'above a picture': `<div style="position:relative;height:60px"><img alt="" src="${DARK_PICTURE}" style="${OVER}"><p style="position:absolute;left:0;top:0;color:#fff">WORD</p></div>`,
    'below a tint': `<div style="position:relative"><p>WORD</p><div style="${OVER};background:rgb(0 0 0/.3)"></div></div>`,
    'under a link over the whole card': `<div style="position:relative"><p>WORD</p><a href="/x" style="${OVER}"></a></div>`,
    'half under a box': `<div style="position:relative;width:160px"><p>WORD WORD</p><div style="position:absolute;left:0;top:0;width:20px;height:100%;background:#fff"></div></div>`,
    'in a box of a higher layer': `<div style="position:relative;height:40px"><p style="position:relative;z-index:2">WORD</p><div style="${OVER};background:#fff;z-index:1"></div></div>`,
    'under a clear picture': `<div style="position:relative"><p>WORD</p><img alt="" src="${CLEAR_PICTURE}" style="${OVER}"></div>`,
    'over the block after it':
      '<p style="margin:0;height:20px">WORD</p><div style="margin-top:-20px;height:20px;background:#eee"></div>',
  },
  painted: {
    'display-p3 red': '<p style="color:color(display-p3 1 0 0)">WORD</p>',
    'white on a dark gradient': '<p style="color:#fff;background:linear-gradient(#000,#333)">WORD</p>',
    'white on a dark picture': `<p style="color:#fff;background:url(&quot;${DARK_PICTURE}&quot;)">WORD</p>`,
    'a mask that fades out': '<p style="mask-image:linear-gradient(#000 50%,transparent)">WORD</p>',
    'a gradient in the letters':
      '<p style="background:linear-gradient(90deg,red,blue);background-clip:text;-webkit-text-fill-color:transparent">WORD</p>',
    'dimmed a little': '<p style="filter:brightness(.8)">WORD</p>',
    'a rounded clip path': '<p style="clip-path:inset(0 round 8px)">WORD</p>',
  },
  moved: {
    'turned by a quarter': '<p style="transform:rotate(90deg);width:60px;margin:20px">WORD</p>',
    'the front of a card':
      '<div style="transform-style:preserve-3d"><p style="backface-visibility:hidden">WORD</p></div>',
    'half in size': '<p style="transform:scale(.5)">WORD</p>',
  },
  other: {
    'opacities of two': '<div style="opacity:.7"><p style="opacity:.7">WORD</p></div>',
    'stroked and not filled':
      '<svg width="200" height="40"><text y="20" fill="none" stroke="#000">WORD</text></svg>',
    'the first line of a clamp':
      '<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden">WORD<br>more</div>',
    'a box of contained layout': '<div style="contain:content"><p>WORD</p></div>',
  },
};
