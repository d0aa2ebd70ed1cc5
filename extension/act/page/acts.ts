import { windowPath } from '../../dom/frames.ts';
import { recordShown } from '../../read/page/identity/find-again.ts';
import { unchangedAmong } from '../../find/page/locate/locate.ts';
import type { Loans, Refs } from '../../dom/refs.ts';
import { PageError } from '../../dom/doorway.ts';
import type { FromPage, ToPage } from '../../core/page/protocol.ts';
import { conceal } from '../../dom/controls.ts';
import { waitAtMost } from '../../../shared/base/async.ts';
import { Landing } from './witness.ts';
import { point } from './point.ts';
import { roleOf } from '../../dom/names/role.ts';
import { documentsIn } from '../../dom/trees.ts';
import { computeName } from '../../dom/names/name.ts';
import { cut } from '../../../shared/base/cut.ts';
import { pointed, startRecording } from '../../point/page/page-side.ts';
import { opensPopup, pressedOf, type FilledFields } from './controls.ts';
import { concealedOf, outlineOf } from './outline.ts';
import { whenFrameReachable, viewPoint } from './places.ts';
import { whenDrawn, scrollPart, Motion } from './motion.ts';
import { type HandedElement, HeldElements } from './held-elements.ts';
import { submitterOf } from './fields.ts';
import { answerFound, findTarget, type Finding } from './find-targets.ts';
import { Typing, atRest } from './typing.ts';
import { Popup } from './popup.ts';
import { isDrawnIn } from './surroundings.ts';
import {
  type ActAsk,
  type AskOf,
  type Given,
  type News,
  type Outcome,
  type PageStep,
  type Quiet,
  type TypedInto,
} from './protocol.ts';
import { Hands } from './hands.ts';
import { check, fillInTurn, select, type } from './fill.ts';
import { awaitAnswer, expectKept, leaveFields, type Typed } from './leave.ts';
import type { PageAnswers, Rest, TargetFacts } from '../../core/ports/page-answers.ts';
import { checkPassword, focus, type Pointer, type StepParts } from './step.ts';
import { strike } from './strike.ts';
import { upload } from './upload.ts';
import { QuietWatch, whenFaded } from './quiet.ts';

/** A page that loads more slowly is acted on before it is complete. */
const PARSED_MS = 2_000;

/** Deferred scripts and modules run after parsing and before `DOMContentLoaded`. */
function isParsed({ readyState }: Document): boolean {
  if (readyState !== 'interactive') return readyState === 'complete';
  const [load] = performance.getEntriesByType('navigation');
  return !(load instanceof PerformanceNavigationTiming) || load.domContentLoadedEventStart > 0;
}

/** Until a document is parsed, its controls may exist without the scripts that make them work. */
async function whenParsed(document: Document): Promise<void> {
  if (isParsed(document)) return;
  const parsed = new Promise((resolve) =>
    document.addEventListener('DOMContentLoaded', resolve, { once: true }),
  );
  await waitAtMost(parsed, PARSED_MS);
}

/** Questions asked while text is typed into consecutive fields: they change no other control. */
const isTyping = (ask: ActAsk): boolean =>
  ask.do === 'find' ? ask.isField === true : ask.do === 'step' && /^(?:fill|focus)$/.test(ask.step.kind);

/** Zooming changes the ratio; the debugger's banner changes the height. */
const formatViewSize = ({ innerWidth, innerHeight, devicePixelRatio }: Window): string =>
  [innerWidth, innerHeight, devicePixelRatio].join();

const isShut = (el: Element): boolean =>
  el.isConnected && pressedOf(el).getAttribute('aria-expanded') === 'false';

const NAME_UNITS = 300;
/** How often a step says that its page still runs. */
const BUSY_MS = 3_000;

type ActAnswer<K extends ActAsk['do']> = PageAnswers[K] | Promise<PageAnswers[K]>;

type Acted = Extract<FromPage, { type: 'acted' }>;

interface Asking {
  readonly id: number;
  readonly viewer: string;
}

type Asked<K extends ActAsk['do']> = Asking & { readonly ask: AskOf<K> };

type Answers = { readonly [K in ActAsk['do']]: (ask: AskOf<K>, asking: Asking) => ActAnswer<K> };

/** Answers the worker's questions about one document while it acts there. */
export class PageActs {
  readonly #held = new HeldElements();
  readonly #finding: Finding;
  readonly #typing: Typing;
  /** By session: the refs of its call whose elements were unchanged before the steps. */
  readonly #known = new Map<string, ReadonlySet<string>>();
  /** Of running steps. */
  readonly #hands = new Map<number, Hands>();
  /** By question, how what it has begun ends. */
  readonly #ends = new Map<number, () => void>();
  #stopRecording = (): void => undefined;
  readonly #motion = new Motion();
  readonly #popup = new Popup();
  readonly #landings = new WeakMap<Element, Landing>();
  #aimedIn = '';
  #aimedAt = Infinity;
  /** Made for the first question, so that a document where nobody acts pays nothing. */
  #watch: QuietWatch | null = null;

  constructor(
    private readonly own: {
      readonly refs: Refs;
      readonly filled: FilledFields;
      readonly handed: HandedElement;
      readonly scriptId: string;
    },
    private readonly post: (message: FromPage) => void,
  ) {
    this.#finding = { refs: own.refs, held: this.#held, named: (name) => this.#typing.named(name) };
    this.#typing = new Typing(this.#finding, own.filled, this.#motion, () => this.#watching());
  }

  /** @throws PageError as {@link answer} does */
  async reply(message: Extract<ToPage, { type: 'act' }>, loans: Loans): Promise<Acted> {
    const { id, showing, viewer, later } = message;
    const { refs, scriptId } = this.own;
    let { ask } = message;
    const sought = ask.do === 'step' && typeof ask.held !== 'number' ? ask.held : null;
    // The parser may not have reached the element.
    if (ask.do === 'find' || sought !== null) await whenParsed(document);
    if (later !== undefined) this.#known.set(viewer, unchangedAmong(later, { refs, viewer }));
    const lent = loans.borrow(id, showing);
    if (lent !== null) refs.use(lent);
    const lasting = (): { readonly scriptId: string; readonly last?: number } => {
      if (lent !== null) recordShown(refs);
      return { scriptId, ...loans.settle(id) };
    };
    if (ask.do === 'step' && sought !== null) {
      const found = await this.answer({ ask: { do: 'find', ...sought }, id, viewer });
      this.post({ type: 'sought', id, found, ...lasting() });
      const [only] = found.found;
      if (only === undefined) return { type: 'acted', id, answer: { notes: [] }, ...lasting() };
      ask = { ...ask, held: only.held };
    }
    const answer: unknown = await this.answer({ ask, id, viewer });
    const isResting = ask.do === 'step' && ask.rests != null;
    return { type: 'acted', id, answer, isResting, ...lasting() };
  }

  /** @throws PageError as its parts do */
  answer<K extends ActAsk['do']>({ ask, ...asked }: Asked<K>): ActAnswer<K> {
    const kind: K = ask.do;
    // Questions between those of an act, which must not notice.
    if (kind === 'concealed' || kind === 'outline') return this.#answers[kind](ask, asked);
    // Watch from the first question on, to know later whether the document is at rest.
    this.#motion.watch(document);
    const hasChanged = this.#watching().hasChanged();
    if (hasChanged || !isTyping(ask)) this.#typing.forget();
    const isResting = 'until' in ask && typeof ask.until === 'object';
    if (!isResting) this.#watching().forgetInput();
    return this.#answers[kind](ask, asked);
  }

  #watching(): QuietWatch {
    this.#watch ??= new QuietWatch(document);
    return this.#watch;
  }

  take(given: Given & { readonly id: number }): void {
    this.#hands.get(given.id)?.take(given);
  }

  hear(news: News & { readonly id: number }): void {
    this.#hands.get(news.id)?.hear(news);
  }

  forget(id: number): void {
    this.#ends.get(id)?.();
    this.#ends.delete(id);
    this.#hands.delete(id);
  }

  forgetAll(): void {
    for (const id of [...this.#ends.keys()]) this.forget(id);
    this.#stopRecording();
    this.#held.clear();
    this.#popup.forget();
    this.#typing.stop();
    this.#motion.stop();
    this.#watch?.stop();
    this.#watch = null;
  }

  readonly #answers: Answers = {
    find: (ask, { viewer }) => {
      const { isField = false, isHanded = false, submits } = ask;
      if (isField) return this.#typing.field(ask);
      const isAtRest = this.#motion.haveRested([document]);
      if (submits === undefined && !isHanded)
        return { ...findTarget(ask, { viewer, known: this.#known.get(viewer) }, this.#finding), isAtRest };
      const only = isHanded
        ? this.#takeHanded()
        : submitterOf(document, submits == null ? null : this.#get(submits));
      return { ...answerFound(only === null ? [] : [only], this.#finding), isAtRest };
    },
    landing: ({ held, dragged }) => {
      const el = this.#get(held);
      this.#landings.set(el, new Landing(el, dragged === null ? null : this.#get(dragged)));
      return { done: true };
    },
    frame_point: async (ask) => {
      const [{ x, y }, view] = [await whenFrameReachable(ask), viewPoint()];
      return {
        point: { x: x - view.x, y: y - view.y },
        scale: visualViewport?.scale ?? 1,
        path: windowPath(window),
      };
    },
    guard: ({ isOn, spares, held }, { id }) => {
      if (isOn) this.#ends.set(id, () => this.#typing.guard.lift());
      const ended = this.#typing.guard.end();
      const field = held === null ? null : this.#get(held);
      const inner = field === null ? [] : documentsIn(document).map(({ defaultView }) => defaultView);
      const windows = [window, ...inner.filter((own) => own !== null)];
      if (isOn) this.#typing.guard.start(windows, spares, field);
      return ended;
    },
    step: async ({ held, step, how, waitMs, rests = null }, { id }) => {
      if (typeof held !== 'number')
        throw new PageError('internal_error', 'The element was not searched for.');
      const el = this.#get(held);
      const opens = opensPopup(el);
      checkPassword(el, step, how);
      if (how.isSecret && step.kind !== 'leave') conceal(el);
      if (step.kind !== 'leave' && step.kind !== 'answer') this.#aimedAt = performance.now();
      const hold = (each: Element): TargetFacts => this.#held.hold(each);
      const hands = new Hands(el, hold, (want) => this.post({ type: 'wants', id, want }));
      this.#hands.set(id, hands);
      this.#ends.set(id, () => hands.stop());
      const pulse = setInterval(() => this.post({ type: 'busy', id }), BUSY_MS);
      const [popup, typing, motion] = [this.#popup, this.#typing, this.#motion];
      const did = (done: Element, note: string | null): void =>
        this.post({ type: 'did', id, did: { facts: hold(done), note } });
      try {
        const parts = {
          ...{ hands, hold, did, popup, typing, motion, how, waitMs },
          pointer: this.#pointerOf(id, held, how.isBound),
        };
        const notes = await this.#doStep(el, step, parts);
        if (rests !== null) {
          const quiet = { ...rests, effectMs: opens ? rests.effectMs : 0 };
          const after = await this.#reopen(el, step, parts, quiet);
          void this.#rest(after).then((rest) => this.post({ type: 'rested', id, rest }));
        }
        return { notes };
      } catch (thrown) {
        // A step that is cut off types no more.
        typing.guard.lift();
        throw thrown;
      } finally {
        clearInterval(pulse);
        this.#ends.delete(id);
        this.#hands.delete(id);
      }
    },
    point: async (_ask, { id }) => {
      const over = new AbortController();
      this.#ends.set(id, () => over.abort());
      const el = await pointed(over.signal);
      this.#ends.delete(id);
      return el && this.#held.hold(el);
    },
    record: ({ isOn }, { id }) => {
      this.#stopRecording();
      if (isOn) this.#stopRecording = startRecording((act) => this.post({ type: 'recorded', id, act }));
      return { done: true };
    },
    ref: ({ held }) => {
      const el = this.#get(held);
      const role = roleOf(el, el.localName);
      return { ref: this.own.refs.of(el), role, name: cut(computeName(el, role), NAME_UNITS).toWellFormed() };
    },
    scroll: async ({ held, how }) => {
      const el = held === null ? null : this.#get(held);
      if (el === null || !how.endsWith('offers')) return scrollPart(el, how);
      const { moved, from: top } = this.#popup.scroll(el, how.startsWith('first'));
      // A list draws its next options in a scroll listener: the next scroll would skip them.
      if (moved) await whenDrawn(document);
      return { moved, top };
    },
    outline: ({ held }) => outlineOf(this.#get(held)),
    concealed: () => concealedOf(),
    strike: ({ struck }) => {
      strike(struck, (el) => this.#typing.guard.spare(el));
      return { done: true };
    },
    share: ({ from }, { viewer }) => ({ shared: this.own.refs.share(from, viewer) }),
    rest: ({ until }) => this.#rest(until),
  };

  /**
   * Presses again what opens a list, if that has shut as its window was resized, for example by the browser's own bars.
   * @returns the rest to wait for then
   */
  async #reopen(el: Element, step: PageStep, parts: StepParts, rest: Quiet): Promise<Quiet> {
    if (rest.effectMs === 0 || !('opens' in step)) return rest;
    await this.#watching().wait(rest);
    if (!isShut(el) || !parts.pointer.isResized()) return { ...rest, effectMs: 0 };
    await this.#doStep(el, step, parts);
    return rest;
  }

  async #rest(until: AskOf<'rest'>['until']): Promise<Rest> {
    const isWatched = typeof until === 'object' && 'quietMs' in until;
    if (until === 'idle') await atRest();
    else if (!isWatched) await whenDrawn(document);
    if (typeof until === 'object' && 'dropped' in until) {
      const el = this.#get(until.dropped);
      await whenFaded(document, (on) => isDrawnIn(on, el) || isDrawnIn(el, on));
    }
    const isQuiet = !isWatched || (await this.#watching().wait(until)).isQuiet;
    const changes = this.#motion.watch(document);
    const { mutatedAt, changedAt } = changes;
    if (isWatched && isQuiet && !this.#watching().isRestless) changes.rest();
    return { isQuiet, hasStirred: mutatedAt > this.#aimedAt, hasMoved: changedAt > this.#aimedAt };
  }

  async #doStep(el: Element, step: PageStep, parts: StepParts): Promise<readonly Outcome[]> {
    if (step.kind === 'leave') return leaveFields(this.#typed(step.typed), step.refocuses, parts);
    if (step.kind === 'check') return [await check(el, step.value, parts)];
    if (step.kind === 'fill') return [await fillInTurn(el, step, parts)];
    if (step.kind === 'type') return [await type(el, step, parts)];
    if (step.kind === 'choose') return [await select(el, step, parts)];
    if (step.kind === 'point') return [await point(el, step, parts)];
    if (step.kind === 'upload') return [await upload(el, step.paths, parts)];
    if (step.kind === 'focus') await focus(el, 'none', parts);
    if (step.kind !== 'answer') return [];
    expectKept(this.#typed(step.typed), parts);
    return [await awaitAnswer(el, step.isForKeys, parts)];
  }

  /** @param held the step's own element */
  #pointerOf(id: number, held: number, isBound: boolean): Pointer {
    return {
      seen: this.#held.seen(held),
      named: this.#held.point(held),
      aimAt: (el) => {
        this.#aimedIn = formatViewSize(window);
        this.#aimedAt = performance.now();
        this.#watching().aimAt(el);
      },
      arrived: (at) => {
        this.#watching().inputArrived();
        if (at !== null) this.post({ type: 'seen', id, at });
      },
      landingOf: (el) => this.#landings.get(el),
      isResized: () => this.#aimedIn !== formatViewSize(window),
      isRedirected: (el, hit) => isBound && el === this.#held.get(held) && this.#held.isRedirected(held, hit),
    };
  }

  #typed(fields: readonly TypedInto[]): readonly Typed[] {
    return fields.map(({ held, ...field }, index) => ({ el: this.#get(held), ...field, index }));
  }

  #takeHanded(): Element | null {
    const { el } = this.own.handed;
    this.own.handed.el = null;
    return el;
  }

  #get(held: number): Element {
    const el = this.#held.get(held);
    this.#watching().enterTreesOf(el);
    return el;
  }
}
