import type { ArticleFacts, Coverage } from '../../../shared/core/bridge/page.ts';
import type { ExtractRequest } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import type { CrawlFormat } from '../../../shared/crawl/crawl.methods.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import { ParsedPage } from '../../../extension/crawl/offscreen/page-contents.ts';
import { describeFinding } from '../../../extension/audit/page/finding.ts';
import { roleOf, statesOf } from '../../../extension/dom/names/role.ts';
import '../../../extension/read/page/main-content/content.ts';
import { ElementBoxes } from '../../../extension/pictures/page/box.ts';
import { extract } from '../../../extension/extract/page/engine.ts';
import { findNext } from '../../../extension/extract/page/next.ts';
import { failureOf } from '../../../extension/dom/doorway.ts';
import type {
  Box,
  BoxTarget,
  DocumentSummary,
  ReadContext,
  SnapshotLeft,
  ScrollMove,
  Showing,
  AwaitedTarget,
} from '../../../extension/core/page/protocol.ts';
import { answerFind, nearestTo } from '../../../extension/find/page/find/find.ts';
import { findContexts } from '../../../extension/extract/page/view.ts';
import { isShown } from '../../../extension/dom/visible.ts';
import { computeName, descriptionOf } from '../../../extension/dom/names/name.ts';
import { describeElement } from '../../../extension/act/page/hit.ts';
import { Fields } from '../../../extension/act/page/fields.ts';
import { LentNumbers, Loans, Refs } from '../../../extension/dom/refs.ts';
import { PageScroller } from '../../../extension/read/page/scroller.ts';
import { selectRoots } from '../../../extension/dom/select.ts';
import { ReadSession } from '../../../extension/read/page/session.ts';
import { FilledFields } from '../../../extension/act/page/controls.ts';
import { ShownSnapshots } from '../../../extension/read/page/write/snapshot-out.ts';
import { SkeletonSession } from '../../../extension/read/page/skeleton/session.ts';
import { summarizeDocument } from '../../../extension/crawl/page/document-summary.ts';
import type { Wrapper } from '../extract-suite/public-case.ts';
import type { FindTarget } from '../../../shared/find/find.methods.ts';
import { LAB } from './lab-name.ts';
import { READ_CONTEXT } from './read-context.ts';
import { show } from './show.ts';

const ADDRESS = 'http://page.test/';

const SHOWING: Showing = { viewer: 'lab', numbers: { from: 1, to: 65_536 } };

let shown = new ShownSnapshots();
let refs = new Refs();
let lent = new LentNumbers(SHOWING);

async function showFresh(html: string): Promise<void> {
  shown = new ShownSnapshots();
  refs = new Refs();
  lent = new LentNumbers(SHOWING);
  await show(html);
}

const DEFAULTS: ReadPageOptions = {
  format: 'markdown',
  selector: null,
  main_content_only: false,
  include_links: true,
  include_hidden: false,
};

interface ReadResult {
  readonly text: string;
  readonly hidden: number;
  readonly coverage: readonly Coverage[];
  readonly article: ArticleFacts | undefined;
  readonly left: SnapshotLeft | null;
}

interface BoxResult {
  readonly box: Box | null;
  readonly isClipped: boolean;
  readonly matches: number;
  /** Code and message if there is no box. */
  readonly error: string;
  readonly scrolled: readonly number[];
  readonly left: readonly number[];
}

function drain(session: ReadSession | SkeletonSession): ReadResult {
  let text = '';
  for (;;) {
    const { pieces, done } = session.next();
    for (const piece of pieces) text += typeof piece === 'string' ? piece : `«frame ${piece.number}»`;
    if (done === null) continue;
    const { hiddenElements: hidden, coverage, page, left = null } = done;
    return { text, hidden, coverage, article: page.article, left };
  }
}

const sessionOf = (options: Partial<ReadPageOptions>, context: Partial<ReadContext>): ReadSession =>
  new ReadSession(
    { ...DEFAULTS, ...options },
    { ...READ_CONTEXT, ...context },
    { refs, lent, unrest: null, shown, filled: new FilledFields() },
  );

/** The result, or code and message of the error. */
function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    return `${code}: ${message}`;
  }
}

const valuesOf = ({ fields }: FoundRecord): Record<string, JsonValue> =>
  Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));

const scrollOffsets = (): number[] =>
  [...document.querySelectorAll('*')]
    .map((el) => el.scrollTop + el.scrollLeft)
    .filter((offset) => offset !== 0);

/** `selector`, `selector@attribute`, `+ selector` in the next sibling, `selector*` for all. */
function pickField(row: Element, path: string): JsonValue {
  const root = path.startsWith('+ ') ? row.nextElementSibling : row;
  const [selector = '', attribute] = path.replace(/^\+ |\*$/g, '').split('@');
  const matches = selector === '' ? [root ?? row] : [...(root?.querySelectorAll(selector) ?? [])];
  const found = matches.map((el) => sayOf(el, attribute));
  return path.endsWith('*') ? found : (found[0] ?? null);
}

function sayOf(el: Element, attribute: string | undefined): string {
  const shown = 'innerText' in el && typeof el.innerText === 'string' ? el.innerText : '';
  const value = attribute === undefined ? shown || el.textContent : el.getAttribute(attribute);
  const text = (value ?? '').replace(/\s+/g, ' ').trim();
  return attribute === 'href' || attribute === 'src' ? new URL(text, ADDRESS).href : text;
}

const functions = {
  /** Reads a page as `read_page` does. */
  async read(html: string, options: Partial<ReadPageOptions>): Promise<ReadResult> {
    await showFresh(html);
    return functions.readShown(options);
  },

  /** Shows a page and waits until its frames are loaded and its short animations have ended. */
  async show(html: string): Promise<void> {
    await showFresh(html);
    const frames = [...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument);
    const running = [document, ...frames.filter((inner) => inner !== null)]
      .flatMap((own) => own.getAnimations())
      .filter(({ effect, playState }) => {
        const end = effect?.getComputedTiming().endTime;
        return playState === 'running' && typeof end === 'number' && end < 100;
      });
    await Promise.all(running.map(({ finished }) => finished));
  },

  readShown(options: Partial<ReadPageOptions>): ReadResult {
    const include_links = options.format !== 'snapshot';
    return drain(sessionOf({ include_links, ...options }, { budget: options.budget ?? null }));
  },

  /** Notes of a reading during which a script removes and adds elements. */
  async readWhileChanging(html: string): Promise<readonly string[]> {
    await showFresh(html);
    const session = sessionOf({}, { bufferBytes: 1 << 12 });
    for (;;) {
      const { done } = session.next();
      if (done !== null) return done.coverage.map(({ kind }) => kind);
      for (const el of document.querySelectorAll('p:nth-of-type(3n)'))
        el.replaceWith('a', document.createElement('b'));
    }
  },

  /** The lines of a snapshot as a whole, and in parts that each keep to a budget. */
  async readInParts(html: string, budget: number): Promise<{ whole: string[]; parts: string[][] }> {
    await showFresh(html);
    const linesOf = ({ text }: ReadResult): string[] => text.split('\n').slice(0, -1);
    const whole = linesOf(functions.readShown({ format: 'snapshot', budget: 1 << 20 }));
    const parts: string[][] = [];
    for (let ref: string | null = null; parts.length === 0 || ref !== null;) {
      const part = functions.readShown({ format: 'snapshot', budget, ref });
      parts.push(linesOf(part));
      ref = part.left?.ref ?? null;
      if (parts.length > whole.length) throw new Error(`The reading does not get on at ${ref}.`);
    }
    return { whole, parts };
  },

  async readFormats(html: string, all: readonly Partial<ReadPageOptions>[]): Promise<string[]> {
    await showFresh(html);
    return all.map((options) => functions.readShown(options).text);
  },

  /** The first line that `find` answers to each query, in the page that is shown. */
  findEach: (queries: readonly string[]): (string | undefined)[] =>
    queries.map((query) => {
      const showing = { ...SHOWING, numbers: { from: 32_768, to: 65_536 } };
      const request = { type: 'find', id: 1, target: { query }, limit: 1, prefix: '', showing } as const;
      return answerFind(request, { refs, loans: new Loans() }).found.hits[0]?.line;
    }),

  /** All that each reader says of the page that is shown and its frames; each word is searched for. */
  sayings(words: readonly string[]): Record<string, string> {
    const inner = [...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument);
    const documents = [document, ...inner.filter((own) => own !== null)];
    const elements = documents.flatMap((own) => [...own.querySelectorAll('*')]);
    const find = (target: FindTarget | AwaitedTarget): string => {
      const showing = { ...SHOWING, numbers: { from: 1, to: 1 << 30 } };
      const request = { type: 'find', id: 1, target, limit: 10_000, prefix: '', showing } as const;
      const { hits, nearest } = answerFind(request, { refs: new Refs(), loans: new Loans() }).found;
      return [...hits.map(({ line }) => line), ...nearest].join('\n');
    };
    const locate = (engine: string, body: string): string => find({ parts: [{ engine, body }] });
    const every = (say: (word: string) => string): string => words.map(say).join('\n');
    const skeleton = { format: 'skeleton', selector: null, max_depth: 30, text_length: 400 } as const;
    return {
      markdown: functions.readShown({ format: 'markdown' }).text,
      text: functions.readShown({ format: 'text' }).text,
      html: functions.readShown({ format: 'html' }).text,
      nodes: functions.readShown({ format: 'nodes' }).text,
      snapshot: functions.readShown({ format: 'snapshot' }).text,
      find: every((query) => find({ query })),
      'text=': every((word) => locate('text', word)),
      'text="…"': every((word) => locate('text', JSON.stringify(word))),
      'text=/…/': every((word) => locate('text', `/${word}/i`)),
      'css=*': locate('css', '*'),
      'wait_for text': every((said) => find({ said })),
      'wait_for selector': find({ rendered: '*' }),
      nearest: every((word) => nearestTo(`text=${word}x`, refs).join('\n')),
      skeleton: drain(new SkeletonSession(skeleton, READ_CONTEXT, new Refs())).text,
      extract: findContexts(document, ADDRESS, false)
        .all.map(({ root, view }) => ('body' in root ? view.text(root.body) : ''))
        .join('\n'),
      'extract html': findContexts(document, ADDRESS, false)
        .all.filter(({ root }) => root !== document)
        .map(({ root, view }) => ('body' in root ? view.html(root.body) : ''))
        .join('\n'),
      names: elements
        .filter(isShown)
        .map((el) => `${computeName(el, roleOf(el, el.localName))}\n${descriptionOf(el, '')}`)
        .join('\n'),
      links: documents.flatMap((own) => summarizeDocument(own).links.map(({ text }) => text)).join('\n'),
      findings: elements
        .map(describeFinding)
        .map(({ name, snippet }) => `${name}\n${snippet}`)
        .join('\n'),
      'names of acts': elements.map((el) => describeElement(el)).join('\n'),
      'labels of fields': documents.flatMap((own) => new Fields(own).find('zzz').known).join('\n'),
    };
  },

  async readEach(
    pages: readonly (readonly [html: string, options: Partial<ReadPageOptions>])[],
  ): Promise<ReadResult[]> {
    const results: ReadResult[] = [];
    for (const [html, options] of pages) results.push(await functions.read(html, options));
    return results;
  },

  /** Reads a page that was parsed and not rendered, as a crawl does. */
  parse(html: string, format: CrawlFormat, mainContentOnly = false): string {
    const page = new ParsedPage(Document.parseHTMLUnsafe(html), { format, mainContentOnly });
    let lines = '';
    while (!page.isEnded) lines += page.next();
    return lines;
  },

  /** All that each reader says of a page that was parsed, as in a crawl. */
  parsedSayings(html: string): Record<string, string> {
    const parsed = Document.parseHTMLUnsafe(html);
    const contexts = findContexts(parsed, ADDRESS, false).all;
    const shown = [...parsed.querySelectorAll('*')].filter(isShown);
    const formats = ['markdown', 'text', 'html', 'nodes'] as const;
    return {
      ...Object.fromEntries(formats.map((format) => [format, functions.parse(html, format)])),
      extract: contexts.map(({ view }) => view.text(parsed.body)).join('\n'),
      'extract html': contexts.map(({ view }) => view.html(parsed.body)).join('\n'),
      names: shown.map((el) => computeName(el, roleOf(el, el.localName))).join('\n'),
      links: functions
        .survey(html)
        .links.map(({ text }) => text)
        .join('\n'),
    };
  },

  async skeleton(
    html: string,
    { selector = null, max_depth = 30, text_length = 40 }: SkeletonCaseOptions,
  ): Promise<ReadResult> {
    await show(html);
    const request = { format: 'skeleton', selector, max_depth, text_length } as const;
    return drain(new SkeletonSession(request, READ_CONTEXT, new Refs()));
  },

  async box(html: string, target: BoxTarget): Promise<BoxResult> {
    await show(html);
    const boxes = new ElementBoxes(new Refs());
    const measured = attempt(() => boxes.measure({ id: 1, target, isTop: true }, new LentNumbers(SHOWING)));
    const scrolled = scrollOffsets();
    boxes.forgetAll();
    const shared = { scrolled, left: scrollOffsets() };
    if (typeof measured === 'string')
      return { box: null, isClipped: false, matches: 0, error: measured, ...shared };
    const { box, isClipped, matches } = measured;
    return { box, isClipped, matches, error: '', ...shared };
  },

  /** Finds records of pages, as values before coercion. */
  async extractEach(
    pages: readonly (readonly [html: string, request: ExtractRequest])[],
  ): Promise<(Record<string, JsonValue>[] | string)[]> {
    const all: (Record<string, JsonValue>[] | string)[] = [];
    for (const [html, request] of pages) {
      await show(html);
      all.push(attempt(() => [...extract(document, request, ADDRESS).records].map(valuesOf)));
    }
    return all;
  },

  async find(html: string, request: ExtractRequest): Promise<FoundRecord[]> {
    await show(html);
    return [...extract(document, request, ADDRESS).records];
  },

  /** Reads records by selectors that were written for this page: the gold of a public page. */
  async pick(html: string, { rows, fields }: Wrapper): Promise<Record<string, JsonValue>[]> {
    await show(html);
    return [...document.querySelectorAll(rows)].map((row) =>
      Object.fromEntries(Object.entries(fields).map(([name, path]) => [name, pickField(row, path)])),
    );
  },

  /** The states of each element with a `t` attribute, in order. */
  async states(html: string): Promise<string[]> {
    await show(html);
    return [...document.querySelectorAll('[t]')].map((el) =>
      statesOf(el, roleOf(el, el.localName)).join(', '),
    );
  },

  /** Of a document that is not shown: a refresh would leave the page. */
  survey(html: string): DocumentSummary {
    const shown = Document.parseHTMLUnsafe(`${html}<base href="${ADDRESS}">`);
    return summarizeDocument(shown, { url: ADDRESS, refresh: null });
  },

  /** The next page's address, else the control that leads to it, or nothing. */
  async next(html: string): Promise<string> {
    await show(html);
    const found = findNext(document, null, ADDRESS);
    return found === null ? '' : (found.url ?? found.selector);
  },

  async select(html: string, selector: string): Promise<string> {
    await show(html);
    const found = attempt(() => selectRoots(document, selector).map(({ id }) => id));
    return typeof found === 'string' ? found : found.join(' ');
  },

  /** Offsets of all scrolled elements after some moves, and whether no part is left to scroll. */
  async scroll(
    html: string,
    moves: readonly ScrollMove[],
  ): Promise<{ offsets: readonly number[]; isOver: boolean }> {
    await show(html);
    const scroller = new PageScroller();
    let { isOver } = await scroller.move('begin');
    for (const move of moves) ({ isOver } = await scroller.move(move));
    const offsets = scrollOffsets();
    await scroller.move('restore');
    return { offsets, isOver };
  },
};

interface SkeletonCaseOptions {
  readonly selector?: string | null;
  readonly max_depth?: number;
  readonly text_length?: number;
}

export type PageFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
