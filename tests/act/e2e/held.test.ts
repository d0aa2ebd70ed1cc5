import { itDeep, sample } from '../../support/depth.ts';
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
    for (const [type, word] of Object.entries({ click: 'clicked', mousedown: 'from', mouseup: 'to' }))
      canvas.addEventListener(type, ({ offsetX, offsetY }) => say(word + ' ' + offsetX + ',' + offsetY));
  </script>`,
  wheel: `<body style="margin:0;overflow:hidden"><div id=map style="height:400px;background:#dde">1</div><script>
    map.onwheel = ({ deltaY, ctrlKey }) => { map.textContent = 'turned ' + (ctrlKey ? deltaY < 0 ? 'closer' : 'away' : deltaY); map.style.color = 'navy'; };
  </script>`,
  zoomed: `<body style="margin:0"><canvas width=300 height=200></canvas><button onclick="this.textContent='pressed'">Press</button>
    <iframe src="http://b.test:PORT/framed" style="position:absolute;left:900px;top:1500px;width:200px;height:100px"></iframe>`,
  framed: `<button onclick="this.textContent='inner pressed'">Inner</button>`,
  hovered: `<style>button{position:absolute;inset:0;visibility:hidden}div:hover button{visibility:visible}</style>
    <div style="position:relative"><canvas></canvas><button onclick="out.append('pressed over')">Play</button></div><output id=out></output>`,
  inner: `<body style="margin:0;height:100vh;overflow:hidden"><div id=list style="height:300px;overflow:auto"><div style="height:150000px;position:relative"></div></div><script>
    const inner = list.firstChild;
    const draw = () => {
      const first = Math.floor(list.scrollTop / 30);
      inner.innerHTML = Array.from({ length: 12 }, (_, n) => '<div style="position:absolute;top:' + (first + n) * 30 + 'px">Row ' + (first + n) + ' of 5000</div>').join('');
    };
    list.onscroll = draw;
    draw();
  </script>`,
};
const rig = actingRig((name) => (PAGES[name] === undefined ? null : `<!doctype html>${PAGES[name]}`));

it.each(
  sample(
    [
      ['canvas', 'click at 120,1540', 'clicked 120,40'],
      ['canvas', { do: 'click', at: [120, 1540] }, 'clicked 120,40'],
      ['canvas', 'drag point=20,1520 point=200,1600', 'from 20,20 to 200,100'],
      ['hovered', 'click at 50,40', 'pressed over'],
      ['press', 'click text=Hold for 600ms', 'mouse long'],
      ['press', 'tap text=Hold for 600ms', 'touch long'],
      ['press', 'tap text=Hold', 'touch'],
      ['press', 'press text=Hold ? for 600ms', '? again'],
      ['wheel', 'wheel css=#map down 120', 'turned 120'],
      ['wheel', 'scroll down 200', 'turned 200'],
      ['wheel', 'pinch css=#map 0.5', 'turned away'],
      ['inner', 'scroll text="Row 250 of 5000"', 'Row 250 of 5000'],
      ['inner', 'scroll text="Row 4998 of 5000"', 'Row 4998 of 5000'],
    ] as const,
    2,
  ),
)('%s: %s', async (name, step, expected) => {
  const tab = await rig.open(name);
  const answer = await rig.act(tab, step);
  expect(answer.text).toMatch(/^done 1/);
  expect(await rig.text(tab)).toContain(expected);
  await rig.close(tab);
});

itDeep('a pixel of a scaled picture is the point of the page that it shows', async () => {
  const tab = await rig.open('canvas');
  const taken = await rig.server.call('screenshot', { tab, selector: 'canvas', max_tokens: 50 });
  const [block] = taken.raw.content;
  const png = Buffer.from(block?.type === 'image' ? block.data : '', 'base64');
  expect(png.readUInt32BE(16)).toBeLessThan(300);
  await rig.act(tab, `click picture=${png.readUInt32BE(16) / 2},${png.readUInt32BE(20) / 4}`);
  expect(await rig.text(tab)).toMatch(/clicked 1(?:49|50),(?:49|50)/);
  await rig.close(tab);
});

it('clicks reach what they are meant for on a page that a pinch has scaled, in a frame of another site too', async () => {
  const tab = await rig.open('zoomed');
  expect((await rig.act(tab, 'pinch css=canvas 2')).text).toContain("the page's scale is 2");
  const { text } = await rig.act(tab, 'tap text=Press', 'click text=Inner', 'pinch text="inner pressed" 0.5');
  expect(text).toContain("the page's scale is 1");
  expect(await rig.text(tab)).toMatch(/pressed[^]*inner pressed/);
  await rig.close(tab);
});
