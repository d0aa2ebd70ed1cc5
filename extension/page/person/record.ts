import type { RecordedAct } from '../../ports/page-recorded.ts';

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
type Field = 'text' | 'choice' | 'check' | 'file' | null;

const BUTTONS = /^(?:button|submit|reset|image|hidden)$/;
const NATIVE = /^(?:a|area|button|input|select|textarea|summary)$/;
/** Keys that move within a widget of the page's own. */
const MOVES = /^(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown)$/;
const keysOfWidget = (el: Element): RegExp =>
  fieldOf(el) === null
    ? /^(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown|Enter| )$/
    : /^(?:Arrow(?:Up|Down)|PageUp|PageDown|Enter)$/;

function fieldOf(el: Element): Field {
  if (el instanceof HTMLTextAreaElement) return 'text';
  if (el instanceof HTMLSelectElement) return 'choice';
  if (el instanceof HTMLInputElement) {
    if (el.type === 'checkbox' || el.type === 'radio') return 'check';
    if (el.type === 'file') return 'file';
    return BUTTONS.test(el.type) ? null : 'text';
  }
  return el instanceof HTMLElement && el.isContentEditable ? 'text' : null;
}

/** A text field that offers choices, or takes none of its text by keys, is clicked to open them. */
const opens = (el: Element): boolean =>
  el.matches('[readonly],[role=combobox],[aria-haspopup]:not([aria-haspopup=false])');

/** A part of a page that its script moves through by keys. */
const isWidget = (el: Element): boolean =>
  el.matches('[role=combobox],[aria-activedescendant]') ||
  (el.hasAttribute('role') && !NATIVE.test(el.localName) && fieldOf(el) === null);

/** A control that opens choices, within the parts that draw it. */
const OPENS = '[role=combobox],input[readonly],input[aria-haspopup]:not([aria-haspopup=false])';
const SLIDES = '[role=slider],input[type=range]';
/** Icons within a control have acts of their own. */
const ICONS = 'svg,[aria-label],[title]';
const PARTS_MAX = 4;
const NEAR_PX = 5;

const isControl = (el: Element): boolean =>
  fieldOf(el) !== null || NATIVE.test(el.localName) || el.hasAttribute('role');

/** The only such control of the composite that a part belongs to. */
function controlAround(part: Element, selector: string): Element | null {
  let up: Element | null = part;
  for (let climbed = 0; up !== null && climbed < PARTS_MAX; climbed += 1) {
    if (up.matches(ICONS)) return null;
    const [found = null, ...more] = up.querySelectorAll(selector);
    if (found !== null) return more.length === 0 ? found : null;
    up = up.parentElement;
  }
  return null;
}

/** The slider that a press may move. */
function sliderOf(target: Element, part: Element): Element | null {
  if (target.matches(SLIDES)) return target;
  return isControl(target) ? null : controlAround(part, SLIDES);
}

const slidTo = (el: Element): string | null =>
  el instanceof HTMLInputElement ? el.value : el.getAttribute('aria-valuenow');

/** The editor that a part of its content belongs to. */
function hostOf(part: Element): Element {
  const up = part.parentElement;
  return up !== null && fieldOf(part) === 'text' && up.isContentEditable ? hostOf(up) : part;
}

/** Masks and editors may take a key for themselves. */
function isTyping({ key, ctrlKey, metaKey }: KeyboardEvent, el: Element): boolean {
  if (el.matches('input[type=range]')) return MOVES.test(key);
  return fieldOf(el) === 'text' && !ctrlKey && !metaKey && /^(?:.|Backspace|Delete)$/u.test(key);
}

/** Its clicks are acts. Those of other fields are not: their changes are. */
function isPressed(el: Element): boolean {
  const field = fieldOf(el);
  return field === null || (field === 'text' && opens(el));
}

const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();

function valueOf(el: Element): RecordedAct['value'] {
  if (el instanceof HTMLSelectElement) {
    const chosen = [...el.selectedOptions].map(({ label }) => squash(label));
    return el.multiple ? chosen : (chosen[0] ?? null);
  }
  if (el instanceof HTMLInputElement && el.type === 'file')
    return [...(el.files ?? [])].map(({ name }) => name).join(', ');
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.value;
  return el instanceof HTMLElement ? linesOf(el) : null;
}

/** A blank line between paragraphs is their margin. */
function linesOf(editor: HTMLElement): string {
  const blocks = [...editor.children].filter((child) => child instanceof HTMLElement);
  const isText = [...editor.childNodes].some((node) => node instanceof Text && squash(node.data) !== '');
  const isParagraphs = !isText && blocks.every((block) => getComputedStyle(block).display === 'block');
  const texts = isParagraphs ? blocks.map(({ innerText }) => innerText) : [editor.innerText];
  return texts.map((text) => text.replace(/\n$/, '')).join('\n');
}

/**
 * Reports what a person does in this document, until the returned function is called: it reports what they have typed
 * and not left yet. Events of the page's scripts do not count.
 */
export function record(options: RecordOptions): () => void {
  const recorder = new Recorder(options);
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

/** A field that the person is typing into. */
interface Typed {
  readonly el: Element;
  readonly at: number;
  readonly before: RecordedAct['value'];
  /** Or else the page may still refuse it. */
  isChanged: boolean;
  /** It was one for secrets at some moment: a page may show a password as plain text. */
  isSecret: boolean;
}

interface Slid {
  readonly el: Element;
  readonly described: Described;
  readonly from: string | null;
}

interface Pressed {
  readonly el: Element;
  /** Under the pointer. */
  readonly part: Element;
  /** Described before the page reacts to it. */
  readonly described: Described;
  readonly x: number;
  readonly y: number;
}

class Recorder {
  #typed: Typed | null = null;
  /** The field with the focus: some are renamed while one types. */
  #entered: { readonly el: Element; readonly described: Described } | null = null;
  #clicked: Element | null = null;
  #pressed: Pressed | null = null;
  /** The page has put something under the pointer, which gets the click. */
  #isAway = false;
  #slid: Slid | null = null;
  /** Enter in a field presses the button of its form. */
  #isEntering = false;
  /** Decided once the page has had the event. */
  #after: (() => void) | null = null;

  constructor(private readonly options: RecordOptions) {}

  pressDown(event: PointerEvent, el: Element): void {
    this.#after?.();
    this.#isAway = false;
    this.#slid = null;
    this.#pressed = null;
    if (event.button !== 0) return;
    const { describe } = this.options;
    const target = this.#targetOf(el);
    const slider = sliderOf(target, el);
    if (slider !== null) this.#slid = { el: slider, described: describe(slider), from: slidTo(slider) };
    else if (isPressed(target)) {
      const { clientX: x, clientY: y } = event;
      this.#pressed = { el: target, part: el, described: describe(target), x, y };
    }
  }

  /** A page that reacts to the press may remove what is pressed, or cover it: it then gets no click. */
  release(event: PointerEvent): void {
    const [pressed, slid] = [this.#pressed, this.#slid];
    if (slid !== null) this.#later(() => this.#slide(slid));
    if (pressed === null) return;
    const { clientX, clientY } = event;
    const isStill = Math.hypot(clientX - pressed.x, clientY - pressed.y) <= NEAR_PX;
    this.#isAway = isStill && !event.composedPath().includes(pressed.part);
    this.#later(() => {
      if (pressed !== this.#pressed) return;
      this.#pressed = null;
      const { el } = pressed;
      if (!this.#isAway && el.isConnected && el.checkVisibility()) return;
      this.#isAway = false;
      this.flush();
      this.#clicked = pressed.el;
      this.#send('click', pressed.el, pressed);
    });
  }

  #slide({ el, described, from }: Slid): void {
    this.#slid = null;
    const value = slidTo(el);
    if (value === from) return;
    this.flush();
    this.#send('fill', el, { described, value });
  }

  click(event: MouseEvent, el: Element): void {
    if (this.#isAway || this.#slid !== null || (this.#isEntering && event.detail === 0)) return;
    // Already as it will be: a page may set it back until its own state has changed.
    if (fieldOf(el) === 'check' && el instanceof HTMLInputElement)
      return this.#report(el.checked ? 'check' : 'uncheck', el, null);
    const target = this.#targetOf(el);
    // The changes of other fields are recorded.
    if (!isPressed(target)) return;
    const path = event.composedPath();
    // A label's control gets a click of its own.
    if (!path.includes(target) && path.some((at) => at instanceof HTMLLabelElement)) return;
    if (event.detail === 2 && target === this.#clicked) return;
    this.#clicked = target;
    const described = this.#pressed?.el === target ? this.#pressed.described : this.options.describe(target);
    this.#pressed = null;
    this.flush();
    this.#send('click', target, { described, modifiers: modifiersOf(event) });
  }

  doubleClick(event: MouseEvent, el: Element): void {
    const target = this.#targetOf(el);
    if (target === this.#clicked && fieldOf(target) === null)
      this.#report('double_click', target, null, event);
  }

  /** Counts if the page has a menu of its own. */
  rightClick(event: MouseEvent, el: Element): void {
    const target = this.options.targetOf(el);
    this.#later(() => event.defaultPrevented && this.#report('right_click', target, null, event));
  }

  enter(el: Element): void {
    if (fieldOf(el) === 'text') this.#entered = { el, described: this.options.describe(el) };
    // Remembers a password that is shown as plain text later.
    this.options.isSecret(el);
  }

  type(part: Element, isChanged: boolean): void {
    const el = hostOf(part);
    if (fieldOf(el) !== 'text') return;
    if (this.#typed?.el !== el) this.flush();
    this.#typed ??= { el, at: Date.now(), before: valueOf(el), isChanged, isSecret: false };
    this.#typed.isChanged ||= isChanged;
    this.#typed.isSecret ||= this.options.isSecret(el);
  }

  change(el: Element): void {
    const field = fieldOf(el);
    if (field === 'choice') this.#report('select', el, valueOf(el));
    else if (field === 'file') this.#report('upload', el, valueOf(el));
  }

  leave(el: Element): void {
    if (el === this.#typed?.el) this.flush();
  }

  key(event: KeyboardEvent, el: Element): void {
    const { key, isComposing, repeat, shiftKey } = event;
    if (isComposing || (repeat && !MOVES.test(key))) return;
    const press = (at: Element | null): void => this.#report('press', at, keysOf(event));
    const at = this.#pressedAt(key, el);
    if (at !== undefined) press(at);
    else if (isTyping(event, el)) this.type(el, false);
    else if (key !== 'Enter' || fieldOf(el) !== 'text') return;
    else if (el instanceof HTMLInputElement) {
      press(el);
      this.#isEntering = true;
    } else if (!shiftKey) {
      // A new line, unless the page takes it: editors of messages send by it.
      this.flush();
      this.#later(() => event.defaultPrevented && press(el));
    }
  }

  /** Where a key is an act of its own: null for the page, undefined if it is none. */
  #pressedAt(key: string, el: Element): Element | null | undefined {
    // Leaving a field may be what its page waits for.
    if (key === 'Tab') return el === this.#typed?.el ? el : undefined;
    if (key === 'Escape') return isWidget(el) || fieldOf(el) === 'text' ? el : null;
    return isWidget(el) && keysOfWidget(el).test(key) ? el : undefined;
  }

  keyUp(): void {
    this.#isEntering = false;
  }

  /** Reports what is typed so far. */
  flush(): void {
    this.#after?.();
    const typed = this.#typed;
    if (typed === null) return;
    this.#typed = null;
    const { el, at, before, isChanged } = typed;
    const value = valueOf(el);
    const isSecret = typed.isSecret || this.options.isSecret(el);
    const described = this.#entered?.el === el ? this.#entered.described : this.options.describe(el);
    if (isChanged || value !== before) this.#send('fill', el, { at, value, isSecret, described });
    // Its page keeps the text elsewhere: no step can repeat it.
    else if (getComputedStyle(el).opacity === '0') this.#send('fill', null, { at });
  }

  #targetOf(el: Element): Element {
    const target = this.options.targetOf(el);
    return isControl(target) ? target : (controlAround(el, OPENS) ?? target);
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
    this.options.report({ at, do: kind, target, label, value: isSecret ? null : value, isSecret, modifiers });
  }
}

const modifiersOf = (event: MouseEvent | KeyboardEvent): RecordedAct['modifiers'] => [
  ...(event.altKey ? (['Alt'] as const) : []),
  ...(event.ctrlKey ? (['Control'] as const) : []),
  ...(event.metaKey ? (['Meta'] as const) : []),
  ...(event.shiftKey ? (['Shift'] as const) : []),
];

const keysOf = (event: KeyboardEvent): string =>
  [...modifiersOf(event), event.key === ' ' ? 'Space' : event.key].join('+');
