import { expect } from 'vitest';
import type { WireError } from '../../../shared/base/errors.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import type { ActingRig, PageSource } from './rig.ts';

/** Everything that a page can observe of its input. */
const EVENTS = 'mousedown mouseup click keydown keyup dragstart dragend drop';

/**
 * A page that records its input, and runs nothing during the event named by `at`: `mousedown`, `keydown:Shift`,
 * `mousemove:1` for the first movement with a pressed button.
 */
const gatedPage = (at: string): string => `<title>Gated</title>
  <style>div { height: 60px; width: 200px; margin: 20px; background: silver }</style>
  <div id=first>First</div><div id=second>Second</div><div id=third draggable=true>Third</div>
  <button id=check>Check</button><input id=field><output id=out>Log: </output>
  <script>
    const wanted = ${JSON.stringify(at)}.split(':');
    let moves = 0;
    const hold = (type, detail) => {
      if (wanted[0] !== type || (wanted[1] !== undefined && wanted[1] !== detail)) return;
      wanted[0] = '';
      const request = new XMLHttpRequest(); request.open('GET', '/gate', false); request.send();
    };
    const write = (text) => out.append(text + ';');
    for (const type of '${EVENTS}'.split(' ')) addEventListener(type, (event) => {
      const { key = '', target, shiftKey, ctrlKey } = event;
      write([type, key || target.id || target.nodeName, shiftKey ? 'shift' : '', ctrlKey ? 'control' : ''].filter(Boolean).join(' '));
      hold(type, key);
    });
    addEventListener('mousemove', ({ buttons }) => { if (buttons) hold('mousemove', String(moves += 1)); else if (moves) { moves = 0; write('free'); } });
    for (const zone of [first, second]) zone.addEventListener('dragover', (event) => event.preventDefault());
    // A browser repeats the last movement when the page changes under the pointer.
    let buttonsBefore = null;
    check.addEventListener('mousemove', ({ buttons }) => { if (buttons !== buttonsBefore) write('buttons ' + (buttonsBefore = buttons)); });
  </script>`;

/** Pages that stop at an event until the test resumes them. */
export class Gates {
  #waiting: (() => void)[] = [];

  /** For a rig: `events?at=…` is a gated page, and `framed?at=…` has one in a frame that another process draws. */
  readonly pages: PageSource = async (name, query) => {
    if (name === 'gate') await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (name === 'gate') return '';
    const at = query.get('at') ?? '';
    if (name === 'framed')
      return `<iframe src="http://b.test:PORT/events?at=${at}" width=500 height=600></iframe>`;
    return name === 'events' ? gatedPage(at) : null;
  };

  get held(): number {
    return this.#waiting.length;
  }

  open(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** For a `RegExp`: the record of a gated page for `click css=#check` and `press x` with nothing pressed. */
const CHECKED = 'buttons 0;(?:free;)?mousedown check;mouseup check;click check;keydown x;keyup x;';

/** Presses that end halfway: the step, its page and, for a `RegExp`, the page's final record. */
export const PRESSES: readonly (readonly [step: string, page: string, expected: string])[] = [
  ['click css=#first', 'events?at=mousedown', 'mousedown first;mouseup first;click first;'],
  // A drag ends outside the page: it is neither a click nor a drop.
  ['drag css=#first css=#second', 'events?at=mousedown', 'mousedown first;mouseup HTML;click HTML;'],
  ['drag css=#first css=#second', 'events?at=mousemove:1', 'mousedown first;mouseup HTML;click HTML;'],
  ['drag css=#first css=#second', 'framed?at=mousemove:1', 'mousedown first;mouseup HTML;click HTML;'],
  [
    'drag css=#third css=#second',
    'events?at=dragstart',
    // The release waits behind `dragstart`: the browser hands it over before or after it ends the drag.
    'mousedown third;dragstart third;(?:dragend third;(?:mouseup HTML;)?|mouseup HTML;dragend third;)',
  ],
];

export async function written(rig: ActingRig, tab: string): Promise<string> {
  return /Log: ?(.*)/.exec(await rig.text(tab))?.[1] ?? '';
}

/** The next act works. @param before for a `RegExp`: the page's record before it */
export async function nextActWorks(rig: ActingRig, tab: string, before = ''): Promise<CallAnswer> {
  const answer = await rig.did(tab, 'click css=#check', 'press x');
  expect(await written(rig, tab)).toMatch(new RegExp(`${before}${CHECKED}$`));
  return answer;
}

export const errorOf = (answer: CallAnswer): WireError => {
  expect(answer.isError, answer.text).toBe(true);
  return answer.json<{ readonly error: WireError }>().error;
};
