import { sample } from '../../support/depth.ts';
import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';

/* A receipt of typed keys is true wherever the page moves the focus between `keydown` and the character. */

const FRAME = '<iframe src="http://b.test:PORT/frame" style="width:200px;height:60px"></iframe>';
const on = (script: string, more = ''): string =>
  `<input id=i aria-label=Field><input id=other aria-label=Other>${more}<script>i.addEventListener('keydown', (event) => { ${script} });</script>`;
const SHADOW = `<div id=host></div><script>
  const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<input aria-label=Inner>';</script>`;
const EDITABLE =
  '<div id=i contenteditable role=textbox aria-label=Field style="width:200px;height:40px"></div>';

const PAGES: Readonly<Record<string, string>> = {
  frame: '<input id=f aria-label=Framed><script>onmessage = () => f.focus();</script>',
  'a foreign frame': on('frames[0].focus()', FRAME),
  'a foreign frame, once': on('if (i.value === "he") frames[0].focus()', FRAME),
  'a foreign frame, from the start': `<input id=i onfocus="frames[0].postMessage('', '*')">${FRAME}`,
  'another field, from the start': `<input id=i onfocus="postMessage('')"><input id=other aria-label=Other><script>onmessage = () => other.focus();</script>`,
  'nothing, by blur': on('i.blur()'),
  'nothing, once': on('if (i.value === "he") i.blur()'),
  'nothing, as it is removed': on('i.remove()'),
  'nothing, as it is hidden': on('i.style.display = "none"; document.body.offsetTop; i.blur()'),
  'a button': on('b.focus()', '<button id=b>B</button>'),
  'a button, from an editor': `${EDITABLE}<button id=b>B</button><script>i.onkeydown = () => b.focus();</script>`,
  'another field': on('if (i.value === "he") other.focus()'),
  'a closed shadow tree': on('if (i.value === "he") root.firstChild.focus()', SHADOW),
  'a field in its place': on(
    'const now = document.createElement("input"); now.ariaLabel = "Field"; now.value = i.value; i.replaceWith(now); now.focus()',
  ),
  'the page itself': on('event.preventDefault(); i.value += event.key'),
  'the page itself, from keypress':
    '<input id=i aria-label=Field><script>i.onkeydown = () => i.blur(); onkeypress = (event) => { event.preventDefault(); i.value += event.key; i.focus(); };</script>',
  'the field': on(''),
};

const rig = actingRig((name) => PAGES[name] ?? null);

const LOST = /arrived in no field|in another frame|lost the focus before/;
const KEYS = 'press h e l l o';
const KEYS_AT = 'press css=#i h e l l o';
const TYPE = 'type css=#i hello';

it.each(
  sample<[string, RegExp]>(
    [
      ['a foreign frame', LOST],
      ['a foreign frame, once', LOST],
      ['a foreign frame, from the start', LOST],
      ['another field, from the start', /text went to textbox "?Other/],
      ['nothing, by blur', LOST],
      ['nothing, once', LOST],
      ['nothing, as it is removed', LOST],
      ['nothing, as it is hidden', LOST],
      ['a button', LOST],
      ['a button, from an editor', LOST],
      ['another field', /text went to textbox "?Other/],
      ['a closed shadow tree', /text went to textbox "?Inner/],
      ['a field in its place', /^(?!.*no field)/s],
      ['the page itself', /hello/],
      ['the page itself, from keypress', /hello/],
      ['the field', /hello/],
    ],
    3,
  ),
)('typed characters that go to %s', async (page, told) => {
  for (const steps of page.endsWith('start') ? [[TYPE], [KEYS_AT]] : [[TYPE], ['focus css=#i', KEYS]]) {
    const tab = await rig.open(page);
    const { text, isError } = await rig.act(tab, ...steps);
    expect.soft(text, steps.join()).toMatch(told);
    expect.soft(isError, steps.join()).toBe(told === LOST);
    await rig.close(tab);
  }
});
