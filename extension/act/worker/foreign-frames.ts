import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import { delay, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { siteOf, type Site } from '../../../shared/core/policy/sites.ts';
import { guardFrame } from '../../core/in-page/document.ts';
import type { CallPolicy, PolicyPlace } from '../../core/policy/call-policy.ts';
import { framesOf } from '../../core/policy/documents.ts';

const GUARD_FILE = 'guard.js';
const Guarded = z.object({ isErased: z.boolean(), passing: z.boolean(), meant: z.boolean() });
type Guarded = z.infer<typeof Guarded>;
const NOTHING: Guarded = { isErased: false, passing: false, meant: false };

/** The browser ranks a style of this origin above all page styles of frames. */
const UNTOUCHABLE =
  'iframe,frame,object,embed,fencedframe{pointer-events:none!important;transition:none!important}';
const SHUT = { origin: 'USER', css: UNTOUCHABLE } as const;

/** Lets a tab's frames take the pointer again, after a worker that ended during a gesture. */
export const openFrames = (tabId: number): Promise<void> =>
  browser.scripting.removeCSS({ target: { tabId, allFrames: true }, ...SHUT }).catch(() => undefined);

/** After this many drawings the browser certainly does not hit-test an older one. */
const DRAWN = 4;
/** A slower frame is busy. */
const ANSWER_MS = 1_000;
/** How often a tab is checked again because a document has been loaded meanwhile. */
const LOOKS = 10;
const UNDERWAY_MS = 1_000;

interface Frame {
  readonly documentId: string;
  readonly site: string;
  readonly isPermitted: boolean;
}

export interface ForeignFramesOptions {
  readonly tabId: number;
  readonly policy: Pick<CallPolicy, 'passes' | 'expect'>;
  readonly risks: readonly Risk[];
  readonly signal: AbortSignal;
}

interface Answered {
  readonly frame: Frame;
  /** Null if it does not answer: its page may receive input before the guard is asked. */
  readonly answer: Guarded | null;
}

/** A document of the act. */
interface Around {
  readonly frameId: number;
  ask(ask: { readonly do: 'rest'; readonly until: 'drawn' }, signal: AbortSignal): Promise<unknown>;
}

export interface Sending {
  /** Names the input in messages: `The press on button Save`. */
  readonly what: string;
  /** Whether the sender itself sees the input arrive. Otherwise it may have gone to a frame. */
  readonly isWitnessed: boolean;
  /** The document whose frames let the pointer through meanwhile; null for keys, and if such a frame is the target. */
  readonly within: Around | null;
}

/**
 * Keeps an act's input out of frames whose sites it may not act on. Frames are excluded from hit tests of the pointer,
 * and each foreign document drops input that still arrives, before its page receives it.
 */
export class ForeignFrames {
  readonly #shutting = new Map<number, number>();
  /** A further restriction in addition to the rules. */
  #mayGo: (site: Site | null) => boolean = () => true;
  /** The answers to the end of the last gesture. */
  #ended: Promise<readonly Answered[]> = Promise.resolve([]);
  /** Permitted documents that need not be asked again: their guards let everything pass. */
  readonly #opened = new Set<string>();

  constructor(private readonly options: ForeignFramesOptions) {}

  /** Until the next call, also keeps input out of other sites. */
  confineTo(mayGo: (site: Site | null) => boolean): void {
    this.#mayGo = mayGo;
  }

  /**
   * Does work that sends input.
   * @param work calls `renew` before it sends more, so that newly loaded documents are guarded too
   * @throws SpillwayError `frame_not_permitted` naming the site of a frame that was kept from input if `work` fails, or
   * that may receive keys; `not_delivered` if a permitted frame was too young for keys; and the error of `work`
   */
  async spare<T>(sending: Sending, work: (renew: () => Promise<void>) => Promise<T>): Promise<T> {
    const { what, isWitnessed, within } = sending;
    const { signal } = this.options;
    // An earlier act's gesture may end late.
    const gesture = crypto.randomUUID();
    const guarded = new Map<string, Frame>();
    const late: Answered[] = [];
    const isKnown = ({ documentId }: Frame): boolean =>
      guarded.has(documentId) || this.#opened.has(documentId);
    const renew = async (isFirst: boolean): Promise<void> => {
      for (let looks = 0; looks < LOOKS; looks += 1) {
        const frames = await this.#frames(signal);
        // On a busy machine asking takes time, and a new document stops guarding itself.
        if (looks > 0 && frames.every(isKnown)) return;
        const foreign = frames.filter(({ isPermitted }) => !isPermitted);
        for (const frame of foreign) guarded.set(frame.documentId, frame);
        const [answers, opened] = await Promise.all([
          this.#guard(foreign, gesture, true),
          this.#letThrough(frames, gesture),
        ]);
        // Input that documents dropped before this gesture began does not belong to it.
        if (!isFirst) late.push(...answers, ...opened);
        const open = answers.find(({ answer }) => answer === null || answer.isErased);
        if (within === null && open !== undefined) throw hears(open.frame);
        if (foreign.length === 0 || within !== null) return;
      }
      const [restless] = [...guarded.values()].slice(-1);
      if (restless !== undefined) throw hears(restless);
    };
    const end = async (): Promise<readonly Answered[]> => [
      ...late,
      ...(await this.#guard([...guarded.values()], gesture, false)),
    ];
    let done: T;
    try {
      await Promise.all([renew(true), this.#shut(within)]);
      if (within !== null && guarded.size > 0)
        for (let drawn = 0; drawn < DRAWN; drawn += 1)
          await within.ask({ do: 'rest', until: 'drawn' }, signal);
      done = await work(() => renew(false));
      if (!isWitnessed) await renew(false);
    } catch (thrown) {
      if (signal.aborted) void delay(UNDERWAY_MS).then(end);
      signal.throwIfAborted();
      this.#ended = end();
      await this.expectNoneKept(what);
      throw thrown;
    } finally {
      if (within !== null) void this.#open(within.frameId);
    }
    const ended = end();
    this.#ended = ended;
    if (isWitnessed) return done;
    const kept = (await ended).find(({ answer }) => answer?.meant === true);
    if (kept !== undefined) throw keptFrom(what, kept.frame);
    return done;
  }

  /**
   * Call if the last gesture has not arrived.
   * @throws SpillwayError `frame_not_permitted` naming the site of a frame that was kept from it
   */
  async expectNoneKept(what: string): Promise<void> {
    const isKept = ({ frame, answer }: Answered): boolean =>
      !frame.isPermitted && (answer?.meant === true || answer?.passing === true);
    const kept = (await this.#ended).find(isKept);
    if (kept !== undefined) throw keptFrom(what, kept.frame);
  }

  async #frames(signal: AbortSignal): Promise<readonly Frame[]> {
    const places = await framesOf(this.options.tabId);
    signal.throwIfAborted();
    if (places.length < 2) return [];
    const frames = await Promise.all(places.map((place) => this.#judge(place)));
    return frames.filter((frame) => frame !== null);
  }

  /** Null for a document that no script can enter. */
  async #judge(place: PolicyPlace): Promise<Frame | null> {
    const { policy, risks } = this.options;
    const { documentId, origin = '', url } = place;
    if (documentId === null) return null;
    const found = siteOf(origin) ?? siteOf(url);
    const site = found?.origin ?? 'an unknown site';
    if (!this.#mayGo(found)) return { documentId, site, isPermitted: false };
    // An approval of this call applies to every document of its site.
    const isPermitted =
      policy.passes(place, risks) ||
      (await policy.expect(place, risks, { asks: false, waits: false, isRecorded: false }).then(
        () => true,
        () => false,
      ));
    return { documentId, site, isPermitted };
  }

  /** Opens the documents that the call may act in: a new one blocks everything until it is asked. */
  #letThrough(frames: readonly Frame[], gesture: string): Promise<readonly Answered[]> {
    const unopened = frames.filter((frame) => frame.isPermitted && !this.#opened.has(frame.documentId));
    for (const { documentId } of unopened) this.#opened.add(documentId);
    return this.#guard(unopened, gesture, false);
  }

  async #guard(frames: readonly Frame[], gesture: string, isOn: boolean): Promise<readonly Answered[]> {
    return Promise.all(
      frames.map(async (frame) => {
        const answer = await waitAtMost(this.#ask(frame, gesture, isOn), ANSWER_MS);
        return { frame, answer: answer ?? null };
      }),
    );
  }

  async #ask({ documentId }: Frame, gesture: string, isOn: boolean): Promise<Guarded> {
    const target = { tabId: this.options.tabId, documentIds: [documentId] };
    const run = async (): Promise<Guarded | null> => {
      const call = { target, injectImmediately: true, func: guardFrame, args: [gesture, isOn] };
      const [answer] = await browser.scripting.executeScript(call);
      return z.nullable(Guarded).parse(answer?.result ?? null);
    };
    try {
      const answer = await run();
      if (answer !== null) return answer;
      // The document is older than the extension.
      await browser.scripting.executeScript({ target, injectImmediately: true, files: [GUARD_FILE] });
      return (await run()) ?? NOTHING;
    } catch {
      // It is gone, or no extension may enter it.
      return NOTHING;
    }
  }

  /** Makes a document's frames let the pointer through, including frames inserted later. */
  async #shut(within: Around | null): Promise<void> {
    if (within === null) return;
    const { frameId } = within;
    const count = this.#shutting.get(frameId) ?? 0;
    this.#shutting.set(frameId, count + 1);
    if (count > 0) return;
    const target = { tabId: this.options.tabId, frameIds: [frameId] };
    try {
      await browser.scripting.insertCSS({ target, ...SHUT });
    } catch (thrown) {
      throw new SpillwayError('page_changed', 'The document of the element is gone.', { cause: thrown });
    }
  }

  async #open(frameId: number): Promise<void> {
    const count = this.#shutting.get(frameId) ?? 0;
    if (count > 1) return void this.#shutting.set(frameId, count - 1);
    this.#shutting.delete(frameId);
    const target = { tabId: this.options.tabId, frameIds: [frameId] };
    await browser.scripting.removeCSS({ target, ...SHUT }).catch(() => undefined);
  }
}

const keptFrom = (what: string, { site, isPermitted }: Frame): SpillwayError =>
  isPermitted
    ? new SpillwayError(
        'not_delivered',
        `${what} came too early for a frame of ${site}, which was just loading.`,
      )
    : notPermitted(site, `${what} was kept from`);

const hears = ({ site }: Frame): SpillwayError =>
  notPermitted(site, 'Input might be heard by', ': it is busy, keeps loading, or has rewritten itself');

const notPermitted = (site: string, what: string, why = ''): SpillwayError =>
  new SpillwayError('frame_not_permitted', `${what} a frame of ${site}, which agents may not act on${why}.`, {
    body: { went_to: site },
  });
