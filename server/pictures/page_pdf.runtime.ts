import { MIME } from '../../shared/base/mime.ts';
import type { manifest } from '../../shared/pictures/page_pdf.manifest.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { requireTab, readTabStream } from '../core/targets.ts';
import { decodeBase64 } from '../core/file-stream.ts';

/** `page_pdf`: the document's bytes, decoded as they arrive. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  page_pdf: async ({ tab, pages = '', ...wish }: ArgsOf<typeof manifest>, context) => {
    const target = await requireTab(bridge, { tab }, context);
    const params = { tab_id: target.tabId, pages, ...wish };
    const stream = bridge.stream(target.browser, 'page.pdf', params, context);
    const { chunks, produced } = readTabStream(stream, {
      target,
      context,
      outcomeOf: (name, { url, title, size_bytes }) => ({
        state: { tab: name, url, title, size_bytes },
        coverage: ['A PDF cannot be redacted: this one shows what the page shows.'],
      }),
    });
    return {
      payload: { kind: 'bytes', mimeType: MIME.pdf, chunks: decodeBase64(chunks) },
      ...produced,
      deliverAs: 'handle',
    };
  },
});
