import { onAbort, delay } from '../../../shared/base/async.ts';
import type { Point } from '../../core/ports/page-answers.ts';

export interface PointOptions {
  readonly signal: AbortSignal;
  /** The element that a person means by a point of the viewport. */
  readonly elementAt: (point: Point) => Element | null;
  readonly around: (el: Element) => Element | null;
  /** Stops of the keyboard, in the order of the document. */
  readonly controls: () => readonly Element[];
  readonly describe: (el: Element) => string;
}

const RELEASE_MS = 300;
const BLOCKED = [
  ...['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
  ...['touchstart', 'touchend', 'keydown', 'keypress', 'keyup', 'beforeinput', 'dragstart'],
];

/**
 * Lets a person point at an element of this document, and keeps their clicks and keys from the page meanwhile. Arrows
 * up and down widen and narrow the choice, Tab moves to the next control, Enter takes it.
 * @returns null if they press Escape, or the signal ends it
 */
export function point(options: PointOptions): Promise<Element | null> {
  const { signal } = options;
  const mark = new Mark();
  const choice = new Choice(options, (el) => mark.draw(el, el === null ? '' : options.describe(el)));
  const over = new AbortController();
  let isOver = false;
  return new Promise<Element | null>((resolve) => {
    const end = (picked: Element | null): void => {
      isOver = true;
      mark.remove();
      resolve(picked);
      // The click and the release of the key that follow are not for the page either.
      void delay(RELEASE_MS).then(() => over.abort());
    };
    const listen = (type: string, take: (event: Event) => void): void =>
      addEventListener(type, take, { capture: true, passive: false, signal: over.signal });
    const take = (event: Event): void => {
      if (!event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isOver && ['click', 'keyup'].includes(event.type)) return over.abort();
      if (isOver) return;
      if (event instanceof KeyboardEvent && event.type === 'keydown') {
        if (event.key === 'Escape') end(null);
        else if (event.key === 'Enter' && choice.el !== null) end(choice.el);
        else choice.press(event);
      }
      // Disabled controls get no click.
      if (event instanceof PointerEvent && event.type === 'pointerup' && event.button === 0) {
        if (!choice.isWidened) choice.follow(event);
        if (choice.el !== null) end(choice.el);
      }
    };
    for (const type of BLOCKED) listen(type, take);
    listen('pointermove', (event) => {
      if (event instanceof PointerEvent && event.isTrusted) choice.follow(event);
    });
    listen('scroll', () => choice.choose(choice.el));
    // The pointer has gone to another frame, or out of the page.
    listen('pointerout', (event) => {
      if (event instanceof PointerEvent && event.relatedTarget === null) choice.choose(null);
    });
    const stopListening = onAbort(signal, () => {
      end(null);
      over.abort();
    });
    onAbort(over.signal, stopListening);
  });
}

/** The element that a person would pick now. */
class Choice {
  el: Element | null = null;
  readonly #narrower: Element[] = [];
  #at: Point | null = null;

  constructor(
    private readonly options: PointOptions,
    private readonly onChange: (el: Element | null) => void,
  ) {}

  get isWidened(): boolean {
    return this.#narrower.length > 0;
  }

  choose(el: Element | null): void {
    this.el = el;
    this.onChange(el);
  }

  /** Browsers repeat the last move when the page changes, which must not undo a choice by keys. */
  follow({ clientX: x, clientY: y }: PointerEvent): void {
    if (this.#at?.x === x && this.#at.y === y && this.el !== null) return;
    this.#at = { x, y };
    this.#narrower.length = 0;
    this.choose(this.options.elementAt(this.#at));
  }

  press({ key, shiftKey }: KeyboardEvent): void {
    if (key === 'Tab') this.#next(shiftKey ? -1 : 1);
    else if (key === 'ArrowUp') this.#widen();
    else if (key === 'ArrowDown') this.choose(this.#narrower.pop() ?? this.el);
  }

  #next(by: 1 | -1): void {
    const all = this.options.controls();
    const from = all.findIndex((el) => el === this.el);
    const found = all.at((from + (from < 0 && by < 0 ? 0 : by)) % Math.max(1, all.length)) ?? null;
    found?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    this.#narrower.length = 0;
    this.choose(found);
  }

  #widen(): void {
    const wider = this.el === null ? null : this.options.around(this.el);
    if (this.el === null || wider === null || wider === document.documentElement) return;
    this.#narrower.push(this.el);
    this.choose(wider);
  }
}

const COLOUR = '#d1006c';
const HOST =
  'all:initial;display:block;position:fixed;inset:0;margin:0;border:0;padding:0;pointer-events:none;background:none;z-index:2147483647';
const BOX = `position:fixed;border:2px solid ${COLOUR};outline:2px solid #fff;border-radius:3px;box-sizing:border-box`;
const LABEL = `position:fixed;max-width:min(24rem,90vw);padding:2px 6px;border-radius:3px;background:${COLOUR};color:#fff;font:12px/1.5 system-ui,sans-serif;overflow:hidden;text-overflow:ellipsis;white-space:nowrap`;
const LABEL_PX = 26;

/** The frame around the chosen element, and its name. No page style or script reaches into it. */
class Mark {
  readonly #host = part(HOST);
  readonly #box = part(BOX);
  readonly #label = part(LABEL);

  constructor() {
    this.#host.setAttribute('aria-hidden', 'true');
    this.#host.attachShadow({ mode: 'closed' }).append(this.#box, this.#label);
    document.documentElement.append(this.#host);
    // Above open dialogs.
    this.#host.popover = 'manual';
    this.#host.showPopover();
    this.draw(null, '');
  }

  draw(el: Element | null, name: string): void {
    this.#host.style.visibility = el === null ? 'hidden' : 'visible';
    if (el === null) return;
    const { left, top, width, height } = el.getBoundingClientRect();
    place(this.#box, { left: left - 2, top: top - 2, width: width + 4, height: height + 4 });
    this.#label.textContent = name;
    const above = top - LABEL_PX;
    place(this.#label, {
      left: Math.max(0, left - 2),
      top: above < 0 ? Math.max(0, top + height + 4) : above,
    });
  }

  remove(): void {
    this.#host.remove();
  }
}

function part(style: string): HTMLElement {
  const el = document.createElementNS('http://www.w3.org/1999/xhtml', 'div');
  if (!(el instanceof HTMLElement)) throw new Error('This document makes no HTML elements.');
  el.style.cssText = style;
  return el;
}

function place(el: HTMLElement, at: Readonly<Record<string, number>>): void {
  for (const [name, px] of Object.entries(at)) el.style.setProperty(name, `${px}px`);
}
