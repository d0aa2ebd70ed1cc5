import { describe, expect, it } from 'vitest';
import { actingRig } from './rig.ts';

const STYLES: Readonly<Record<string, string>> = {
  turned: 'transform: rotate(30deg)',
  large: 'scale: 1.3 0.8; transform-origin: 0 0',
  'zoomed and turned': 'zoom: 0.7; transform: rotate(-20deg) translate(10px, 30px)',
  deep: 'transform: perspective(500px) rotateY(35deg) rotateX(10deg)',
  padded: 'padding: 7px 23px 3px 11px; border: 5px solid; transform: rotate(12deg)',
};

/** Buttons too small to be hit by an approximate point. */
const GRID = `<style>body { margin: 0 } button { position: absolute; width: 28px; height: 16px; padding: 0 }</style>
  ${Array.from({ length: 60 }, (_, n) => {
    const at = `left: ${(n % 10) * 30}px; top: ${Math.floor(n / 10) * 20 + 30}px`;
    return `<button id="b${n}" aria-label="b${n}" style="${at}" onmouseenter="show(this)"></button>`;
  }).join('')}
  <output>None</output>
  <script>
    let on = '';
    const show = ({ id }) => { on = id; };
    onclick = ({ target, isTrusted }) => {
      document.querySelector('output').textContent = ['Pressed', target.id, 'on', on, isTrusted].join(' ');
    };
  </script>`;

const around = (style: string, src: string): string =>
  `<style>body { margin: 120px } iframe { border: 0 }</style><p>Before</p>
   <div style="width: 340px"><iframe src="${src}" width="310" height="170" style="${style}"></iframe></div>`;

const rig = actingRig((name, query) => {
  if (name === 'grid') return GRID;
  if (name === 'inner') return around('transform: rotate(-25deg) scale(0.8)', query.get('src') ?? '');
  if (name === 'covered')
    return `${around(STYLES['turned'] ?? '', '/grid')}<div id="cover" style="position: fixed; inset: 0"></div>`;
  const style = STYLES[name];
  return style === undefined ? null : around(style, query.get('src') ?? '');
});

const KINDS: Readonly<Record<string, string>> = {
  'of the same origin': '/grid',
  'of another site': 'http://b.test:PORT/grid',
  'of the same site in one of another': 'http://b.test:PORT/inner?src=/grid',
};

describe.each(Object.entries(KINDS))('a frame %s', (_kind, source) => {
  it.each(Object.keys(STYLES))('that is %s takes a press where it is aimed at', async (style) => {
    const tab = await rig.open(`${style}?src=${source}`);
    for (const button of ['b9', 'b50']) {
      await rig.did(tab, `click role=button[name="${button}"]`);
      expect(await rig.text(tab)).toContain(`Pressed ${button} on ${button} true`);
    }
    await rig.close(tab);
  });
});

it('a cover over a turned frame is named', async () => {
  const tab = await rig.open('covered');
  const receipt = await rig.act(tab, 'click role=button[name="b34"]');
  expect(receipt.code()).toBe('target_covered');
  expect(receipt.text).toContain('#cover');
  expect(await rig.text(tab)).not.toContain('Pressed');
  await rig.close(tab);
});
