import { SpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import { matchesSite, parseSitePattern, siteOf, type Site } from '../../../shared/policy/sites.ts';
import type { WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';
import type { Place } from '../policy/call-policy.ts';
import { placeOfFrame } from '../policy/documents.ts';
import type { FieldState } from '../../page/act/protocol.ts';
import { passwordRefused } from '../../../shared/act/password-refused.ts';
import { delay } from '../../../shared/async/wait.ts';
import type { ActFrames } from './act-frames.ts';
import type { Held, ActPage } from './act-page.ts';
import type { ActTraffic } from './settle.ts';
import type { ForeignFrames } from './foreign-frames.ts';
import type { FileChoosers } from './files.ts';
import type { Input } from './input.ts';
import type { BetweenKeys } from './keyboard.ts';
import type { Press } from './pointer.ts';

/** How long keys that were sent take to arrive. */
const UNDERWAY_MS = 1_000;

/**
 * Sends input that may end up in any field of a tab: keys go to the element that has the focus, and the focus
 * may move between two keys. Each document keeps them out of its own password fields.
 *
 * @param work calls `renew` between keys: a document that was loaded meanwhile is guarded too
 * @throws SpillwayError `password_refused` naming the field, `page_unresponsive` for a document that cannot
 * be guarded, and what `work` throws
 */
async function sparingPasswords<T>(
  frames: ActFrames,
  signal: AbortSignal,
  work: (renew: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const guarded = new Map<string, ActPage>();
  const renew = async (): Promise<void> => {
    const added = (await frames.now(signal)).filter(({ documentId }) => !guarded.has(documentId));
    for (const page of added) guarded.set(page.documentId, page);
    await Promise.all(added.map((page) => guard(page, true, signal)));
  };
  let done: T;
  try {
    await renew();
    done = await work(renew);
  } catch (thrown) {
    if (signal.aborted) liftLater([...guarded.values()]);
    else throwRefused(await lift([...guarded.values()], signal));
    throw thrown;
  }
  throwRefused(await lift([...guarded.values()], signal));
  return done;
}

const lift = async (pages: readonly ActPage[], signal: AbortSignal): Promise<readonly (string | null)[]> =>
  Promise.all(pages.map((page) => guard(page, false, signal)));

/** After an act that was ended midway: keys that were sent may still arrive. */
function liftLater(pages: readonly ActPage[]): void {
  void delay(UNDERWAY_MS)
    .then(() => lift(pages, new AbortController().signal))
    .catch(() => undefined);
}

/**
 * A document that has been replaced has no fields any longer. One that only fails to answer may have some.
 */
async function guard(page: ActPage, isOn: boolean, signal: AbortSignal): Promise<string | null> {
  try {
    return (await page.ask({ do: 'guard', isOn }, signal)).refused;
  } catch (thrown) {
    signal.throwIfAborted();
    if (isOn && !page.isGone) throw thrown;
    return null;
  }
}

function throwRefused(answers: readonly (string | null)[]): void {
  const refused = answers.find((line) => line !== null);
  if (refused !== undefined) throw new SpillwayError('password_refused', passwordRefused(refused));
}

/** A secret that may be typed at some sites alone. */
export type Bound = NonNullable<MethodParams<'act.run'>['secret']['bound']>[number];

/** Whether the value of a field or step is secret, and where it may go. */
export interface SecretUse {
  /** It is a value of `--secrets`. */
  readonly isSecret: boolean;
  readonly bound: readonly Bound[];
}

export interface HandsOptions {
  readonly tabId: number;
  /** Keeps what is typed out of other frames. */
  readonly foreign: ForeignFrames;
  readonly frames: ActFrames;
  readonly input: Input;
  readonly isMac: boolean;
  /** How long a step waits for its target. */
  readonly waitMs: number;
  readonly mayTypePasswords: boolean;
  /** Gives the files at these paths of the call to an element; returns what it holds afterwards. */
  readonly giveFiles: (held: Held, paths: readonly string[]) => Promise<string>;
  /** Null where the debugger cannot attach. */
  readonly choosers: FileChoosers | null;
  /** Waits in the tab until these conditions hold, or for its own time. */
  readonly wait: (conditions: WaitConditions) => Promise<MethodResult<'page.await'>>;
  /** Whether a person lets a secret be typed into a field that takes no password. False where nobody is asked. */
  readonly mayReveal: (place: Place) => Promise<boolean>;
  /** What the act sets off. */
  readonly traffic: ActTraffic;
  /** The ids of all pending requests of the tab. */
  readonly pendingIds: () => readonly string[];
  readonly signal: AbortSignal;
}

/** How long a chooser may take to open: a page may ask its server first where files go. */
const CHOOSER_MS = 1_500;
const CLICK: Press = { button: 'left', count: 1, modifiers: 0, position: null, isTouch: false, hold: 0 };

const mayGo =
  (site: Site | null) =>
  ({ sites }: Bound): boolean =>
    sites.some((text) => {
      const pattern = parseSitePattern(text);
      return pattern !== null && matchesSite(pattern, site);
    });

/** Mouse and keyboard at the elements of one act. */
export class Hands {
  readonly options: HandsOptions;
  readonly input: Input;
  #use: SecretUse = { isSecret: false, bound: [] };

  constructor(options: HandsOptions) {
    this.options = options;
    this.input = options.input;
  }

  /** Has to be called before a field or step: what it types may be a secret. */
  use(use: SecretUse): void {
    this.#use = use;
    this.options.foreign.confineTo(use.bound.length === 0 ? null : (site) => use.bound.every(mayGo(site)));
  }

  /**
   * Has to be called before a secret is typed into an element, which shows dots for it from then on.
   *
   * @throws SpillwayError `secret_refused` where it may not go; `approval_required` for a secret that names no site, and a
   * field that takes no password
   */
  async admitSecret({ page, facts }: Held): Promise<void> {
    const { isSecret, bound } = this.#use;
    if (!isSecret) return;
    const { tabId, mayReveal, signal } = this.options;
    const place = await placeOfFrame(tabId, page.frameId);
    const site = place === null ? null : (siteOf(place.origin ?? '') ?? siteOf(place.url));
    const where = `${facts.line} is at ${site?.origin ?? 'no site'}`;
    const refused = bound.find((secret) => !mayGo(site)(secret));
    if (refused !== undefined)
      throw new SpillwayError(
        'secret_refused',
        `${where}; ${refused.name} is for ${refused.sites.join(', ')} alone.`,
      );
    const isOpen = bound.length === 0 && !facts.isPassword;
    if (isOpen && (place === null || !(await mayReveal(place))))
      throw new SpillwayError(
        'secret_refused',
        `${where} and takes no password: a secret that names no site needs a person's yes there, and nobody is asked.`,
      );
    await page.ask({ do: 'conceal', held: facts.held }, signal);
  }

  /** The typed text is a secret: messages do not quote it. */
  get isSecret(): boolean {
    return this.#use.isSecret;
  }

  /** Whether what is typed now has to be kept out of password fields. */
  get guards(): boolean {
    return !this.#use.isSecret && !this.options.mayTypePasswords;
  }

  /**
   * Does work that may put text into any field that gets the focus, and guards what was added when it calls
   * `renew`.
   *
   * @throws SpillwayError `password_refused`
   */
  sparing<T>(work: (renew?: BetweenKeys) => Promise<T>): Promise<T> {
    const { frames, signal } = this.options;
    return this.guards ? sparingPasswords(frames, signal, work) : work();
  }

  /** @throws SpillwayError as `Input.press` */
  click(held: Held, how: Partial<Press> = {}): Promise<string | null> {
    return this.input.press(held, { ...CLICK, ...how });
  }

  /**
   * Focuses an element, so that keys go to it. Text in place of what it holds comes in one event, and is kept
   * out of password fields until {@link value} is asked for.
   *
   * @throws SpillwayError `target_hidden`, `target_disabled`, `target_unsuitable`
   */
  async focus({ page, facts }: Held, select: 'all' | 'end' | 'none'): Promise<void> {
    const { signal, waitMs } = this.options;
    const guards = select === 'all' && this.guards;
    await page.ask({ do: 'focus', held: facts.held, select, guards, waitMs }, signal);
  }

  /**
   * Gives files to a file field, to what they are dropped on, or to the chooser that an element opens.
   *
   * @throws SpillwayError `target_unsuitable`, and as {@link click}
   */
  async giveFiles(held: Held, paths: readonly string[]): Promise<string> {
    const { signal, giveFiles } = this.options;
    const { way } = await held.page.ask({ do: 'files_way', held: held.facts.held }, signal);
    if (way === 'field' || way === 'drop') return giveFiles(held, paths);
    const field = await this.#openChooser(held);
    if (field !== null) return giveFiles(field, paths);
    if (way === 'press or drop') return giveFiles(held, paths);
    throw new SpillwayError(
      'target_unsuitable',
      `${held.facts.line} takes no files, and opened no file chooser when it was clicked.`,
    );
  }

  /** Presses an element, and returns the file field of the chooser that it opens. */
  async #openChooser(held: Held): Promise<Held | null> {
    const { choosers, frames, signal } = this.options;
    const { line } = held.facts;
    if (choosers === null)
      throw new SpillwayError(
        'debugger_unavailable',
        `${line} opens a file chooser. Giving it files needs the debugger, which cannot attach to this tab.`,
      );
    choosers.take();
    await this.click(held);
    const chooser = await choosers.next(CHOOSER_MS, signal);
    if (chooser === null) return null;
    if (chooser.node === null)
      throw new SpillwayError(
        'target_unsuitable',
        `${line} asks for files in a way that only a person can answer (showOpenFilePicker).`,
      );
    const field = await choosers.fieldOf(chooser, frames, signal);
    if (field !== null) return field;
    throw new SpillwayError('stale_ref', `${line} opened a file chooser whose file field is gone.`);
  }

  /** What a field holds, and whether that is `expected`; once what is being typed into it has arrived. */
  value({ page, facts }: Held, expected: string | null, isTyping = false): Promise<FieldState> {
    return page.ask({ do: 'value', held: facts.held, expected, isTyping }, this.options.signal);
  }
}
