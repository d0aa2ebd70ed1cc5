import { cut } from '../../../shared/cut.ts';
import { isSecret, rememberPasswords, takesPassword } from '../write/controls.ts';
import { isReady, whenReady } from './aim.ts';
import { assertEditable, focusOn, isEditable, stateOf, valueOf } from './controls.ts';
import { Fields } from './fields.ts';
import type { FilledFields } from './filled-fields.ts';
import { answerFound, type Finding } from './find-targets.ts';
import { PasswordGuard } from './password-guard.ts';
import { windowsAround } from './places.ts';
import type { ActAnswers, ActAsk, FieldState } from './protocol.ts';
import { TypedText } from './typed-text.ts';

const KNOWN_SHOWN = 30;
const LABEL_UNITS = 60;

type AskOf<K extends ActAsk['do']> = Extract<ActAsk, { readonly do: K }>;

/** Fields that are found, given the focus, typed into and read back, one after the other. */
export class Typing {
  readonly guard = new PasswordGuard();
  readonly #fields = new Fields(document);
  readonly #finding: Finding;
  readonly #filled: FilledFields;
  /** Whether anything has changed since this was asked last. */
  readonly #hasChanged: () => boolean;
  /** The text on its way to the element that was given the focus last. */
  #typed: TypedText | null = null;

  constructor(finding: Finding, filled: FilledFields, hasChanged: () => boolean) {
    this.#finding = finding;
    this.#filled = filled;
    this.#hasChanged = hasChanged;
  }

  /** Has to be called after anything that may add, remove or rename fields. */
  forget(): void {
    this.#fields.forget();
  }

  stop(): void {
    this.forget();
    this.guard.end();
    this.#typed?.stop();
  }

  /** Finds the control with a label, and gives it the focus if asked to. */
  async field({ name, focus, guards, isTyping }: AskOf<'field'>): Promise<ActAnswers['field']> {
    // A focus that moves earlier takes the text with it.
    const isFree = !isTyping || (await this.#typed?.handled()) === true;
    // The text that was waited for may have changed the fields.
    if (this.#hasChanged()) this.forget();
    rememberPasswords(document);
    // The script of the outer document looks into this one, too.
    if (window.frameElement !== null)
      return { ...answerFound([], this.#finding), known: [], isFocused: false };
    const { found, known } = this.#fields.find(name);
    const [only, second] = found;
    const isFocused =
      focus && isFree && only !== undefined && second === undefined && canTakeText(only, guards);
    if (isFocused) this.#focus(only, 'all', guards);
    return {
      ...answerFound(found, this.#finding),
      known: known.slice(0, KNOWN_SHOWN).map((label) => cut(label, LABEL_UNITS)),
      isFocused,
    };
  }

  /** @throws PageError as `whenReady`, `assertEditable` and `focusOn` */
  async focus({ held, select, guards, waitMs }: AskOf<'focus'>): Promise<ActAnswers['focus']> {
    const el = this.#finding.held.get(held);
    await whenReady(el, waitMs);
    if (select !== 'none') assertEditable(el);
    this.#focus(el, select, guards);
    return { value: isSecret(el) ? '' : valueOf(el) };
  }

  /**
   * Reads what a field holds, once the text that is being typed has arrived.
   *
   * @throws PageError
   * `password_refused`
   */
  async value({ held, expected, isTyping }: AskOf<'value'>): Promise<FieldState> {
    const hasArrived = !isTyping || (await this.#typed?.handled()) === true;
    // What is still on its way must not find its guard gone.
    if (hasArrived) this.guard.check();
    return this.state(this.#finding.held.get(held), expected);
  }

  /** Reads what a field holds. A field that holds the expected value is left out of the receipt. */
  state(el: Element, expected: string | null): FieldState {
    const state = stateOf(el, expected);
    if (state.isTaken) this.#filled.add(el);
    return state;
  }

  #focus(el: Element, select: AskOf<'focus'>['select'], guards: boolean): void {
    focusOn(el, select);
    if (guards) this.guard.start(windowsAround(el));
    this.#typed?.stop();
    this.#typed = new TypedText(el);
  }
}

const canTakeText = (el: Element, guards: boolean): boolean =>
  isReady(el) && isEditable(el) && !(guards && takesPassword(el));
