import { CLEAR_PICTURE, DARK_PICTURE, type WordCases } from './cases.ts';

const p = (style: string): string => `<p style="${style}">WORD</p>`;

/** Text that is moved, cut off, faded, or only said by attributes. */
export const OTHER_TRICKS: WordCases = {
  transformed: {
    'scale of nothing': p('transform:scale(0)'),
    'scale of nothing, as a property': p('scale:0'),
    'scale of almost nothing': p('transform:scale(.02)'),
    'scale without height': p('transform:scaleY(0)'),
    'scale with little width': p('transform:scaleX(.001)'),
    'scales one in the other':
      '<div style="transform:scale(.2)"><div style="transform:scale(.2)"><p>WORD</p></div></div>',
    'zoom of almost nothing': p('zoom:.02'),
    'skewed to a line': p('transform:skewX(90deg)'),
    'a matrix without area': p('transform:matrix(1,0,0,0,0,0)'),
    'turned to its edge': p('transform:rotateY(90deg)'),
    'turned to its edge, as a property': p('rotate:y 90deg'),
    'the back of a box': p('transform:rotateX(180deg);backface-visibility:hidden'),
    'the back by a property': p('rotate:y 180deg;backface-visibility:hidden'),
    'the back by its parent':
      '<div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden">WORD</p></div>',
    'offset path far away': p(`offset-path:path('M-900 -900L-950 -900')`),
    'offset by a distance': p(`offset-path:path('M0 0L-2000 0');offset-distance:100%`),
    'behind the eye': p('transform:perspective(10px) translateZ(20px)'),
    'moved up by translate': p('translate:0 -500px'),
    'a parent without scale': '<div style="transform:scale(0)"><ul><li>WORD</ul></div>',
  },
  clipped: {
    'contain paint': '<div style="contain:paint;height:10px"><p style="margin:40px 0 0">WORD</p></div>',
    'contain strict without size': '<div style="contain:strict"><p>WORD</p></div>',
    'contain content':
      '<div style="contain:content;width:30px;height:20px"><p style="margin:0 0 0 60px">WORD</p></div>',
    'overflow clip': '<div style="overflow:clip;height:0"><p>WORD</p></div>',
    'overflow of one way': '<div style="overflow-x:clip;width:0;white-space:nowrap"><p>WORD</p></div>',
    'beyond an ellipsis':
      '<div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">abcdefghijk<span>WORD</span></div>',
    'a text of its own beyond an ellipsis':
      '<div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">abcdefghijk<i></i>WORD</div>',
    'lines below a clamp':
      '<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden">a<br><b>WORD</b></div>',
    'a line below a low box': '<div style="height:18px;overflow:hidden;line-height:18px">a<br>WORD</div>',
    'two boxes that share nothing':
      '<div style="overflow:hidden;width:50px"><div style="overflow:hidden;width:120px;margin-left:60px"><p>WORD</p></div></div>',
    'a clip path of what is around':
      '<div style="clip-path:inset(0 0 90% 0);height:60px"><p style="margin:0;padding-top:30px">WORD</p></div>',
    'clip of the parent':
      '<div style="position:absolute;clip:rect(0,10px,10px,0)"><p style="margin:30px 0 0 30px">WORD</p></div>',
    'max-height of nothing': '<div style="max-height:0;overflow:hidden"><p>WORD</p></div>',
    'a width of nothing around words': '<div style="width:0;overflow:hidden"><span>WORD</span></div>',
    'a box of one pixel that clips': '<div style="width:1px;height:1px;overflow:hidden">WORD</div>',
    'a row of a table that is not tall':
      '<table style="width:200px"><tr><td><div style="height:0;overflow:hidden">WORD</div></td></tr></table>',
    'a fieldset that contains paint':
      '<fieldset style="contain:strict;height:0;border:0;padding:0"><p>WORD</p></fieldset>',
    'a hidden part of a frame': `<iframe style="height:20px;border:0" scrolling="no" srcdoc="<body style='margin:0;overflow:hidden;height:20px'><p style='margin:0;position:fixed;top:60px'>WORD</p>"></iframe>`,
    'text moved right out of its box':
      '<div style="overflow:hidden;width:60px;white-space:nowrap;text-indent:100%">WORD</div>',
    'padding of a box that clips':
      '<div style="overflow:hidden;height:20px"><p style="margin:0;padding-top:40px">WORD</p></div>',
  },
  faded: {
    'two opacities': '<div style="opacity:.15"><p style="opacity:.15">WORD</p></div>',
    'five opacities': '<div style="opacity:.5">'.repeat(5) + 'WORD' + '</div>'.repeat(5),
    'at the end of an animation':
      '<style>@keyframes f{to{opacity:0}}p{animation:f 1ms forwards}</style><p>WORD</p>',
    'an animation of the colour':
      '<style>@keyframes f{to{color:transparent}}p{animation:f 1ms forwards}</style><p>WORD</p>',
    'an animation that waits':
      '<style>@keyframes f{from{opacity:0}}p{animation:f 1s 1000s both}</style><p>WORD</p>',
    'an animation in steps that is paused':
      '<style>@keyframes f{0%{visibility:hidden}}p{animation:f 9s paused}</style><p>WORD</p>',
    'opacity and a filter': '<div style="opacity:.2"><p style="filter:opacity(.2)">WORD</p></div>',
    'opacity and a pale colour': '<div style="opacity:.2"><p style="color:rgb(0 0 0/.2)">WORD</p></div>',
    'a rule for what is supported': '<style>@supports(opacity:0){p{opacity:0}}</style><p>WORD</p>',
    'a rule in a layer': '<style>@layer a{p{opacity:.001}}</style><p>WORD</p>',
    'a variable': '<style>:root{--o:0}p{opacity:var(--o)}</style><p>WORD</p>',
  },
  drawings: {
    'fill none': '<svg width="200" height="40"><text y="20" fill="none">WORD</text></svg>',
    'fill white': '<svg width="200" height="40"><text y="20" fill="#fff">WORD</text></svg>',
    'fill by style': '<svg width="200" height="40"><text y="20" style="fill:transparent">WORD</text></svg>',
    'fill-opacity of nothing': '<svg width="200" height="40"><text y="20" fill-opacity="0">WORD</text></svg>',
    'fill of its group': '<svg width="200" height="40"><g fill="white"><text y="20">WORD</text></g></svg>',
    'a part without fill':
      '<svg width="200" height="40"><text y="20"><tspan fill="none">WORD</tspan></text></svg>',
    'opacity as an attribute': '<svg width="200" height="40"><text y="20" opacity="0">WORD</text></svg>',
    'in definitions': '<svg width="200" height="40"><defs><text y="20">WORD</text></defs></svg>',
    'outside of the view': '<svg width="200" height="40"><text y="900">WORD</text></svg>',
    'title of a drawing without shapes': '<svg width="200" height="40"><title>WORD</title></svg>',
    'description of a drawing':
      '<svg width="200" height="40"><desc>WORD</desc><rect width="20" height="20"/></svg>',
    'title of a drawing without size':
      '<svg width="0" height="0"><title>WORD</title><rect width="20" height="20"/></svg>',
    'title of a drawing of one pixel':
      '<svg width="1" height="1"><title>WORD</title><rect width="20" height="20"/></svg>',
    'below a shape':
      '<svg width="200" height="40"><text y="20">WORD</text><rect width="200" height="40" fill="#fff"/></svg>',
    'without a font size': '<svg width="200" height="40"><text y="20" font-size=".5">WORD</text></svg>',
    metadata: '<svg width="200" height="40"><metadata>WORD</metadata><rect width="20" height="20"/></svg>',
  },
  'security and fallback': {
    discs: p('-webkit-text-security:disc'),
    circles: p('-webkit-text-security:circle'),
    'squares by what is around': '<div style="-webkit-text-security:square"><p>WORD</p></div>',
    'an input of discs': '<input value="WORD" style="-webkit-text-security:disc">',
    'fallback of a canvas': '<canvas width="60" height="30">WORD</canvas>',
    'fallback of a video': '<video width="60" height="30"><p>WORD</p></video>',
    'fallback of audio': '<audio controls><a href="/x">WORD</a></audio>',
    'fallback of a frame': '<iframe srcdoc="a" width="60" height="30">WORD</iframe>',
    'fallback of an object': `<object data="${DARK_PICTURE}" type="image/svg+xml" width="60" height="30">WORD</object>`,
    noscript: '<noscript>WORD</noscript>',
    'an option of a hidden list': '<datalist id="d"><option value="WORD"></datalist><input list="d">',
    'a ruby fallback': '<ruby>a<rp>WORD</rp><rt>b</rt></ruby>',
  },
  attributes: {
    'a picture of one pixel': `<img src="${DARK_PICTURE}" width="1" height="1" alt="WORD">`,
    'a picture of no height': `<img src="${DARK_PICTURE}" style="width:90px;height:0" alt="WORD">`,
    'a clear picture of one pixel': `<img src="${CLEAR_PICTURE}" style="width:1px;height:1px" alt="WORD">`,
    'a picture without opacity': `<img src="${DARK_PICTURE}" width="60" height="40" style="opacity:.01" alt="WORD">`,
    'a picture in nested opacities': `<div style="opacity:.1"><img src="${DARK_PICTURE}" width="60" height="40" style="opacity:.1" alt="WORD"></div>`,
    'a picture that is clipped': `<img src="${DARK_PICTURE}" width="60" height="40" style="clip-path:circle(0)" alt="WORD">`,
    'a data attribute': '<p data-note="WORD">a</p>',
    'the label of a box that is not displayed': '<div style="display:none" aria-label="WORD">a</div>',
    'the label of a link without opacity': '<a href="/x" style="opacity:0" aria-label="WORD">a</a>',
    'the title of a picture of one pixel': `<img src="${DARK_PICTURE}" width="1" height="1" title="WORD">`,
    'a comment': '<p>a<!-- WORD --></p>',
    'a template': '<template><p>WORD</p></template>',
    'a hidden input': '<input type="hidden" value="WORD">',
    'a description in meta': '<meta name="x" content="WORD"><p>a</p>',
    'the label of a drawing without size': '<svg width="0" height="0" role="img" aria-label="WORD"></svg>',
    'the label of an icon of one pixel':
      '<i role="img" aria-label="WORD" style="display:inline-block;width:1px;height:1px"></i>',
  },
};
