import type { z } from 'zod';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { WaitFor } from '../../../shared/wait-for.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import type { readPage } from '../../../shared/tools/read_page/manifest.ts';
import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';
import { parseJsonLines } from '../../toolkit/json-lines.ts';
import { describeMissing, waitForPage } from '../../toolkit/wait-for.ts';
import type { Outcome, Produced, RawPayload } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import { callerOf } from '../../core/caller.ts';
import type { CallContext } from '../../core/context.ts';
import type { Bridge, BridgeStream } from '../../core/services.ts';
import { onTab, requireTab, type TabTarget } from '../../core/targets.ts';
import { PageSearch } from '../../toolkit/page-search.ts';
import { readTabStream, type TabStream } from '../../toolkit/tab-stream.ts';
import { MergedReads } from '../../toolkit/merged-reads.ts';
import { Scrolling } from '../../toolkit/scroll-through.ts';
import { settleParts, UNITS } from './units.ts';
import { checkSnapshotFields, snapshotNotes, snapshotOptions } from './snapshot.ts';
import { readPdfTab, unlessPdf } from './pdf.ts';

type Args = z.output<typeof readPage.input>;

const MIME_OF: Readonly<Record<ReadFormat, MimeType>> = {
  markdown: MIME.markdown,
  text: MIME.text,
  html: MIME.html,
  snapshot: MIME.snapshot,
  nodes: MIME.json,
};

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  read_page: createReadPage(services),
});

/** `read_page`: the page's stream becomes the payload; nothing is cut on the way. */
function createReadPage({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run(args, context) {
      checkSnapshotFields(args);
      const target = await requireTab(bridge, args, context);
      const { wait_for: waitFor } = args;
      const unmet = waitFor === undefined ? [] : await unmetOf(bridge, { target, waitFor }, context);
      const reading: Reading = { bridge, target, args, context };
      const whole =
        args.scroll === undefined ? await readNow(reading, unmet) : await scrolled(reading, unmet);
      return args.find === undefined ? whole : searched(whole, new PageSearch(args.find, args.format));
    },
  };
}

/** A read of which only the lines that contain a text are delivered. */
function searched(read: WholeRead, search: PageSearch): Produced {
  const done = Promise.all([read.done, search.done]).then(([{ state, coverage }]) => ({
    state: { ...state, find: search.counts() },
    coverage: [search.summarise(), ...coverage],
  }));
  // As with the read: a reader may fail before the result is awaited.
  done.catch(() => undefined);
  return { ...read, done, pick: search.pick };
}

/** A read before anything is picked from it. */
type WholeRead = Extract<Produced, { readonly payload: RawPayload }>;

interface Reading {
  readonly bridge: Bridge;
  readonly target: TabTarget;
  readonly args: Args;
  readonly context: CallContext;
}

function openStream({ bridge, target, args, context }: Reading): BridgeStream<'page.read'> {
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
  return bridge.stream(target.browser, 'page.read', params, { call: context.call, signal: context.signal });
}

/** The text of a page with frames, as its stream brings it. @param notes sentences that go before its own coverage */
function readText(
  page: BridgeStream<'page.read'>,
  { target, context, args }: Reading,
  notes: readonly string[],
): TabStream {
  return readTabStream(page, {
    target,
    context,
    urlOf: (result) => result.page.url,
    outcomeOf: (tab, result) =>
      outcomeOf(tab, { format: args.format, notes: [...notes, ...snapshotNotes(args, result)] }, result),
  });
}

/** Reads the page, or the PDF, that a tab shows now. */
async function readNow(reading: Reading, notes: readonly string[]): Promise<WholeRead> {
  const { bridge, target, args, context } = reading;
  const { format } = args;
  const page = await onTab(target, context, () => unlessPdf(openStream(reading)));
  if (page === null) {
    const pdf = await onTab(target, context, () => readPdfTab(bridge, { target, format }, context));
    return { ...pdf, done: withNotes(notes, pdf.done) };
  }
  return produce(format, readText(page, reading, notes));
}

/** Scrolls to the end first. Of a page that holds only the rows in view, every window is read. */
async function scrolled(reading: Reading, unmet: readonly string[]): Promise<WholeRead> {
  const { args, context } = reading;
  const units = UNITS[args.format];
  const merged = new MergedReads<string>(units.keyOf);
  let last: TabStream | null = null;
  const readParts = async (): Promise<string[]> => {
    last = readText(openStream(reading), reading, []);
    const parts: string[] = [];
    for await (const part of last.chunks) parts.push(part);
    await last.produced.done;
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
  return produce(args.format, mergedStream(last, { text, separator: units.separator }, allNotes));
}

/** The merged parts with what is known of the last read. */
function mergedStream(
  last: TabStream | null,
  { text, separator }: { readonly text: readonly string[]; readonly separator: string },
  notes: readonly string[],
): TabStream {
  if (last === null) throw new SpillwayError('internal_error', 'A scrolled page was not read.');
  const { done, untrustedFrom } = last.produced;
  // The rows that this note misses are here.
  const outcome = withNotes(notes, done, (note) => !note.startsWith('virtual_list:'));
  return { chunks: joined(text, separator), produced: { done: outcome, untrustedFrom } };
}

/** The outcome of a read with notes before those of its own that are kept. */
function withNotes(
  notes: readonly string[],
  done: Promise<Outcome>,
  isKept: (note: string) => boolean = () => true,
): Promise<Outcome> {
  const outcome = done.then(({ state, coverage }) => ({
    state,
    coverage: [...notes, ...coverage.filter(isKept)],
  }));
  // As with the read: a reader may fail before the result is awaited.
  outcome.catch(() => undefined);
  return outcome;
}

async function* joined(parts: readonly string[], separator: string): AsyncGenerator<string> {
  for (const part of parts) yield part + separator;
}

const produce = (format: ReadFormat, { chunks, produced }: TabStream): WholeRead => ({
  payload: payloadOf(format, chunks),
  ...produced,
});

/** Clients show a blank block as none at all. */
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

/** What did not hold at the end of the wait, in one sentence; nothing when everything did. */
async function unmetOf(
  bridge: Bridge,
  wait: { readonly target: TabTarget; readonly waitFor: WaitFor },
  context: CallContext,
): Promise<string[]> {
  const unmet = describeMissing(wait.waitFor, await waitForPage(bridge, wait, context));
  return unmet === null ? [] : [unmet];
}

function outcomeOf(
  tab: string,
  { format, notes }: { readonly format: ReadFormat; readonly notes: readonly string[] },
  result: MethodResult<'page.read'>,
): Outcome {
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
