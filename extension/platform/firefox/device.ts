import browser from 'webextension-polyfill';
import { defer, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { lookUp } from '../../../shared/base/json.ts';
import type { InputAction, InputSource } from '../../../shared/core/bridge/input-methods.ts';
import { tellDrag, watchDrag } from '../../core/in-page/drags.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import type { Device, DeviceFile, Drawn, InputTarget, Stroke, TabInput } from '../device.ts';
import { contextOf, topContextOf } from './contexts.ts';
import { followDialogs } from './dialogs.ts';
import { unsupportedInFirefox } from './unsupported.ts';

/** Keys without a character in WebDriver: https://w3c.github.io/webdriver/#keyboard-actions */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE006',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Pause: '\uE00B',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Insert: '\uE016',
  Delete: '\uE017',
  Meta: '\uE03D',
};
const F1 = 0xe031;
const FUNCTION_KEYS = 12;

/** By the bits of modifiers. */
const MODIFIERS = [
  [1, '\uE00A'],
  [2, '\uE009'],
  [4, '\uE03D'],
  [8, '\uE008'],
] as const;

/** @throws SpillwayError `unsupported_in_firefox` for a key that WebDriver does not have */
function valueOf({ key }: Stroke): string {
  const number = Number(/^F(\d+)$/.exec(key)?.[1] ?? 0);
  if (number > 0 && number <= FUNCTION_KEYS) return String.fromCharCode(F1 + number - 1);
  const value = lookUp(KEYS, key) ?? ([...key].length === 1 ? key : null);
  if (value === null) throw unsupportedInFirefox(`The key ${key}`);
  return value;
}

type SourceOf = Omit<InputSource, 'actions'>;

const KEYBOARD: SourceOf = { type: 'key', id: 'keyboard' };
const MOUSE: SourceOf = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } };
const WHEEL: SourceOf = { type: 'wheel', id: 'wheel' };

const finger = (index: number): SourceOf => ({
  type: 'pointer',
  id: `finger ${index}`,
  parameters: { pointerType: 'touch' },
});

type Tick = readonly [source: SourceOf, action: InputAction];

/** The sources of a chain in which only one acts at a time. */
function chainOf(ticks: readonly Tick[]): InputSource[] {
  const sources = new Map(ticks.map(([source]) => [source.id, source]));
  return [...sources.values()].map((source) => ({
    ...source,
    actions: ticks.map(([{ id }, action]) => (id === source.id ? action : { type: 'pause' })),
  }));
}

interface Given {
  readonly before: () => void;
  /** Ticks of a device, or work of a script in their place. */
  readonly what: readonly Tick[] | (() => Promise<unknown>);
  /** Of a pointer: the bits of the modifiers that keys hold meanwhile, and how many buttons or fingers go down. */
  readonly pointer?: { readonly modifiers: number; readonly pressed: number };
}

/** Gives one context its input in order. Double clicks have to be one chain: what is given in one turn is. */
class Sender {
  readonly #waiting: (Given & { readonly taken: ReturnType<typeof defer<void>> })[] = [];
  #isBusy = false;
  #modifiers = 0;
  /** Buttons and fingers that are down. */
  #down = 0;
  /** Keys, buttons and fingers that have gone down, and not up again. */
  readonly #held = new Set<string>();
  /** The points of the fingers that stay down. */
  fingers: readonly Point[] = [];

  /** Keys, buttons or fingers are still down. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  constructor(private readonly perform: (actions: InputSource[]) => Promise<unknown>) {}

  give(given: Given): Promise<void> {
    const taken = defer<void>();
    // If several are given without waiting, the awaited one reports the failure.
    taken.promise.catch(() => undefined);
    this.#waiting.push({ ...given, taken });
    if (!this.#isBusy) queueMicrotask(() => void this.#run());
    this.#isBusy = true;
    return taken.promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const script = this.#waiting.findIndex(({ what }) => typeof what === 'function');
      const next = this.#waiting.splice(0, script === -1 ? this.#waiting.length : Math.max(script, 1));
      await this.#send(next).then(
        () => next.forEach(({ taken }) => taken.resolve()),
        (thrown: unknown) => next.forEach(({ taken }) => taken.reject(thrown)),
      );
    }
    this.#isBusy = false;
  }

  async #send(all: readonly Given[]): Promise<void> {
    const ticks: Tick[] = [];
    for (const { before, what, pointer } of all) {
      before();
      if (typeof what === 'function') return void (await what());
      if (pointer !== undefined) {
        ticks.push(...this.#hold(pointer.modifiers));
        this.#down += pointer.pressed;
      }
      ticks.push(...what);
    }
    if (this.#down === 0) ticks.push(...this.#hold(0));
    for (const tick of ticks) this.#note(tick, false);
    await this.perform(chainOf(ticks));
    for (const tick of ticks) this.#note(tick, true);
  }

  #note([{ id }, action]: Tick, isDone: boolean): void {
    const what = `${id} ${'value' in action ? action.value : ''}`;
    if (action.type.endsWith('Down')) this.#held.add(what);
    else if (isDone && action.type.endsWith('Up')) this.#held.delete(what);
  }

  #hold(modifiers: number): Tick[] {
    const changed = MODIFIERS.filter(([bit]) => (this.#modifiers & bit) !== (modifiers & bit));
    this.#modifiers = modifiers;
    return changed.map(([bit, value]) => [
      KEYBOARD,
      { type: (modifiers & bit) === 0 ? 'keyUp' : 'keyDown', value },
    ]);
  }
}

const BUTTONS = { left: 0, right: 2 } as const;

const moveTo = ({ x, y }: Point): InputAction => ({ type: 'pointerMove', x, y });

const refuse = (what: string) => (): Promise<never> => Promise.reject(unsupportedInFirefox(what));

type StageFiles = (files: readonly DeviceFile[]) => Promise<(name: string) => Promise<unknown>>;

/** Scripts do these where WebDriver has no command. */
interface Helpers {
  readonly stage: StageFiles;
  /** Drops the data that the browser drags. */
  readonly drop: () => Promise<unknown>;
}

function deviceOf(sender: Sender, { stage, drop }: Helpers, before: () => void): Device {
  const point = (modifiers: number, ticks: readonly Tick[], pressed = 0): Promise<void> =>
    sender.give({ before, what: ticks, pointer: { modifiers, pressed } });
  return {
    move: (at, modifiers) => point(modifiers, [[MOUSE, moveTo(at)]]),
    press: (_at, { button, modifiers }) =>
      point(modifiers, [[MOUSE, { type: 'pointerDown', button: BUTTONS[button] }]], 1),
    release: (_at, { button, modifiers }) =>
      point(modifiers, [[MOUSE, { type: 'pointerUp', button: BUTTONS[button] }]], -1),
    wheel: (at, by, modifiers) => {
      const [x, y] = [Math.round(at.x), Math.round(at.y)];
      const [deltaX, deltaY] = [Math.round(by.x), Math.round(by.y)];
      return point(modifiers, [[WHEEL, { type: 'scroll', x, y, deltaX, deltaY }]]);
    },
    touch: (phase, points, modifiers) => {
      const { fingers } = sender;
      sender.fingers = points;
      const ticks = (phase === 'end' ? fingers : points).flatMap((at, index): Tick[] => {
        const source = finger(index);
        if (phase === 'end') return [[source, { type: 'pointerUp', button: 0 }]];
        const moved: Tick = [source, moveTo(at)];
        return phase === 'move' ? [moved] : [moved, [source, { type: 'pointerDown', button: 0 }]];
      });
      return point(modifiers, ticks, phase === 'move' ? 0 : points.length - fingers.length);
    },
    pinch: refuse('pinch'),
    key: async (phase, stroke) => {
      const action: InputAction = { type: phase === 'down' ? 'keyDown' : 'keyUp', value: valueOf(stroke) };
      return sender.give({ before, what: [[KEYBOARD, action]] });
    },
    insert: (_text, byScript) => sender.give({ before, what: byScript }),
    files: async (name, files) => {
      const put = await stage(files);
      return sender.give({ before, what: () => put(name) });
    },
    drag: (phase, at, _data, modifiers) =>
      phase === 'drop' ? sender.give({ before, what: drop }) : point(modifiers, [[MOUSE, moveTo(at)]]),
  };
}

const RELEASE_MS = 1_000;

class BidiInput implements TabInput {
  readonly givesFiles = true;
  readonly dropNote = 'a script dropped it, since WebDriver does not: pages can detect this';
  #drop = (): Promise<unknown> => Promise.resolve();
  readonly #senders = new Map<string, Sender>();

  constructor(
    private readonly target: InputTarget,
    private readonly top: string,
  ) {}

  async drawingOf({ frameId, documentId }: Drawn): Promise<string | null> {
    if (frameId === 0) return null;
    const context = await contextOf(documentId, this.target);
    if (context !== undefined) return context;
    throw new SpillwayError(
      'page_changed',
      `A frame of tab ${this.target.tabId} is gone, or takes no input yet.`,
    );
  }

  device(drawing: string | null, before: () => void): Device {
    const { server, signal } = this.target;
    const context = drawing ?? this.top;
    const sender =
      this.#senders.get(context) ??
      new Sender((actions) => server.request('input.perform', { context, actions }, signal));
    this.#senders.set(context, sender);
    const stage: StageFiles = (files) => this.#stage(context, files);
    return deviceOf(sender, { stage, drop: () => this.#drop() }, before);
  }

  /** Copies files to where the browser reads them. @returns what puts them into a field */
  async #stage(context: string, staged: readonly DeviceFile[]): ReturnType<StageFiles> {
    const { server, signal } = this.target;
    const files: string[] = [];
    for (const { name, parts } of staged) {
      const file = crypto.randomUUID();
      files.push(file);
      // An empty file has no part.
      for (const data of parts.length === 0 ? [''] : parts)
        await server.request('input.stage', { context, file, name, data }, signal);
    }
    return (name) => server.request('input.files', { context, name, files }, signal);
  }

  /** Firefox runs drags by itself, also of WebDriver's mouse, and ends them without a drop. */
  interceptDrags(
    { documentId }: Drawn,
    onDrag: (data: unknown) => void,
  ): ReturnType<TabInput['interceptDrags']> {
    const name = `spillway-${crypto.randomUUID()}`;
    const target = { tabId: this.target.tabId, documentIds: [documentId] };
    const tell = (what: Parameters<typeof tellDrag>[1]): Promise<unknown> =>
      browser.scripting.executeScript({
        ...{ target, injectImmediately: true },
        ...{ func: tellDrag, args: [name, what] },
      });
    void browser.scripting
      .executeScript({ target, injectImmediately: true, func: watchDrag, args: [name] })
      .then(([ran]) => ran?.result === true && onDrag(name))
      .catch(() => undefined);
    this.#drop = () => tell('drop');
    // The scripts of a document run in order.
    return { started: tell('begin'), stop: () => tell('stop') };
  }

  async release(): Promise<void> {
    const held = [...this.#senders].flatMap(([context, { isHolding }]) => (isHolding ? [context] : []));
    this.#senders.clear();
    const { signal } = new AbortController();
    const released = held.map((context) => this.target.server.request('input.release', { context }, signal));
    await waitAtMost(Promise.allSettled(released), RELEASE_MS);
  }
}

/** As on Chromium, where the server has started this Firefox; null in a person's own. */
export async function openInput(target: InputTarget): Promise<TabInput | null> {
  const { tabId, server, signal } = target;
  try {
    const top = await topContextOf(target);
    if (top === null) return null;
    followDialogs(tabId, top, server);
    return new BidiInput(target, top);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
