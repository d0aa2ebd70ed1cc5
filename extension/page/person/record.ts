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

const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();

function valueOf(el: Element): RecordedAct['value'] {
  if (el instanceof HTMLSelectElement) {
    const chosen = [...el.selectedOptions].map(({ label }) => squash(label));
    return el.multiple ? chosen : (chosen[0] ?? null);
  }
  if (el instanceof HTMLInputElement && el.type === 'file')
    return [...(el.files ?? [])].map(({ name }) => name).join(', ');
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.value;
  return el instanceof HTMLElement ? el.innerText.replace(/\n$/, '') : null;
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
  listen('pointerup', PointerEvent, () => recorder.release());
  listen('click', MouseEvent, (event, el) => recorder.click(event, el));
  listen('dblclick', MouseEvent, (event, el) => recorder.doubleClick(event, el));
  listen('contextmenu', MouseEvent, (event, el) => recorder.rightClick(event, el));
  listen('focusin', FocusEvent, (_, el) => void options.isSecret(el));
  listen('input', Event, (_, el) => recorder.input(el));
  listen('change', Event, (_, el) => recorder.change(el));
  listen('focusout', FocusEvent, (_, el) => recorder.leave(el));
  listen('keydown', KeyboardEvent, (event, el) => recorder.key(event, el));
  listen('keyup', KeyboardEvent, () => recorder.keyUp());
  addEventListener('pagehide', () => recorder.flush(), { capture: true, signal: over.signal });
  return () => {
    recorder.flush();
    over.abort();
  };
}

class Recorder {
  /** The field that the person is typing into. */
  #typed: Element | null = null;
  #typedAt = 0;
  /** It was one for secrets at some moment: a page may show a password as plain text. */
  #isSecret = false;
  #clicked: Element | null = null;
  /** Described before the page reacts to it. */
  #pressed: { readonly el: Element; readonly described: Described } | null = null;
  /** Enter in a field presses the button of its form. */
  #isEntering = false;
  /** Decided once the page has had the event. */
  #after: (() => void) | null = null;

  constructor(private readonly options: RecordOptions) {}

  pressDown(event: PointerEvent, el: Element): void {
    this.#after?.();
    const target = this.options.targetOf(el);
    this.#pressed =
      event.button === 0 && fieldOf(target) === null
        ? { el: target, described: this.options.describe(target) }
        : null;
  }

  /** A page that reacts to the press may remove what is pressed, which then gets no click. */
  release(): void {
    const pressed = this.#pressed;
    if (pressed === null) return;
    this.#later(() => {
      if (pressed !== this.#pressed) return;
      this.#pressed = null;
      if (pressed.el.isConnected && pressed.el.checkVisibility()) return;
      this.flush();
      this.#send('click', pressed.el, pressed);
    });
  }

  click(event: MouseEvent, el: Element): void {
    if (this.#isEntering && event.detail === 0) return;
    const target = this.options.targetOf(el);
    const field = fieldOf(target);
    // Their changes are recorded. A label's control gets a click of its own.
    if (field !== null && !(field === 'text' && opens(target))) return;
    if (!event.composedPath().includes(target)) return;
    if (event.detail === 2 && target === this.#clicked) return;
    this.#clicked = target;
    const described = this.#pressed?.el === target ? this.#pressed.described : this.options.describe(target);
    this.#pressed = null;
    this.flush();
    this.#send('click', target, { described, modifiers: modifiersOf(event) });
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

  input(el: Element): void {
    if (fieldOf(el) !== 'text') return;
    if (this.#typed !== el) {
      this.flush();
      this.#typedAt = Date.now();
    }
    this.#typed = el;
    this.#isSecret ||= this.options.isSecret(el);
  }

  change(el: Element): void {
    const field = fieldOf(el);
    if (field === 'choice') this.#report('select', el, valueOf(el));
    else if (field === 'file') this.#report('upload', el, valueOf(el));
    else if (field === 'check' && el instanceof HTMLInputElement)
      this.#report(el.checked ? 'check' : 'uncheck', el, null);
  }

  leave(el: Element): void {
    if (el === this.#typed) this.flush();
  }

  key(event: KeyboardEvent, el: Element): void {
    const { key, isComposing, repeat, shiftKey } = event;
    if (isComposing || (repeat && !MOVES.test(key))) return;
    const press = (at: Element | null = el): void => this.#report('press', at, keysOf(event));
    if (key === 'Escape') press(isWidget(el) || fieldOf(el) === 'text' ? el : null);
    else if (isWidget(el) && keysOfWidget(el).test(key)) press();
    else if (key !== 'Enter' || fieldOf(el) !== 'text') return;
    else if (el instanceof HTMLInputElement) {
      press();
      this.#isEntering = true;
    } else if (!shiftKey) {
      // A new line, unless the page takes it: editors of messages send by it.
      this.flush();
      this.#later(() => event.defaultPrevented && press());
    }
  }

  keyUp(): void {
    this.#isEntering = false;
  }

  /** Reports what is typed so far. */
  flush(): void {
    this.#after?.();
    const el = this.#typed;
    if (el === null) return;
    const isSecret = this.#isSecret;
    this.#typed = null;
    this.#isSecret = false;
    const value = valueOf(el);
    this.#send('fill', el, { at: this.#typedAt, value, isSecret: isSecret || this.options.isSecret(el) });
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
