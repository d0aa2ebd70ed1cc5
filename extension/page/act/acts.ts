import { cut } from '../../../shared/cut.ts';
import { squash } from '../dom.ts';
import { locateAll, locateRef } from '../locate/locate.ts';
import { elementsIn } from '../locate/trees.ts';
import { nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';
import { windowPath } from '../frames.ts';
import { recordShown } from '../identity/find-again.ts';
import type { Loans } from '../loans.ts';
import { PageError } from '../page-error.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { REF, type Refs } from '../refs.ts';
import { isSecret, rememberPasswords, takesPassword } from '../write/controls.ts';
import { isReady, isShown, whenReachable, whenReady } from './aim.ts';
import {
  assertEditable,
  checkedOf,
  focusOn,
  isEditable,
  kindOf,
  setValues,
  stateOf,
  valueOf,
} from './controls.ts';
import { choiceOf, Fields } from './fields.ts';
import { describeElement } from './hit.ts';
import { whenFrameReachable } from './frame-point.ts';
import { whenParsed } from './parsed.ts';
import { windowsAround } from './places.ts';
import type { FilledFields } from './filled-fields.ts';
import type { HandedElement } from './handed-element.ts';
import type { ActAnswers, ActAsk, FieldState, TargetFacts, Witnessed } from './protocol.ts';
import { insertText, synthesize } from './synthesize.ts';
import { submitterOf } from './submitter.ts';
import { filesWayOf, setFiles, StagedFiles } from './set-files.ts';
import { scrollPart } from './scroll-part.ts';
import { PasswordGuard } from './password-guard.ts';
import { TypedText } from './typed-text.ts';
import { Unrest } from './unrest.ts';
import { Witness } from './witness.ts';
import { QuietWatch } from './quiet.ts';

const LINES_SHOWN = 5;
/** Elements that the steps of an act have found and may ask about again. */
const HELD_MAX = 500;

/** Questions with which a step begins. */
const LOOKING: ReadonlySet<ActAsk['do']> = new Set(['find', 'field', 'submitter']);

/** Questions while text is typed into one field after the other: they change no other control. */
const TYPING: ReadonlySet<ActAsk['do']> = new Set(['field', 'focus', 'value']);

const canTakeText = (el: Element, guards: boolean): boolean =>
  isReady(el) && isEditable(el) && !(guards && takesPassword(el));

/** A zoom changes the last of them, the debugger's banner the second. */
const sizeOf = ({ innerWidth, innerHeight, devicePixelRatio }: Window): string =>
  [innerWidth, innerHeight, devicePixelRatio].join();

type AskOf<K extends ActAsk['do']> = Extract<ActAsk, { readonly do: K }>;
type Answer<K extends ActAsk['do']> = ActAnswers[K] | Promise<ActAnswers[K]>;

interface Asking {
  readonly id: number;
  readonly viewer: string;
}

/** One question, and who asks. */
type Asked<K extends ActAsk['do']> = Asking & { readonly ask: AskOf<K> };

type Answers = { readonly [K in ActAsk['do']]: (ask: AskOf<K>, asking: Asking) => Answer<K> };

/** Answers what the worker asks of one document while it acts in it. */
export class PageActs {
  readonly #refs: Refs;
  readonly #filled: FilledFields;
  readonly #scriptId: string;
  readonly #handed: HandedElement;
  readonly #report: (id: number, witnessed: Witnessed) => void;
  readonly #held = new Map<number, Element>();
  readonly #witnesses = new Map<number, Witness>();
  readonly #fields = new Fields(document);
  readonly #staged = new StagedFiles();
  readonly #guard = new PasswordGuard();
  readonly #unrest = new Unrest();
  /** Of the element that was given the focus last. */
  #typed: TypedText | null = null;
  #lastHeld = 0;
  /** The size of the window when input was aimed last. */
  #aimedIn = '';
  /** From the first question on, so that a document in which nobody acts pays nothing. */
  #watch: QuietWatch | null = null;

  constructor(
    {
      refs,
      filled,
      handed,
      scriptId,
    }: {
      readonly refs: Refs;
      readonly filled: FilledFields;
      readonly handed: HandedElement;
      readonly scriptId: string;
    },
    report: (id: number, witnessed: Witnessed) => void,
  ) {
    this.#refs = refs;
    this.#filled = filled;
    this.#handed = handed;
    this.#scriptId = scriptId;
    this.#report = report;
  }

  /** Answers a request. @throws PageError as {@link answer} does */
  async reply(
    message: Extract<ToPage, { type: 'act' }>,
    loans: Loans,
  ): Promise<Extract<FromPage, { type: 'acted' }>> {
    const { id, showing } = message;
    if (LOOKING.has(message.ask.do)) await whenParsed(document);
    const lent = loans.borrow(id, showing);
    if (lent !== null) this.#refs.use(lent);
    const answer: unknown = await this.answer(message);
    if (lent !== null) recordShown(this.#refs);
    return { type: 'acted', id, answer, ...loans.settle(id) };
  }

  /** @throws PageError as each part does: see there */
  answer<K extends ActAsk['do']>({ ask, ...asked }: Asked<K>): Answer<K> {
    const kind: K = ask.do;
    // From now on it is known whether the document is at rest.
    this.#unrest.watch(document);
    const hasChanged = this.#watching().hasChanged();
    if (hasChanged || !TYPING.has(kind)) this.#fields.forget();
    return this.#answers[kind](ask, asked);
  }

  #watching(): QuietWatch {
    this.#watch ??= new QuietWatch(document);
    return this.#watch;
  }

  /** Stops watching for a gesture. */
  forget(id: number): void {
    this.#witnesses.get(id)?.stop();
    this.#witnesses.delete(id);
  }

  forgetAll(): void {
    for (const id of [...this.#witnesses.keys()]) this.forget(id);
    this.#held.clear();
    this.#fields.forget();
    this.#staged.clear();
    this.#guard.end();
    this.#typed?.stop();
    this.#watch?.stop();
    this.#watch = null;
  }

  readonly #answers: Answers = {
    find: ({ target }, { viewer }) => this.#find(target, viewer),
    field: async (ask) => {
      if (ask.isTyping) await this.#typed?.handled();
      return this.#field(ask);
    },
    submitter: ({ held }) => {
      const button = submitterOf(document, held === null ? null : this.#get(held));
      return button === null ? null : this.#facts(button, null);
    },
    aim: ({ held, gesture, position, waitMs }, { id }) => {
      const el = this.#get(held);
      return whenReachable(el, { position, waitMs, unrest: this.#unrest }, (point) => {
        this.#aimedIn = sizeOf(window);
        const report = (witnessed: Witnessed): void => this.#report(id, witnessed);
        this.#witnesses.set(id, new Witness(el, gesture, { windows: windowsAround(el), report }));
        return { point };
      });
    },
    frame_point: async (ask) => ({ point: await whenFrameReachable(ask) }),
    guard: ({ isOn }) => {
      const refused = this.#guard.end();
      if (isOn) this.#guard.start([window]);
      return { refused };
    },
    focus: async ({ held, select, guards, waitMs }) => {
      const el = this.#get(held);
      await whenReady(el, waitMs);
      if (select !== 'none') assertEditable(el);
      this.#focus(el, select, guards);
      return { value: isSecret(el) ? '' : valueOf(el) };
    },
    value: async ({ held, expected, isTyping }) => {
      if (isTyping) await this.#typed?.handled();
      this.#guard.check();
      return this.#state(this.#get(held), expected);
    },
    set: async ({ held, values, waitMs }) => {
      const el = this.#get(held);
      await whenReady(el, waitMs);
      setValues(el, values);
      return this.#state(el, values.join(', '));
    },
    option: ({ held, text }) => this.#option(this.#get(held), text),
    files_way: ({ held }) => ({ way: filesWayOf(this.#get(held)) }),
    handed: () => {
      const el = this.#handed.take();
      return el === null ? null : this.#facts(el, null);
    },
    stage: ({ file, data }) => {
      this.#staged.add(file, data);
      return { done: true };
    },
    files: ({ held, files }) => ({
      names: setFiles(
        this.#get(held),
        files.map((file) => this.#staged.take(file)),
      ),
    }),
    scroll: async ({ held, how }) => ({
      moved: await scrollPart(held === null ? null : this.#get(held), how),
    }),
    synthesize: ({ held, kind }) => {
      synthesize(this.#get(held), kind);
      return { done: true };
    },
    insert: ({ held, text }) => {
      const el = this.#get(held);
      // The browser announces no input of a script.
      this.#guard.spare(el);
      return { done: insertText(el, text) };
    },
    present: ({ held }) => ({
      isPresent: this.#get(held).isConnected,
      isResized: this.#aimedIn !== sizeOf(window),
    }),
    mark: () => ({ scriptId: this.#scriptId, path: windowPath(window) }),
    quiet: (ask) => this.#watching().wait(ask),
  };

  /** What a field holds. One that holds what was asked for is left out of the receipt. */
  #state(el: Element, expected: string | null): FieldState {
    const state = stateOf(el, expected);
    if (state.isTaken) this.#filled.add(el);
    return state;
  }

  #get(held: number): Element {
    const el = this.#held.get(held);
    if (el === undefined) throw new PageError('internal_error', `Element ${held} is not known to this page.`);
    return el;
  }

  #hold(el: Element): number {
    this.#lastHeld += 1;
    this.#held.set(this.#lastHeld, el);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_MAX && oldest !== undefined) this.#held.delete(oldest);
    return this.#lastHeld;
  }

  #facts(el: Element, note: string | null): TargetFacts {
    return {
      held: this.#hold(el),
      line: describeElement(el),
      kind: kindOf(el),
      checked: checkedOf(el),
      isPassword: takesPassword(el),
      isMultiple: el.getAttribute('aria-multiselectable') === 'true' || el.hasAttribute('multiple'),
      note,
    };
  }

  #answer(elements: readonly Element[], note: string | null = null): ActAnswers['find'] {
    const refs = this.#refs;
    const [only, second] = elements;
    return {
      found: only !== undefined && second === undefined ? [this.#facts(only, note)] : [],
      count: elements.length,
      lines:
        second === undefined
          ? []
          : elements.slice(0, LINES_SHOWN).map((el) => `${refs.of(el)} ${describeElement(el)}`),
    };
  }

  #find(target: string, viewer: string): ActAnswers['find'] {
    rememberPasswords(document);
    if (REF.test(target)) {
      const { el, note } = locateRef(target, { refs: this.#refs, viewer });
      return this.#answer([el], note);
    }
    // The script of the document around this one looks into it.
    if (window.frameElement !== null) return this.#answer([]);
    const all = locateAll(document, target);
    const shown = all.filter(isShown);
    return this.#answer(shown.length > 0 ? shown : all);
  }

  #field({ name, focus, guards }: AskOf<'field'>): ActAnswers['field'] {
    rememberPasswords(document);
    if (window.frameElement !== null) return { ...this.#answer([]), known: [], isFocused: false };
    const { found, known } = this.#fields.find(name);
    const [only, second] = found;
    const isFocused = focus && only !== undefined && second === undefined && canTakeText(only, guards);
    if (isFocused) this.#focus(only, 'all', guards);
    return {
      ...this.#answer(found),
      known: known.slice(0, 30).map((label) => cut(label, 60)),
      isFocused,
    };
  }

  #focus(el: Element, select: AskOf<'focus'>['select'], guards: boolean): void {
    focusOn(el, select);
    if (guards) this.#guard.start(windowsAround(el));
    this.#typed?.stop();
    this.#typed = new TypedText(el);
  }

  #option(el: Element, text: string): TargetFacts | null {
    const choice = choiceOf(el, text);
    if (choice.el !== null) return this.#facts(choice.el, null);
    if (choice.labels.length > 0) {
      const shown = choice.labels.slice(0, 20).map((label) => JSON.stringify(label));
      throw new PageError(
        'option_not_found',
        `${describeElement(el)} has no choice ${JSON.stringify(text)}; it has ${shown.join(', ')}.`,
      );
    }
    const wanted = squash(text).toLowerCase();
    const options = elementsIn(document, '[role=option],[role=menuitem],[role=treeitem]').filter(isShown);
    const named = (option: Element): string => squash(nameOf(option, roleOf(option, option.localName)));
    const found =
      options.find((option) => named(option) === squash(text)) ??
      options.find((option) => named(option).toLowerCase() === wanted);
    return found === undefined ? null : this.#facts(found, null);
  }
}
