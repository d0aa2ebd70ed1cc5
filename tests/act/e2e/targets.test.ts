import { describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import type { ErrorCode } from '../../../shared/base/errors.ts';
import { actingRig } from './rig.ts';

/** A page, the steps on it (default: `click css=#save`), and their expected result. */
interface TargetCase {
  readonly page: string;
  readonly steps?: readonly string[];
  /** The error; none if the step has to work. */
  readonly code?: ErrorCode;
  readonly says?: RegExp;
  /** Expected on the page afterwards. In every case nothing else may have been pressed. */
  readonly shows?: string;
}
type TargetCases = Readonly<Record<string, TargetCase>>;

const SAVE = '<button id=save>Save</button>';
type RefusedCase = readonly [page: string, says?: RegExp, step?: string];
/** Targets that are all refused with one code. */
const refused = (code: ErrorCode, cases: Readonly<Record<string, RefusedCase>>): TargetCases =>
  Object.fromEntries(
    Object.entries(cases).map(([name, [page, says = /./, step = 'click css=#save']]) => [
      name,
      { page, code, says, steps: [step] },
    ]),
  );
const WRAPPED = (html: string): string =>
  `<div style="position:relative;width:200px;height:99px">${html}</div>`;
/** `LIES` covers the box. */
const over = (html: string, onclick = ''): string =>
  `<div style="position:relative;width:200px;height:40px" onclick="${onclick}">${html.replace('LIES', 'position:absolute;inset:0;background:#fff')}</div>`;
const GLASS = '<div id=glass style="position:fixed;inset:0"></div>';
const ENDLESS = `<div id=box style="position:absolute">${SAVE}</div><script>let n=0;const {port1,port2}=new MessageChannel();port1.onmessage=()=>{n++;box.style.left=(n%401)+'px';box.style.top=(n%307)+'px';port2.postMessage(0)};port2.postMessage(0)</script>`;
const MOVED = /^(?!.*no visible movement)/s;
/** Larger than the view, of which bars leave a strip in the middle free. */
const tall = (host: string): string =>
  `<iframe src="${host}/works/far below" height=12000></iframe>${['0 0 60%', '60% 0 0'].map((inset) => `<div style="position:fixed;inset:${inset};background:#eee"></div>`).join('')}`;

const UNSUITABLE: TargetCases = {
  'removed when the pointer comes': {
    page: `<div id=under style="width:200px;height:60px"><button id=save style="width:200px;height:60px" onmouseover="this.remove()">Save</button></div>`,
    code: 'stale_ref',
    says: /removed/,
  },
  'swallowed, and answered by faked events': {
    page: `<script>for (const t of ['pointerdown','mousedown','pointerup','mouseup','click']) window.addEventListener(t, (e) => { if (!e.isTrusted) return; e.stopImmediatePropagation(); e.preventDefault(); save.dispatchEvent(new MouseEvent(e.type, { bubbles: true, composed: true })); }, true)</script><i></i>${SAVE}`,
    code: 'not_delivered',
    shows: 'pressed save;',
  },
  ...refused('target_unsuitable', {
    'text for a check box': ['<input id=save type=checkbox>', /check or uncheck/, 'fill css=#save yes'],
    'an option of a closed list': [
      '<select><option id=save>Save</select>',
      /option Save .* select/,
      'hover css=#save',
    ],
    'text for a cell': ['<table><tr><td id=save>5</table>', /double_click/, 'fill css=#save 6'],
    'a form without a button': ['<form id=save><input></form>', /Name one/, 'submit css=#save'],
    'a date that is typed': ['<input id=save type=date>', /Use fill/, 'type css=#save 2026-03-14'],
    'a check of a link': ['<a id=save href="#x">Link</a>', /Use click/, 'check css=#save'],
    'a place that is not within it': [
      '<label>Name <input id=save></label>',
      /pixels: 5000,5 is not within it/,
      'click css=#save at 5000,5',
    ],
  }),
  ...refused('value_not_taken', {
    'no date': ['<input id=save type=date>', /2026-11-22/, 'fill css=#save tomorrow'],
    'text that the page refuses': ['<input id=save onbeforeinput="return false">', /./, 'fill css=#save a'],
  }),
  ...refused('option_not_found', {
    unlisted: ['<input id=save list=x><datalist id=x><option>Oslo</datalist>', /Oslo/, 'select css=#save B'],
  }),
  'a field that offers nothing': {
    page: '<input id=save>',
    steps: ['select css=#save Ada'],
    code: 'target_unsuitable',
    says: /Use fill/,
    shows: 'pressed save;',
  },
  'a field that takes no more': {
    page: '<input id=save maxlength=3>',
    steps: ['fill css=#save abcdef'],
    says: /shows "abc"/,
  },
  ...refused('selector_not_found', {
    'a name with a typing error': [
      '<button aria-label="Save page">x</button>',
      /e\d+ button Save page/,
      'click "Safe page"',
    ],
  }),
  ...refused('invalid_argument', { 'an unknown key': [SAVE, /Contrl/, 'press Contrl+A'] }),
  ...refused('not_delivered', {
    'a place that takes no drop': [
      '<div id=card draggable=true>Card</div><div id=zone style="height:80px">Zone</div>',
      /Zone|#zone/,
      'drag css=#card css=#zone',
    ],
  }),
  'no such element to scroll to': {
    page: `<div style="height:3000px"></div>${SAVE}`,
    steps: ['scroll text="Entry 7"', 'click css=#save'],
    code: 'selector_not_found',
    says: /to its end/,
  },
};

const WORKS: Readonly<Record<string, string | TargetCase>> = {
  'a text that its heading has too': { page: `<h1>Save</h1>${SAVE}`, steps: ['click "Save"'] },
  'a bare word that HTML has no tag for': { page: SAVE, steps: ['click Save'] },
  'a link around a picture that fills the box around it': WRAPPED(
    '<a id=save href="#s"><img alt=Pic style="position:absolute;inset:0;width:100%;height:100%" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></a>',
  ),
  'a link of floating words, far below': `<div style="height:3000px"></div><a id=save href="#s"><b style="float:right">Save</b></a>`,
  'a button of which one part is covered':
    '<a id=save href="#s"><b style="position:absolute;top:99px;width:90px;height:40px">A</b><b style="position:absolute;left:200px;top:99px;width:9px;height:9px">B</b></a><div id=cover style="position:absolute;left:0;top:90px;width:150px;height:90px"></div>',
  'an invisible link with a visible part':
    '<a id=save href="#s" style="visibility:hidden">hidden words <b style="visibility:visible">Save</b></a>',
  'a box without height around transformed words':
    '<a id=save href="#s" style="display:block;height:0"><b style="display:block;width:60px;transform:translate(90px,50px)">Save</b></a>',
  'a picture that escapes from the box that clips': WRAPPED(
    '<a id=save href="#s" style="display:block;overflow:hidden"><i style="position:absolute;inset:9px"></i></a>',
  ),
  'an empty link that its pseudo-element stretches': WRAPPED(
    '<style>#save::after{content:"";position:absolute;inset:0}</style><p>Words</p><a id=save href="#s"></a>',
  ),
  'a custom element without a box': `<x-b id=save style="display:contents"></x-b><script>save.attachShadow({ mode: 'closed' }).innerHTML = '<button style="float:left">Save</button>'</script>`,
  'a label of floating words': {
    page: '<input type=checkbox id=box hidden onchange="out.append(this.checked)"><label for=box><b style="float:left">News</b></label>',
    steps: ['check css=#box'],
    shows: 'true',
  },
  'a control by its accessible name': {
    page: '<button id=wrong aria-label="Save all">S</button><button id=save aria-label="Save page"><svg width=20 height=20 /></button>',
    steps: ['wait target "Save page"', 'click "save page"'],
  },
  'a name for screen readers alone, and of a tooltip': {
    page: '<button id=save><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">Bold</span><svg width=20 height=20 /></button><div style="opacity:0;pointer-events:none">Bold</div>',
    steps: ['click Bold'],
  },
  'a text before a name': {
    page: `<button id=wrong aria-label=Save>x</button>${SAVE}`,
    steps: ['click text=save'],
  },
  'a name that comes by a request': {
    page: `<i></i><script>setTimeout(async () => { await fetch(location.href); setTimeout(() => { document.body.innerHTML += '<button aria-label=Late onclick="out.append(\\'pressed save;\\')">x</button>'; }, 300); }, 100)</script>`,
    steps: ['click "Late"'],
  },
  'in a hidden list too': { page: `<select hidden><option>Save</select>${SAVE}`, steps: ['click "Save"'] },
  'far below': `<div style="height:5000px"></div>${SAVE}<div style="height:5000px"></div>`,
  'at the end of a list that loads more only when its end comes into view': {
    page: `<div style="height:5000px"></div><ol id=list></ol><p id=end>More</p><script>
      const more = () => {
        const isLast = list.childElementCount === 3;
        list.insertAdjacentHTML('beforeend', isLast ? '<li><button id=save onclick="out.append(\`pressed save;\`)">Save</button></li>' : '<li>Entry</li>');
      };
      // Entries are so low that the end stays within the margin.
      const options = { rootMargin: '2000px' };
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting && list.childElementCount < 4) fetch(location.href).then(more); }, options).observe(end);
    </script>`,
    steps: ['scroll css=#save', 'click css=#save'],
  },
  'right to left': `<html dir=rtl><div style="width:5000px;text-align:left">${SAVE}</div>`,
  'disabled, and says why under the pointer': {
    page: `<span onmouseenter="out.append('pressed ')"><button disabled>Send</button></span> <span onmouseenter="out.append('save;')"><button aria-disabled=true>Save</button></span>`,
    steps: ['hover text=Send', 'hover text=Save'],
  },
  'smooth scrolling': `<style>html{scroll-behavior:smooth}</style><div style="height:5000px"></div>${SAVE}<div style="height:900px"></div>`,
  'boxes that scroll in boxes': `<div style="height:200px;overflow:auto"><div style="height:900px"></div><div style="height:150px;overflow:auto"><div style="height:700px"></div>${SAVE}<div style="height:700px"></div></div><div style="height:900px"></div></div>`,
  'a sticky header': `<header id=head style="position:sticky;top:0;height:120px;background:#eee">Head</header><div style="height:3000px"></div>${SAVE}<div style="height:3000px"></div><footer id=foot style="position:fixed;bottom:0;left:0;right:0;height:55vh;background:#eee">Foot</footer>`,
  "another site's frame that is covered for a moment, off screen": `<div style="height:4000px"></div><iframe src="http://b.test:PORT/works/far below"></iframe>${GLASS}<script>setTimeout(() => glass.remove(), 800)</script>`,
  'a tall frame': { page: tall(''), steps: ['scroll css=#save', 'click css=#save'], says: MOVED },
  "another site's tall frame": tall('http://b.test:PORT'),
  'far down in it': { page: '<p id=save style="height:9000px">', steps: ['click css=#save at 9,3500'] },
  'in a button': `<button onclick="out.append('pressed save;')"><b id=save role=img style="pointer-events:none">Save</b></button>`,
  'half covered': `<button id=save style="width:300px;height:40px">Save</button><div id=half style="position:absolute;left:0;top:0;width:230px;height:80px;background:#eee"></div>`,
  'a link on two lines':
    '<p style="width:160px"><a id=wrong href="#w">wrong wrong</a> <a id=save href="#s">several words which wrap</a> <a id=wrong2 href="#w">wrong wrong wrong</a></p>',
  'display: contents': '<p style="height:3000px"><div id=save style="display:contents"><b>Save</b></div>',
  'a part of a drawing':
    '<svg width=200 height=200><rect id=back width=200 height=200 fill=#eee /><circle id=save cx=100 cy=100 r=30 /></svg>',
  'an area of an image': `<img usemap="#m" width=200 height=100 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area id=left shape=rect coords="0,0,100,100" href="#l" alt=Left><area id=save shape=rect coords="100,0,200,100" href="#r" alt=Right></map>`,
  'after it has slid in': `<style>@keyframes s{from{transform:translateX(500px)}to{transform:none}}#save{animation:s .4s}</style>${SAVE}`,
  'a handler that blocks':
    '<button id=save onclick="const t=Date.now();while(Date.now()-t<2000);">Save</button>',
  'a page that stops events': `<script>for (const t of ['pointerdown','mousedown','pointerup','mouseup']) window.addEventListener(t, (e) => e.stopPropagation(), true)</script>${SAVE}`,
  'a navigation as the button goes down': {
    page: '<a id=save href="/works/far below" onmousedown="location=this.href">Go</a>',
    steps: ['click css=#save', 'click css=button'],
  },
  'a check box that its label draws, also around a link': {
    page: '<style>input{position:absolute;opacity:0;width:0;height:0}</style><input type=checkbox id=box><label for=box>News</label><input type=checkbox id=terms onchange="out.append(this.checked)"><label for=terms>I accept the <a id=link href="#t">terms of service</a> and all</label>',
    steps: ['check css=#box', 'check css=#terms', 'uncheck "I accept the"', 'check "and all"'],
    shows: 'true',
  },
  'a field by the text of its label': {
    page: '<label for=name><b>Name</b></label><input id=name oninput="out.append(`pressed save;`)">',
    steps: ['fill "Name" a'],
  },
  'a time with seconds, as other programs write it': {
    page: '<input id=at type=datetime-local oninput="out.append(value === `2026-03-14T09:30` && `pressed save;`)">',
    steps: ['fill css=#at 2026-03-14T09:30:00'],
  },
  'the page, for keys': {
    page: `<i></i><script>onkeydown = ({ key }) => out.append(key === 'End' && 'pressed save;')</script>`,
    steps: ['press css=body End'],
  },
  'a field that is read-only until it has the focus': {
    page: `<input id=name readonly onfocus="readOnly = false" oninput="out.append(value === 'Ada' && 'pressed save;')">`,
    steps: ['fill css=#name Ada'],
  },
  'a date that counts as it is left': {
    page: `<input id=when type=date onblur="out.append(value === '2026-03-14')">${SAVE}`,
    steps: ['fill css=#when 2026-03-14', 'click css=#save'],
    shows: 'true',
  },
  'a text as its style writes it': {
    page: '<button id=save style="text-transform:uppercase">Save</button>',
    steps: ['wait target "SAVE"', 'click "SAVE"'],
  },
  'a check box under its own label': {
    page: over(
      '<input id=box type=checkbox style="opacity:0"><label style="LIES">News</label>',
      'box.checked = true; out.append(box.checked)',
    ),
    steps: ['check css=#box'],
    shows: 'true',
  },
  'a list under its placeholder': {
    page: over(
      '<input role=combobox readonly style="width:100%"><span style="LIES">Size</span>',
      'out.append(`pressed save;`)',
    ),
    steps: ['click role=combobox'],
  },
  'what comes up under the pointer': {
    page: `<div id=slot style="position:absolute;top:0;left:0;width:200px;height:30px" onmousemove="this.onmousemove = null; save.hidden = false">Slot</div><b id=save hidden style="position:absolute;top:0;left:0;width:200px;height:30px">New</b>`,
    steps: ['click css=#slot'],
  },
  'the page to its end, from a table that scrolls across': {
    page: `<div style="overflow-x:auto"><p id=far style="width:5000px">Far</div>${SAVE}<div style="height:3000px"></div>`,
    steps: ['scroll css=#far to bottom', 'click css=#save'],
    says: MOVED,
  },
};

const GROUPS: Readonly<Record<string, TargetCases>> = {
  hidden: refused('target_hidden', {
    'display: none': ['<div style="display:none"><button id=save>Save</button></div>', /button Save|#save/],
    'beyond all scrolling': [`<style>#save{position:absolute;left:-9999px}</style>${SAVE}`, /scrolled into/],
    'in closed details': [`<details><summary>More</summary>${SAVE}</details>`],
    'a box of which all is cut off': [
      '<a id=save href="#s" style="display:block;height:0;overflow:hidden"><b>Save</b></a>',
    ],
    transparent: [WRAPPED('<a id=save href="#s"><i style="position:absolute;inset:0;opacity:0"></i></a>')],
    'a link that draws only another control': [
      '<a id=save href="#s"><button id=wrong style="float:left">Delete</button></a>',
    ],
  }),
  disabled: refused('target_disabled', {
    disabled: ['<button id=save disabled>Save</button>', /button Save is disabled/],
    'aria-disabled': ['<div id=save role=button aria-disabled=true>Save</div>'],
    'read-only': ['<input id=save value=a readonly>', /read-only/, 'fill css=#save b'],
    'a read-only date': ['<input id=save type=date readonly>', /read-only/, 'fill css=#save 2026-03-14'],
    'an option': ['<select id=save><optgroup disabled><option>B</select>', /Option/, 'select css=#save B'],
    'an option of a closed list': ['<select disabled><option id=save>B</select>', /option B/],
    inert: [`<div inert>${SAVE}</div>`],
    'without pointer events': [`<div><style>#save{pointer-events:none}</style>${SAVE}`, /pointer-events/],
  }),
  covered: refused('target_covered', {
    'by a banner': [
      `${SAVE}<div id=banner role=dialog aria-label="Cookie notice" style="position:fixed;inset:0;background:#fff">We use cookies</div>`,
      /Cookie notice/,
    ],
    'by a modal dialog': [
      `${SAVE}<dialog id=ask aria-label=Question>Sure?</dialog><script>ask.showModal()</script>`,
      /Question/,
    ],
    'by a control over a field': [over('<input id=save><div style="LIES"><button id=wrong>x</button></div>')],
    'by an endless animation over a field': [
      over(
        '<style>@keyframes t{to{opacity:.9}}</style><input id=save><div style="LIES;animation:t 1s infinite"></div>',
      ),
    ],
    'by a layer over a page of one field': [
      `<div><input id=save><div style="position:fixed;inset:0">Wait</div></div>`,
    ],
    "by what is over another site's frame": [
      `<iframe src="http://b.test:PORT/works/far below"></iframe>${GLASS}`,
      /#glass/,
    ],
    'by nothing, and flees from the pointer': [
      `<div id=under style="height:400px"><button id=save style="position:relative" onmouseover="this.style.left=((parseInt(this.style.left)||0)+300)%600+'px'">Save</button></div>`,
      /moves away/,
    ],
  }),
  // It does not return to the same place soon: an element where it was a moment ago counts as at rest.
  moving: refused('target_moving', {
    'by a script without end': [ENDLESS],
    // The task that finds it takes longer than the element has to be at rest.
    'by a script without end, on a page of many elements': [
      `${'<b hidden></b>'.repeat(20_000)}${ENDLESS}`,
      /keeps moving/,
      'click role=button',
    ],
  }),
  unsuitable: UNSUITABLE,
  works: Object.fromEntries(
    Object.entries(WORKS).map(([name, works]) => [name, typeof works === 'string' ? { page: works } : works]),
  ),
};

/** Every element with an id, except the output, reports that it was pressed, once. */
const TELL = `<output id=out></output><script>
  for (const el of document.querySelectorAll('[id]:not(output)'))
    el.addEventListener('click', (event) => { if (event.target.closest('[id]') === el) out.append('pressed ' + el.id + ';'); });
</script>`;
const rig = actingRig((path) => {
  const [group = '', name = ''] = path.split('/');
  const page = GROUPS[group]?.[name]?.page;
  return page === undefined ? null : `<!doctype html><title>${name}</title>${page}${TELL}`;
});

describe.concurrent.each(Object.entries(GROUPS))('a target that is %s', (group, cases) => {
  it.concurrent.each(sample(Object.entries(cases), 8))('%s', async (name, given) => {
    const { steps = ['click css=#save'], code, says } = given;
    const { shows = group === 'works' ? 'pressed save;' : '' } = given;
    const tab = await rig.open(`${group}/${name}`);
    const answer = await rig.act(tab, ...steps);
    const text = await rig.text(tab);
    expect({ code: answer.code(), text: answer.text }).toEqual({ code, text: answer.text });
    if (says !== undefined) expect(answer.text).toMatch(says);
    if (shows === 'true') expect(text).toContain(shows);
    else expect([...text.matchAll(/pressed \w+;/g)].join('')).toBe(shows);
    await rig.close(tab);
  });
});
