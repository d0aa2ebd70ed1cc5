import { sum } from '../lib/stats.mjs';

/*
 * Pages that count the clicks on each of their buttons. Every click moves all buttons, so that the counts reveal a
 * click aimed before the move, or one wrongly reported as arrived.
 */

export const BUTTONS = 25;
/** The documents whose buttons are clicked. */
export const DOCUMENTS = ['top', 'same-origin frame', 'cross-origin frame', 'open shadow', 'closed shadow'];

const controls = `<div id="space"></div>${Array.from({ length: BUTTONS }, (_, at) => `<button id="b${at}">Button ${at}</button> `).join('')}`;
const page = (body, script) =>
  `<!doctype html><meta charset="utf-8"><title>clicks</title>
<style>button{margin:6px;width:110px;height:34px}iframe{width:700px;height:420px}</style>
${body}<p><button id="tell">Tell</button></p><pre id="out"></pre><script>
const counts = new Array(${BUTTONS}).fill(0);
let total = 0, elsewhere = 0;
function count(root) {
  root.addEventListener('click', (event) => {
    const [el] = event.composedPath();
    if (el.id === 'tell') return;
    const at = /^b(\\d+)$/.exec(el.id)?.[1];
    if (at === undefined || !event.isTrusted) elsewhere += 1;
    else counts[at] += 1;
    total += 1;
    const space = root.querySelector('#space');
    if (space !== null) space.style.height = (total * 7) % 41 + 'px';
  }, true);
}
tell.onclick = () => { out.textContent = 'counts ' + JSON.stringify({ counts, elsewhere }); };
${script}</script>`;

const shadow = (mode) =>
  page(
    `<x-host></x-host><template>${controls}</template>`,
    `const root = document.querySelector('x-host').attachShadow({ mode: '${mode}' });
root.innerHTML = document.querySelector('template').innerHTML;
count(root);
document.addEventListener('click', ({ target }) => { if (target.id !== 'tell' && target.localName !== 'x-host') elsewhere += 1; }, true);`,
  );
const framed = (src) =>
  `<!doctype html><title>clicks</title><p>Around</p><style>iframe{width:760px;height:480px}</style><iframe src="${src}"></iframe>`;

/**
 * @param {string} name of a document, as in DOCUMENTS
 * @param {string} elsewhere the origin of another site that serves the same pages
 * @returns {string | null}
 */
export function clickPage(name, elsewhere) {
  switch (name) {
    case 'top':
      return page(controls, 'count(document);');
    case 'same-origin frame':
      return framed('/top');
    case 'cross-origin frame':
      return framed(`${elsewhere}/top`);
    case 'open shadow':
      return shadow('open');
    case 'closed shadow':
      return shadow('closed');
    default:
      return null;
  }
}

/** The steps of one call: every button once, in an order of its own. */
export const stepsOf = (call) =>
  Array.from({ length: BUTTONS }, (_, at) => `click css=#b${(at * 7 + call * 3) % BUTTONS}`);

/**
 * Compares a page's counts with the clicks reported as done.
 * @param {string} text of the page after `click css=#tell`
 * @param {number} done clicks on each button that were reported as done
 */
export function judge(text, done) {
  const json = /counts (\{.*\})/.exec(text)?.[1];
  if (json === undefined) throw new Error(`The page tells no counts: ${text.slice(0, 200)}`);
  const { counts, elsewhere } = JSON.parse(json);
  return {
    lost: sum(counts, (count) => Math.max(0, done - count)),
    twice: sum(counts, (count) => Math.max(0, count - done)),
    elsewhere,
  };
}
