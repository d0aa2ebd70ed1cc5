import { defer, onAbort, waitAtMost } from '../../../../shared/base/async.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { siteOf } from '../../../../shared/core/policy/sites.ts';
import { VIDEO_MS } from '../../../../shared/base/limits.ts';
import { showActs, type ShownAct } from '../../../act/worker/shown-acts.ts';
import {
  acknowledge,
  castTab,
  onCastPicture,
  type CastPicture,
} from '../../../platform/chromium/debugger/cast.ts';
import type { DebuggerLease } from '../../../platform/chromium/debugger/sessions.ts';
import type { FilmPort } from '../../../core/pages/offscreen-jobs.ts';
import type { MethodResult } from '../../../../shared/core/bridge/methods.ts';
import type { Look } from '../concealed.ts';

const QUALITY = 82;
const START_MS = 5_000;
/** The end waits so long for a picture of the last page, which may be new. */
const END_MS = 5_000;
/** An act waits so long for the picture before it. */
const FRESH_MS = 1_500;
/** From the drawing of a picture to its arrival. */
const LAG_MS = 250;
/** With so many unacknowledged pictures the browser takes none, and never sends what it left out. */
const IN_FLIGHT = 2;
/** So many pictures that are two by turns are a blink. */
const BLINK = 4;

export interface RecordingOptions {
  readonly tabId: number;
  readonly fps: number;
  readonly width: number;
  readonly film: FilmPort;
  readonly look: () => Promise<Look | null>;
  readonly hasPerson: () => boolean;
}

type Recorded = Omit<MethodResult<'video.stop'>, 'url' | 'format'>;

/** A running recording of a tab: passes on the pictures of its cast, with what is painted over in them. */
export class Recording {
  readonly #startedAt = Date.now();
  readonly #cards = new Set<'person' | 'denied'>();
  readonly #stopShowing: () => void;
  /** With the times of their answers. */
  #looks: { readonly at: number; readonly key: string }[] = [];
  #lease: DebuggerLease | null = null;
  #detach: () => Promise<void> = () => Promise.resolve();
  #frame: CastPicture | null = null;
  #unacknowledged: number[] = [];
  /** The browser may have drawn a later picture that it did not send. */
  #isLacking = false;
  /** The cast has restarted: its first picture is taken at once. */
  #isNewCast = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isTaking = false;
  #tookAt = 0;
  /** The last pictures that differed, since the last act. */
  #seen: readonly string[] = [];
  #site = '';
  #isDenied = false;
  /** The last picture shows the page as it still is. */
  #isSettled = false;
  #waiting: { readonly since: number; readonly taken: () => void }[] = [];
  #dropped = 0;
  #isOver = false;

  constructor(private readonly options: RecordingOptions) {
    this.#stopShowing = showActs(options.tabId, (act, signal) => this.#show(act, signal));
  }

  /** @throws SpillwayError `page_unresponsive` if the tab gives no picture, and of the lost attachment */
  async begin(lease: DebuggerLease, signal: AbortSignal): Promise<void> {
    await this.attach(lease);
    if (!(await this.#fresh(START_MS, signal)))
      throw new SpillwayError(
        'page_unresponsive',
        `Tab ${lease.tabId} gave no picture within ${START_MS} ms: its window may be minimised, or the page is busy.`,
      );
  }

  /** Also after a person had the tab. */
  async attach(lease: DebuggerLease): Promise<void> {
    this.#lease = lease;
    this.#unacknowledged = [];
    this.#looks = [];
    this.#seen = [];
    const stop = onCastPicture(lease, (picture) => this.#receive(picture));
    onAbort(lease.signal, () => {
      if (this.#lease === lease && this.options.hasPerson()) this.#pause();
    });
    await this.#look();
    const end = await this.#cast(lease);
    this.#detach = async () => {
      stop();
      await end();
    };
  }

  /** A person has the tab: nothing is recorded until {@link attach}. */
  #pause(): void {
    this.#lease = null;
    this.#frame = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#card('person', 'A person has the tab');
  }

  /** Ends it and writes the video. @throws SpillwayError as `FilmPort.end` */
  async write(write: (text: string) => Promise<void>, signal: AbortSignal): Promise<Recorded> {
    await this.#fresh(END_MS, signal);
    const recordedMs = Date.now() - this.#startedAt;
    await this.#stop();
    const facts = await this.options.film.end(Date.now(), write, signal);
    return {
      width: facts.width,
      height: facts.height,
      frames: facts.frames,
      size_bytes: facts.sizeBytes,
      video_ms: facts.videoMs,
      recorded_ms: recordedMs,
      dropped: this.#dropped,
      cut: recordedMs > VIDEO_MS ? 'time' : facts.isFull ? 'size' : null,
      cards: [...this.#cards],
    };
  }

  async drop(): Promise<void> {
    await this.#stop();
    this.options.film.drop();
  }

  async #stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#stopShowing();
    for (const { taken } of this.#waiting.splice(0)) taken();
    await this.#detach().catch(() => undefined);
  }

  #cast(lease: DebuggerLease): Promise<() => Promise<void>> {
    const { width } = this.options;
    this.#unacknowledged = [];
    const pictures = {
      format: 'jpeg',
      quality: QUALITY,
      maxWidth: width,
      maxHeight: 2 * width,
      everyNthFrame: 1,
    };
    return castTab(lease, START_MS, pictures);
  }

  #receive(picture: CastPicture): void {
    if (this.#isOver || this.#lease === null) return;
    this.#frame = picture;
    this.#unacknowledged.push(picture.id);
    this.#isLacking = this.#unacknowledged.length >= IN_FLIGHT;
    this.#schedule(this.#isUrgent);
  }

  get #isUrgent(): boolean {
    return this.#isNewCast || this.#waiting.length > 0;
  }

  #schedule(isNow = false): void {
    if (this.#isTaking || this.#isOver || this.#lease === null) return;
    if (this.#timer !== undefined && !isNow) return;
    clearTimeout(this.#timer);
    const dueMs = this.#tookAt + 1_000 / this.options.fps - Date.now();
    this.#timer = setTimeout(() => void this.#tick(), isNow ? 0 : Math.max(0, dueMs));
  }

  async #tick(): Promise<void> {
    this.#timer = undefined;
    const [lease, frame] = [this.#lease, this.#frame];
    if (lease === null) return;
    this.#isTaking = true;
    this.#frame = null;
    this.#tookAt = Date.now();
    try {
      // A new cast sends the picture that was left out, and takes fewer than going on with the old one.
      if (frame === null || (this.#isLacking && !this.#isNewCast)) {
        this.#isNewCast = true;
        await this.#cast(lease);
      } else {
        this.#isNewCast = false;
        // The act that waits for it changes the page at once: one picture tells that, and the next shows its end.
        const isBeforeAct = this.#waiting.length > 0;
        this.#isSettled = (await this.#take(frame, lease)) && !this.#isLacking;
        if (!isBeforeAct && !this.#isLacking) this.#acknowledge(lease);
      }
    } catch {
      // The attachment is lost, or the page did not answer: it is looked at again, unless the recording ends.
      this.#isSettled = false;
    } finally {
      this.#isTaking = false;
    }
    if (Date.now() - this.#startedAt > VIDEO_MS) await this.#stop();
    else if (this.#frame !== null) this.#schedule(this.#isUrgent);
    else if (!this.#isSettled) this.#schedule();
  }

  #acknowledge(lease: DebuggerLease): void {
    for (const id of this.#unacknowledged.splice(0)) acknowledge(lease, id);
  }

  /** False if the picture was dropped, or a later one is waited for. */
  async #take({ data, atMs: at }: CastPicture, lease: DebuggerLease): Promise<boolean> {
    const { hasPerson } = this.options;
    if (data !== this.#seen.at(-1) && !this.#isBlinking(data)) {
      const seen = await this.#look();
      if (hasPerson() || lease.signal.aborted) return true;
      if (seen === null || !this.#isStill(at)) {
        this.#dropped += 1;
        return false;
      }
      if (seen.isDenied) this.#card('denied', 'This page is not shown');
      else this.#pass(data, at, seen);
      this.#isDenied = seen.isDenied;
      this.#seen = [...this.#seen.slice(1 - BLINK), data];
    }
    for (const { since, taken } of this.#waiting) if (at > since) taken();
    return this.#waiting.every(({ since }) => at > since);
  }

  /** Two pictures by turns, such as those of a caret. Before an act and at the end, the page is shown as it is. */
  #isBlinking(data: string): boolean {
    const [first, second, third, fourth] = this.#seen;
    return this.#waiting.length === 0 && data === first && first === third && second === fourth;
  }

  #pass(data: string, at: number, { url, covers, view }: Look): void {
    const { film } = this.options;
    const site = siteOf(url)?.host ?? '';
    if (site !== '' && this.#site !== '' && site !== this.#site)
      film.take({ is: 'act', at, text: `Go to ${site}`, box: null, point: null });
    if (site !== '') this.#site = site;
    const { width, height, scale } = view;
    film.take({
      is: 'picture',
      at,
      data,
      view: { width: width / scale, height: height / scale },
      covers: [...covers],
    });
  }

  #card(why: 'person' | 'denied', text: string): void {
    if (why === 'denied' && this.#isDenied) return;
    this.#cards.add(why);
    this.options.film.take({ is: 'card', at: Date.now(), text });
  }

  async #look(): Promise<Look | null> {
    const seen = await this.options.look();
    const key = seen === null ? 'unknown' : lookKey(seen);
    this.#looks = [...this.#looks.slice(-20), { at: Date.now(), key }];
    return seen;
  }

  /** Nothing concealed moved between the last look before a picture was drawn and the one after it. */
  #isStill(at: number): boolean {
    const before = this.#looks.findLastIndex((one) => one.at < at - LAG_MS);
    const keys = new Set(this.#looks.slice(Math.max(0, before)).map(({ key }) => key));
    return keys.size === 1 && (before >= 0 || keys.has(BARE));
  }

  /** Waits for a picture of the page as it is now. False if none came in time. */
  async #fresh(waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#lease === null || this.#isOver) return false;
    const { promise, resolve } = defer<boolean>();
    const own = { since: Date.now(), taken: () => resolve(true) };
    this.#waiting.push(own);
    this.#isSettled = false;
    this.#frame = null;
    this.#schedule(true);
    const isTaken = await waitAtMost(promise, waitMs, signal).catch(() => false);
    this.#waiting = this.#waiting.filter((one) => one !== own);
    return isTaken ?? false;
  }

  async #show({ text, box, point }: ShownAct, signal: AbortSignal): Promise<void> {
    await this.#fresh(FRESH_MS, signal);
    if (this.#isOver || this.#lease === null || this.#isDenied) return;
    this.#seen = this.#seen.slice(-1);
    this.options.film.take({ is: 'act', at: Date.now(), text, box, point });
  }
}

/** Nothing is concealed, so nothing can have moved. */
const BARE = 'nothing';

const lookKey = ({ isDenied, covers, view }: Look): string =>
  !isDenied && covers.length === 0 ? BARE : JSON.stringify([isDenied, covers, view]);
