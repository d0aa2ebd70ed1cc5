import type { Coverage } from '../../../shared/core/bridge/page.ts';
import { cut } from '../../../shared/base/cut.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import type { StreamSink } from '../../core/handler.ts';
import {
  pdfNote,
  type FrameMark,
  type FromPage,
  type ReadContext,
  type ReadDone,
  type ReadRequest,
  type SnapshotLeft,
} from '../../core/page/protocol.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { nameOfFrame, type FrameFinder } from '../../core/pages/frame-finder.ts';
import type { Loan, ShownTo } from '../../core/pages/ref-book.ts';

export interface ReadTimes {
  /** Limit until a document's first sign of life. */
  readonly responseMs: number;
  /** The same for a frame: its page should not wait long for it, nor more than a few seconds for all. */
  readonly frameMs: number;
  /** Limit until a live document has been walked. */
  readonly walkMs: number;
  /** Text buffered in the page before a walk yields. */
  readonly bufferBytes: number;
}

export interface AssemblyOptions {
  readonly finder: FrameFinder;
  readonly options: ReadRequest;
  /** The session that sees the refs; null if nobody can use them. */
  readonly shownTo: ShownTo | null;
  readonly sink: StreamSink;
  readonly signal: AbortSignal;
  readonly times: ReadTimes;
  /** Addresses of requests that were pending when the read began. */
  readonly loading: readonly string[];
  readonly name: string;
}

type TextPart = Extract<FromPage, { type: 'part' }>;

/** Frames nested deeper are reported as closed rather than read. */
const MAX_FRAME_DEPTH = 16;

/** The text of a comparison without changes. */
export const NOTHING_CHANGED = '= nothing changed\n';

/** A ref belongs to one document, whose frames are read whole. */
const withoutRef = (options: ReadRequest): ReadRequest =>
  options.format === 'skeleton' ? options : { ...options, ref: null };

/** Maximum notes of one kind that are written out; the others are counted. */
const MAX_ALIKE = 20;

/** Writes a page to the stream in order: its own text, with each frame's in place. */
export class Assembly {
  readonly #with: AssemblyOptions;
  readonly coverage: Coverage[] = [];
  hiddenElements = 0;
  frames = 0;
  /** Parts beyond the budget of a snapshot, innermost frame first. */
  readonly left: SnapshotLeft[] = [];
  /** The text lists the changes since the last snapshot. */
  isCompared = false;
  #isOpen = false;
  #hasText = false;
  /** Remaining tokens of a snapshot; null for any number. */
  #budget: number | null;
  /** Notes that were only counted, by kind. */
  readonly #more = new Map<string, number>();

  constructor(options: AssemblyOptions) {
    this.#with = options;
    this.#budget = ('budget' in options.options ? options.options.budget : null) ?? null;
  }

  /** The place of the first document to be read. */
  contextOf(refPrefix: string): ReadContext {
    const { times } = this.#with;
    return {
      refPrefix,
      linePrefix: '',
      isTop: refPrefix === '',
      frameName: '',
      follows: this.#hasText,
      bufferBytes: times.bufferBytes,
      budget: this.#budget,
      isCompared: this.isCompared,
      isOpen: this.#isOpen,
    };
  }

  /** Reads a document and its frames. */
  async read(channel: PageChannel, context: ReadContext, depth = 0): Promise<ReadDone> {
    let loan = await this.#lend(channel, context, 'lendToRead');
    const id = channel.open(loan);
    try {
      const { options } = this.#with;
      channel.post({
        type: 'read',
        id,
        options: depth === 0 ? options : withoutRef(options),
        context,
        showing: loan?.showing ?? null,
      });
      const first = await this.#firstAnswer(channel, id, context);
      let part = first.type === 'part' ? first : await this.#part(channel, id, context);
      for (;;) {
        const { done } = part;
        this.#spend(part, depth);
        if (done === null && part.needsNumbers) {
          loan = await this.#lend(channel, context, 'lend');
          if (loan !== null) channel.lend(id, loan);
        }
        const pull = (budget?: number): void => {
          const showing = part.needsNumbers ? loan?.showing : undefined;
          channel.post({ type: 'pull', id, budget, showing });
        };
        // The next part is fetched while this one is written, unless its limits depend on this one.
        if (done === null && this.#budget === null) pull();
        await this.#write(part, channel, context, depth);
        if (done !== null) {
          channel.end(id);
          await loan?.stored;
          return this.#account(done);
        }
        if (this.#budget !== null) pull(this.#budget);
        part = await this.#part(channel, id, context);
      }
    } finally {
      channel.release(id);
    }
  }

  /** Numbers for the refs of a document; null for a reading without refs. */
  async #lend(
    channel: PageChannel,
    { refPrefix: prefix }: ReadContext,
    how: 'lend' | 'lendToRead',
  ): Promise<Loan | null> {
    const { shownTo, options } = this.#with;
    if (shownTo === null || (options.format !== 'snapshot' && options.format !== 'nodes')) return null;
    return shownTo.book[how](channel, { viewer: shownTo.viewer, prefix });
  }

  /** `started`, or already the first part. */
  #firstAnswer(channel: PageChannel, id: number, { isTop }: ReadContext): ReturnType<PageChannel['receive']> {
    const { finder, times, signal, name } = this.#with;
    if (isTop) return channel.receive(id, { timeoutMs: times.responseMs, signal, name });
    return finder.spend(() => channel.receive(id, { timeoutMs: finder.patienceMs, signal, name }));
  }

  #part(channel: PageChannel, id: number, { isTop }: ReadContext): Promise<TextPart> {
    const { times, signal, name } = this.#with;
    // A frame that stops halfway must not use up the time of its page, which has more content.
    const timeoutMs = isTop ? times.walkMs : times.responseMs;
    return channel.receiveA('part', id, { timeoutMs, signal, name });
  }

  #spend({ report }: TextPart, depth: number): void {
    if (report === undefined) return;
    if (depth === 0) ({ isCompared: this.isCompared, isOpen: this.#isOpen } = report);
    if (this.#budget !== null) this.#budget = Math.max(0, this.#budget - report.tokens);
  }

  #account(done: ReadDone): ReadDone {
    if (done.left != null) {
      this.left.push(done.left);
      this.#budget = 0;
    }
    this.hiddenElements += done.hiddenElements;
    this.frames += done.page.frames;
    for (const note of done.coverage) this.note(note);
    return done;
  }

  /** Adds a note; later ones of a frequent kind are only counted. */
  note(note: Coverage): void {
    const detail = cut(note.detail, 500).toWellFormed();
    const alike = this.coverage.filter(({ kind }) => kind === note.kind);
    if (alike.some((other) => other.detail === detail)) return;
    if (alike.length < MAX_ALIKE) this.coverage.push({ kind: note.kind, detail });
    else this.#more.set(note.kind, (this.#more.get(note.kind) ?? 0) + 1);
  }

  async #write(part: TextPart, channel: PageChannel, context: ReadContext, depth: number): Promise<void> {
    for (const piece of part.pieces) {
      if (typeof piece === 'string') await this.#text(piece);
      else await this.#frame(piece, channel, context, depth);
    }
  }

  async #text(piece: string): Promise<void> {
    const text = this.#hasText ? piece : piece.replace(/^\n+/, '');
    if (text === '') return;
    this.#hasText = true;
    await this.#with.sink.write(text);
  }

  /** A frame that cannot be read leaves a note; the page around it is still read. */
  async #frame(mark: FrameMark, parent: PageChannel, context: ReadContext, depth: number): Promise<void> {
    const { finder, signal } = this.#with;
    try {
      const channel = depth < MAX_FRAME_DEPTH ? await finder.find(mark) : null;
      if (channel === null) {
        const code = finder.refusalOf(mark.src);
        const why = code === undefined ? '' : `: ${code}`;
        return this.note(this.#unread(mark.src, `${nameOfFrame(mark.src)} could not be read${why}.`));
      }
      await this.read(
        channel,
        {
          ...this.contextOf(`${context.refPrefix}f${mark.number}`),
          linePrefix: mark.prefix,
          frameName: mark.name,
          follows: mark.follows && this.#hasText,
        },
        depth + 1,
      );
    } catch (thrown) {
      signal.throwIfAborted();
      const { code } = toSpillwayError(thrown);
      if (parent.isClosed || code === 'internal_error') throw thrown;
      const { src } = mark;
      this.note(
        code === 'page_is_pdf'
          ? pdfNote(src)
          : this.#unread(src, `${nameOfFrame(src)} could not be read: ${code}.`),
      );
    }
  }

  /** Why a frame has no content: it has not arrived yet, or it cannot be read at all. */
  #unread(src: string, detail: string): Coverage {
    if (!this.#with.loading.includes(src)) return { kind: 'closed_frame', detail };
    return { kind: 'frame_loading', detail: `Frame ${src} was still loading. Pass wait_for to read it.` };
  }

  /** The text always ends with a line break. Counts the notes that were not written out. */
  async finish(): Promise<void> {
    for (const [kind, count] of this.#more)
      this.coverage.push({ kind, detail: `${count} more, which are not listed.` });
    const { format } = this.#with.options;
    if (this.isCompared && !this.#hasText) await this.#text(NOTHING_CHANGED);
    if (this.#hasText && format !== 'nodes' && format !== 'snapshot') await this.#with.sink.write('\n');
  }
}
