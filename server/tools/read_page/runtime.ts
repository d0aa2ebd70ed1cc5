import type { z } from 'zod';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { WaitFor } from '../../../shared/wait-for.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import type { readPage } from '../../../shared/tools/read_page/manifest.ts';
import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';
import { parseJsonLines } from '../../toolkit/json-lines.ts';
import { describeMissing, waitForPage } from '../../toolkit/wait-for.ts';
import type { Outcome, Produced, RawPayload } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { CallContext } from '../../core/context.ts';
import type { Bridge, BridgeStream } from '../../core/services.ts';
import { onTab, requireTab, type TabTarget } from '../../core/targets.ts';
import { PageSearch } from './find.ts';
import { readTabStream } from '../../toolkit/tab-stream.ts';
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
      const target = await requireTab(bridge, args, context);
      const unmet =
        args.wait_for === undefined
          ? null
          : await unmetOf(bridge, { target, waitFor: args.wait_for }, context);
      const stream = bridge.stream(
        target.browser,
        'page.read',
        {
          tab_id: target.tabId,
          format: args.format,
          selector: args.selector ?? null,
          main_content_only: args.main_content_only,
          include_links: args.include_links,
          include_hidden: args.include_hidden,
        },
        { signal: context.signal },
      );
      const page = await onTab(target, context, () => unlessPdf(stream));
      const read =
        page === null
          ? await onTab(target, context, () => readPdfTab(bridge, { target, format: args.format }, context))
          : readText(page, { target, context, args, unmet });
      return args.find === undefined ? read : searched(read, new PageSearch(args.find, args.format));
    },
  };
}

/** The text of a page with frames, as its stream brings it. */
function readText(
  page: BridgeStream<'page.read'>,
  { target, context, args, unmet }: TextRead,
): Extract<Produced, { readonly payload: RawPayload }> {
  const { chunks, produced } = readTabStream(page, {
    target,
    context,
    urlOf: (result) => result.page.url,
    outcomeOf: (tab, result) => outcomeOf(tab, { format: args.format, unmet }, result),
  });
  return { payload: payloadOf(args.format, chunks), ...produced };
}

interface TextRead {
  readonly target: TabTarget;
  readonly context: CallContext;
  readonly args: Args;
  readonly unmet: string | null;
}

/** A read of which only the lines that contain a text are delivered. */
function searched(read: Extract<Produced, { readonly payload: RawPayload }>, search: PageSearch): Produced {
  const done = Promise.all([read.done, search.done]).then(([{ state, coverage }]) => ({
    state: { ...state, find: search.counts() },
    coverage: [search.summarise(), ...coverage],
  }));
  // As with the read: a reader may fail before the result is awaited.
  done.catch(() => undefined);
  return { ...read, done, pick: search.pick };
}

function payloadOf(format: ReadFormat, chunks: AsyncIterable<string>): RawPayload {
  if (format === 'nodes') return { kind: 'items', mimeType: MIME.json, items: parseJsonLines(chunks) };
  return { kind: 'text', mimeType: MIME_OF[format], chunks };
}

/** What did not hold at the end of the wait, in one sentence; null when everything did. */
async function unmetOf(
  bridge: Bridge,
  wait: { readonly target: TabTarget; readonly waitFor: WaitFor },
  context: CallContext,
): Promise<string | null> {
  return describeMissing(wait.waitFor, await waitForPage(bridge, wait, context));
}

function outcomeOf(
  tab: string,
  { format, unmet }: { readonly format: ReadFormat; readonly unmet: string | null },
  result: MethodResult<'page.read'>,
): Outcome {
  const coverage = result.coverage.map(({ kind, detail }) => `${kind}: ${detail}`);
  return {
    state: { tab, format, ...result.page, hidden_elements: result.hidden_elements },
    coverage: unmet === null ? coverage : [unmet, ...coverage],
  };
}
