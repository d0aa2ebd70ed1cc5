import type { RecordedAct } from '../recorded-port.ts';
import {
  isWidget,
  keysOfWidget,
  fieldOf,
  OPENS,
  isControl,
  controlAround,
  sliderOf,
  fits,
  isDrawnText,
  isSearch,
  isSegment,
  slidTo,
  hostOf,
  isTyping,
  isPressed,
  pressedOf,
  readPersonValue,
  MOVES,
} from './controls.ts';

export interface RecordOptions {
  /** The control that an element is a part of. */
  readonly targetOf: (el: Element) => Element;
  /** How a recipe finds it again, and its name. */
  readonly describe: (el: Element) => Described;
  /** Whether its value must not leave the page. */
  readonly isSecret: (el: Element) => boolean;
  readonly report: (act: RecordedAct) => void;
}

type Kind = RecordedAct['do'];
type Described = Pick<RecordedAct, 'target' | 'label'>;
type Facts = Partial<Pick<RecordedAct, 'at' | 'value' | 'isSecret' | 'modifiers'>> & {
  readonly described?: Described;
};

const NOTHING: Described = { target: null, label: '' };
const NEAR_PX = 5;

/**
 * Reports what a person does in this document, until the returned function is called: it reports what they have typed
 * and not left yet. Events of the page's scripts do not count.
 */
export function record(options: RecordOptions): () => void {
  const targetOf = (part: Element): Element => pressedOf(part, options.targetOf(part));
  const recorder = new Recorder({ ...options, targetOf });
  const over = new AbortController();
  const listen = <E extends Event>(
    type: string,
    kind: new (...args: never[]) => E,
    take: (event: E, el: Element) => void,
  ): void =>
    addEventListener(
      type,
      (event) => {
        const [el] = event.composedPath();
        if (event.isTrusted && event instanceof kind && el instanceof Element) take(event, el);
      },
      { capture: true, passive: true, signal: over.signal },
    );
  listen('pointerdown', PointerEvent, (event, el) => recorder.pressDown(event, el));
  listen('pointerup', PointerEvent, (event) => recorder.release(event));
  listen('click', MouseEvent, (event, el) => recorder.click(event, el));
  listen('dblclick', MouseEvent, (event, el) => recorder.doubleClick(event, el));
  listen('contextmenu', MouseEvent, (event, el) => recorder.rightClick(event, el));
  listen('focusin', FocusEvent, (_, el) => recorder.enter(el));
  listen('dragend', DragEvent, (event) => recorder.drop(event));
  // Editors that write for themselves prevent the first three, and then there is no input.
  for (const type of ['beforeinput', 'paste', 'cut', 'input'])
    listen(type, Event, (_, el) => recorder.type(el, type === 'input'));
  // Unlike `change` it leaves shadow roots.
  listen('input', Event, (_, el) => recorder.change(el));
  listen('focusout', FocusEvent, (_, el) => recorder.leave(el));
  listen('keydown', KeyboardEvent, (event, el) => recorder.key(event, el));
  listen('keyup', KeyboardEvent, () => recorder.keyUp());
  addEventListener('pagehide', () => recorder.flush(), { capture: true, signal: over.signal });
  return () => {
    recorder.flush();
    over.abort();
  };
}

interface Meant {
  readonly el: Element;
  /** Described before the page reacts: some fields are renamed while one types. */
  readonly described: Described;
}

/** A field that the person is typing into. */
interface Typed extends Meant {
  readonly at: number;
  readonly before: RecordedAct['value'];
  /** Or else the page may still refuse it. */
  isChanged: boolean;
  /** It was one for secrets at some moment: a page may show a password as plain text. */
  isSecret: boolean;
}

interface Slid extends Meant {
  readonly from: string | null;
}

/** A press on a composite moves the focus to the control that it draws: else it means what is under the pointer. */
interface Drawn extends Meant {
  readonly control: Meant | null;
}

interface Pressed extends Drawn {
  /** Under the pointer. */
  readonly part: Element;
  readonly x: number;
  readonly y: number;
}

class Recorder {
  #typed: Typed | null = null;
  #clicked: Element | null = null;
  /** Since the last press. */
  readonly #focused = new Set<Element>();
  #pressed: Pressed | null = null;
  /** The page has put something under the pointer, which gets the click. */
  #isAway = false;
  #slid: Slid | null = null;
  /** A key that is recorded clicks a button: its own, or that of the form. */
  #pressing: KeyboardEvent | null = null;
  /** Decided once the page has had the event. */
  #after: (() => void) | null = null;

  constructor(private readonly options: RecordOptions) {}

  pressDown(event: PointerEvent, el: Element): void {
    this.#after?.();
    this.#isAway = false;
    this.#slid = null;
    this.#pressed = null;
    this.#focused.clear();
    if (event.button !== 0) return;
    const slider = sliderOf(this.options.targetOf(el), el);
    if (slider !== null)
      this.#slid = { el: slider, described: this.options.describe(slider), from: slidTo(slider) };
    const meant = this.#meantBy(el);
    if (!isPressed(meant.el) || isOnScrollbar(event, el)) return;
    const { clientX: x, clientY: y } = event;
    this.#pressed = { ...meant, part: el, x, y };
  }

  /** A page that reacts to the press may remove what is pressed, or cover it: it then gets no click. */
  release(event: PointerEvent): void {
    const [pressed, slid] = [this.#pressed, this.#slid];
    const movedPx = pressed === null ? 0 : Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    const isStill = movedPx <= NEAR_PX;
    if (pressed !== null) this.#isAway = isStill && !event.composedPath().includes(pressed.part);
    this.#later(() => {
      if (slid !== null && this.#slide(slid)) return;
      if (pressed === null || pressed !== this.#pressed) return;
      this.#pressed = null;
      const { el } = pressed;
      if (!isStill) return this.#dragged();
      if (!this.#isAway && el.isConnected && el.checkVisibility()) return;
      this.#isAway = false;
      this.flush();
      this.#click(pressed, []);
    });
  }

  drop({ dataTransfer }: DragEvent): void {
    if (dataTransfer?.dropEffect !== 'none') this.#send('click', null, {});
  }

  /** Without a click: no step can repeat it, unless it only selected text. */
  #dragged(): void {
    if (getSelection()?.isCollapsed !== false) this.#send('click', null, {});
  }

  #hasSlid(): boolean {
    return this.#slid !== null && slidTo(this.#slid.el) !== this.#slid.from;
  }

  /** Whether the press has moved it. */
  #slide({ el, described, from }: Slid): boolean {
    this.#slid = null;
    const value = slidTo(el);
    if (value === from) return false;
    this.#pressed = null;
    this.flush();
    this.#send('fill', el, { described, value });
    return true;
  }

  #click({ el, described, control }: Drawn, modifiers: RecordedAct['modifiers']): void {
    const isDrawn = control !== null && (control.el.matches(':focus') || this.#focused.has(control.el));
    const meant = isDrawn ? control : { el, described };
    this.#clicked = meant.el;
    this.#send('click', meant.el, { described: meant.described, modifiers });
  }

  click(event: MouseEvent, el: Element): void {
    if (this.#isAway || this.#hasSlid() || (this.#pressing !== null && event.detail === 0)) return;
    const pressed = this.#pressed;
    this.#pressed = null;
    // Already as it will be: a page may set it back until its own state has changed.
    if (fieldOf(el) === 'check' && el instanceof HTMLInputElement)
      return this.#report(el.checked ? 'check' : 'uncheck', el, null);
    const target = this.#targetOf(el);
    if (isOfLabel(event, target)) return this.#later(() => event.defaultPrevented && this.#label(target));
    // The changes of other fields are recorded.
    if (!isPressed(target) || (event.detail === 2 && target === this.#clicked)) return;
    const meant = pressed?.el === target ? pressed : this.#meantBy(el);
    this.flush();
    const modifiers = modifiersOf(event);
    if (meant.control === null) this.#click(meant, modifiers);
    // Its page may move the focus with the click.
    else this.#later(() => this.#click(meant, modifiers));
  }

  /** Its page reacts itself to a press on a label. */
  #label(control: Element): void {
    if (control instanceof HTMLInputElement && fieldOf(control) === 'check')
      this.#report(control.checked ? 'check' : 'uncheck', control, null);
    else if (isPressed(control)) this.#report('click', control, null);
  }

  doubleClick(event: MouseEvent, el: Element): void {
    const target = this.options.targetOf(el);
    if (target === this.#clicked && fieldOf(target) === null)
      this.#report('double_click', target, null, event);
  }

  /** Counts if the page has a menu of its own. */
  rightClick(event: MouseEvent, el: Element): void {
    const target = this.options.targetOf(el);
    this.#later(() => event.defaultPrevented && this.#report('right_click', target, null, event));
  }

  type(part: Element, isChanged: boolean): void {
    const el = hostOf(part);
    if (fieldOf(el) !== 'text' && !isDrawnText(el)) return;
    if (this.#typed?.el !== el) this.flush();
    this.#typed ??= {
      ...{ el, at: Date.now(), described: this.options.describe(el), before: readPersonValue(el) },
      ...{ isChanged, isSecret: false },
    };
    this.#typed.isChanged ||= isChanged;
    this.#typed.isSecret ||= this.options.isSecret(el);
  }

  change(el: Element): void {
    const field = fieldOf(el);
    if (field === 'choice') this.#report('select', el, readPersonValue(el));
    else if (field === 'file') this.#report('upload', el, readPersonValue(el));
  }

  enter(el: Element): void {
    this.#focused.add(el);
    this.options.isSecret(el);
  }

  leave(el: Element): void {
    if (el !== this.#typed?.el) return;
    // Its page may not have written it yet.
    if (isSegment(el)) return this.#later(() => this.flush());
    this.flush();
    // Leaving a field may be what its page waits for; a press of Tab would choose from a list.
    if (el instanceof HTMLInputElement && el.isConnected && !isSearch(el))
      this.#send('press', el, { value: 'Tab' });
  }

  key(event: KeyboardEvent, el: Element): void {
    const { key, isComposing, repeat, shiftKey } = event;
    if (isComposing || (repeat && !MOVES.test(key))) return;
    const press = (at: Element | null): void => this.#report('press', at, keysOf(event));
    const at = this.#pressedAt(key, el);
    const clicks = /^(?:Enter| )$/.test(key);
    // The timer of the last one may be late: in a busy page, keys that wait come first.
    if (clicks) this.#pressing = null;
    if (at !== undefined) {
      press(at);
      if (clicks) this.#pressing = event;
    } else if (isTyping(event, el)) this.type(el, false);
    else if (key !== 'Enter' || fieldOf(el) !== 'text') return;
    else if (el instanceof HTMLInputElement) {
      press(el);
      this.#pressing = event;
    } else if (!shiftKey) {
      // A new line, unless the page takes it: editors of messages send by it.
      this.flush();
      this.#later(() => event.defaultPrevented && press(el));
    }
  }

  /** The element that a recorded key is pressed on; null for the page, undefined if the key is not recorded. */
  #pressedAt(key: string, el: Element): Element | null | undefined {
    if (key === 'Tab') return el === this.#typed?.el ? el : undefined;
    // Of a field for several values, it removes one.
    if (/^(?:Backspace|Delete)$/.test(key) && fieldOf(el) === 'text' && readPersonValue(el) === '') return el;
    if (key === 'Escape') return isWidget(el) || fieldOf(el) === 'text' ? el : null;
    return isWidget(el) && keysOfWidget(el).test(key) ? el : undefined;
  }

  keyUp(): void {
    const pressing = this.#pressing;
    // Space clicks after it.
    setTimeout(() => this.#pressing === pressing && (this.#pressing = null));
  }

  /** Reports what is typed so far. */
  flush(): void {
    this.#after?.();
    const typed = this.#typed;
    if (typed === null) return;
    this.#typed = null;
    const { el, at, described, before, isChanged } = typed;
    const value = readPersonValue(el);
    const isSecret = typed.isSecret || this.options.isSecret(el);
    const facts = { at, value, isSecret, described };
    // Its page keeps the text elsewhere: no step can repeat it.
    if (isDrawnText(el)) this.#send('fill', null, { at });
    else if (isSearch(el) && value !== '' && isChanged) {
      if (before !== '') this.#send('clear', el, { at, described });
      this.#send('type', el, facts);
    } else if (isChanged || value !== before) this.#send('fill', el, facts);
    else if (getComputedStyle(el).opacity === '0') this.#send('fill', null, { at });
  }

  /** The control that a part belongs to: a list is opened by its field, not by the text within. */
  #targetOf(part: Element): Element {
    const el = this.options.targetOf(part);
    const isWithin = fieldOf(el) === 'text' && !isPressed(el);
    return (isWithin ? el.closest('[role=combobox]') : null) ?? el;
  }

  #meantBy(part: Element): Drawn {
    const { describe } = this.options;
    const el = this.#targetOf(part);
    const isWhole = isControl(el) && (fieldOf(el) !== null || el.querySelector(OPENS) === null);
    const control = isWhole ? null : controlAround(part, OPENS);
    return {
      ...{ el, described: describe(el) },
      control: control === null ? null : { el: control, described: describe(control) },
    };
  }

  #later(take: () => void): void {
    this.#after?.();
    const once = (): void => {
      if (this.#after === once) this.#after = null;
      take();
    };
    this.#after = once;
    setTimeout(() => this.#after === once && once());
  }

  #report(kind: Kind, el: Element | null, value: RecordedAct['value'], event?: MouseEvent): void {
    this.flush();
    this.#send(kind, el, {
      value,
      isSecret: kind === 'select' && el !== null && this.options.isSecret(el),
      modifiers: event === undefined ? [] : modifiersOf(event),
    });
  }

  #send(
    kind: Kind,
    el: Element | null,
    { at = Date.now(), value = null, isSecret = false, modifiers = [], described }: Facts,
  ): void {
    const { target, label } = described ?? (el === null ? NOTHING : this.options.describe(el));
    const rest = { at, do: kind, label, isSecret, modifiers };
    if (isSecret || fits(value)) this.options.report({ ...rest, target, value: isSecret ? null : value });
    else this.options.report({ ...rest, target: null, value: null });
  }
}

const isOnScrollbar = ({ offsetX, offsetY }: PointerEvent, { clientWidth, clientHeight }: Element): boolean =>
  (clientWidth > 0 && offsetX > clientWidth) || (clientHeight > 0 && offsetY > clientHeight);

/** The control gets a click of its own. */
function isOfLabel(event: MouseEvent, control: Element): boolean {
  const path = event.composedPath();
  return !path.includes(control) && path.some((at) => at instanceof HTMLLabelElement);
}

const modifiersOf = (event: MouseEvent | KeyboardEvent): RecordedAct['modifiers'] => [
  ...(event.altKey ? (['Alt'] as const) : []),
  ...(event.ctrlKey ? (['Control'] as const) : []),
  ...(event.metaKey ? (['Meta'] as const) : []),
  ...(event.shiftKey ? (['Shift'] as const) : []),
];

const keysOf = (event: KeyboardEvent): string =>
  [...modifiersOf(event), event.key === ' ' ? 'Space' : event.key].join('+');
