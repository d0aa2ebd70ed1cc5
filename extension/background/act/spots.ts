import type { ActAnswers, Point } from '../../page/act/protocol.ts';
import type { ActDebugger } from './act-debugger.ts';
import type { ActFrames } from './act-frames.ts';
import type { ActPage, Held } from './act-page.ts';

/** A point in the viewport that a session draws. */
export interface Spot {
  readonly session: string | null;
  readonly point: Point;
}

export interface SpotsOptions {
  readonly frames: ActFrames;
  readonly debugger: ActDebugger;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Finds the session of the debugger that input for a document goes to. */
export class Spots {
  readonly #options: SpotsOptions;
  /** What our scripts are called, by their documents. */
  readonly #scripts = new Map<string, string>();

  constructor(options: SpotsOptions) {
    this.#options = options;
  }

  /**
   * Where input has to be sent for a point of a document: to the session that draws it, at the point in what
   * that session draws. The frames further out are asked too, since something may cover them.
   */
  async spotOf({ page, facts }: Held, point: Point): Promise<Spot> {
    if (page.frameId === 0) return { session: null, point };
    const { frames, debugger: attached, waitMs, signal } = this.#options;
    let mark = await this.#identify(page);
    const session = await attached.frames.of(mark.scriptId);
    let spot: Spot = { session, point };
    let isSameDrawing = true;
    let [inner, at] = [page, point];
    for (;;) {
      const parentId = await frames.parentOf(inner.frameId);
      if (parentId === null) return spot;
      const parent = await frames.page(signal, parentId);
      const index = mark.path.at(-1) ?? -1;
      const ask = { do: 'frame_point', index, point: at, name: facts.line, waitMs } as const;
      const outer = await parent.ask(ask, signal);
      [inner, at] = [parent, outer.point];
      mark = await this.#identify(parent);
      isSameDrawing &&= (await attached.frames.of(mark.scriptId)) === session;
      if (isSameDrawing) spot = { session, point: at };
    }
  }

  /** The session that the keys for a document go to. */
  async sessionOf(page: ActPage): Promise<string | null> {
    if (page.frameId === 0) return null;
    const scriptId = this.#scripts.get(page.documentId) ?? (await this.#identify(page)).scriptId;
    return this.#options.debugger.frames.of(scriptId);
  }

  async #identify(page: ActPage): Promise<ActAnswers['mark']> {
    const mark = await page.ask({ do: 'mark' }, this.#options.signal);
    this.#scripts.set(page.documentId, mark.scriptId);
    return mark;
  }
}
