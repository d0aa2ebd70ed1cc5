import { gather } from '../../shared/base/queue.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { textsOf } from '../../shared/base/cut.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { MIME, type MimeType } from '../../shared/base/mime.ts';
import type { readPage } from '../../shared/read/read_page.manifest.ts';
import type { ReadFormat } from '../../shared/read/read_page.methods.ts';
import {
  parseJsonLines,
  readTabStream,
  type TabStream,
  onTab,
  requireTab,
  type TabOutcome,
  type TabTarget,
  formatTabId,
} from '../core/targets.ts';
import { describeMissing, waitForPage } from '../wait/wait-first.ts';
import type { Outcome, Produced, RawPayload } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { Bridge, BridgeStream } from '../core/services.ts';
import { PageSearch } from './page-search.ts';
import { MergedReads, Scrolling } from './scroll-through.ts';
import { FETCH_BOUNDS } from '../../shared/core/fetch-limits.ts';
import { openFile, fileTypeOf, peek } from '../core/file-stream.ts';
import { producePdfText } from '../core/pdf-output.ts';
import { checkSnapshotFields, snapshotNotes, snapshotOptions } from './snapshot.ts';

/**
 * The stream once its first chunk has arrived, or null if the tab shows a PDF.
 * @throws SpillwayError the error of reading the page before its first chunk
 */
async function unlessPdf(stream: BridgeStream<'page.read'>): Promise<BridgeStream<'page.read'> | null> {
  try {
    return (await peek(stream)).all;
  } catch (thrown) {
    if (thrown instanceof SpillwayError && thrown.code === 'page_is_pdf') return null;
    throw thrown;
  }
}

/**
 * The text of the PDF in a tab. The viewer hides it from extensions, so it is fetched again from its address.
 * @throws SpillwayError `page_is_pdf` if that is not possible, and the errors of fetching and reading a PDF
 */
async function readPdfTab(
  bridge: Bridge,
  { target, format }: { readonly target: TabTarget; readonly format: ReadFormat },
  context: CallContext,
): Promise<Extract<Produced, { readonly payload: RawPayload }>> {
  const { signal } = context;
  const name = formatTabId(target);
  const { tab } = await bridge.request(target.browser, 'tabs.get', { tab_id: target.tabId }, context);
  const shown = (why: string, hint?: string): SpillwayError =>
    new SpillwayError('page_is_pdf', `Tab ${name} shows a PDF: ${why}.`, { hint });
  if (format !== 'markdown' && format !== 'text') throw shown(`it has no ${format}`);
  if (!/^https?:/.test(tab.url))
    throw shown(
      'its address cannot be fetched',
      'Open it from an http: or https: url, or take a screenshot.',
    );
  const { timeoutMs, bytes: maxBytes } = FETCH_BOUNDS;
  const params = { url: tab.url, what: 'page', timeout_ms: timeoutMs, max_bytes: maxBytes } as const;
  const options = { call: context.call, signal, idleTimeoutMs: timeoutMs };
  const stream = bridge.stream(target.browser, 'fetch.file', params, options);
  context.keepState(() => ({ url: tab.url, title: tab.title, format }));
  const file = await openFile(stream);
  const { kind, mimeType } = fileTypeOf(file.head.headers['content-type'] ?? null, file.start);
  if (kind !== 'pdf') {
    await file.bytes[Symbol.asyncIterator]().return?.();
    throw shown(
      `fetched again, its address answers ${mimeType} with HTTP ${file.head.status}`,
      'The page sent it once, for a form: save it in the browser, or take a screenshot.',
    );
  }
  return producePdfText(file, { format, signal }, (_, pages): Outcome => ({
    state: { tab: name, format, url: tab.url, title: tab.title, pages },
    coverage: ['fetch with as: "bytes" answers the file itself, and with pages only some of it.'],
  }));
}

/** How a format's text is divided into parts that can be merged and compared. */
interface Units {
  split(text: string): string[];
  keyOf(part: string): string;
  /** The part without facts that apply only while its element is in the page. */
  settle(part: string): string;
  readonly separator: string;
}

const split = (text: string): string[] => text.trimEnd().split('\n');

/** A list's own numbers count the current rows. */
const keyOfLine = (line: string): string => line.replace(/^\s*\d+[.)] /, '');

/** A reference at the start of a line or an item: `e13 button Save`, `[f1e2 link Home]`. */
const REFS = /(^|(?<!\\)\[)(?:f\d+)*e\d+(?: |(?=\]|$))/g;
const withoutRefs = (line: string): string => line.replace(REFS, '$1');

const NODE_PLACE = /"ref":"[^"]*","box":\[[^\]]*\],/;
const withoutPlace = (line: string): string => line.replace(NODE_PLACE, '');

const same = (part: string): string => part;
const LINES: Units = { split, keyOf: keyOfLine, settle: same, separator: '\n' };

const UNITS: Readonly<Record<ReadFormat, Units>> = {
  markdown: LINES,
  text: LINES,
  // Each tag with the text after it; closing tags in a row one by one.
  html: { split: (html) => html.split(/(?=<[^/])|(?<=>)(?=<\/)/), keyOf: same, settle: same, separator: '' },
  snapshot: { split, keyOf: withoutRefs, settle: withoutRefs, separator: '\n' },
  nodes: { split, keyOf: withoutPlace, settle: withoutPlace, separator: '\n' },
};

/**
 * Gives parts of a merged text their current references: those whose key is unique in both the text and
 * `now`. All others lose theirs: their elements are gone, or show other rows.
 */
function settleParts({ keyOf, settle }: Units, merged: readonly string[], now: readonly string[]): string[] {
  const current = placesOfOnce(now, keyOf);
  const known = placesOfOnce(merged, keyOf);
  return merged.map((part) => {
    const key = keyOf(part);
    return (known.has(key) ? current.get(key) : undefined) ?? settle(part);
  });
}

function placesOfOnce(parts: readonly string[], keyOf: (part: string) => string): Map<string, string> {
  const once = new Map<string, string>();
  const repeated = new Set<string>();
  for (const part of parts) {
    const key = keyOf(part);
    if (once.has(key)) repeated.add(key);
    once.set(key, part);
  }
  for (const key of repeated) once.delete(key);
  return once;
}

type ReadPageArgs = ArgsOf<typeof readPage>;

const MIME_OF: Readonly<Record<ReadFormat, MimeType>> = {
  markdown: MIME.markdown,
  text: MIME.text,
  html: MIME.html,
  snapshot: MIME.snapshot,
  nodes: MIME.json,
};

/** `read_page`: the page's stream becomes the payload; nothing is cut on the way. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  read_page: async (args: ReadPageArgs, context) => {
    checkSnapshotFields(args);
    const target = await requireTab(bridge, args, context);
    const { wait_for: waitFor } = args;
    const missing =
      waitFor && describeMissing(waitFor, await waitForPage(bridge, { target, waitFor }, context));
    const unmet = textsOf(missing ?? false);
    const reading: ReadRequest = { bridge, target, args, context };
    const whole =
      args.scroll === undefined ? await readNow(reading, unmet) : await scrollAndRead(reading, unmet);
    return args.find === undefined ? whole : searchRead(whole, new PageSearch(args.find, args.format));
  },
});

/** A read that delivers only the lines that contain a text. */
function searchRead(read: WholeRead, search: PageSearch): Produced {
  const outcome = (): Outcome => {
    const { state, coverage } = read.outcome();
    return { state: { ...state, find: search.counts() }, coverage: [search.summarise(), ...coverage] };
  };
  return { ...read, outcome, pick: search.pick };
}

/** A read before anything is picked from it. */
type WholeRead = Extract<Produced, { readonly payload: RawPayload }>;

interface ReadRequest {
  readonly bridge: Bridge;
  readonly target: TabTarget;
  readonly args: ReadPageArgs;
  readonly context: CallContext;
}

function openStream({ bridge, target, args, context }: ReadRequest): BridgeStream<'page.read'> {
  const params = {
    tab_id: target.tabId,
    caller: callerOf(context),
    format: args.format,
    selector: args.selector ?? null,
    main_content_only: args.main_content_only,
    include_links: args.include_links ?? args.format !== 'snapshot',
    include_hidden: args.include_hidden,
    ...snapshotOptions(args),
  };
  return bridge.stream(target.browser, 'page.read', params, context);
}

/**
 * The text of a page with frames, as its stream delivers it. @param notes sentences that go before its own
 * coverage
 */
function readText(
  page: BridgeStream<'page.read'>,
  { target, context, args }: ReadRequest,
  notes: readonly string[],
): TabStream {
  return readTabStream(page, {
    target,
    context,
    outcomeOf: (tab, result) =>
      outcomeOf(tab, { format: args.format, notes: [...notes, ...snapshotNotes(args, result)] }, result),
  });
}

/** Reads the tab's current page or PDF. */
async function readNow(reading: ReadRequest, notes: readonly string[]): Promise<WholeRead> {
  const { bridge, target, args, context } = reading;
  const { format } = args;
  const page = await onTab(target, context, () => unlessPdf(openStream(reading)));
  if (page === null) {
    const pdf = await onTab(target, context, () => readPdfTab(bridge, { target, format }, context));
    return { ...pdf, outcome: withNotes(notes, pdf.outcome) };
  }
  return produce(format, readText(page, reading, notes));
}

/** Scrolls to the end first. If a page keeps only the visible rows, every window is read. */
async function scrollAndRead(reading: ReadRequest, unmet: readonly string[]): Promise<WholeRead> {
  const { args, context } = reading;
  const units = UNITS[args.format];
  const merged = new MergedReads<string>(units.keyOf);
  let last: TabStream | null = null;
  const readParts = async (): Promise<string[]> => {
    last = readText(openStream(reading), reading, []);
    const parts = await gather(last.chunks);
    return units.split(parts.join(''));
  };
  const readWindow = async (): Promise<number> =>
    merged.add(await readParts()).reduce((sum, { length }) => sum + length, 0);
  const scrolling = new Scrolling({ ...reading, maxScrolls: args.max_scrolls, readWindow, context });
  const scrolledThrough = await scrolling.run().catch((thrown: unknown) => {
    if (thrown instanceof SpillwayError && thrown.code === 'page_is_pdf') return null;
    throw thrown;
  });
  if (scrolledThrough === null) return readNow(reading, unmet);
  const { isLossy, notes } = scrolledThrough;
  const allNotes = [...unmet, ...notes];
  if (!isLossy) return readNow(reading, allNotes);
  await scrolling.restore();
  const now = args.format === 'snapshot' || args.format === 'nodes' ? await readParts() : [];
  const text = settleParts(units, merged.entries, now);
  return produce(args.format, mergeParts(last, { text, separator: units.separator }, allNotes));
}

/** The merged parts with the facts of the last read. */
function mergeParts(
  last: TabStream | null,
  { text, separator }: { readonly text: readonly string[]; readonly separator: string },
  notes: readonly string[],
): TabStream {
  if (last === null) throw new SpillwayError('internal_error', 'A scrolled page was not read.');
  const { untrustedFrom } = last.produced;
  // The rows that this note misses are here.
  const outcome = withNotes(notes, last.produced.outcome, (note) => !note.startsWith('virtual_list:'));
  return { chunks: joinParts(text, separator), produced: { outcome, untrustedFrom } };
}

/** The outcome of a read, with notes before the ones of its own that are kept. */
function withNotes(
  notes: readonly string[],
  outcome: () => Outcome,
  isKept: (note: string) => boolean = () => true,
): () => Outcome {
  return () => {
    const { state, coverage } = outcome();
    return { state, coverage: [...notes, ...coverage.filter(isKept)] };
  };
}

async function* joinParts(parts: readonly string[], separator: string): AsyncGenerator<string> {
  for (const part of parts) yield part + separator;
}

const produce = (format: ReadFormat, { chunks, produced }: TabStream): WholeRead => ({
  payload: payloadOf(format, chunks),
  ...produced,
});

/** Clients show a blank block as no block at all. */
async function* orNothing(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isBlank = true;
  for await (const chunk of chunks) {
    isBlank &&= chunk.trim() === '';
    yield chunk;
  }
  if (isBlank) yield 'The page has no text.\n';
}

function payloadOf(format: ReadFormat, chunks: AsyncIterable<string>): RawPayload {
  if (format === 'nodes') return { kind: 'items', mimeType: MIME.json, items: parseJsonLines(chunks) };
  return { kind: 'text', mimeType: MIME_OF[format], chunks: orNothing(chunks) };
}

function outcomeOf(
  tab: string,
  { format, notes }: { readonly format: ReadFormat; readonly notes: readonly string[] },
  result: MethodResult<'page.read'>,
): TabOutcome {
  const { article, ...page } = result.page;
  const facts = article === undefined ? {} : { article };
  return {
    state: { tab, format, ...page, ...facts, hidden_elements: result.hidden_elements },
    coverage: [
      ...notes,
      ...Object.values(facts).map((known) => `article: ${JSON.stringify(known)}`),
      ...result.coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
    ],
  };
}
