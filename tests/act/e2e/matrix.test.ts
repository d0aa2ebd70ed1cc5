import { describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { actingRig } from './rig.ts';

const CONTROLS = `
  <style>body{margin:4px} .box{display:inline-block;width:60px;height:30px;background:#ddd} #scroller{height:60px;overflow:auto}</style>
  <button id=before>Before</button><button id=button>Button</button><button id=after>After</button>
  <p><input id=fill value=old><input id=type value=a><input id=clear value=old><input id=focus><input id=press></p>
  <p><input id=off type=checkbox><select id=select><option>Spain<option>France</select><input id=range type=range></p>
  <form id=form onsubmit="event.preventDefault()"><input id=field name=elements><button id=send>Send</button></form>
  <p id=row><span class=box id=from>From</span> <span class=box id=to>To</span> <span class=box id=card draggable=true>Card</span>
    <span class=box id=zone ondragover="event.preventDefault()">Zone</span></p>
  <div id=scroller><div style="height:200px"></div><button id=deep>Deep</button></div>`;

/** Each document records the events that its scripts see, in order. */
const RECORD = `
  const TYPES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'mouseover',
    'keydown', 'keyup', 'input', 'change', 'submit', 'dragstart', 'drop', 'dragend', 'focusin', 'scroll'];
  function record(root, host) {
    for (const type of TYPES) root.addEventListener(type, (event) => {
      const path = event.composedPath();
      if (host !== undefined && path.includes(host)) return;
      const own = path[0].id || path[0].nodeName || 'window';
      const how = [event.isTrusted ? '' : 'fake', event.key ?? '', event.shiftKey ? 'shift' : ''].filter(Boolean).join(' ');
      log.append('§ ' + location.host[0] + location.pathname + ' ' + type + ' ' + own + (how && ' ' + how) + '\\n');
    }, true);
  }`;
const part = (script: string): string =>
  `<!doctype html><title>page</title>BODY<pre id=log></pre><script>${RECORD}${script}</script>`;
const open = (mode: string): string =>
  part(`const host = document.querySelector('x-host'), root = host.attachShadow({ mode: '${mode}' });
    root.innerHTML = document.querySelector('template').innerHTML; record(root); record(window, host)`).replace(
    'BODY',
    `<x-host></x-host><template>${CONTROLS}</template>`,
  );
const framed = (src: string): string =>
  part('record(window)').replace(
    'BODY',
    `<button id=outer>Outer</button><br><iframe style="width:640px;height:420px;border:3px solid" src="${src}"></iframe>`,
  );

const PAGES: Readonly<Record<string, string>> = {
  top: part('record(window)').replace('BODY', CONTROLS),
  same: framed('/top'),
  cross: framed('http://b.test:PORT/top'),
  'cross in cross': framed('http://b.test:PORT/home'),
  home: framed('http://a.test:PORT/top'),
  'same in cross': framed('http://b.test:PORT/same'),
  open: open('open'),
  closed: open('closed'),
};
const KINDS = ['top', 'same', 'cross', 'cross in cross', 'same in cross', 'open', 'closed'];
const each = (id: string, ...types: readonly string[]): string[] => types.map((type) => `${type} ${id}`);
const press = (id: string): string[] => each(id, 'pointerdown', 'mousedown', 'pointerup', 'mouseup');
const click = (id: string): string[] => [...press(id), `click ${id}`];
const typed = (id: string, key: string): string[] => [
  `keydown ${id} ${key}`,
  `input ${id}`,
  `keyup ${id} ${key}`,
];
/** Set by script, as pages that listen for it expect. */
const set = (id: string): string[] => [`input ${id} fake`, `change ${id} fake`];

/** Each kind of step, and everything that the page sees of it except the pointer's path and the focus. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'click css=#button': click('button'),
  'Shift+click css=#button': click('button').map((line) => `${line} shift`),
  'double_click css=#button': [...click('button'), ...click('button'), 'dblclick button'],
  'right_click css=#button': each(
    'button',
    ...['pointerdown', 'mousedown', 'contextmenu', 'pointerup', 'mouseup', 'auxclick'],
  ),
  'hover css=#after': [],
  // The key of an input method.
  'fill css=#fill Ada': ['input fill', 'keyup fill Unidentified'],
  'type css=#type bc': [...typed('type', 'b'), ...typed('type', 'c')],
  'clear css=#clear': typed('clear', 'Delete'),
  'focus css=#focus': [],
  'press css=#press x': typed('press', 'x'),
  'press css=#press Control+ArrowLeft': [
    'keydown press Control',
    ...['keydown press ArrowLeft', 'keyup press ArrowLeft'],
    'keyup press Control',
  ],
  'check css=#off': [...click('off'), 'input off', 'change off'],
  'select css=#select France': set('select'),
  'fill css=#range 30': set('range'),
  'submit css=#field': [...click('send'), 'submit form'],
  'drag css=#from css=#to': ['pointerdown from', 'mousedown from', 'pointerup to', 'mouseup to', 'click row'],
  'drag css=#card css=#zone': [
    ...each('card', 'pointerdown', 'mousedown', 'dragstart'),
    ...['drop zone', 'dragend card'],
  ],
  'scroll css=#scroller down 50': [],
  'click css=#deep': click('deep'),
};
const PASSING = /^(?:mouseover|focusin|scroll) /;
type Log = ReadonlyMap<string, readonly string[]>;
const since = (all: Log, seen: Log): string[] =>
  [...all].flatMap(([from, lines]) => lines.slice(seen.get(from)?.length ?? 0));
/** A field fires its change event when the next one takes the focus. */
const LEFT = /^change (?:fill|type|clear|press)$/;
/** Of the otherwise omitted events, those that must occur. */
const AMONG: Readonly<Record<string, string>> = {
  'hover css=#after': 'mouseover after',
  'focus css=#focus': 'focusin focus',
  'scroll css=#scroller down 50': 'scroll scroller',
};

const rig = actingRig((name) => PAGES[name] ?? null);
const PLACES = ['front', 'hidden'].flatMap((where) => KINDS.map((kind) => [where, kind] as const));

describe.each(sample(PLACES, 14, 9))('in a %s tab, in the document %s', (where, kind) => {
  it('each kind of step reaches its element, trusted, and nothing else', async () => {
    const tab = await rig.open(kind, { front: where === 'front' });
    const read = async (): Promise<Log> => {
      const log = new Map<string, string[]>();
      for (const [, from = '', line = ''] of (await rig.text(tab)).matchAll(/§ (\S+) (.*\S)/g))
        log.set(from, [...(log.get(from) ?? []), line]);
      return log;
    };
    let seen: Log = new Map();
    for (const [step, expected] of Object.entries(STEPS)) {
      await rig.did(tab, step);
      const among = AMONG[step];
      if (among !== undefined) await expect.poll(async () => since(await read(), seen)).toContain(among);
      const all = await read();
      const events = since(all, seen).filter((line) => !PASSING.test(line) && !LEFT.test(line));
      expect({ step, events }).toEqual({ step, events: expected });
      seen = all;
    }
    await rig.close(tab);
  });
});
