import type { z } from 'zod';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import type { readPage } from '../../../shared/tools/read_page/manifest.ts';
import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';
import { parseJsonLines } from '../../toolkit/json-lines.ts';
import type { Outcome, RawPayload } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Bridge } from '../../core/services.ts';
import { requireTab } from '../../core/targets.ts';
import { readTabStream } from '../../toolkit/tab-stream.ts';

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
      const { chunks, produced } = readTabStream(stream, {
        target,
        context,
        urlOf: ({ page }) => page.url,
        outcomeOf: (tab, result) => outcomeOf(tab, args.format, result),
      });
      return { payload: payloadOf(args.format, chunks), ...produced };
    },
  };
}

function payloadOf(format: ReadFormat, chunks: AsyncIterable<string>): RawPayload {
  if (format === 'nodes') return { kind: 'items', mimeType: MIME.json, items: parseJsonLines(chunks) };
  return { kind: 'text', mimeType: MIME_OF[format], chunks };
}

function outcomeOf(tab: string, format: ReadFormat, result: MethodResult<'page.read'>): Outcome {
  return {
    state: { tab, format, ...result.page, hidden_elements: result.hidden_elements },
    coverage: result.coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
  };
}
