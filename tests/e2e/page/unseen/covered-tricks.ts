import { DARK_PICTURE, OVER, WHITE_PICTURE, type WordCases } from './cases.ts';

/** Text under something else. */
export const COVERED_TRICKS: WordCases = {
  covered: {
    'by an absolute box': `<div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff"></div></div>`,
    'by an absolute box with a text': `<div style="position:relative;height:40px"><p>WORD</p><div style="${OVER};background:#ffd">Welcome</div></div>`,
    'by a relative box moved up':
      '<p style="margin:0;height:20px">WORD</p><div style="position:relative;top:-20px;height:20px;background:#fff"></div>',
    'by a box moved by a transform':
      '<p style="margin:0;height:20px">WORD</p><div style="transform:translateY(-20px);height:20px;background:#fff"></div>',
    'by a box moved by translate':
      '<p style="margin:0;height:20px">WORD</p><div style="translate:0 -20px;height:20px;background:#fff"></div>',
    'by a box before it with a z-index': `<div style="position:relative;height:40px"><div style="${OVER};background:#fff;z-index:1"></div><p style="margin:0">WORD</p></div>`,
    'by a box with a wide-gamut colour': `<div style="position:relative"><p>WORD</p><div style="${OVER};background:oklch(1 0 0)"></div></div>`,
    'by a picture': `<div style="position:relative;height:40px"><p>WORD</p><img alt="" src="${WHITE_PICTURE}" style="${OVER}"></div>`,
    'by a dark picture that is a background': `<div style="position:relative;height:40px"><p>WORD</p><div style="${OVER};background:url(&quot;${DARK_PICTURE}&quot;)"></div></div>`,
    'by a picture pulled up': `<p style="margin:0;height:20px">WORD</p><img alt="" src="${WHITE_PICTURE}" style="display:block;margin-top:-20px;width:200px;height:20px">`,
    'by a frame': `<div style="position:relative;height:40px"><p>WORD</p><iframe srcdoc="<html style='background:#fff'>" style="${OVER};border:0"></iframe></div>`,
    'by a frame with a background': `<div style="position:relative;height:40px"><p>WORD</p><iframe style="${OVER};border:0;background:#fff"></iframe></div>`,
    'by ::after of its parent':
      '<style>.x{position:relative}.x::after{content:"";position:absolute;inset:0;background:#fff}</style><p class="x">WORD</p>',
    'by ::after of what is around':
      '<style>.x{position:relative}.x::after{content:"";position:absolute;left:0;top:0;width:100%;height:100%;background:#fff}</style><div class="x"><p>WORD</p></div>',
    'by ::before of a sibling':
      '<style>.x{position:relative;height:20px}.x::before{content:"";position:absolute;top:-20px;height:20px;width:100%;background:#fff}</style><p style="margin:0;height:20px">WORD</p><div class="x"></div>',
    'by a gradient after it': `<div style="position:relative"><p>WORD</p><div style="${OVER};background:linear-gradient(#fff,#eee)"></div></div>`,
    'by a box without pointer events': `<div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff;pointer-events:none"></div></div>`,
    'by ::after without pointer events':
      '<style>.x{position:relative}.x::after{content:"";position:absolute;inset:0;background:#fff;pointer-events:none}</style><p class="x">WORD</p>',
    'while it takes no pointer events itself': `<div style="position:relative"><p style="pointer-events:none">WORD</p><div style="${OVER};background:#fff"></div></div>`,
    'by a canvas with a background': `<div style="position:relative;height:40px"><p>WORD</p><canvas style="${OVER};background:#fff"></canvas></div>`,
    'by a drawing': `<div style="position:relative;height:40px"><p>WORD</p><svg style="${OVER};background:#fff"></svg></div>`,
    'by the next item of a grid':
      '<div style="display:grid"><p style="grid-area:1/1;margin:0">WORD</p><div style="grid-area:1/1;background:#fff">b</div></div>',
    'by the next item of a flex line':
      '<div style="display:flex"><p style="margin:0;width:100px">WORD</p><div style="margin-left:-100px;width:100px;background:#fff">b</div></div>',
    'by a float':
      '<div style="background:#eee;height:20px"><span style="display:block;height:20px">WORD</span></div><div style="position:relative;float:left;margin-top:-20px;width:200px;height:20px;background:#fff"></div>',
    'below its parent':
      '<div style="position:relative;z-index:0"><div style="background:#fff;height:40px"><p style="position:absolute;z-index:-1;margin:0">WORD</p></div></div>',
    'by three cards one after the other': `<div style="position:relative;height:40px">${'<div style="position:absolute;inset:0;background:#fff">0</div>'.replace('0', 'WORD')}<div style="${OVER};background:#eee">a</div><div style="${OVER};background:#ddd">b</div></div>`,
    'by a wide box shadow under it':
      '<p style="margin:0;height:20px">WORD</p><div style="position:relative;top:-20px;z-index:1;height:20px;background:#fff;box-shadow:0 0 9px red"></div>',
    'by an inline block pulled to the left':
      '<div style="white-space:nowrap"><span style="display:inline-block;width:100px">WORD</span><span style="display:inline-block;position:relative;left:-100px;width:100px;height:20px;background:#fff;vertical-align:top"></span></div>',
    'by two boxes that each cover a half':
      '<div style="position:relative;width:160px"><p style="margin:0">WORD</p><div style="position:absolute;left:0;top:0;width:40px;height:100%;background:#fff"></div><div style="position:absolute;left:40px;top:0;width:120px;height:100%;background:#fff"></div></div>',
    'in a scroller, by a box outside of it': `<div style="position:relative;height:40px"><div style="overflow:hidden"><p>WORD</p></div><div style="${OVER};background:#fff"></div></div>`,
    'by a box in a shadow tree': `<div style="position:relative;height:40px"><template shadowrootmode="open"><slot></slot><div style="${OVER};background:#fff"></div></template><p>WORD</p></div>`,
    'far below the fold': `<div style="height:400px"></div><div style="position:relative"><p>WORD</p><div style="${OVER};background:#fff"></div></div>`,
    'an alternative text of a covered picture': `<div style="position:relative;height:40px"><img alt="WORD" src="${DARK_PICTURE}" style="width:100%;height:40px"><div style="${OVER};background:#fff"></div></div>`,
    'the face of a covered button': `<div style="position:relative;height:40px"><button>WORD</button><div style="${OVER};background:#fff"></div></div>`,
    'by the ::before of its parent': `<style>.x{position:relative}.x::before{content:"";position:absolute;inset:0;background:#fff;z-index:2}</style><p class="x">WORD</p>`,
    'below its parent, by z-index': `<div style="background:#fff;position:relative;z-index:0"><div style="background:#fff;height:30px;position:relative">a</div><p style="position:absolute;z-index:-1;top:0;margin:0">WORD</p></div>`,
  },
};
