import { isElement, shadowRootOf } from '../dom.ts';
import { describeElement, elementAt } from './hit.ts';
import type { Gesture, Witnessed } from './protocol.ts';

const PRESS = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
] as const;
const MOVE = ['pointermove', 'mousemove'] as const;
const DROP = ['pointerup', 'mouseup', 'drop'] as const;

/** The events of a gesture, and those by which it is judged whether it arrived. */
const WATCHED: Readonly<Record<Gesture, readonly string[]>> = {
  press: PRESS,
  grab: ['pointerdown', 'mousedown'],
  hover: MOVE,
  drop: DROP,
};

type Stage = Extract<Witnessed, { ok: true }>['at'];

const STAGES: Readonly<Record<string, Stage>> = {
  pointermove: 'moved',
  mousemove: 'moved',
  pointerdown: 'pressed',
  mousedown: 'pressed',
  pointerup: 'released',
  mouseup: 'released',
  click: 'clicked',
  auxclick: 'clicked',
  dblclick: 'clicked',
  contextmenu: 'clicked',
  drop: 'dropped',
};

/**
 * Watches the trusted events of one gesture before the page sees them, and says what arrived where. A press
 * that would arrive at something else (the page has moved meanwhile) is kept from it, with all that follows
 * it.
 */
export class Witness {
  readonly #gesture: Gesture;
  readonly #windows: readonly Window[];
  readonly #report: (witnessed: Witnessed) => void;
  readonly #isRedirected: (hit: Element | null) => boolean;
  readonly #takes: (hit: Element | null) => boolean;
  #isBlocked = false;
  #isPressed = false;
  #last: Stage | null = null;

  /**
   * @param windows the element's own, and those around it that this script can reach
   * @param isRedirected what the element does is not what it did when it was found
   * @param takes whether what an event goes to is the element, or stands for it
   */
  constructor(
    gesture: Gesture,
    {
      windows,
      report,
      isRedirected,
      takes,
    }: {
      readonly windows: readonly Window[];
      readonly report: (witnessed: Witnessed) => void;
      readonly isRedirected: (hit: Element | null) => boolean;
      readonly takes: (hit: Element | null) => boolean;
    },
  ) {
    this.#gesture = gesture;
    this.#windows = windows;
    this.#report = report;
    this.#isRedirected = isRedirected;
    this.#takes = takes;
    for (const type of WATCHED[gesture])
      for (const window of windows) window.addEventListener(type, this.#take, { capture: true });
  }

  stop(): void {
    for (const type of WATCHED[this.#gesture])
      for (const window of this.#windows) window.removeEventListener(type, this.#take, { capture: true });
  }

  readonly #take = (event: Event): void => {
    if (!event.isTrusted) return;
    const stage = STAGES[event.type];
    if (stage === undefined) return;
    const hit = this.#hitOf(event);
    // Once pressed, the rest belongs to the gesture wherever it arrives: the page may replace what was
    // pressed.
    const arrives = this.#isPressed || this.#takes(hit);
    if (this.#isBlocked || !arrives || this.#isRedirected(hit)) return this.#refuse(event, stage, hit);
    if (stage === 'pressed') this.#isPressed = true;
    if (stage === this.#last) return;
    this.#last = stage;
    this.#report({ ok: true, at: stage });
  };

  /** The dragged element may have captured the pointer: find the element below it by coordinates. */
  #hitOf(event: Event): Element | null {
    const hit = hitOf(event);
    if (this.#gesture !== 'drop' || hit === null || !isMouse(event) || this.#takes(hit)) return hit;
    return elementAt(hit.ownerDocument, { x: event.clientX, y: event.clientY }) ?? hit;
  }

  #refuse(event: Event, stage: Stage, hit: Element | null): void {
    // On its way the pointer passes over other things.
    if (stage === 'moved') return;
    // The browser releases a drag wherever the pointer is.
    if (this.#gesture === 'drop' && stage === 'released') {
      if (event.type === 'mouseup') this.#report({ ok: false, hit: nameOf(hit) });
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    this.#report({ ok: false, hit: nameOf(hit) });
  }
}

const nameOf = (hit: Element | null): string => (hit === null ? 'the document' : describeElement(hit));

/**
 * The innermost element that an event goes to. A closed shadow tree hides it, and is asked by the event's
 * place.
 */
export function hitOf(event: Event): Element | null {
  const [first] = event.composedPath();
  if (first === undefined || !isNode(first) || !isElement(first)) return null;
  if (!isMouse(event) || shadowRootOf(first, true) === null) return first;
  return elementAt(first.ownerDocument, { x: event.clientX, y: event.clientY }) ?? first;
}

/** By its members: one of another frame is not an instance of this one's classes. */
const isNode = (target: EventTarget): target is Node => 'nodeType' in target;
const isMouse = (event: Event): event is MouseEvent => 'clientX' in event;
