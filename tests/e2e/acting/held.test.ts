import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';

const PAGES: Readonly<Record<string, string>> = {
  press: `<button>Hold</button><output></output><script>
    const button = document.querySelector('button'), out = document.querySelector('output');
    let since = 0, keys = 0;
    button.onpointerdown = ({ pointerType, timeStamp }) => { since = timeStamp; out.textContent = pointerType; };
    button.onpointerup = ({ timeStamp }) => { if (timeStamp - since > 550) out.textContent += ' long'; };
    button.onkeydown = ({ key, repeat }) => { keys += 1; out.textContent = key + (repeat ? ' again' : ''); };
  </script>`,
  canvas: `<meta name=viewport content="width=device-width"><body style="margin:0"><div style="height:1500px"></div><canvas width=300 height=200 style="touch-action:none"></canvas><output></output><script>
    const canvas = document.querySelector('canvas'), out = document.querySelector('output'), says = [];
    const say = (text) => { says.push(text); out.textContent = says.join(' '); };
    canvas.onclick = ({ offsetX, offsetY }) => say('clicked ' + offsetX + ',' + offsetY);
    canvas.onmousedown = ({ offsetX, offsetY }) => say('from ' + offsetX + ',' + offsetY);
    canvas.onmouseup = ({ offsetX, offsetY }) => say('to ' + offsetX + ',' + offsetY);
  </script>`,
  wheel: `<body style="margin:0;overflow:hidden"><div id=map style="height:400px;background:#dde">1</div><script>
    map.onwheel = ({ deltaY }) => { map.textContent = 'turned ' + deltaY; map.style.color = 'navy'; };
  </script>`,
  inner: `<body style="margin:0;height:100vh;overflow:hidden"><div id=list style="height:300px;overflow:auto"><div style="height:9000px;position:relative"></div></div><script>
    const inner = list.firstChild;
    const draw = () => {
      const first = Math.floor(list.scrollTop / 30);
      inner.innerHTML = Array.from({ length: 12 }, (_, n) => '<div style="position:absolute;top:' + (first + n) * 30 + 'px">Row ' + (first + n) + ' of 300</div>').join('');
    };
    list.onscroll = draw;
    draw();
  </script>`,
};
const rig = actingRig((name) => (PAGES[name] === undefined ? null : `<!doctype html>${PAGES[name]}`));

it.each([
  ['canvas', 'click at 120,1540', 'clicked 120,40'],
  ['canvas', { do: 'click', at: [120, 1540] }, 'clicked 120,40'],
  ['canvas', 'drag point=20,1520 point=200,1600', 'from 20,20 to 200,100'],
  ['press', 'click text=Hold for 600ms', 'mouse long'],
  ['press', 'tap text=Hold for 600ms', 'touch long'],
  ['press', 'tap text=Hold', 'touch'],
  ['press', 'press text=Hold ? for 600ms', '? again'],
  ['wheel', 'wheel css=#map down 120', 'turned 120'],
  ['wheel', 'scroll down 200', 'turned 200'],
  ['inner', 'scroll text="Row 250 of 300"', 'Row 250 of 300'],
])('%s: %s', async (name, step, expected) => {
  const tab = await rig.open(name);
  const answer = await rig.act(tab, step);
  expect(answer.text).toMatch(/^done 1/);
  expect(await rig.text(tab)).toContain(expected);
  await rig.close(tab);
});
