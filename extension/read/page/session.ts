import type { Coverage } from '../../../shared/core/bridge/page.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import { Recording } from '../../dom/identity/recording.ts';
import { recorded } from './identity/find-again.ts';
import { count, coverageNotes, isModalOpen, fileNote } from '../../core/page/coverage.ts';
import { pageFacts } from '../../dom/doorway.ts';
import { originOf } from '../../dom/frames.ts';
import type { MainContent } from './main-content/find.ts';
import { NO_MAIN_CONTENT, sharedFinder } from './main-content/readability.ts';
import { PART_UNITS, type FromPage, type ReadContext, type ReadDone } from '../../core/page/protocol.ts';
import { Refs, type LentNumbers, type ShownRefs } from '../../dom/refs.ts';
import { hidesItself, whileShown } from '../../dom/self-hidden.ts';
import { selectRange, type Range } from './range.ts';
import { SnapshotReading } from './snapshot-reading.ts';
import type { FilledFields } from '../../act/page/controls.ts';
import { Walker } from './walker.ts';
import { seeingAll } from '../../dom/visible.ts';
import { rememberPasswords } from '../../dom/controls.ts';
import { HtmlWriter } from './write/html.ts';
import { MarkdownWriter } from './write/markdown.ts';
import { rememberBase } from '../../dom/media.ts';
import { NodesWriter } from './write/nodes.ts';
import { Out, type Writer, type WriterTools } from './write/out.ts';
import type { ShownSnapshots } from './write/snapshot-out.ts';
import { SnapshotWriter } from './write/snapshot.ts';
import { TextWriter } from './write/text.ts';

const WRITERS: Readonly<Record<ReadPageOptions['format'], new (tools: WriterTools) => Writer>> = {
  markdown: MarkdownWriter,
  text: TextWriter,
  html: HtmlWriter,
  snapshot: SnapshotWriter,
  nodes: NodesWriter,
};

/** Bytes of one UTF-16 code unit in memory. */
const UNIT_BYTES = 2;

export interface Reader {
  readonly refs: Refs;
  /** Null for a reading without refs. */
  readonly lent: LentNumbers | null;
  /** Why the page may not be complete yet. */
  readonly unrest: Coverage | null;
  readonly shown: ShownSnapshots;
  readonly filled: FilledFields;
}

const heldOf = ({ diff }: ReadPageOptions): ShownRefs | null => (diff === true ? new Map() : null);

/** Null for a reading without refs. */
const recordingFor = (lent: LentNumbers | null): Recording | null => (lent === null ? null : new Recording());

/** See `part` in `FromPage`. */
export type SessionPart = Omit<Extract<FromPage, { type: 'part' }>, 'type' | 'id' | 'last'> & {
  /** No more of the lent numbers will be used. */
  readonly isNumbered: boolean;
};

/** One reading of one document: walks as far as the buffer allows, and returns the text in parts. */
export class ReadSession {
  readonly #walker: Walker;
  readonly #writer: Writer;
  readonly #out: Out;
  /** Null for other formats. */
  readonly #snapshot: SnapshotReading | null;
  readonly #refs: Refs;
  readonly #context: ReadContext;
  readonly #options: ReadPageOptions;
  readonly #bufferUnits: number;
  /** Null if not requested or not found. */
  readonly #main: MainContent | null;
  readonly #unrest: Coverage | null;
  #lent: LentNumbers | null;
  readonly #recording: Recording | null;
  readonly #isPart: boolean;
  /** A comparison's refs: only those it names are shown. Null for other readings. */
  readonly #held: ShownRefs | null;
  /** The page hides itself, and is read as if it were shown. */
  readonly #isSelfHidden: boolean;
  #isWalked = false;
  readonly #foundAgain: readonly string[];
  #hasBegun = false;
  #hasYielded = false;

  /** @throws PageError `selector_invalid`, `selector_not_found`, and those of {@link selectRange} */
  constructor(asked: ReadPageOptions, context: ReadContext, { refs, lent, unrest, shown, filled }: Reader) {
    const viewer = lent?.viewer ?? '';
    const range = selectRange(document, asked, { refs, context, viewer });
    this.#snapshot =
      asked.format === 'snapshot'
        ? new SnapshotReading(asked, { context, viewer, shown, filled, range, refs })
        : null;
    this.#foundAgain = range.notes;
    this.#isWalked = this.#snapshot?.isKnown === true;
    const options = this.#snapshot?.options ?? asked;
    this.#out = this.#snapshot?.out ?? new Out(PART_UNITS);
    this.#options = options;
    this.#unrest = unrest;
    this.#context = context;
    this.#refs = refs;
    this.#lent = lent;
    this.#bufferUnits = Math.max(1, Math.floor(context.bufferBytes / UNIT_BYTES));
    rememberPasswords(document);
    rememberBase(document);
    this.#isSelfHidden = context.isTop && !options.include_hidden && hidesItself(document);
    this.#main = this.#shown(() => this.#selectMain(range.roots));
    const head = this.#main?.head ?? '';
    this.#out.write(head);
    this.#walker = this.#shown(() => this.#createWalker(range));
    const writer = new WRITERS[options.format]({
      out: this.#out,
      refs,
      options,
      view: this.#walker,
      linePrefix: context.linePrefix,
      follows: context.follows || head !== '',
      places: this.#snapshot?.out.places,
    });
    this.#held = heldOf(asked);
    this.#isPart = [range.from, ...range.roots, this.#main].some((part) => part !== null);
    this.#recording = recordingFor(lent);
    this.#writer = recorded(writer, this.#recording);
  }

  #createWalker({ roots, from }: Range): Walker {
    return new Walker({
      document,
      roots,
      from: from?.el ?? null,
      includeHidden: this.#options.include_hidden,
      selection: this.#main?.selection ?? null,
      refs: this.#refs,
    });
  }

  #selectMain(roots: readonly Element[]): MainContent | null {
    const { main_content_only, include_hidden: includeHidden, format } = this.#options;
    if (!main_content_only || !this.#context.isTop) return null;
    const walker = new Walker({ document, roots, includeHidden, selection: null, refs: new Refs() });
    return sharedFinder()({ document, walk: (writer) => walker.run(writer, () => false), format });
  }

  /** The next part of the text; the last one is `done`. Walks on if the buffer has room. */
  next(): SessionPart {
    if (!this.#isWalked && !this.#needsNumbers && this.#out.units <= this.#bufferUnits / 2) this.#walk();
    const pieces = this.#out.take(PART_UNITS);
    const isOver = this.#isWalked && this.#out.isEmpty && this.#snapshot?.out.isDrained !== false;
    this.#reveal(pieces, isOver);
    return {
      pieces,
      done: isOver ? this.#facts() : null,
      needsNumbers: this.#needsNumbers,
      // The position where a snapshot stops gets a ref too.
      isNumbered: isOver || this.#needsNumbers || (this.#isWalked && this.#snapshot === null),
      ...(this.#snapshot !== null && { report: this.#snapshot.report }),
    };
  }

  /** Shows the session the refs that a comparison names, and at its end the unchanged ones. */
  #reveal(pieces: SessionPart['pieces'], isOver: boolean): void {
    if (this.#held === null || this.#lent === null) return;
    const { viewer } = this.#lent;
    this.#refs.reveal(viewer, this.#held, pieces);
    if (isOver) this.#refs.revealAgain(viewer, this.#held, this.#snapshot?.shownAgain ?? []);
  }

  /** Lends more numbers for the rest of the walk. */
  lend(lent: LentNumbers): void {
    this.#lent = lent;
  }

  /** Continues after a frame. @param budget the snapshot tokens that it has left */
  resume(budget: number): void {
    this.#snapshot?.resume(budget);
  }

  get #needsNumbers(): boolean {
    return !this.#isWalked && this.#lent?.isLow === true;
  }

  #walk(): void {
    this.#refs.prefix = this.#context.refPrefix;
    this.#refs.use(this.#lent, this.#recording, this.#held);
    const isFrame = !this.#context.isTop;
    if (isFrame && !this.#hasBegun) this.#writer.enterFrame(originOf(document), this.#context.frameName);
    this.#hasBegun = true;
    const isFull = (): boolean =>
      this.#out.units > this.#bufferUnits || this.#lent?.isLow === true || this.#snapshot?.isFull === true;
    const run = (): boolean => this.#walker.run(this.#writer, isFull);
    const isAtEnd = this.#shown(() => (this.#options.include_hidden ? seeingAll(run) : run()));
    const isStopped = this.#snapshot?.isOver === true;
    this.#isWalked = isAtEnd || isStopped;
    this.#hasYielded ||= !this.#isWalked && this.#snapshot?.out.isPaused !== true;
    if (!this.#isWalked) return;
    if (isFrame) this.#writer.leaveFrame(originOf(document));
    this.#writer.finish?.();
    this.#snapshot?.end();
    this.#recording?.end(isAtEnd && !this.#isPart);
  }

  #shown<T>(work: () => T): T {
    return this.#isSelfHidden ? whileShown(document, work) : work();
  }

  #facts(): ReadDone {
    this.#refs.prefix = this.#context.refPrefix;
    this.#refs.use(this.#lent);
    const { facts } = this.#walker;
    return {
      page: { ...pageFacts(facts.frames), ...(this.#main !== null && { article: this.#main.article }) },
      coverage: this.#coverage(),
      hiddenElements: facts.hiddenElements,
      mainContent: this.#mainContent,
      left: this.#snapshot?.left() ?? null,
    };
  }

  get #mainContent(): ReadDone['mainContent'] {
    if (!this.#options.main_content_only) return 'not_asked';
    return this.#main === null ? 'whole_page' : 'found';
  }

  #coverage(): Coverage[] {
    const { facts } = this.#walker;
    const file = this.#context.isTop ? fileNote(document) : null;
    const found = this.#foundAgain.map((detail) => ({ kind: 'ref', detail }));
    const notes = [...found, this.#unrest, file].filter((note) => note !== null);
    if (this.#hasYielded)
      notes.push({
        kind: 'page_may_have_changed',
        detail: 'The page was too large to read in one step; it may have changed during the read.',
      });
    if (this.#isSelfHidden)
      notes.push({
        kind: 'page_hidden',
        detail:
          'The page hides itself until one of its scripts shows it; it was read as if it were shown. Wait and read again if it looks unfinished.',
      });
    if (facts.lazyLeft > 0 && document.visibilityState === 'hidden')
      notes.push({
        kind: 'background_tab',
        detail: `The tab is in the background: ${count(facts.lazyLeft, 'lazy image or frame has', 'lazy images or frames have')} not loaded.`,
      });
    if (facts.inertParts === 0 && isModalOpen(document)) facts.inertParts = 1;
    notes.push(...coverageNotes(facts));
    if (this.#mainContent === 'whole_page' && this.#options.selector === null) notes.push(NO_MAIN_CONTENT);
    if (this.#main?.note != null) notes.push(this.#main.note);
    return notes;
  }
}
