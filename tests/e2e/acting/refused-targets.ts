import { click, SAVE, type TargetCases } from './target-case.ts';

const HIDDEN: TargetCases = {
  'display: none': {
    page: '<div style="display:none"><button id=save>Save</button></div>',
    steps: click,
    code: 'target_hidden',
    says: /button Save|#save/,
  },
  'without a size': {
    page: '<button id=save style="width:0;height:0;padding:0;border:0;overflow:hidden">Save</button>',
    steps: click,
    code: 'target_hidden',
  },
  'out of reach of scrolling': {
    page: '<button id=save style="position:absolute;left:-9999px">Save</button>',
    steps: click,
    code: 'target_hidden',
    says: /scrolled into view/,
  },
  'in closed details': {
    page: `<details><summary>More</summary>${SAVE}</details>`,
    steps: click,
    code: 'target_hidden',
  },
};

const DISABLED: TargetCases = {
  disabled: {
    page: '<button id=save disabled>Save</button>',
    steps: click,
    code: 'target_disabled',
    says: /button Save is disabled/,
  },
  'aria-disabled': {
    page: '<div id=save role=button aria-disabled=true>Save</div>',
    steps: click,
    code: 'target_disabled',
  },
  inert: { page: `<div inert>${SAVE}</div>`, steps: click, code: 'target_disabled' },
  'read-only': {
    page: '<input id=save value=a readonly>',
    steps: ['fill css=#save b'],
    code: 'target_disabled',
    says: /read-only/,
  },
  'without pointer events': {
    page: '<div><button id=save style="pointer-events:none">Save</button></div>',
    steps: click,
    code: 'target_disabled',
    says: /pointer-events/,
  },
};

const COVERED: TargetCases = {
  'by a banner': {
    page: `${SAVE}<div id=banner role=dialog aria-label="Cookie notice" style="position:fixed;inset:0;background:#fff">We use cookies</div>`,
    steps: click,
    code: 'target_covered',
    says: /Cookie notice/,
  },
  'by a modal dialog': {
    page: `${SAVE}<dialog id=ask aria-label=Question>Sure?</dialog><script>ask.showModal()</script>`,
    steps: click,
    code: 'target_covered',
    says: /Question/,
  },
  'by what is over its frame': {
    page: `<iframe srcdoc="<button id=save>Save</button>"></iframe><div id=glass style="position:fixed;inset:0"></div>`,
    steps: click,
    code: 'target_covered',
    says: /#glass/,
  },
  "by what is over another site's frame": {
    page: `<iframe src="http://b.test:PORT/works/plain"></iframe><div id=glass style="position:fixed;inset:0"></div>`,
    steps: click,
    code: 'target_covered',
    says: /#glass/,
  },
};

/** They come to no place again soon: what is where it was a moment ago counts as at rest. */
const MOVING: TargetCases = {
  'by a script without end': {
    page: `<div id=box style="position:absolute">${SAVE}</div><script>let n=0;const {port1,port2}=new MessageChannel();port1.onmessage=()=>{n++;box.style.left=(n%401)+'px';box.style.top=(n%307)+'px';port2.postMessage(0)};port2.postMessage(0)</script>`,
    steps: click,
    code: 'target_moving',
  },
  // Its timer never ends, so no step has to come before its end. The first step shows that the page changes: a page
  // without a history counts as at rest.
  'by a timer, once a frame': {
    page: `<div id=box style="position:absolute">${SAVE}</div><script>let n=0;setInterval(()=>{n++;box.style.left=(n%401)+'px';box.style.top=(n%307)+'px'},16)</script>`,
    steps: ['press Escape', ...click],
    code: 'target_moving',
  },
};

const MIDWAY: TargetCases = {
  'removed when the pointer comes': {
    page: `<div id=under style="width:200px;height:60px"><button id=save style="width:200px;height:60px" onmouseover="this.remove()">Save</button></div>`,
    steps: click,
    code: 'stale_ref',
    says: /removed/,
  },
  'flees from the pointer': {
    page: `<div id=under style="height:400px"><button id=save style="position:relative" onmouseover="this.style.left=((parseInt(this.style.left)||0)+300)%600+'px'">Save</button></div>`,
    steps: click,
    code: 'target_covered',
    says: /moves away/,
  },
  'swallowed in capture on window': {
    page: `<script>for (const t of ['pointerdown','mousedown','pointerup','mouseup','click']) window.addEventListener(t, (e) => { e.stopImmediatePropagation(); e.preventDefault(); }, true)</script>${SAVE}`,
    steps: click,
    code: 'not_delivered',
  },
  'swallowed, and answered by faked events': {
    page: `<script>for (const t of ['pointerdown','mousedown','pointerup','mouseup','click']) window.addEventListener(t, (e) => { if (!e.isTrusted) return; e.stopImmediatePropagation(); save.dispatchEvent(new MouseEvent(t, { bubbles: true, composed: true })); }, true)</script><i></i><button id=save>Save</button>`,
    steps: click,
    code: 'not_delivered',
    shows: 'pressed save;',
  },
};

const UNSUITABLE: TargetCases = {
  'text for a check box': {
    page: '<input id=save type=checkbox>',
    steps: ['fill css=#save yes'],
    code: 'target_unsuitable',
    says: /check or uncheck/,
  },
  'a check of a link': {
    page: '<a id=save href="#x">Link</a>',
    steps: ['check css=#save'],
    code: 'target_unsuitable',
    says: /Use click/,
  },
  'an option that is not there': {
    page: '<select id=save><option>Spain<option>France</select>',
    steps: ['select css=#save Italy'],
    code: 'option_not_found',
    says: /Spain.*France/,
  },
  'no date': {
    page: '<input id=save type=date>',
    steps: ['fill css=#save tomorrow'],
    code: 'value_not_taken',
    says: /2026-11-22/,
  },
  'text that the page refuses': {
    page: `<input id=save onbeforeinput="event.preventDefault()">`,
    steps: ['fill css=#save text'],
    code: 'value_not_taken',
  },
  'a field that takes no more': {
    page: '<input id=save maxlength=3>',
    steps: ['fill css=#save abcdef'],
    says: /shows "abc"/,
  },
  'an unknown key': { page: SAVE, steps: ['press Contrl+A'], code: 'invalid_argument', says: /Contrl/ },
  'a place that takes no drop': {
    page: '<div id=card draggable=true>Card</div><div id=zone style="height:80px">Zone</div>',
    steps: ['drag css=#card css=#zone'],
    code: 'not_delivered',
    says: /Zone|#zone/,
  },
  'no such element to scroll to': {
    page: `<div style="height:3000px"></div>${SAVE}`,
    steps: ['scroll text="Entry 7"', 'click css=#save'],
    code: 'selector_not_found',
    says: /to its end/,
  },
  'no such element': { page: SAVE, steps: ['click css=#other'], code: 'selector_not_found' },
  'several elements': {
    page: '<button>One</button><button>Two</button>',
    steps: ['click css=button'],
    code: 'selector_ambiguous',
    says: /One.*Two/,
  },
  'a place that is not within it': {
    page: `<label>Name <input id=save></label>`,
    steps: ['click css=#save at 5000,5'],
    code: 'target_unsuitable',
    says: /pixels: 5000,5 is not within it/,
  },
  'a wait for no text': { page: SAVE, steps: ['wait text'], code: 'invalid_argument', says: /takes a value/ },
};

/** Targets that a step cannot work on, by what is the matter with them. */
export const REFUSED: Readonly<Record<string, TargetCases>> = {
  hidden: HIDDEN,
  disabled: DISABLED,
  covered: COVERED,
  moving: MOVING,
  midway: MIDWAY,
  unsuitable: UNSUITABLE,
};
